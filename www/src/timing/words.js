/** The times of a run in rows: each number as it is written, and which sentence says from where to where it is. */

import { atMost, count, fixed } from "../format.js";
import { words } from "../words/timing.js";

/** @import { TimingLab } from "../lab-types.js" */
/** @import { State } from "../page-types.js" */

/** A timing of fewer steps of the clock is uncertain by more than a tenth. */
const fewestSteps = 10;

const { units, notAvailable, notMeasured } = words;

/** Finer than elsewhere on the page: parts of a token are compared here. @param {number} value */
export function ms(value) {
  if (value >= 10_000) return units.seconds(fixed(value / 1000, 1));
  return units.milliseconds(value < 10 ? fixed(value, 2) : value < 100 ? fixed(value, 1) : count(value));
}

/** @param {number | null} value @param {string} otherwise */
const msOr = (value, otherwise) => (value === null ? otherwise : ms(value));

/** @param {number | null} value */
export const perSecond = (value) =>
  value === null ? notAvailable : units.tokensPerSecond(value < 10 ? fixed(value, 2) : count(value));

/**
 * A row of the table of stages. `rough`: shorter than ten steps of the clock.
 * @typedef {{ id: string, name: string, time: string, rough: boolean, boundary: string }} Stage
 */

/** @param {TimingLab} lab @returns {Stage[]} */
export function stagesOf({ timing, model }) {
  const { latency, prefillTokens, reusedTokens, decodeSteps } = timing;
  const { timingsMs, origin } = model;
  const { stages, boundaries } = words;
  const made = latency.outputTokens;
  const goesOn = timing.prefillMs === null;
  const from = origin === "store" || origin === "files" ? origin : "network";
  /** @type {[string, string, number | null, string][]} */
  const rows = [
    ["download", stages.download, timingsMs.download, boundaries.download[from]],
    ["digest", stages.digest, timingsMs.digest, boundaries.digest],
    ["build", stages.build, timingsMs.load, boundaries.build],
    ["warm-up", stages.warmUp, timingsMs.selfTest, warmUp(timing.runOfModel, timingsMs.selfTest !== null)],
    ["tokenize", stages.tokenize, timing.tokenizeMs, goesOn ? boundaries.onText : boundaries.tokenize],
    [
      "prefill",
      stages.prefill,
      timing.prefillMs,
      goesOn ? boundaries.onText : boundaries.prefill(prefillTokens, reusedTokens),
    ],
    ["model", stages.model, timing.decodeMs, boundaries.model(decodeSteps)],
    ["sampling", stages.sampling, timing.samplingMs, boundaries.sampling(made)],
    ["detokenize", stages.detokenize, timing.detokenizeMs, boundaries.detokenize(made)],
    ["other", stages.other, timing.otherMs, boundaries.other],
    ["paint", stages.paint, null, boundaries.paint],
  ];
  return rows.map(([id, name, time, boundary]) => ({
    id,
    name,
    time: msOr(time, notMeasured),
    rough: isRough(time, latency.clockStepMs),
    boundary,
  }));
}

/** @param {number | null} time @param {number} clockStepMs */
const isRough = (time, clockStepMs) => time !== null && time < fewestSteps * clockStepMs;

/** @param {number} runOfModel @param {boolean} tested */
function warmUp(runOfModel, tested) {
  const { noWarmUp, selfTest, coldRun, laterRun } = words.boundaries;
  const pass = tested ? selfTest : noWarmUp;
  return runOfModel === 1 ? coldRun(pass) : laterRun(pass, runOfModel);
}

/** @typedef {{ id: string, name: string, value: string, boundary: string }} Figure */

/** @param {TimingLab} lab @returns {Figure[]} */
export function figuresOf({ timing, paints }) {
  const { latency, afterStartMs } = timing;
  const { intervalMs, groupTokens, outputTokens } = latency;
  const { figures, notes } = words;
  const goesOn = timing.prefillMs === null;
  const waited = afterStartMs === null ? notes.firstToken : notes.firstTokenFromButton(ms(afterStartMs));
  return [
    {
      id: "first-token",
      name: figures.firstToken,
      value: msOr(latency.firstTokenMs, notAvailable),
      boundary: goesOn ? notes.firstTokenOnText : waited,
    },
    {
      id: "interval-median",
      name: figures.intervalMedian,
      value: msOr(intervalMs?.median ?? null, notAvailable),
      boundary: notes.interval(groupTokens),
    },
    {
      id: "interval-p95",
      name: figures.intervalP95,
      value: msOr(intervalMs?.p95 ?? null, notAvailable),
      boundary: notes.intervalP95,
    },
    {
      id: "mean-interval",
      name: figures.meanInterval,
      value: msOr(latency.meanIntervalMs, notAvailable),
      boundary: outputTokens === 1 ? notes.oneToken : notes.meanInterval(outputTokens),
    },
    {
      id: "request",
      name: figures.request,
      value: msOr(latency.requestMs, notAvailable),
      boundary: goesOn ? notes.requestOnText : notes.request,
    },
    {
      id: "output-speed",
      name: figures.outputSpeed,
      value: perSecond(latency.outputTokensPerSecond),
      boundary: notes.outputSpeed(outputTokens, perSecond(latency.decodeTokensPerSecond)),
    },
    {
      id: "input-speed",
      name: figures.inputSpeed,
      value: goesOn ? notMeasured : perSecond(latency.inputTokensPerSecond),
      boundary: goesOn ? notes.noPrefill : notes.inputSpeed(timing.prefillTokens),
    },
    {
      id: "paints",
      name: figures.paints,
      value: paints === null ? words.notCounted : notes.painted(paints.paints, paints.tokens),
      boundary: paints === null ? notes.notPainted : notes.paints,
    },
  ];
}

/** How finely times are told here. @param {TimingLab | null} lab @param {State["clock"]} clock */
export function clockWords(lab, clock) {
  const step = lab?.timing.latency.clockStepMs || clock?.stepMs;
  if (!step) return words.clock.unknown;
  const isolated = clock?.isolated ? words.clock.isolated : words.clock.notIsolated;
  return [words.clock.step(stepText(step)), isolated, ...groupWords(lab)].join(" ");
}

/** @param {number} step in milliseconds */
const stepText = (step) =>
  step < 0.01 ? units.microseconds(atMost(step * 1000, 2)) : units.milliseconds(atMost(step, 3));

/** @param {TimingLab | null} lab */
function groupWords(lab) {
  if (lab === null) return [];
  const { groupTokens, resolved, groups } = lab.timing.latency;
  if (groups.first.length === 0) return [];
  if (!resolved) return [words.clock.allRough];
  return [groupTokens === 1 ? words.clock.eachAlone : words.clock.together(groupTokens)];
}
