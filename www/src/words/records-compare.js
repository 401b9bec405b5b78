/** What differs between two records, what that lets expect, and what came of repeating one. */

import { count, counted } from "../format.js";
import { inLanguage } from "./language.js";

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });
/** A token as both sides of a divergence name it. @typedef {{ id: number, shown: string }} Token */
const named = (/** @type {Token} */ { id, shown }) => `${shown} (id ${id})`;
/** @param {number} index from 0 */
const place = (index) => `new token ${count(index + 1)} (index ${index})`;

export const words = inLanguage("records-compare", {
  layers: {
    tokenizer: "Tokenizer",
    weights: "Weights",
    precision: "Precision",
    kernel: "Kernel",
    simd: "SIMD level",
    kvCache: "KV cache",
    prompt: "Prompt",
    sampling: "Sampling settings",
    stop: "Stop rules",
    seed: "Seed",
    byHand: "By hand",
    program: "Program",
  },
  rows: {
    tokenizer: "tokenizer.json",
    weights: "weights",
    precision: "stored weights",
    kernel: "kernel",
    simd: "SIMD level",
    cachePolicy: "policy",
    cacheFormat: "format",
    padding: "padding and row",
    prompt: "prompt",
    decoding: "decoding",
    order: "order of the chain",
    border: "border",
    repetitionPenalty: "repetition penalty",
    noRepeatNgram: "n-grams that may not come twice",
    banned: "banned ids",
    minNewTokens: "shortest text",
    earlierRuns: "earlier runs of the text",
    maxNewTokens: "new tokens, at most",
    stopStrings: "stop strings",
    ignoreEos: "going on after the end token",
    endToken: "end token",
    seed: "seed",
    handNumbers: "uniform numbers set by hand",
    putIn: "tokens put in",
    build: "build of the page",
    engineVersion: "engine version",
  },

  // Values of those rows.
  unknown: "unknown",
  yes: "yes",
  no: "no",
  none: "none",
  noRun: "no run",
  off: "off",
  tokens,
  quoted: (/** @type {string} */ text) => `“${text}”`,
  digest: (/** @type {string} */ short) => `SHA-256 ${short}…`,
  /** @param {string} title @param {string} short */
  weights: (title, short) => `${title} (SHA-256 ${short}…)`,
  cachePolicies: { reuse: "keys and values are reused", recompute: "computed again for each token" },
  /** @param {string} padding @param {number[]} rows */
  padding: (padding, rows) => `padding ${padding}, rows ${rows.join(", ")}`,
  tokenIds: (/** @type {number} */ n) => counted(n, { one: "token id", other: "token ids" }),
  greedy: "greedy",
  drawing: "drawing with a seed",
  /** @param {string[]} steps of the chain, none or more */
  order: (steps) => steps.join(", then ") || "nothing acts",
  /** @param {number} runs @param {number} upTo */
  earlierRuns: (runs, upTo) => `${counted(runs, { one: "run", other: "runs" })}, up to new token ${upTo}`,
  id: (/** @type {number} */ id) => `id ${id}`,
  /** @param {string} uniform @param {number} token from 1 */
  handNumber: (uniform, token) => `${uniform} for token ${token}`,
  putIn: (/** @type {number[]} */ tokens) => `at ${tokens.join(", ")}`,

  divergence: {
    otherTokenizers:
      "The two tokenizers give the same id to different text, so the tokens cannot be lined up: only the texts can be read side by side.",
    none: (/** @type {number} */ n) => `There is no divergence: both texts have the same ${tokens(n)}.`,
    goesOn: (/** @type {number} */ n) => `No token differs: the run before ended after ${tokens(n)}, and this one goes on.`,
    endedSooner: (/** @type {number} */ n) => `No token differs: this run ended after ${tokens(n)}, and the one before goes on.`,
    /** @param {number} index @param {Token} before @param {Token} now */
    first: (index, before, now) =>
      `First divergence: ${place(index)}: before ${named(before)}, now ${named(now)}. All that follows it comes of another prefix.`,
  },

  expected: {
    nothingChanged: "Nothing was changed, so the same tokens are expected.",
    greedySeed: "Greedy decoding draws nothing, so another seed changes nothing: the same tokens are expected.",
    onlyEnd: "Only the end of a run was changed: the same tokens are expected, up to the end of the shorter text.",
    onlyCacheUse:
      "Only the use of the KV cache was changed, which on the fused kernel changes no bit of the numbers: the same tokens are expected.",
    otherComputing:
      "Weights and picking are the same, and the numbers are computed in another way: logits may differ in their last digits. The same tokens are likely, and not certain.",
    other: "Another text may come of this.",
  },

  checked: {
    isSo: "Checked: it is so.",
    isSoAsFar: "Checked: as far as both go, it is so.",
    isNot: "Checked: it is not so. Something that this list does not show has changed.",
  },

  hindrances: {
    noModel: "No model is loaded.",
    noTokens: "The record has no new tokens: there is nothing to repeat.",
    batch: "It was made in a batch. A single run has no padding and no other rows, so it cannot be repeated as one call.",
    inexact:
      "Its settings were changed while it ran at full speed, and nobody knows at which token: it cannot be repeated as one call.",
    noSettings: "It does not say with which settings its tokens were drawn.",
    noEngine: "It does not say on which engine it was made.",
    noRelaxed: "It was made with relaxed SIMD, which this browser does not have.",
    noDigest: "The record names no digest of its weights, so nobody can tell whether these are the same.",
    /** @param {string} title @param {string} short */
    otherWeights: (title, short) =>
      `Its weights (${title}, SHA-256 ${short}…) are neither those of the model in use nor of one that this page names. Load that model first.`,
  },

  notes: {
    relaxed: "Relaxed SIMD may differ in the last digits from machine to machine, so a divergence proves no fault.",
    candle: "The candle kernel promises no equal bits between a browser and a native run.",
    otherTokenizer:
      "The tokenizer here is another one. The ids of the record are used as they are, and names of tokens may differ.",
    /** @param {string} then @param {string} now */
    otherVersion: (then, now) => `It was made by engine version ${then}; this page has ${now}.`,
    /** @param {string} then @param {string | null} now */
    otherBuild: (then, now) => `It was made by another build (${then}; here ${now ?? "one without a name"}).`,
    byHand: (/** @type {number} */ n) => `${tokens(n)} put in by hand ${n === 1 ? "is" : "are"} put in again, not drawn.`,
  },

  repeating: "Repeating the run",
  /** @param {number} done @param {number} total */
  repeatingAt: (done, total) => `Repeating the run: ${count(done)} of ${tokens(total)}`,

  repeated: {
    noEnd: "The first run had no end of its own, so the repeat was given as many tokens.",
    /** @param {string} then @param {string} now */
    otherEnd: (then, now) => `It ended otherwise: then because ${then}, now because ${now}.`,
    /** @param {number} n @param {number} byHand of them */
    same: (n, byHand) =>
      byHand === 0
        ? `No divergence: the same ${tokens(n)}.`
        : `No divergence: the same ${tokens(n)}, ${count(byHand)} of them put in by hand.`,
    /** @param {number} index @param {Token} then @param {Token} now */
    first: (index, then, now) =>
      `First divergence at ${place(index)}: in the record ${named(then)}, now ${named(now)}.`,
    /** @param {number} index @param {Token} then */
    endedSooner: (index, then) => `The repeat ended sooner, before ${place(index)}, ${named(then)} in the record.`,
    /** @param {number} index @param {Token} now */
    wentOn: (index, now) => `The repeat went on after the record's end, with ${named(now)} at ${place(index)}.`,
  },
});
