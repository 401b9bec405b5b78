/** A record as the page makes it, to be changed by tests. */

import { replay, stepped, stopped } from "./recorded.mjs";

/** @import { State } from "../../www/src/page-types.js" */
/** @import { RunRecord } from "../../www/src/records/types.js" */

/** @param {Partial<RunRecord>} [change] @returns {RunRecord} */
export const sampleRecord = (change = {}) => ({
  schema: "logit-lab-record",
  version: 1,
  recordedAt: "2026-01-02T03:04:05.000Z",
  model: {
    id: "tales",
    title: "Tales",
    origin: "host",
    base: null,
    revision: "1",
    licence: "MIT",
    files: [
      { name: "tokenizer.json", bytes: 9, sha256: "a".repeat(64), check: "equal" },
      { name: "model.safetensors", bytes: 99, sha256: "b".repeat(64), check: "equal" },
    ],
    warnings: [],
    kept: false,
    notKept: null,
    hasTokenizer: true,
    selfTest: null,
    timingsMs: null,
    card: {
      ...Object.fromEntries(
        [
          "vocabSize",
          "hiddenSize",
          "numHiddenLayers",
          "numAttentionHeads",
          "intermediateSize",
          "maxPositionEmbeddings",
          "rotaryDimensions",
          "eosTokenId",
          "tokenizerEntries",
          "tokenizerIdsBeyond",
          "parameters",
          "hiddenAct",
          "useParallelResidual",
          "tieWordEmbeddings",
          "precision",
          "kvCache",
          "memory",
          "memoryNeed",
          "report",
        ].map((name) => [name, null]),
      ),
      kernel: "fused",
      simd: "baseline",
    },
  },
  tokenizer: { sha256: "a".repeat(64), entries: 96 },
  engine: { precision: "f32", kernel: "fused", simd: "baseline", kvCache: "f32", cachePolicy: "reuse" },
  padding: "none",
  rowOrder: [0],
  settings: null,
  seed: 42,
  handUniform: null,
  runs: [run()],
  prompt: "Once",
  promptIds: [1, 2],
  newIds: [5, 6, 7],
  byHand: [],
  text: " upon a time",
  tokens: {
    shown: ["·upon", "·a", "·time"],
    probability: [0.5, 0.25, 1],
    rank: [0, 1, 0],
    uniform: [0.1, 0.2, 0.3],
    forwardMs: [0, 2, 2],
    samplingMs: [0.5, 0.5, 0.5],
  },
  stopReason: "maxNewTokens",
  forwardCalls: 3,
  timingsMs: { tokenize: 0.1, prefill: 3, decodeSteps: [2, 2], sampling: 1.5, detokenize: null, firstToken: null, total: null },
  browser: { userAgent: "Test", clockStepMs: 0.1, isolated: true, hardwareConcurrency: 2 },
  page: { program: "page", build: "app-123456789abc", engineVersion: "0.1.0" },
  ...change,
});

/** @param {Partial<RunRecord["runs"][number]>} [change] @returns {RunRecord["runs"][number]} */
export function run(change = {}) {
  return {
    first: 0,
    sampling: sampling(),
    seed: 42,
    uniform: null,
    limits: { maxNewTokens: 3, stop: [], ignoreEos: false, eosId: 0 },
    exact: true,
    ...change,
  };
}

/** @param {Partial<RunRecord["runs"][number]["sampling"]>} [change] */
export function sampling(change = {}) {
  return {
    greedy: false,
    chain: [{ kind: /** @type {const} */ ("temperature"), value: 0.8 }],
    repetitionPenalty: 1,
    noRepeatNgram: 0,
    suppress: [],
    minNewTokens: 0,
    boundary: /** @type {const} */ ("smallest"),
    ...change,
  };
}

/** A page that has made tokens under the controls of that moment. @param {State} state @param {string[]} texts */
export function generated(state, texts, from = /** @type {"prompt" | "end"} */ ("prompt")) {
  let now = replay(state, { type: "runStarted", from });
  for (const text of texts) now = replay(now, stepped(now, text));
  return replay(now, stopped(now));
}
