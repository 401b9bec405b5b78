/** Events as an engine sends them, small enough to read, for the tests of the page's state. */
import { initialState, update } from "../../www/src/state.js";

/** @import { Distribution, Memory, RunSummary, RunTiming, Step } from "../../www/src/protocol.js" */
/** @import { LoadedModel, ModelSource, WorkerEvent } from "../../www/src/messages.js" */
/** @import { PageEvent, State } from "../../www/src/page-types.js" */

/** @type {Memory} */
export const memory = { weightBytes: 100, kvUsedBytes: 10, kvReservedBytes: 20, wasmBytes: 1000 };

/** @param {Partial<Distribution>} [change] @returns {Distribution} */
export const distribution = (change = {}) => ({
  contextTokens: 2,
  tokens: {
    ids: new Uint32Array([7, 3]),
    text: ["·the", "·a"],
    spoken: ["space, the", "space, a"],
    kind: ["text", "text"],
  },
  ranks: new Uint32Array([0, 1]),
  rawLogits: new Float32Array([2, 1]),
  processedLogits: new Float32Array([2, 1]),
  scaledLogits: new Float32Array([0, -1]),
  baseProbabilities: new Float64Array([0.5, 0.3]),
  probabilities: new Float64Array([0.625, 0.375]),
  cumulative: new Float64Array([0.625, 1]),
  lows: new Float64Array([0, 0.625]),
  highs: new Float64Array([0.625, 1]),
  cutBy: new Uint8Array([0, 0]),
  cuts: [{ kind: "topK", value: 2, keptBefore: 10, keptAfter: 2 }],
  rest: { count: 8, baseProbability: 0.2, probability: 0, kept: 0 },
  vocabulary: 10,
  kept: 2,
  greedy: false,
  draw: { id: 7, uniform: 0.25, low: 0, high: 0.625 },
  pickedId: null,
  baseEntropy: { nats: 1.5, bits: 2.16, effectiveVocabulary: 4.48 },
  entropy: { nats: 0.66, bits: 0.95, effectiveVocabulary: 1.94 },
  margin: { logit: 1, probability: 0.25 },
  ...change,
});

/** @param {number} index @param {string} text @returns {Step} */
export const step = (index, text) => ({
  index,
  id: 7,
  text,
  shown: text.replace(" ", "·"),
  spoken: text,
  kind: "text",
  probability: 0.625,
  rank: 0,
  forwardMs: index === 0 ? 0 : 2,
  samplingMs: 0.5,
  detokenizeMs: 0.1,
  history: null,
});

/** Two tokens on a clock of 0.1 ms. @param {Partial<RunTiming>} [change] @returns {RunTiming} */
export const timing = (change = {}) => ({
  tokenizeMs: 0.1,
  prefillMs: 3,
  prefillTokens: 2,
  reusedTokens: 0,
  decodeSteps: 1,
  decodeMs: 2,
  samplingMs: 1,
  detokenizeMs: 0.2,
  otherMs: 0.3,
  afterStartMs: 0.9,
  paced: false,
  runOfModel: 2,
  latency: {
    outputTokens: 2,
    firstTokenMs: 4,
    requestMs: 6.5,
    meanIntervalMs: 2.5,
    intervalMs: { count: 1, smallest: 2.5, lowerQuartile: 2.5, median: 2.5, upperQuartile: 2.5, p95: 2.5, largest: 2.5 },
    outputTokensPerSecond: 307.7,
    decodeTokensPerSecond: 400,
    inputTokensPerSecond: 666.7,
    clockStepMs: 0.1,
    groupTokens: 1,
    resolved: true,
    groups: {
      first: new Uint32Array([1]),
      tokens: new Uint32Array([1]),
      intervalMs: new Float64Array([2.5]),
      modelMs: new Float64Array([2]),
      samplingMs: new Float64Array([0.4]),
      detokenizeMs: new Float64Array([0.05]),
    },
  },
  ...change,
});

/** @param {Partial<RunSummary>} [change] @returns {RunSummary} */
export const summary = (change = {}) => ({
  seed: 42,
  promptTokens: 2,
  newTokens: 1,
  finalText: "",
  forwardCalls: 1,
  canContinue: true,
  timing: timing(),
  ...change,
});

/** @type {ModelSource} */
export const source = { kind: "folder", base: "https://example.org/model/" };

/** @param {string} title @returns {LoadedModel} */
export const model = (title) =>
  /** @type {LoadedModel} */ ({
    id: title,
    title,
    base: source.base,
    hasTokenizer: true,
    card: { memory, maxPositionEmbeddings: 64 },
  });

/** @param {number} workerId @param {WorkerEvent} event @returns {PageEvent} */
export const from = (workerId, event) => ({ type: "worker", workerId, event });

/** @param {State} state @param {PageEvent[]} events */
export const replay = (state, ...events) => events.reduce(update, state);

/** A page whose worker 1 has loaded "Tales" and read the prompt "Once". */
export const prepared = replay(
  initialState,
  { type: "loadStarted", workerId: 1, entryId: "tales", title: "Tales", source, options: {}, activate: "always" },
  from(1, { type: "loaded", loadId: 1, model: model("Tales") }),
  { type: "promptEdited", text: "Once" },
  { type: "prepareSent" },
  from(1, { type: "tokenized", revision: 1, tokens: distribution().tokens, tokenizeMs: 0.1 }),
  from(1, { type: "prefilled", revision: 1, tokens: 2, reusedTokens: 0, discardedTokens: 0, prefillMs: 3, memory }),
  from(1, { type: "previewed", revision: 1, distribution: distribution() }),
);

/** @param {State} state @param {string} text @returns {PageEvent} */
export const stepped = (state, text) =>
  from(1, {
    type: "stepped",
    runId: state.lastRunId,
    revision: state.revision,
    steps: [step(state.text?.blocks.flat().length ?? 0, text)],
    distribution: distribution({ pickedId: 7 }),
    memory,
  });

/** @param {State} state @param {Partial<RunSummary>} [change] @returns {PageEvent} */
export const stopped = (state, change) =>
  from(1, { type: "stopped", runId: state.lastRunId, reason: "maxNewTokens", summary: summary(change) });
