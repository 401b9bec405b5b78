/**
 * The record's schema, version 1, as data: it checks what comes from a file, strictly and in words, and picks from the
 * page's values what belongs into a record. A field that it does not name is refused, so that no reader is misled by a
 * record of a later version.
 */

import { words } from "../words/records-read.js";

/** @import { RunRecord } from "./types.js" */

/**
 * @typedef {{ expected: string, optional?: boolean, fault: (value: unknown, path: string) => string | null,
 *   pick: (value: unknown) => unknown }} Shape
 */

export const recordSchema = "logit-lab-record";
export const recordVersion = 1;
/** Tokens of a prompt or text; more than any model of the page has positions. */
const mostTokens = 100_000;
const longestText = 2_000_000;

const { expected, found } = words;

/** @param {unknown} value */
function kindOf(value) {
  if (value === undefined) return found.nothing;
  if (value === null) return found.null;
  if (Array.isArray(value)) return found.list;
  if (typeof value === "string") return found.text;
  if (typeof value === "number") return found.number(value);
  return typeof value === "boolean" ? `${value}` : found.object;
}

/** @param {string} wanted @param {(value: unknown) => boolean} fits @returns {Shape} */
const leaf = (wanted, fits) => ({
  expected: wanted,
  fault: (value, path) => (fits(value) ? null : words.wrongKind(path, wanted, kindOf(value))),
  pick: (value) => value,
});

/** @param {number} most characters @returns {Shape} */
const text = (most) => leaf(expected.text(most), (value) => typeof value === "string" && value.length <= most);
const flag = leaf(expected.flag, (value) => typeof value === "boolean");
const real = leaf(expected.real, (value) => typeof value === "number" && Number.isFinite(value));
const share = leaf(expected.share, (value) => typeof value === "number" && value >= 0 && value <= 1);
const uniform = leaf(expected.uniform, (value) => typeof value === "number" && value >= 0 && value < 1);
const ms = leaf(expected.ms, (value) => typeof value === "number" && Number.isFinite(value) && value >= 0);
/** @param {number} [max] */
const whole = (max = Number.MAX_SAFE_INTEGER) =>
  leaf(
    max === Number.MAX_SAFE_INTEGER ? expected.whole : expected.wholeTo(max),
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max,
  );
const u32 = whole(2 ** 32 - 1);
const digest = leaf(expected.digest, (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value));

/** @param {(string | number)[]} values */
const among = (...values) =>
  leaf(expected.among(values.map((value) => JSON.stringify(value))), (value) => values.some((one) => one === value));

/** @param {Shape} shape @returns {Shape} */
const nullable = (shape) => ({
  expected: expected.orNull(shape.expected),
  fault: (value, path) => (value === null ? null : shape.fault(value, path)),
  pick: (value) => (value === undefined || value === null ? null : shape.pick(value)),
});

/** A field that came after the first records. @param {Shape} shape @returns {Shape} */
const optional = (shape) => ({ ...shape, optional: true });

/** @param {Shape} shape @param {number} most @returns {Shape} */
const list = (shape, most) => ({
  expected: expected.listOf(most),
  fault(value, path) {
    if (!Array.isArray(value)) return words.wrongKind(path, expected.list, kindOf(value));
    if (value.length > most) return words.tooManyEntries(path, most, value.length);
    for (let n = 0; n < value.length; n += 1) {
      const fault = shape.fault(value[n], `${path}[${n}]`);
      if (fault !== null) return fault;
    }
    return null;
  },
  pick: (value) => Array.from(/** @type {Iterable<unknown>} */ (value ?? []), shape.pick),
});

/** @param {Record<string, Shape>} fields @returns {Shape} */
const object = (fields) => ({
  expected: expected.object,
  fault(value, path) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return words.wrongKind(path, expected.object, kindOf(value));
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(fields, name))
        return words.unknownField(path, recordVersion, JSON.stringify(name.slice(0, 40)));
    }
    for (const [name, shape] of Object.entries(fields)) {
      if (!Object.hasOwn(value, name) && shape.optional) continue;
      if (!Object.hasOwn(value, name)) return words.missing(`${path}.${name}`, shape.expected);
      const fault = shape.fault(/** @type {Record<string, unknown>} */ (value)[name], `${path}.${name}`);
      if (fault !== null) return fault;
    }
    return null;
  },
  pick: (value) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, shape]) => [name, shape.pick(/** @type {Record<string, unknown>} */ (value)?.[name])]),
    ),
});

/** @param {Shape} shape @param {string[]} names */
const allOf = (shape, ...names) => Object.fromEntries(names.map((name) => [name, shape]));

const name = text(200);
const sentence = text(2000);
const tokenIds = list(u32, mostTokens);
const chainKind = among("temperature", "topK", "topP", "minP");
const boundary = among("smallest", "listing");

const memory = object({ weightBytes: whole(), kvUsedBytes: whole(), kvReservedBytes: whole(), wasmBytes: whole() });
const wholeOrNull = nullable(whole());

const card = object({
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
    ].map((field) => [field, wholeOrNull]),
  ),
  hiddenAct: nullable(name),
  useParallelResidual: nullable(flag),
  tieWordEmbeddings: nullable(flag),
  kernel: nullable(name),
  precision: nullable(name),
  kvCache: nullable(name),
  simd: nullable(name),
  memory: nullable(memory),
  memoryNeed: nullable(
    object({
      weightBytes: whole(),
      kvCacheBytes: whole(),
      workBytes: whole(),
      tokenizerBytes: whole(),
      totalBytes: whole(),
      limitBytes: whole(),
    }),
  ),
  report: nullable(
    object({
      bytes: whole(),
      dtypes: list(name, 20),
      tensors: whole(),
      ignored: list(object({ name: sentence, reason: sentence }), 20_000),
      converted: list(object({ name: sentence, from: name, to: name }), 20_000),
    }),
  ),
});

