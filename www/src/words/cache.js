/** Words of the KV cache's panel: what the newest pass did, and two paths compared on one text. */

import { count, counted, setting } from "../format.js";
import { inLanguage } from "./language.js";

const positions = (/** @type {number} */ n) => counted(n, { one: "position", other: "positions" });
const steps = (/** @type {number} */ n) => counted(n, { one: "step", other: "steps" });
const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });
const atSteps = (/** @type {number} */ n) => (n === 1 ? "At the one step" : `At all ${steps(n)}`);

export const words = inLanguage("cache", {
  intro:
    "A token's keys and values are computed once and kept, so that a step need not read the whole text again. Edit the prompt and see what stays; then switch the cache off and see that only time changes.",
  use: "KV cache in the page's runs",
  uses: { on: "used", off: "not used: all again for each token" },

  // ---------------------------------------------------------------------------------------------------- newest pass

  passHeading: "The newest forward pass",
  edits: {
    label: "Try an edit of the prompt",
    long: "Take a long prompt",
    add: "Add a word at its end",
    changeLast: "Change its last word",
    changeFirst: "Change its first word",
  },
  /** What the edits put into the prompt: words that the models know. */
  prompt: {
    /** Some chunks of 32 tokens, so that an edit at its end leaves some to reuse. */
    long: "The old man looked at the sea for a long time, and then he walked back to the village. The road was wet from the rain of the night, and in every garden the leaves lay on the grass. A dog came out of a door and went with him as far as the bridge. There he stopped, took a letter out of his coat, read it once more, and threw it into the water. He waited until it was gone. Then he went on, and he was",
    added: "and",
    /** One, or the other where the one is there. */
    last: ["there", "here"],
    first: ["An", "The"],
  },
  noPass: "No forward pass yet.",
  noPassHint: "No forward pass yet: write a prompt, or take the long one.",
  /** What became of a position. */
  fates: {
    reused: "reused",
    again: "discarded and computed again",
    computed: "computed",
    gone: "discarded, nothing in its place",
    unread: "not read yet",
  },
  /** @param {number} reused @param {number} computed @param {number} layers */
  pass: (reused, computed, layers) =>
    `The newest forward pass stands on ${positions(reused + computed)}: ${count(reused)} reused, ${count(computed)} computed. ` +
    `That is ${count(computed * layers)} of ${count((reused + computed) * layers)} entries computed in ${counted(layers, { one: "layer", other: "layers" })}.`,
  /** @param {number} n */
  lost: (n) => `${positions(n)} that the cache held had to go.`,
  /** Why positions with the same tokens were computed again. @param {number} n @param {boolean} cache */
  sameTokens: (n, cache) =>
    `Of these, ${positions(n)} had the same ${n === 1 ? "token" : "tokens"} as before: ` +
    (cache
      ? "a changed prompt keeps whole chunks of 32 positions of what was prefilled, so that its bits never depend on what was there before."
      : "the cache is switched off."),
  /** @param {number} perColumn @param {number} drawn @param {number} layers */
  grid: (perColumn, drawn, layers) =>
    `Positions from left to right${perColumn > 1 ? `, up to ${count(perColumn)} a column` : ", one a column"}; ` +
    `layers from the first, above, to the last${drawn < layers ? ` (the first ${count(drawn)} of ${count(layers)} are drawn)` : ""}.`,
  fateTable: "What became of the positions",
  fateColumns: ["What became of it", "Positions", "Entries, all layers", "Tokens"],
  /** @param {number} first from 0 @param {number} length */
  stretch: (first, length) =>
    `${positions(length)}: ${count(first + 1)}${length > 1 ? `–${count(first + length)}` : ""}`,
  layersNote:
    "All layers of a position are computed together, each from what the layer below made of it, which is why the rows look alike. An entry belongs to these inputs, these weights, this mask and this position: change one of them and it is of no use. Entries are not learned weights; nothing here trains the model.",

  // ------------------------------------------------------------------------------------------------------ two paths

  check: {
    heading: "The same text through two paths",
    intro: "Both paths read the very same tokens, so that a difference is one of the paths and never one of the texts.",
    compare: "Compare",
    stopWhat: "the comparison",
    /** For candle's second worker. */
    bothPathsRun: "both paths run",
    kinds: {
      /** @param {string} kernel */
      cache: (kernel) => `with the cache and without it, ${kernel} kernel`,
      /** @param {string} first @param {string} second */
      kernel: (first, second) => `${first} and ${second}, both with the cache`,
      simd: "baseline and relaxed SIMD, in two workers",
    },
    on: "On",
    /** @param {number} n */
    presentText: (n) => `the present text (${tokens(n)})`,
    noText: "the present text (none yet)",
    greedyText: "a greedy continuation made for this",
    logitsOf: "Logits of",
    lastPosition: "the last position of a step, on both paths",
    everyPosition: "every position that a step reads",
    /** @param {number} most */
    steps: (most) => `Steps, at most ${count(most)} here`,
    noPrompt: "There is no prompt yet.",
    /** @param {number} n @param {number} total */
    step: (n, total) => `Step ${count(n)} of ${count(total)}`,
    /** @param {string} build @param {number} done @param {number} total */
    timing: (build, done, total) => `Timing ${build}: ${count(done)} of ${steps(total)}`,
    paths: {
      cached: "with the cache",
      uncached: "without the cache",
      /** @param {string} kernel */
      onKernel: (kernel) => `on ${kernel}`,
      /** @param {string} build */
      simd: (build) => `with ${build} SIMD`,
    },
    /** @param {number} id */
    unnamed: (id) => `token ${id}`,
  },

  // ------------------------------------------------------------------------------------------------- what came of it

  verdict: {
    /** @param {number} n @param {number} total */
    stopped: (n, total) => `Stopped after ${count(n)} of ${count(total)}.`,
    noStep: "No step was made.",
    nothing: "There is nothing to compare yet.",
    /** @param {number} n @param {[string, string]} paths */
    sameBits: (n, [a, b]) => `${atSteps(n)} every logit has the same bits ${a} and ${b}: the largest difference is exactly 0.`,
    /** @param {number} n @param {string} difference @param {number} context */
    largest: (n, difference, context) =>
      `The largest logit difference of ${steps(n)} is ${difference}, at context ${count(context)}.`,
    /** @param {number} n */
    sameBest: (n) => `${atSteps(n)} the same token has the largest logit.`,
    /** @param {number} n @param {number} context of the first @param {[string, string]} best */
    parting: (n, context, [a, b]) =>
      `Another token leads at ${steps(n)}, first at context ${count(context)} (${a} and ${b}): there greedy decoding would part.`,
  },
  reasons: {
    cacheSame:
      "Why exactly 0: this kernel adds up the sums of a position in one fixed order, however many positions it computes at once, so a position has the same bits whatever the chunk. That is a promise of this kernel and not of caches: candle's products change their order with the number of rows, and there the last digits differ.",
    cacheCandle:
      "Both paths stand for the same sums. candle adds in another order for one row than for many, and each order rounds in its own way. A broken cache would be off by far more than last digits.",
    cache:
      "Both paths stand for the same sums. The kernel adds in another order for one row than for many, and each order rounds in its own way. A broken cache would be off by far more than last digits.",
    kernel:
      "The two kernels compute the same formulas and add in different orders, so they round differently. Neither is the exact one.",
    simd: "Relaxed SIMD may multiply and add with one rounding in place of two, as the machine likes. Another machine can give other last digits.",
    same: "The same bits here are no promise: on another machine or text the last digits may differ.",
  },
  /** What was compared. @param {string} model @param {number} n tokens of the prompt @param {boolean} greedy */
  compared: (model, n, greedy) =>
    `${model}, ${counted(n, { one: "prompt token", other: "prompt tokens" })}, ${greedy ? "then the first path's likeliest token each time" : "then the present text"}.`,
  /** What a time is of. @param {boolean} allPositions */
  boundary: (allPositions) =>
    `A time is one forward pass and the output head for ${allPositions ? "every position that it reads" : "its last position alone"}, without sampling; the first step runs the whole prompt.`,
  /** @param {number} stepMs */
  clock: (stepMs) => `The clock has steps of ${setting(stepMs)} ms.`,
  outdated: "It was made with another prompt than the present one.",
  times: {
    none: "One step, which runs the prompt: no time to compare.",
    /** @param {[string, string]} all median of each path @param {[string, string]} late of the last quarter @param {[string, string]} paths @param {number} from context */
    medians: ([a, b], [lateA, lateB], paths, from) =>
      `Median step after the prompt's: ${a} ${paths[0]}, ${b} ${paths[1]}; from context ${count(from)} on ${lateA} and ${lateB}.`,
    title: "Time of a step (ms) against its context (positions read)",
    x: "positions read",
    y: "ms a step",
    context: "Positions read",
    /** @param {string} path */
    ms: (path) => `${path}, ms`,
  },
  steps: {
    label: "Step by step",
    difference: "Largest logit difference",
    mostDifferent: "Token that differs most",
    best: "Likeliest token",
    sameBits: "0, same bits",
    none: "none",
    /** @param {unknown} token */
    sameBest: (token) => ["same: ", token],
    /** @param {unknown} a @param {unknown} b */
    otherBest: (a, b) => ["differs: ", a, ", ", b],
  },
});
