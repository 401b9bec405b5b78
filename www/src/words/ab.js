/** Words of the A/B panel: two configurations, their runs, what came of them, and one configuration run several times. */

import { count, counted, size } from "../format.js";
import { inLanguage } from "./language.js";

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });
/** Where logits were compared. @param {number} positions */
const prefix = (positions) =>
  `at ${positions === 1 ? "the one position" : `all ${count(positions)} positions`} of the identical prefix`;
const texts = (/** @type {number} */ n) => counted(n, { one: "text", other: "texts" });

export const words = inLanguage("ab", {
  intro: "Two runs on the prompt above. Change one thing between them, and see whether, where and why the texts part.",
  /** The two configurations. @type {[string, string]} */
  sides: ["A", "B"],
  /** Of one configuration that ran twice. @type {[string, string]} */
  twice: ["First", "Second"],
  /** The same two in a report of progress. @type {[string, string]} */
  twiceRuns: ["one", "two"],
  run: "Run A and B",
  stopWhat: "the comparison",
  swap: "Swap A and B",
  pageFirst: "The page's own run goes first.",
  /** Which need other weights than the page's model. @param {string[]} sides */
  otherWeights: (sides) =>
    `${sides.length === 2 ? sides.join(" and ") + " need" : `${sides[0]} needs`} other weights than the page's model: they are loaded beside it in another worker, which takes memory of its own and is ended after the runs.`,
  nothingDiffers: "A and B are the same: nothing differs.",
  theyDiffer: "They differ in:",
  /** @param {string[]} differences */
  differenceList: (differences) => `${differences.join("; ")}.`,
  /** @param {string} thing @param {string} a @param {string} b */
  difference: (thing, a, b) => `${thing} (A: ${a}, B: ${b})`,

  // ------------------------------------------------------------------------------------------------ configurations

  /** Rows of the two configurations. */
  lines: { start: "Settings from", greedy: "Greedy", words: "In words" },
  /** Number fields and choices of the engine, as they stand at their row. */
  fields: {
    temperature: "Temperature",
    topK: "Top-k",
    topP: "Top-p",
    seed: "Seed",
    maxNewTokens: "New tokens, at most",
    model: "Model",
    simd: "SIMD level",
    precision: "Weights",
    kvCache: "KV cache format",
    kernel: "Kernel",
    cache: "KV cache",
  },
  /** What two configurations can differ in, inside a sentence. */
  things: {
    greedy: "decoding",
    seed: "seed",
    temperature: "temperature",
    topK: "top-k",
    topP: "top-p",
    minP: "min-p",
    order: "order of the chain",
    bypassed: "steps switched off",
    repetitionPenalty: "repetition penalty",
    noRepeatNgram: "n-grams that may not come twice",
    minNewTokens: "shortest text",
    suppress: "banned tokens",
    maxNewTokens: "new tokens, at most",
    stop: "stop strings",
    ignoreEos: "going on after the end token",
    model: "model",
    simd: "SIMD level",
    precision: "weights",
    kvCache: "KV cache format",
    kernel: "kernel",
    cache: "KV cache",
  },
  cache: { on: "used (default)", off: "not used: all again for each token" },
  starts: { own: "as set below", page: "what the page has now", greedy: "Greedy", plain: "Plain sampling" },
  differs: "differs",
  engine: "Model and engine",
  decoding: { greedy: "greedy", drawing: "drawing with a seed" },
  yes: "yes",
  no: "no",
  none: "none",
  /** A field for ears. @param {string} side @param {string} field */
  fieldOf: (side, field) => `${side}: ${field}`,
  /** The same, of a field that does nothing. @param {string} side @param {string} field */
  unusedFieldOf: (side, field) => `${side}: ${field}, no effect under greedy`,
  greedyBox: "greedy",

  // ---------------------------------------------------------------------------------------------------- under way

  /** @param {string} name */
  running: (name) => `Run ${name}`,
  /** @param {string} name @param {number} made */
  runningAt: (name, made) => `Run ${name}: ${tokens(made)}`,
  /** @param {number} done @param {number} positions */
  comparingLogits: (done, positions) =>
    `Comparing logits: ${count(done)} of ${counted(positions, { one: "position", other: "positions" })}`,
  readingDistributions: "Reading both distributions",
  /** @param {number} n @param {string} side */
  sampling: (n, side) => `${texts(n)} with ${side}, one seed after the other`,

  // -------------------------------------------------------------------------------------------------- what came of it

  outcome: "What came of it",
  outdated: "Prompt or configurations have been changed since this was made.",
  greedy: "greedy",
  /** @param {number} seed */
  seed: (seed) => `seed ${seed}`,
  /** How a run went. @param {string} side @param {number} made @param {string} ended why @param {string} how greedy or its seed */
  facts: (side, made, ended, how) => `${side}: ${tokens(made)}; ${ended}; ${how}`,
  /** The same of a run in a second worker. @param {string} facts @param {number} weightBytes */
  madeElsewhere: (facts, weightBytes) =>
    `${facts}; made in a second worker with ${size(weightBytes)} of weights, which has been ended`,
  verdict: {
    /** @param {string} how @param {number} made */
    provedEqual: (how, made) => `Proved equal: both runs (${how}) made the same ${tokens(made)}, from logits with the same bits.`,
    /** @param {string} how @param {number} made */
    sameTokens: (how, made) => `Both runs (${how}) made the same ${tokens(made)}, but from logits that differ.`,
    /** @param {string} how */
    notSame: (how) => `The two runs (${how}) are not the same.`,
    otherTokenizers:
      "The two models cut text into different tokens, so that nothing can be lined up: only the texts can be read side by side.",
    /** @param {number} index of the token, from 0 @param {[string, string]} picked @param {string} cause */
    parted: (index, [a, b], cause) =>
      `The texts part ${index === 0 ? "at the first token" : `at token ${count(index + 1)}`}: A picked ${a}, B picked ${b}. ${cause} All that follows comes of another prefix.`,
    /** @param {string} side @param {number} equal @param {string} why */
    endsFirst: (side, equal, why) => `No token differs: ${side} ends after ${tokens(equal)} (${why}), and the other goes on.`,
    /** @param {number} made */
    same: (made) => `Both made the same ${tokens(made)}.`,
    /** @param {number} made */
    sameFromBits: (made) => `Both made the same ${tokens(made)}, from logits with the same bits.`,
    /** @param {number} made @param {string} apart */
    sameDespite: (made, apart) =>
      `Both made the same ${tokens(made)}, though their logits differ by up to ${apart}: not the same bits, but no pick was changed by it.`,
  },
  cause: {
    picks: "The model said the same to both: how a token is picked made the difference.",
    /** @param {string} apart */
    logits: (apart) => `Before that, the logits differed by at most ${apart}.`,
  },
  logits: {
    /** @param {number} positions */
    sameBits: (positions) => `Largest logit difference 0: the same bits ${prefix(positions)}.`,
    /** @param {number} positions */
    signOfZero: (positions) =>
      `Largest logit difference 0 ${prefix(positions)}, though not the same bits: only the sign of a zero differs.`,
    /** @param {string} apart */
    largest: (apart) => `Largest logit difference ${apart} on the identical prefix: not the same bits.`,
    /** @param {string} token @param {number} index of the predicted token, from 0 @param {string} apart */
    where: (token, index, apart) => `It is that of ${token}, in predicting token ${count(index + 1)}: ${apart}.`,
    /** @param {number} id */
    unnamed: (id) => `id ${id}`,
  },
  tokenByToken: "Token by token",
  /** A token's name inside a sentence. @param {string} shown */
  quoted: (shown) => `“${shown}”`,
  /** For ears. @param {string} spoken */
  inBoth: (spoken) => `${spoken}, in both`,
  ended: "ended",
  firstDifference: "first difference",
  /** For ears. @param {[string, string]} sides @param {(string | null)[]} spoken null where a side has ended */
  differing: (sides, spoken) => sides.map((side, n) => `${side} ${spoken[n] ?? "has ended"}`).join(", "),
  /** @param {string} differing */
  firstDiffering: (differing) => `First difference: ${differing}`,
  /** @param {number} index of the token, from 0 */
  distributions: (index) => `Both distributions at token ${count(index + 1)}, after the identical prefix`,
  /** @param {string} side */
  chances: (side) => `${side}: chances of the token`,
  columns: { logit: "Logit", model: "Model says", settings: "With settings" },
  /** @param {number} n */
  others: (n) => `${count(n)} others`,
  banned: "banned",
  /** @param {string} filter */
  cutBy: (filter) => `cut by ${filter}`,
  /** @param {string} side */
  pickedBy: (side) => `picked by ${side}`,

  // --------------------------------------------------------------------------------- one configuration, several runs

  repeats: {
    heading: "One configuration, several runs",
    which: "Which configuration",
    twice: "Same seed twice",
    /** @param {number} n */
    samples: (n) => `${counted(n, { one: "sample", other: "samples" })} by seed`,
    howMany: "How many",
    list: "Samples",
    columns: { seed: "Seed", text: "Text", repeat: "Repeat it" },
    none: "No text was finished.",
    /** @param {number} n @param {number} from first seed @param {number} to last seed @param {number} distinct */
    made: (n, from, to, distinct) => `${texts(n)} (seeds ${from} to ${to}), ${count(distinct)} of them distinct.`,
    /** The same under greedy. @param {string} made */
    greedy: (made) => `${made} Greedy draws nothing: no seed changes it.`,
    /** @param {string} side @param {string} sentence */
    ofSide: (side, sentence) => `${side}: ${sentence}`,
    tokens,
    /** @param {number} seed */
    sameAs: (seed) => `same as seed ${seed}`,
    use: "Use this seed",
    /** Which, for ears. @param {number} seed */
    useWhich: (seed) => `, ${seed}`,
    /** @param {number} seed @param {string} side */
    used: (seed, side) => `Seed ${seed} is set in ${side} and on the page.`,
  },
});
