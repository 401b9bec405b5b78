/** Words of the A/B panel's benchmark: its plan, its verdict and every outcome. */

import { count, counted, milliseconds } from "../format.js";
import { inLanguage } from "./language.js";

const pairs = (/** @type {number} */ n) => counted(n, { one: "pair", other: "pairs" });
/** Tokens of one side. @param {[number, number]} lengths fewest and most */
const lengthRange = ([fewest, most]) => (fewest === most ? count(most) : `${count(fewest)} to ${count(most)}`);

export const words = inLanguage("ab-benchmark", {
  heading: "Which is faster? A fixed workload, measured in turns",
  intro:
    "The prompt is cut into tokens once; A and B then take turns, A B A B. Try it first with A and B the same: no winner should be named.",
  fields: { newTokens: "Output tokens", warmUps: "Warm-up pairs", repeats: "Pairs that count" },
  /** @param {string} field @param {string} sentence */
  fault: (field, sentence) => `${field}: ${sentence}`,
  forced: "Exactly so many tokens",
  freeLength: "A run may end at an end token or a stop string: then lengths can differ, and no winner is named.",
  /** @param {number} n */
  measure: (n) => `Measure ${pairs(n)}`,
  stopWhat: "the benchmark",
  /** @param {number} n from 0 @param {number} of @param {string} side */
  warmUpRound: (n, of, side) => `Warm-up ${n + 1} of ${of}: ${side}`,
  /** @param {number} n from 0 @param {number} of @param {string} side */
  round: (n, of, side) => `Pair ${n + 1} of ${of}: ${side}`,
  otherTokens: "The two models cut the prompt into different tokens, so that they have no fixed work in common.",

  outdated: "Prompt, configurations or plan have been changed since this was measured.",
  incomplete: "It was stopped: only the pairs that were finished are here.",
  /** @param {string} sentence */
  stopped: (sentence) => `Stopped. ${sentence}`,
  /** @param {number} promptTokens @param {number} newTokens @param {boolean} forced @param {[number, number]} seeds */
  workload: (promptTokens, newTokens, forced, seeds) =>
    `Workload: ${counted(promptTokens, { one: "prompt token", other: "prompt tokens" })}, ${forced ? "exactly" : "at most"} ${counted(newTokens, { one: "output token", other: "output tokens" })}, seed ${seeds.join(" and ")}.`,
  /** @param {string[]} sides */
  secondWorker: (sides) => `${sides.join(" and ")} ran in a second worker.`,
  /** @param {string} side @param {string} what */
  ofSide: (side, what) => `${side}: ${what}`,
  /** @param {string} choice of the engine @param {string} value */
  chosen: (choice, value) => `${choice}: ${value}`,

  notAvailable: "not available",
  /** @param {string} median @param {string} smallest @param {string} largest */
  spread: (median, smallest, largest) => `${median} (${smallest} to ${largest})`,
  /** What each metric is, from where to where. */
  metrics: {
    prefillMs: { label: "Prefill", unit: "ms", boundary: "the prompt's forward pass, with an empty KV cache" },
    decodeMsPerToken: { label: "Decode", unit: "ms per token", boundary: "the model alone, for each token after the first" },
    totalMs: { label: "Whole run", unit: "ms", boundary: "the engine's work from the prompt's ids to the last token's text" },
    tokensPerSecond: { label: "Speed", unit: "tokens/s", boundary: "all output tokens by the whole run's time" },
  },
  /** @param {string} label @param {string} unit */
  metric: (label, unit) => `${label}, ${unit}`,
  metricsNote: "Median, with the smallest and the largest value in brackets; the ratio is B by A, pair by pair.",
  metricsTable: "Metrics of the benchmark",
  metricColumns: ["Metric", "A", "B", "B ÷ A", "So"],
  /** @param {number} runs */
  everyOutcome: (runs) => `Every outcome: ${counted(runs, { one: "run", other: "runs" })}`,
  outcomesTable: "Every outcome",
  outcomeColumns: ["Pair", "Side", "Prefill, ms", "Decode, ms", "Whole run, ms", "Tokens", "Whole run, B ÷ A"],
  /** @param {number} n */
  warmUp: (n) => `warm-up ${n}`,
  asFile: "As CSV or JSON, with the workload: in the panel “Records and report”.",

  /** One metric's verdict in a few words. */
  verdicts: {
    first: "A is faster",
    second: "B is faster",
    lengthsDiffer: "no winner: lengths differ",
    spreadCoversOne: "no winner: pairs disagree",
    tooFewPairs: "no winner: too few pairs",
    clockTooCoarse: "no winner: shorter than ten clock steps",
    notMeasured: "not measured",
  },
  /** That of the whole run, in sentences. */
  sentences: {
    none: "No pair of runs was finished.",
    /** @param {[number, number][]} lengths fewest and most output tokens of each side */
    lengthsDiffer: ([a, b]) =>
      `No winner is named: the runs made different numbers of tokens (A ${lengthRange(a)}, B ${lengthRange(b)}). ` +
      "A shorter text ends sooner without any token being computed faster.",
    /** @param {string} smallest @param {string} largest ratios */
    spreadCoversOne: (smallest, largest) =>
      `No winner is named: B took ${smallest} to ${largest} times as long as A, pair by pair, so that the pairs disagree about who is faster.`,
    /** @param {number} n @param {number} fewest */
    tooFewPairs: (n, fewest) =>
      `No winner is named: ${pairs(n)} may agree by chance alone; ${count(fewest)} are the fewest that count.`,
    /** @param {number} stepMs */
    clockTooCoarse: (stepMs) =>
      `No winner is named: a run is shorter than ten steps of the clock (${milliseconds(stepMs)} each). Ask for more tokens.`,
    notMeasured: "No winner is named: no pair of runs was measured.",
    /**
     * @param {string} side @param {string} ratio B by A, median @param {string} smallest @param {string} largest
     * @param {number} n pairs @param {string} odds
     */
    faster: (side, ratio, smallest, largest, n, odds) =>
      `${side} is faster: B took ${ratio} times as long as A (median of ${pairs(n)}; smallest ${smallest}, largest ${largest}). ` +
      `Were neither faster, all pairs would agree by chance in ${odds} such benchmarks.`,
    oddsOfMillion: "less than 1 of a million",
    /** @param {number} n */
    odds: (n) => `1 of ${count(n)}`,
  },
  /** What the ratio can and cannot be put down to. */
  causes: {
    none: "A and B are the same: whatever the ratio shows is this machine's own noise.",
    /** @param {string} thing */
    one: (thing) => `They differ in one thing, ${thing}: the ratio is about that.`,
    /** @param {string[]} things */
    several: (things) =>
      `They differ in ${count(things.length)} things (${things.join(", ")}): the ratio cannot say which of them made it.`,
  },
});
