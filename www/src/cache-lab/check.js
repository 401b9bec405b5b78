/** Two paths on one text. One worker compares its own; two workers send their logits, block by block. */

import { logitBlocks } from "../ab/logit-blocks.js";
import { addBlock, noDifference } from "../ab/logit-difference.js";
import { words } from "../words/cache.js";

/** @import { CandleHolding } from "../candle-place.js" */
/** @import { Place } from "../lab-places.js" */
/** @import { WorkTools } from "../lab-work.js" */
/** @import { CacheCheckResult, CheckContinuation, TokenColumn } from "../protocol.js" */
/** @import { CheckKind, CheckOutcome, CheckRow } from "./types.js" */

/**
 * What is to be compared, on which text.
 * @typedef {object} Wish
 * @property {CheckKind} kind
 * @property {string} kernel of the page
 * @property {"baseline" | "relaxed"} simd of the page
 * @property {CandleHolding | null} secondWorker what candle needs in place of the page's weights
 * @property {number[]} prompt
 * @property {CheckContinuation} continuation
 * @property {boolean} allPositions
 */

const { paths } = words.check;

/** @typedef {Pick<CheckOutcome, "names" | "kernels" | "rows" | "total" | "promptLength" | "secondWorker">} Found */

/** @param {Wish} wish @param {WorkTools} tools @returns {Promise<Found>} */
export function runCheck(wish, tools) {
  return wish.kind === "simd" ? twoWorkers(wish, tools) : oneWorker(wish, tools);
}

/** @param {Wish} wish @param {WorkTools} tools @returns {Promise<Found>} */
async function oneWorker({ kind, kernel, secondWorker, prompt, continuation, allPositions }, { calls, placeOf, report, signal }) {
  const other = kernel === "candle" ? "fused" : "candle";
  const second = kind === "cache" ? { kernel, cache: false } : { kernel: other, cache: true };
  // The cache alone is compared on the page's kernel, which holds its weights anyhow.
  const held = kind === "kernel" ? secondWorker : null;
  const { workerId } = await placeOf(held ?? {});
  report(words.check.step(1, lengthOf(continuation)));
  const { result } = await calls.ask(
    workerId,
    { method: "cacheCheck", ids: prompt, continuation, first: { kernel, cache: true }, second, allPositions },
    { signal, onProgress: (done, total) => report(words.check.step(Math.min(done + 1, total), total)) },
  );
  return {
    names: kind === "cache" ? [paths.cached, paths.uncached] : [paths.onKernel(kernel), paths.onKernel(other)],
    kernels: [kernel, second.kernel],
    rows: rowsOf(result),
    total: result.total,
    promptLength: result.promptLength,
    secondWorker: held,
  };
}

/** The page's build of the engine first. @param {Wish} wish @param {WorkTools} tools @returns {Promise<Found>} */
async function twoWorkers({ kernel, simd, prompt, continuation, allPositions }, tools) {
  const { calls, placeOf, report, signal } = tools;
  const other = simd === "relaxed" ? "baseline" : "relaxed";
  const places = /** @type {[Place, Place]} */ ([await placeOf({}), await placeOf({ simd: other })]);
  /** Each worker times its own steps, one after the other. @param {Place} place @param {CheckContinuation} read @param {string} name */
  const timed = async ({ workerId }, read, name) => {
    const total = lengthOf(read);
    const path = { kernel, cache: true };
    const call = { ids: prompt, continuation: read, first: path, second: path, allPositions };
    const onProgress = (/** @type {number} */ done) => report(words.check.timing(name, done, total));
    const { result } = await calls.ask(workerId, { method: "cacheCheck", ...call }, { signal, onProgress });
    signal.throwIfAborted();
    return result;
  };
  const one = await timed(places[0], continuation, simd);
  const ids = Array.from(one.ids);
  const total = one.contexts.length;
  // Both read what the first one read; the last token is predicted and not read.
  const text = Array.from({ length: total }, (_, n) => ids[prompt.length + n] ?? one.firstBest.ids[n]);
  const two = await timed(places[1], { ids: text }, other);
  const names = namesOf([one.firstBest, two.firstBest]);
  const read = ids.slice(0, prompt.length + total - 1);
  const pair = /** @type {[{ cache: string, kernel: string }, { cache: string, kernel: string }]} */ ([
    { cache: "on", kernel },
    { cache: "on", kernel },
  ]);
  const { vocabulary } = places[0];
  /** @type {CheckRow[]} */
  const rows = [];
  try {
    for await (const [a, b] of logitBlocks(pair, places, read, prompt.length, tools)) {
      for (let row = 0; row < a.length / vocabulary; row++) {
        const n = rows.length;
        const span = /** @type {const} */ ([row * vocabulary, (row + 1) * vocabulary]);
        const { value, id, sameBits } = addBlock(noDifference, a.subarray(...span), b.subarray(...span), vocabulary);
        rows.push({
          context: one.contexts[n],
          difference: value,
          sameBits,
          mostDifferent: sameBits ? "" : (names.get(id) ?? words.check.unnamed(id)),
          best: [one.firstBest.text[n], two.firstBest.text[n]],
          sameBest: one.firstBest.ids[n] === two.firstBest.ids[n],
          ms: [one.firstMs[n], two.firstMs[n]],
        });
      }
    }
  } catch (error) {
    // A stop leaves the blocks that have come.
    if (!signal.aborted || rows.length === 0) throw error;
  }
  return {
    names: [paths.simd(simd), paths.simd(other)],
    kernels: [kernel, kernel],
    rows,
    total,
    promptLength: prompt.length,
    secondWorker: null,
  };
}

/** @param {CheckContinuation} continuation */
const lengthOf = (continuation) => ("ids" in continuation ? continuation.ids.length : continuation.greedy);

/** @param {TokenColumn[]} columns */
function namesOf(columns) {
  /** @type {Map<number, string>} */
  const names = new Map();
  for (const { ids, text } of columns) ids.forEach((id, n) => names.set(id, text[n]));
  return names;
}

/** @param {CacheCheckResult} result @returns {CheckRow[]} */
function rowsOf({ contexts, differences, sameBits, mostDifferent, firstBest, secondBest, firstMs, secondMs }) {
  return Array.from(contexts, (context, n) => ({
    context,
    difference: differences[n],
    sameBits: sameBits[n] === 1,
    mostDifferent: sameBits[n] === 1 ? "" : mostDifferent.text[n],
    best: [firstBest.text[n], secondBest.text[n]],
    sameBest: firstBest.ids[n] === secondBest.ids[n],
    ms: [firstMs[n], secondMs[n]],
  }));
}
