/** The times of a run in words: every number with what it is from where to where. */

import { count, plural } from "../format.js";

/** @import { TimingLab } from "../lab-types.js" */
/** @import { State } from "../page-types.js" */

/** A timing of fewer steps of the clock is uncertain by more than a tenth. */
const fewestSteps = 10;

export const notMeasured = "not measured";

/** Finer than elsewhere on the page: parts of a token are compared here. @param {number} value */
export function ms(value) {
  if (value < 10) return `${value.toFixed(2)} ms`;
  if (value < 100) return `${value.toFixed(1)} ms`;
  return value < 10_000 ? `${count(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** @param {number | null} value */
export const msOr = (value, otherwise = notMeasured) => (value === null ? otherwise : ms(value));

/** @param {number | null} value */
export const perSecond = (value) =>
  value === null ? "not available" : `${value < 10 ? value.toFixed(2) : count(value)} tokens/s`;

/**
 * A row of the table of stages. `rough`: shorter than ten steps of the clock.
 * @typedef {{ id: string, name: string, time: string, rough: boolean, boundary: string }} Stage
 */

/** @param {TimingLab} lab @returns {Stage[]} */
export function stagesOf({ timing, model }) {
  const { latency, prefillTokens, reusedTokens, decodeSteps } = timing;
  const { timingsMs, origin } = model;
  const made = plural(latency.outputTokens, "token");
  const reused = reusedTokens > 0 ? `; ${plural(reusedTokens, "token")} before them were in the KV cache already` : "";
  const goesOn = timing.prefillMs === null;
  const onText = "this run went on from a text, whose prompt was read before it";
  const from =
    origin === "store" ? "this browser's copy" : origin === "files" ? "the files of this device" : "the network";
  const passes = decodeSteps === 1 ? "1 forward pass" : `${count(decodeSteps)} forward passes`;
  /** @type {[string, string, number | null, string][]} */
  const rows = [
    [
      "download",
      "Download",
      timingsMs.download,
      `waiting for the model's bytes from ${from}, and for the copy that the browser keeps`,
    ],
    [
      "digest",
      "Load: decode and digest",
      timingsMs.digest,
      "each piece of the weight file put into its tensors and into its SHA-256, in one pass",
    ],
    [
      "build",
      "Load: build",
      timingsMs.load,
      "reading the tokenizer and building the model, until it can be asked",
    ],
    ["warm-up", "Warm-up", timingsMs.selfTest, warmUp(timing.runOfModel, timingsMs.selfTest !== null)],
    [
      "tokenize",
      "Tokenize",
      timing.tokenizeMs,
      goesOn ? onText : "from the prompt's text to its ids, done when you typed it",
    ],
    [
      "prefill",
      "Prefill",
      timing.prefillMs,
      goesOn
        ? onText
        : `one forward pass over ${plural(prefillTokens, "prompt token")}, with the output head for the last one, done when you typed it${reused}`,
    ],
    [
      "model",
      "Decode: model",
      timing.decodeMs,
      `${passes} over one token each, with the output head, together`,
    ],
    ["sampling", "Decode: sampling", timing.samplingMs, `from the logits to the picked token, for ${made} together`],
    ["detokenize", "Detokenize", timing.detokenizeMs, `from the picked id to text, for ${made} together`],
    [
      "other",
      "Between them",
      timing.otherMs,
      "bars, the history of each step, messages to the page; pauses are in no row",
    ],
    [
      "paint",
      "Painting",
      null,
      "the browser paints after the engine has told it, on a clock of its own; only paints are counted, below",
    ],
  ];
  return rows.map(([id, name, time, boundary]) => ({
    id,
    name,
    time: msOr(time),
    rough: isRough(time, latency.clockStepMs),
    boundary,
  }));
}

/** @param {number | null} time @param {number} clockStepMs */
const isRough = (time, clockStepMs) => time !== null && time < fewestSteps * clockStepMs;

/** @param {number} runOfModel @param {boolean} tested */
function warmUp(runOfModel, tested) {
  const kept = "no run is left out as a warm-up";
  const pass = tested ? `the model's first forward pass, over the prompt of the self-test; ${kept}` : kept;
  return runOfModel === 1
    ? `${pass}, and this is the first since the model was loaded: it is cold, and its first tokens may be slower`
    : `${pass}; this is run ${count(runOfModel)} since the model was loaded`;
}

