/** What a benchmark amounts to: which sentence says who is faster and by how much, or why nobody is said to be. */

import { figure, fixed } from "../format.js";
import { settingsLine } from "../settings-words.js";
import { words } from "../words/ab-benchmark.js";
import { words as abWords } from "../words/ab.js";
import { engineFields, engineWords } from "./configuration.js";

/** @import { CatalogueEntry } from "../messages.js" */
/** @import { BenchmarkSummary, Outcome, Spread } from "../protocol.js" */
/** @import { Benchmark, BenchmarkPlan, Configuration, Pair } from "./types.js" */

/** The engine's own: fewer pairs name no winner. */
const fewestPairs = 5;

/** Median and ends. @param {Spread | null} spread @param {(value: number) => string} [write] */
function spreadWords(spread, write = figure) {
  if (spread === null) return words.notAvailable;
  return words.spread(write(spread.median), write(spread.smallest), write(spread.largest));
}

/** @param {number} value */
export const ratio = (value) => fixed(value, value < 0.1 ? 4 : 3);

/** Of the whole run's time. @param {Pick<Benchmark, "summary" | "outcomes">} benchmark */
export function benchmarkSentence({ summary, outcomes }) {
  const { sentences } = words;
  const { comparison } = summary;
  const total = comparison?.metrics.find(({ metric }) => metric === "totalMs");
  if (!comparison || !total) return sentences.none;
  switch (total.verdict) {
    case "lengthsDiffer":
      return sentences.lengthsDiffer(outcomes.map(lengthsOf));
    case "spreadCoversOne":
      return sentences.spreadCoversOne(ratio(total.ratio?.smallest ?? 1), ratio(total.ratio?.largest ?? 1));
    case "tooFewPairs":
      return sentences.tooFewPairs(comparison.pairs, fewestPairs);
    case "clockTooCoarse":
      return sentences.clockTooCoarse(clockStep(outcomes));
    case "notMeasured":
      return sentences.notMeasured;
    case "first":
    case "second": {
      const { median = 1, smallest = 1, largest = 1 } = total.ratio ?? {};
      const side = abWords.sides[total.verdict === "first" ? 0 : 1];
      const chance = comparison.chanceOfOneSide;
      const odds = chance < 1e-6 ? sentences.oddsOfMillion : sentences.odds(1 / chance);
      return sentences.faster(side, ratio(median), ratio(smallest), ratio(largest), comparison.pairs, odds);
    }
  }
}

/** The same as it is announced, when the benchmark has ended. @param {Benchmark} benchmark */
export function announcement(benchmark) {
  const sentence = benchmarkSentence(benchmark);
  return benchmark.complete ? sentence : words.stopped(sentence);
}

/** Fewest and most output tokens of a side. @param {Outcome[]} side @returns {[number, number]} */
function lengthsOf(side) {
  const lengths = side.filter(({ warmUp }) => !warmUp).map(({ outputTokens }) => outputTokens);
  return [Math.min(...lengths), Math.max(...lengths)];
}

/** @param {Pair<Outcome[]>} outcomes */
const clockStep = (outcomes) => Math.max(...outcomes.flat().map(({ clockStepMs }) => clockStepMs));

/** What the ratio can and cannot be put down to. @param {string[]} things that differ */
export function causeSentence(things) {
  if (things.length === 0) return words.causes.none;
  return things.length === 1 ? words.causes.one(things[0]) : words.causes.several(things);
}

/** What ran, in words. @param {Configuration} configuration @param {BenchmarkPlan} plan @param {CatalogueEntry[]} entries */
export function workloadLine(configuration, { newTokens, forced }, entries) {
  const ends = forced ? { stop: "", ignoreEos: true } : {};
  const controls = { ...configuration.controls, maxNewTokens: newTokens, ...ends };
  const model = engineWords("model", configuration.model, entries);
  const choices = engineFields.map(({ name, label }) =>
    words.chosen(label, engineWords(name, configuration[name], entries)),
  );
  return [model, ...choices, settingsLine(controls)].join("; ");
}

/** The metrics of both sides in rows. @param {BenchmarkSummary} summary */
export function metricRows({ first, second, comparison }) {
  return first.map(({ metric, spread }, n) => ({
    metric,
    ...words.metrics[metric],
    a: spreadWords(spread),
    b: spreadWords(second[n]?.spread ?? null),
    byA: spreadWords(comparison?.metrics[n]?.ratio ?? null, ratio),
    verdict: comparison ? words.verdicts[comparison.metrics[n].verdict] : "",
  }));
}
