/**
 * A WebAssembly module that does nothing but read memory: the limit that no kernel on this machine and browser can
 * pass. Written byte by byte, so that no compiler's cleverness is measured.
 *
 * `sum(from, end)` adds all f32 from byte `from` to byte `end` (a multiple of 128 further) in eight vectors of four
 * lanes, so that no addition waits for the one before. `memory` has room for 64 MiB behind the first page.
 */

const ACCUMULATORS = 8;
const VECTOR_BYTES = 16;
const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
export const PAGE_BYTES = 65_536;
/** The largest stream: well beyond most caches. */
export const LARGEST_BYTES = 64 * 1024 * 1024;
/** Streams are whole turns of the loop. */
export const TURN_BYTES = ACCUMULATORS * VECTOR_BYTES;

/** @param {number} value a whole number @returns {number[]} as unsigned LEB128 */
function unsigned(value) {
  const low = value & 0x7f;
  const high = value >>> 7;
  return high === 0 ? [low] : [low | 0x80, ...unsigned(high)];
}

/** @param {number} value at least 0 @returns {number[]} as signed LEB128 */
function signed(value) {
  return value < 64 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}

/** @param {number[]} bytes with their count before them */
const counted = (bytes) => [...unsigned(bytes.length), ...bytes];
/** @param {number[][]} parts with their number before them */
const vector = (parts) => [...unsigned(parts.length), ...parts.flat()];
/** @param {number} id @param {number[]} bytes */
const section = (id, bytes) => [id, ...counted(bytes)];
/** @param {string} text */
const name = (text) => counted([...new TextEncoder().encode(text)]);

const getLocal = (/** @type {number} */ index) => [0x20, index];
const setLocal = (/** @type {number} */ index) => [0x21, index];
const LOOP = [0x03, 0x40];
const BRANCH_IF = [0x0d, 0x00];
const END = [0x0b];
const I32_ADD = [0x6a];
const I32_LESS_UNSIGNED = [0x49];
const F32X4_ADD = [0xfd, 0xe4, 0x01];
const F32X4_FIRST_LANE = [0xfd, 0x1f, 0x00];
/** An aligned load of 16 bytes at the address on the stack plus an offset. */
const loadVector = (/** @type {number} */ offset) => [0xfd, 0x00, 0x04, ...unsigned(offset)];

/** The module's bytes. */
export function streamModule() {
  const [from, end, first] = [0, 1, 2];
  const lanes = Array.from({ length: ACCUMULATORS }, (_, lane) => lane);
  const code = [
    ...LOOP,
    ...lanes.flatMap((lane) => [
      ...getLocal(first + lane),
      ...getLocal(from),
      ...loadVector(lane * VECTOR_BYTES),
      ...F32X4_ADD,
      ...setLocal(first + lane),
    ]),
    ...getLocal(from),
    ...[0x41, ...signed(TURN_BYTES)],
    ...I32_ADD,
    ...setLocal(from),
    ...getLocal(from),
    ...getLocal(end),
    ...I32_LESS_UNSIGNED,
    ...BRANCH_IF,
    ...END,
    ...getLocal(first),
    ...lanes.slice(1).flatMap((lane) => [...getLocal(first + lane), ...F32X4_ADD]),
    ...F32X4_FIRST_LANE,
    ...END,
  ];
  const body = [...vector([[ACCUMULATORS, V128]]), ...code];
  const pages = 1 + LARGEST_BYTES / PAGE_BYTES;
  return [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector([[0x60, ...vector([[I32], [I32]]), ...vector([[F32]])]])),
    ...section(3, vector([[0x00]])),
    ...section(5, vector([[0x00, ...unsigned(pages)]])),
    ...section(7, vector([[...name("sum"), 0x00, 0x00], [...name("memory"), 0x02, 0x00]])),
    ...section(10, vector([counted(body)])),
  ];
}

/** In the page: makes the module, fills its memory and runs it until it is compiled for speed. Arguments: its bytes. */
export const PREPARE_STREAM = `
  const { instance } = await WebAssembly.instantiate(new Uint8Array(args[0]));
  const { sum, memory } = instance.exports;
  const values = new Float32Array(memory.buffer);
  for (let n = 0; n < values.length; n++) values[n] = (n % 17) * 0.01 - 0.08;
  for (let turn = 0; turn < 3000; turn++) sum(65536, 131072);
  await new Promise((resolve) => setTimeout(resolve, 100));
  globalThis.streamSum = sum;
`;

/** In the page: reads a number of bytes over and over for at least 60 ms; answers in GB (10^9 bytes) a second. */
export const MEASURE_STREAM = `
  const bytes = Math.floor(args[0] / ${TURN_BYTES}) * ${TURN_BYTES};
  globalThis.streamSum(${PAGE_BYTES}, ${PAGE_BYTES} + bytes);
  const startMs = performance.now();
  let passes = 0;
  let ms = 0;
  do {
    globalThis.streamSum(${PAGE_BYTES}, ${PAGE_BYTES} + bytes);
    passes += 1;
    ms = performance.now() - startMs;
  } while (ms < 60);
  return (bytes * passes) / ms / 1e6;
`;