const model = object({
  id: nullable(name),
  title: name,
  origin: nullable(name),
  base: nullable(sentence),
  revision: nullable(name),
  licence: nullable(name),
  files: list(object({ name, bytes: whole(), sha256: digest, check: nullable(name) }), 200),
  warnings: list(sentence, 100),
  kept: nullable(flag),
  notKept: nullable(name),
  hasTokenizer: nullable(flag),
  selfTest: nullable(
    object({ passed: flag, tokens: whole(), largestDifference: real, tolerance: nullable(real) }),
  ),
  timingsMs: nullable(object({ download: ms, digest: ms, load: ms, selfTest: optional(nullable(ms)) })),
  card,
});

const sampling = object({
  greedy: flag,
  chain: list(object({ kind: chainKind, value: real }), 16),
  repetitionPenalty: real,
  noRepeatNgram: whole(),
  suppress: list(u32, mostTokens),
  minNewTokens: whole(),
  boundary,
});
const limits = object({
  maxNewTokens: whole(mostTokens),
  stop: list(text(10_000), 100),
  ignoreEos: flag,
  eosId: nullable(u32),
});
const settings = object({
  temperature: real,
  topK: real,
  topP: real,
  minP: real,
  order: list(chainKind, 4),
  bypassed: list(chainKind, 4),
  repetitionPenalty: real,
  noRepeatNgram: real,
  minNewTokens: real,
  suppress: list(u32, mostTokens),
  greedy: flag,
  maxNewTokens: real,
  stop: text(longestText),
  ignoreEos: flag,
  rows: real,
  boundary,
});
const column = (/** @type {Shape} */ shape) => list(nullable(shape), mostTokens);

const msOrNull = nullable(ms);
const wholeLatency = ["firstTokenMs", "requestMs", "meanIntervalMs", "outputTokensPerSecond", "decodeTokensPerSecond"];
const latency = object({
  outputTokens: whole(mostTokens),
  ...allOf(nullable(real), ...wholeLatency, "inputTokensPerSecond"),
  intervalMs: nullable(
    object({
      count: whole(),
      ...allOf(ms, "smallest", "lowerQuartile", "median", "upperQuartile", "p95", "largest"),
    }),
  ),
  clockStepMs: ms,
  groupTokens: whole(),
  resolved: flag,
  groups: object({
    ...allOf(list(whole(), mostTokens), "first", "tokens"),
    ...allOf(list(ms, mostTokens), "intervalMs", "modelMs", "samplingMs", "detokenizeMs"),
  }),
});
const timing = object({
  ...allOf(msOrNull, "tokenizeMs", "prefillMs", "afterStartMs"),
  ...allOf(whole(), "prefillTokens", "reusedTokens", "decodeSteps", "runOfModel"),
  ...allOf(ms, "decodeMs", "samplingMs", "detokenizeMs", "otherMs"),
  paced: flag,
  latency,
});

/** @type {Shape} */
export const recordShape = object({
  schema: among(recordSchema),
  version: among(recordVersion),
  recordedAt: nullable(text(40)),
  model: nullable(model),
  tokenizer: object({ sha256: nullable(digest), entries: wholeOrNull }),
  engine: nullable(
    object({
      precision: name,
      kernel: name,
      simd: among("baseline", "relaxed"),
      kvCache: name,
      cachePolicy: among("reuse", "recompute"),
    }),
  ),
  padding: among("none", "left", "right"),
  rowOrder: list(whole(), 1000),
  settings: nullable(settings),
  seed: nullable(u32),
  handUniform: nullable(uniform),
  runs: list(object({ first: whole(mostTokens), sampling, seed: u32, uniform: nullable(uniform), limits, exact: flag }), 10_000),
  prompt: text(longestText),
  promptIds: tokenIds,
  newIds: tokenIds,
  byHand: list(whole(mostTokens), mostTokens),
  text: nullable(text(longestText)),
  tokens: nullable(
    object({
      shown: list(text(1000), mostTokens),
      probability: column(share),
      rank: column(whole()),
      uniform: column(uniform),
      forwardMs: column(ms),
      samplingMs: column(ms),
    }),
  ),
  stopReason: nullable(among("endToken", "maxNewTokens", "stopString", "contextFull", "user")),
  forwardCalls: wholeOrNull,
  timingsMs: object({
    tokenize: nullable(ms),
    prefill: nullable(ms),
    decodeSteps: list(ms, mostTokens),
    sampling: nullable(ms),
    detokenize: nullable(ms),
    firstToken: nullable(ms),
    total: nullable(ms),
  }),
  timing: optional(nullable(timing)),
  browser: nullable(
    object({
      userAgent: sentence,
      clockStepMs: nullable(ms),
      isolated: nullable(flag),
      hardwareConcurrency: wholeOrNull,
    }),
  ),
  page: object({ program: among("page", "command line"), build: nullable(name), engineVersion: name }),
});

/** What of a model as the page has it belongs into a record. @param {unknown} loaded */
export const pickModel = (loaded) => /** @type {RunRecord["model"]} */ (nullable(model).pick(loaded));
