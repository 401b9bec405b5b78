/** Words of the timing panel: every number with what it is, from where to where. */

import { count, counted } from "../format.js";
import { inLanguage } from "./language.js";

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });
const promptTokens = (/** @type {number} */ n) => counted(n, { one: "prompt token", other: "prompt tokens" });

export const words = inLanguage("timing", {
  intro:
    "Where the time of the page's last run went. Press Generate above; then clear the text and generate again, and see what changes; then try a long prompt, a single token, and Continue.",
  none: "No run has ended yet.",
  limits:
    "What a tiny model on a processor cannot show: on an accelerator, decoding a large model mostly waits for weights and KV cache to come out of the device's memory, work is queued and has to be waited for, and many requests are served at once. None of that is in these numbers.",
  lastRun: "Last run:",
  /** @param {number} tokens @param {string} model @param {string} pace @param {string} ended why */
  run: (tokens, model, pace, ended) => `${count(tokens)} of ${model}'s tokens, ${pace}; ${ended}.`,
  paced: "in steps, with pauses that count in nothing",
  fullSpeed: "at full speed",
  cold: "cold: first run",

  units: {
    /** @param {string} value */
    milliseconds: (value) => `${value} ms`,
    /** @param {string} value */
    microseconds: (value) => `${value} µs`,
    /** @param {string} value */
    seconds: (value) => `${value} s`,
    /** @param {string} value */
    tokensPerSecond: (value) => `${value} tokens/s`,
  },
  notMeasured: "not measured",
  notAvailable: "not available",
  notCounted: "not counted",

  // -------------------------------------------------------------------------------------------------------- stages

  stagesHeading: "Stages, one after another",
  stageColumns: ["Stage", "Time", "From where to where"],
  rough: "rough",
  /** @param {string} boundary */
  roughBoundary: (boundary) => `${boundary}; shorter than ten steps of the clock`,
  stages: {
    download: "Download",
    digest: "Load: decode and digest",
    build: "Load: build",
    warmUp: "Warm-up",
    tokenize: "Tokenize",
    prefill: "Prefill",
    model: "Decode: model",
    sampling: "Decode: sampling",
    detokenize: "Detokenize",
    other: "Between them",
    paint: "Painting",
  },
  boundaries: {
    /** Of the model's bytes, by where they came from. */
    download: {
      store: "waiting for the model's bytes from this browser's copy, and for the copy that the browser keeps",
      files: "waiting for the model's bytes from the files of this device, and for the copy that the browser keeps",
      network: "waiting for the model's bytes from the network, and for the copy that the browser keeps",
    },
    digest: "each piece of the weight file put into its tensors and into its SHA-256, in one pass",
    build: "reading the tokenizer and building the model, until it can be asked",
    noWarmUp: "no run is left out as a warm-up",
    selfTest: "the model's first forward pass, over the prompt of the self-test; no run is left out as a warm-up",
    /** @param {string} warmUp */
    coldRun: (warmUp) =>
      `${warmUp}, and this is the first since the model was loaded: it is cold, and its first tokens may be slower`,
    /** @param {string} warmUp @param {number} n */
    laterRun: (warmUp, n) => `${warmUp}; this is run ${count(n)} since the model was loaded`,
    onText: "this run went on from a text, whose prompt was read before it",
    tokenize: "from the prompt's text to its ids, done when you typed it",
    /** @param {number} computed @param {number} reused */
    prefill: (computed, reused) =>
      `one forward pass over ${promptTokens(computed)}, with the output head for the last one, done when you typed it${reused > 0 ? `; ${tokens(reused)} before them were in the KV cache already` : ""}`,
    /** @param {number} steps */
    model: (steps) =>
      `${counted(steps, { one: "forward pass", other: "forward passes" })} over one token each, with the output head, together`,
    /** @param {number} made */
    sampling: (made) => `from the logits to the picked token, for ${tokens(made)} together`,
    /** @param {number} made */
    detokenize: (made) => `from the picked id to text, for ${tokens(made)} together`,
    other: "bars, the history of each step, messages to the page; pauses are in no row",
    paint: "the browser paints after the engine has told it, on a clock of its own; only paints are counted, below",
  },

  // ------------------------------------------------------------------------------------------------------- figures

  figuresHeading: "What a person waits for",
  figures: {
    firstToken: "Time to first token (TTFT)",
    intervalMedian: "Inter-token latency, median",
    intervalP95: "Inter-token latency, p95",
    meanInterval: "Mean post-first interval",
    request: "Request latency",
    outputSpeed: "Output tokens per second",
    inputSpeed: "Input tokens per second",
    paints: "Chunks painted, tokens made",
  },
  notes: {
    firstTokenOnText: "from the start of this run, which has no prompt of its own, to the first token's text",
    firstToken: "tokenize, prefill and the first pick, to the first token's text.",
    /** @param {string} waited since the button */
    firstTokenFromButton: (waited) =>
      `tokenize, prefill and the first pick, to the first token's text. From the button it took ${waited}, the prompt having been read before.`,
    /** @param {number} group tokens that are timed together */
    interval: (group) =>
      `from one token's text to the next one's, the first token left out${group > 1 ? `, timed in groups of ${count(group)}` : ""}`,
    intervalP95: "95 of 100 are shorter; between two measured values it is interpolated linearly, as NumPy does",
    oneToken: "(t_N − t_1) / (N − 1) needs a second token: one token has no interval",
    /** @param {number} made */
    meanInterval: (made) => `(t_N − t_1) / (N − 1) with N = ${count(made)}: the prefill is not in it`,
    requestOnText: "from the start of this run to the last token's text, pauses left out",
    request: "from the first work on the prompt to the last token's text, pauses left out",
    /** @param {number} made @param {string} afterFirst speed */
    outputSpeed: (made, afterFirst) =>
      `all ${counted(made, { one: "output token", other: "output tokens" })} by the request latency; after the first token alone it is ${afterFirst}`,
    noPrefill: "this run has no prefill",
    /** @param {number} computed */
    inputSpeed: (computed) =>
      `${promptTokens(computed)} that were computed, by the prefill: other work than output tokens`,
    /** @param {number} paints @param {number} made */
    painted: (paints, made) => `${count(paints)} for ${tokens(made)}`,
    notPainted: "this panel was opened after the run, or the run's tokens were not all painted",
    paints: "frames of the page in which the text grew: a chunk that arrives need not be one token",
  },

  // --------------------------------------------------------------------------------------------------------- clock

  clock: {
    unknown: "The clock's step has not been measured yet.",
    /** @param {string} step */
    step: (step) => `The clock moves in steps of ${step} here.`,
    isolated: "The page is cross-origin isolated, which makes browsers tell time more finely.",
    notIsolated: "The page is not cross-origin isolated, so browsers make the clock coarser on purpose.",
    allRough: "All tokens of this run together last fewer than ten steps: its intervals are rough.",
    eachAlone: "Every token lasted ten steps or more, so that each is timed alone.",
    /** @param {number} n */
    together: (n) =>
      `Some tokens are shorter than ten steps: ${count(n)} at a time are timed together, so that every group lasts ten steps or more.`,
  },

  // --------------------------------------------------------------------------------------------------------- chart

  chart: {
    none: "One token has no interval: there is nothing to chart.",
    title: "Inter-token latency (ms a token)",
    /** From below. */
    parts: { model: "model", sampling: "sampling", rest: "text and the rest" },
    /** @param {number} n */
    intervals: (n) => counted(n, { one: "interval", other: "intervals" }),
    /** @param {number} n */
    groups: (n) => counted(n, { one: "group of tokens", other: "groups of tokens" }),
    /** @param {string} many @param {string} median @param {string} p95 @param {string} largest @param {string[]} parts */
    summary: (many, median, p95, largest, parts) =>
      `${many}; median ${median} (line), p95 ${p95}, longest ${largest}. From below: ${parts.join(", ")}.`,
    columns: ["Token", "Interval", "Model", "Sampling", "Text and the rest"],
    /** @param {number} first @param {number} last */
    range: (first, last) => (first === last ? count(first) : `${count(first)} to ${count(last)}`),
    x: "output token",
    y: "ms",
  },
});
