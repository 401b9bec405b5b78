/** What a benchmark amounts to, in sentences: who is faster and by how much, or why nobody is said to be. */

import { count, figure, milliseconds, plural } from "../format.js";
import { settingsLine } from "../settings-words.js";
import { engineFields, engineWords } from "./configuration.js";

/** @import { CatalogueEntry } from "../messages.js" */
/** @import { BenchmarkSummary, MetricName, Spread, Verdict } from "../protocol.js" */
/** @import { Benchmark, BenchmarkPlan, Configuration, Pair } from "./types.js" */

/** The engine's own: fewer pairs name no winner. */
const fewestPairs = 5;

/** What each metric is, from where to where. @type {Record<MetricName, { label: string, unit: string, boundary: string }>} */
export const metricWords = {
  prefillMs: { label: "Prefill", unit: "ms", boundary: "the prompt's forward pass, with an empty KV cache" },
  decodeMsPerToken: { label: "Decode", unit: "ms per token", boundary: "the model alone, for each token after the first" },
  totalMs: { label: "Whole run", unit: "ms", boundary: "the engine's work from the prompt's ids to the last token's text" },
  tokensPerSecond: { label: "Speed", unit: "tokens/s", boundary: "all output tokens by the whole run's time" },
};

/** @param {Spread | null} spread */
export const spreadWords = (spread) =>
  spread === null ? "not available" : `${figure(spread.median)} (${figure(spread.smallest)} to ${figure(spread.largest)})`;

/** Median and ends of a ratio. @param {Spread | null} spread */
export const ratioWords = (spread) =>
  spread === null ? "not available" : `${ratio(spread.median)} (${ratio(spread.smallest)} to ${ratio(spread.largest)})`;

/** @param {number} value */
export const ratio = (value) => value.toFixed(value < 0.1 ? 4 : 3);

/** One metric's verdict in a few words. @type {Record<Verdict, string>} */
export const verdictWords = {
  first: "A is faster",
  second: "B is faster",
  lengthsDiffer: "no winner: lengths differ",
  spreadCoversOne: "no winner: pairs disagree",
  tooFewPairs: "no winner: too few pairs",
  clockTooCoarse: "no winner: shorter than ten clock steps",
  notMeasured: "not measured",
};

/** Of the whole run's time. @param {Pick<Benchmark, "summary" | "outcomes">} benchmark */
export function benchmarkSentence({ summary, outcomes }) {
  const { comparison } = summary;
  const total = comparison?.metrics.find(({ metric }) => metric === "totalMs");
  if (!comparison || !total) return "No pair of runs was finished.";
  const { pairs } = comparison;
  switch (total.verdict) {
    case "lengthsDiffer":
      return (
        `No winner is named: the runs made different numbers of tokens (${lengthsOf(outcomes)}). ` +
        "A shorter text ends sooner without any token being computed faster."
      );
    case "spreadCoversOne":
      return (
        `No winner is named: B took ${ratio(total.ratio?.smallest ?? 1)} to ${ratio(total.ratio?.largest ?? 1)} ` +
        "times as long as A, pair by pair, so that the pairs disagree about who is faster."
      );
    case "tooFewPairs":
      return (
        `No winner is named: ${plural(pairs, "pair")} may agree by chance alone; ` +
        `${fewestPairs} are the fewest that count.`
      );
    case "clockTooCoarse":
      return (
        "No winner is named: a run is shorter than ten steps of the clock " +
        `(${milliseconds(clockStep(outcomes))} each). Ask for more tokens.`
      );
    case "notMeasured":
      return "No winner is named: no pair of runs was measured.";
    case "first":
    case "second":
      return winner(total.verdict, total.ratio, pairs, comparison.chanceOfOneSide);
  }
}

/** @param {"first" | "second"} verdict @param {Spread | null} spread @param {number} pairs @param {number} chance */
function winner(verdict, spread, pairs, chance) {
  const name = verdict === "first" ? "A" : "B";
  const { median = 1, smallest = 1, largest = 1 } = spread ?? {};
  const ends = `median of ${plural(pairs, "pair")}; smallest ${ratio(smallest)}, largest ${ratio(largest)}`;
  const odds = chance < 1e-6 ? "less than 1 of a million" : `1 of ${count(1 / chance)}`;
  const luck = `Were neither faster, all pairs would agree by chance in ${odds} such benchmarks.`;
  return `${name} is faster: B took ${ratio(median)} times as long as A (${ends}). ${luck}`;
}

/** The output tokens of each side. @param {Pair<import("../protocol.js").Outcome[]>} outcomes */
function lengthsOf(outcomes) {
  const [a, b] = outcomes.map((side) => {
    const lengths = side.filter(({ warmUp }) => !warmUp).map(({ outputTokens }) => outputTokens);
    const [fewest, most] = [Math.min(...lengths), Math.max(...lengths)];
    return fewest === most ? count(most) : `${count(fewest)} to ${count(most)}`;
  });
  return `A ${a}, B ${b}`;
}

/** @param {Pair<import("../protocol.js").Outcome[]>} outcomes */
const clockStep = (outcomes) => Math.max(...outcomes.flat().map(({ clockStepMs }) => clockStepMs));

/** What the ratio can and cannot be put down to. @param {string[]} labels of what differs */
export function causeSentence(labels) {
  if (labels.length === 0) return "A and B are the same: whatever the ratio shows is this machine's own noise.";
  if (labels.length === 1) return `They differ in one thing, ${labels[0]}: the ratio is about that.`;
  return `They differ in ${count(labels.length)} things (${labels.join(", ")}): the ratio cannot say which of them made it.`;
}

/** What ran, in words. @param {Configuration} configuration @param {BenchmarkPlan} plan @param {CatalogueEntry[]} entries */
export function workloadLine(configuration, { newTokens, forced }, entries) {
  const ends = forced ? { stop: "", ignoreEos: true } : {};
  const controls = { ...configuration.controls, maxNewTokens: newTokens, ...ends };
  const model = engineWords("model", configuration.model, entries);
  const choices = engineFields.map(({ name, label }) => `${label}: ${engineWords(name, configuration[name], entries)}`);
  return [model, ...choices, settingsLine(controls)].join("; ");
}

/** The metrics of both sides in rows. @param {BenchmarkSummary} summary */
export function metricRows({ first, second, comparison }) {
  return first.map(({ metric, spread }, n) => ({
    metric,
    ...metricWords[metric],
    a: spreadWords(spread),
    b: spreadWords(second[n]?.spread ?? null),
    byA: ratioWords(comparison?.metrics[n]?.ratio ?? null),
    verdict: comparison ? verdictWords[comparison.metrics[n].verdict] : "",
  }));
}
