/**
 * Bundles that load and are wrong: a tokenizer of equal size whose ids are dealt out anew, and weights of equal shapes that
 * were never trained. Everything comes from a seed. Pure but for time: megabytes are written.
 */

/** A generator of 32-bit words (xorshift), enough for dealing out ids and noise. @param {number} seed */
function words(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

/**
 * The same tokens and rules, and the same ids, but each token has another's. Special tokens keep theirs.
 * @param {string} text of tokenizer.json @param {number} seed
 */
export function permutedTokenizer(text, seed) {
  const file = JSON.parse(text);
  const next = words(seed);
  const kept = new Set((file.added_tokens ?? []).map((/** @type {{ id: number }} */ { id }) => id));
  const entries = /** @type {[string, number][]} */ (Object.entries(file.model.vocab));
  const ids = entries.map(([, id]) => id).filter((id) => !kept.has(id));
  // Fisher and Yates; the rest of a division by so few is even enough.
  for (let n = ids.length - 1; n > 0; n--) {
    const other = next() % (n + 1);
    [ids[n], ids[other]] = [ids[other], ids[n]];
  }
  const dealt = entries.map(([token, id]) => /** @type {const} */ ([token, kept.has(id) ? id : (ids.pop() ?? id)]));
  return JSON.stringify({ ...file, model: { ...file.model, vocab: Object.fromEntries(dealt) } });
}

/** A tensor's place in a file of safetensors. @typedef {{ dtype: string, shape: number[], data_offsets: [number, number] }} TensorPlace */

/** Numbers of this spread are what these models begin their training with. */
const spread = 0.02;
const noiseLength = 1 << 16;
/** How many numbers of the noise follow each other. */
const runLength = 64;

/**
 * A file of weights with the same names, shapes and dtypes, as before the first step of training: noise for matrices, zero
 * for biases, one for the scales of layer norms.
 * @param {Uint8Array} file @param {number} seed @returns {Uint8Array<ArrayBuffer>}
 */
export function untrainedWeights(file, seed) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  const twin = new Uint8Array(file.length);
  twin.set(file.subarray(0, start));
  const next = words(seed);
  const noise = Float32Array.from({ length: noiseLength }, () => spread * normal(next));
  /** @type {Map<string, Uint8Array>} by dtype */
  const encoded = new Map();
  for (const [name, place] of /** @type {[string, TensorPlace][]} */ (Object.entries(header))) {
    if (name === "__metadata__") continue;
    const [from, to] = place.data_offsets;
    const { dtype } = place;
    const width = { F16: 2, BF16: 2, F32: 4 }[dtype];
    // Biases are zero, and so may be masks and the like, which no model of this page reads.
    if (width === undefined || name.endsWith(".bias")) continue;
    const bytes = twin.subarray(start + from, start + to);
    if (!encoded.has(dtype)) encoded.set(dtype, encode(noise, dtype));
    if (/norm/.test(name)) repeat(bytes, encode(Float32Array.of(1), dtype));
    else scatter(bytes, /** @type {Uint8Array} */ (encoded.get(dtype)), width, next);
  }
  return twin;
}

/** Nearly normal: twelve even numbers added up. @param {() => number} next */
function normal(next) {
  let sum = -6;
  for (let n = 0; n < 12; n++) sum += next() / 2 ** 32;
  return sum;
}

/** @param {Uint8Array} bytes @param {Uint8Array} value */
function repeat(bytes, value) {
  for (let at = 0; at < bytes.length; at += value.length) bytes.set(value, at);
}

/** Runs of the noise, each from a place of its own: fast, and no two rows are alike.
 * @param {Uint8Array} bytes @param {Uint8Array} noise @param {number} width of a number @param {() => number} next
 */
function scatter(bytes, noise, width, next) {
  for (let at = 0; at < bytes.length; ) {
    const from = (next() % noiseLength) * width;
    const length = Math.min(noise.length - from, bytes.length - at, runLength * width);
    bytes.set(noise.subarray(from, from + length), at);
    at += length;
  }
}

/** @param {Float32Array} values @param {string} dtype */
function encode(values, dtype) {
  if (dtype === "F32") return new Uint8Array(Float32Array.from(values).buffer);
  const halves = Uint16Array.from(values, dtype === "F16" ? half : brain);
  return new Uint8Array(halves.buffer);
}

const one = new DataView(new ArrayBuffer(4));

/** The bits of a BF16: the upper half of a float's. @param {number} value */
function brain(value) {
  one.setFloat32(0, value);
  return one.getUint16(0);
}

/** The bits of an F16, rounded to nearest, ties to even; for numbers that are finite there. @param {number} value */
export function half(value) {
  one.setFloat32(0, value);
  const bits = one.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(value);
  // Below the smallest normal number the spacing is 2^-24 throughout.
  if (size < 2 ** -14) return sign | evenly(size * 2 ** 24);
  const exponent = ((bits >>> 23) & 0xff) - 127;
  const whole = evenly((size / 2 ** exponent) * 1024);
  return sign | ((exponent + 15) * 1024 + whole - 1024);
}

/** @param {number} value */
function evenly(value) {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}