/** @typedef {{ id: string, name: string, value: string, boundary: string }} Figure */

/** @param {TimingLab} lab @returns {Figure[]} */
export function figuresOf({ timing, paints }) {
  const { latency, afterStartMs } = timing;
  const { intervalMs, groupTokens, outputTokens } = latency;
  const goesOn = timing.prefillMs === null;
  const none = "not available";
  const waited = afterStartMs === null || goesOn ? "" : ` From the button it took ${ms(afterStartMs)}, the prompt having been read before.`;
  const grouped = groupTokens > 1 ? `, timed in groups of ${count(groupTokens)}` : "";
  return [
    {
      id: "first-token",
      name: "Time to first token (TTFT)",
      value: msOr(latency.firstTokenMs, none),
      boundary: goesOn
        ? "from the start of this run, which has no prompt of its own, to the first token's text"
        : `tokenize, prefill and the first pick, to the first token's text.${waited}`,
    },
    {
      id: "interval-median",
      name: "Inter-token latency, median",
      value: msOr(intervalMs?.median ?? null, none),
      boundary: `from one token's text to the next one's, the first token left out${grouped}`,
    },
    {
      id: "interval-p95",
      name: "Inter-token latency, p95",
      value: msOr(intervalMs?.p95 ?? null, none),
      boundary: `95 of 100 are shorter; between two measured values it is interpolated linearly, as NumPy does`,
    },
    {
      id: "mean-interval",
      name: "Mean post-first interval",
      value: msOr(latency.meanIntervalMs, none),
      boundary: outputTokens === 1
        ? "(t_N − t_1) / (N − 1) needs a second token: one token has no interval"
        : `(t_N − t_1) / (N − 1) with N = ${count(outputTokens)}: the prefill is not in it`,
    },
    {
      id: "request",
      name: "Request latency",
      value: msOr(latency.requestMs, none),
      boundary: `${goesOn ? "from the start of this run" : "from the first work on the prompt"} to the last token's text, pauses left out`,
    },
    {
      id: "output-speed",
      name: "Output tokens per second",
      value: perSecond(latency.outputTokensPerSecond),
      boundary:
        `all ${plural(outputTokens, "output token")} by the request latency; ` +
        `after the first token alone it is ${perSecond(latency.decodeTokensPerSecond)}`,
    },
    {
      id: "input-speed",
      name: "Input tokens per second",
      value: goesOn ? notMeasured : perSecond(latency.inputTokensPerSecond),
      boundary: goesOn
        ? "this run has no prefill"
        : `${plural(timing.prefillTokens, "prompt token")} that were computed, by the prefill: other work than output tokens`,
    },
    {
      id: "paints",
      name: "Chunks painted, tokens made",
      value: paints === null ? "not counted" : `${count(paints.paints)} for ${plural(paints.tokens, "token")}`,
      boundary:
        paints === null
          ? "this panel was opened after the run, or the run's tokens were not all painted"
          : "frames of the page in which the text grew: a chunk that arrives need not be one token",
    },
  ];
}

/** How finely times are told here. @param {TimingLab | null} lab @param {State["clock"]} clock */
export function clockWords(lab, clock) {
  const step = lab?.timing.latency.clockStepMs || clock?.stepMs;
  if (!step) return "The clock's step has not been measured yet.";
  const isolated = clock?.isolated
    ? "The page is cross-origin isolated, which makes browsers tell time more finely."
    : "The page is not cross-origin isolated, so browsers make the clock coarser on purpose.";
  return `The clock moves in steps of ${stepText(step)} here. ${isolated} ${lab === null ? "" : groupWords(lab.timing.latency)}`.trim();
}

/** @param {number} step in milliseconds */
const stepText = (step) => (step < 0.01 ? `${Number((step * 1000).toPrecision(2))} µs` : `${Number(step.toFixed(3))} ms`);

/** @param {TimingLab["timing"]["latency"]} latency */
function groupWords({ groupTokens, resolved, groups }) {
  if (groups.first.length === 0) return "";
  if (!resolved) return "All tokens of this run together last fewer than ten steps: its intervals are rough.";
  if (groupTokens === 1) return "Every token lasted ten steps or more, so that each is timed alone.";
  return `Some tokens are shorter than ten steps: ${count(groupTokens)} at a time are timed together, so that every group lasts ten steps or more.`;
}
