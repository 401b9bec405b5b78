/** Makes the record of a text from the page's state. */

import { stepsOf } from "../branches.js";
import { actingChain, defaultControls, stopStrings } from "../controls.js";
import { isWeights, TOKENIZER } from "../models/file-names.js";
import { pickModel, recordSchema, recordVersion } from "./schema.js";

/** @import { Controls, State } from "../page-types.js" */
/** @import { GeneratedText, TextStep } from "../text-types.js" */
/** @import { RunTiming } from "../protocol.js" */
/** @import { RecordedGroups, RecordedRun, RecordedSampling, RunRecord } from "./types.js" */

/** As in Cargo.toml, which a test holds. */
export const engineVersion = "0.1.0";

/**
 * What a record needs of the world beside the state.
 * @typedef {{ nowIso: string | null, userAgent: string | null, hardwareConcurrency: number | null, build: string | null }} Facts
 */

/** The folder that scripts/arrange-dist.mjs gives a deployment; null in a page that was not arranged. */
export const buildName = /\/(app-[0-9a-f]+)\//.exec(new URL(import.meta.url).pathname)?.[1] ?? null;

/** @returns {Facts} */
export const factsNow = () => ({
  nowIso: new Date().toISOString(),
  userAgent: navigator.userAgent,
  hardwareConcurrency: navigator.hardwareConcurrency ?? null,
  build: buildName,
});

/**
 * The present text of the page, or another one that it has kept. Everything may be missing before a model is loaded.
 * @param {Partial<State>} state @param {Facts} facts @param {GeneratedText | null} [text]
 * @returns {RunRecord}
 */
export function recordOf(state, facts, text = state.text ?? null) {
  const { controls = defaultControls, clock } = state;
  const steps = stepsOf(text);
  const present = text === (state.text ?? null) && text?.stale !== true;
  // What a text was made on is noted when a run ends; one that has not ended was made on what there is.
  const madeOn = text?.madeOn ?? (present || steps.length === 0 ? presentOf(state) : nothingKnown);
  const model = pickModel(madeOn.model);
  const { card } = madeOn.model ?? {};
  const eosId = card?.eosTokenId ?? null;
  const runs = runsOf(text, steps, eosId);
  const { seed, ...settings } = text?.runs.at(-1)?.controls ?? controls;
  return {
    schema: recordSchema,
    version: recordVersion,
    recordedAt: facts.nowIso,
    model,
    tokenizer: {
      sha256: model?.files.find(({ name }) => name === TOKENIZER)?.sha256 ?? null,
      entries: card?.tokenizerEntries ?? null,
    },
    engine: card
      ? {
          precision: card.precision ?? "f32",
          kernel: card.kernel ?? "fused",
          simd: card.simd ?? "baseline",
          kvCache: card.kvCache ?? "f32",
          cachePolicy: (steps.length > 0 ? text?.uncached : state.uncached) ? "recompute" : "reuse",
        }
      : null,
    padding: "none",
    rowOrder: [0],
    settings,
    seed: runs.at(-1)?.seed ?? text?.summary?.seed ?? seed,
    handUniform: text?.handUniform ?? state.diceUsed ?? null,
    runs,
    prompt: (steps.length > 0 ? text?.prompt : state.prompt) ?? "",
    promptIds: [...(madeOn.tokens?.ids ?? [])],
    newIds: steps.map(({ id }) => id),
    byHand: steps.filter(({ byHand }) => byHand).map(({ index }) => index),
    text: steps.map((step) => step.text).join(""),
    tokens: {
      shown: steps.map(({ shown }) => shown),
      probability: steps.map(({ probability }) => Math.min(probability, 1)),
      rank: steps.map(({ rank }) => rank),
      uniform: steps.map(({ history }) => history?.uniform ?? null),
      forwardMs: steps.map(({ forwardMs, byHand }) => (byHand ? null : forwardMs)),
      samplingMs: steps.map(({ samplingMs, byHand }) => (byHand ? null : samplingMs)),
    },
    stopReason: text?.reason ?? null,
    forwardCalls: text?.summary?.forwardCalls ?? null,
    timingsMs: {
      tokenize: madeOn.tokenizeMs,
      prefill: madeOn.prefillMs,
      decodeSteps: steps.slice(1).map(({ forwardMs }) => forwardMs),
      sampling: steps.reduce((total, { samplingMs }) => total + samplingMs, 0),
      detokenize: steps.reduce((total, { detokenizeMs }) => total + detokenizeMs, 0),
      ...wholeRequest(text, steps),
    },
    timing: text?.summary ? timingOf(text.summary.timing) : null,
    browser:
      facts.userAgent === null
        ? null
        : {
            userAgent: facts.userAgent,
            clockStepMs: clock?.stepMs ?? null,
            isolated: clock?.isolated ?? null,
            hardwareConcurrency: facts.hardwareConcurrency,
          },
    page: { program: "page", build: facts.build, engineVersion },
  };
}

const nothingKnown = { model: null, tokens: null, tokenizeMs: null, prefillMs: null };

/**
 * From the beginning of the prefill to the first and to the last token, tokenizing not counted, as the command line has it.
 * Only a text that one run made, all of it, from its prompt on, has such times.
 * @param {GeneratedText | null} text @param {TextStep[]} steps
 */
function wholeRequest(text, steps) {
  const { tokenizeMs, latency } = text?.summary?.timing ?? { tokenizeMs: null, latency: null };
  const one = latency !== null && latency.outputTokens === steps.length && steps.every(({ byHand }) => !byHand);
  /** @param {number | null} untilMs */
  const since = (untilMs) => (one && untilMs !== null && tokenizeMs !== null ? Math.max(0, untilMs - tokenizeMs) : null);
  return { firstToken: since(latency?.firstTokenMs ?? null), total: since(latency?.requestMs ?? null) };
}

/** With plain lists in place of the engine's columns. @param {RunTiming} timing @returns {RunRecord["timing"]} */
function timingOf(timing) {
  const columns = Object.entries(timing.latency.groups).map(([name, values]) => [name, Array.from(values)]);
  const groups = /** @type {RecordedGroups} */ (Object.fromEntries(columns));
  return { ...timing, latency: { ...timing.latency, groups } };
}

/** @param {Partial<State>} state */
const presentOf = ({ model, tokens, tokenizeMs, prefill }) => ({
  model: model ?? null,
  tokens: tokens ?? null,
  tokenizeMs: tokenizeMs ?? null,
  prefillMs: prefill?.ms ?? null,
});

/**
 * The runs of a text as they can be made again: a token put in by hand ends one, and what is drawn after it is another.
 * @param {GeneratedText | null} text @param {TextStep[]} steps @param {number | null} eosId
 * @returns {RecordedRun[]}
 */
function runsOf(text, steps, eosId) {
  const starts = steps.filter(
    (step, n) => !step.byHand && (n === 0 || steps[n - 1].byHand || text?.runs.some(({ first }) => first === n)),
  );
  return starts.flatMap(({ index: first }, n) => {
    const run = text?.runs.findLast((candidate) => candidate.first <= first);
    if (!run) return [];
    const next = starts[n + 1]?.index ?? steps.length;
    const made = steps.slice(first, next).filter(({ byHand }) => !byHand).length;
    const { controls, uniform, exact } = run;
    return {
      first,
      sampling: samplingOf(controls),
      seed: controls.seed,
      uniform: run.first === first ? uniform : null,
      limits: {
        maxNewTokens: n + 1 === starts.length ? lastLimit(text?.reason ?? null, controls.maxNewTokens, made) : made,
        stop: stopStrings(controls.stop),
        ignoreEos: controls.ignoreEos,
        eosId,
      },
      exact,
    };
  });
}

/** Runs of single tokens that amount to one have its limit, not that of the control.
 * @param {GeneratedText["reason"]} reason @param {number} limit @param {number} made
 */
const lastLimit = (reason, limit, made) => (reason === "maxNewTokens" ? made : Math.max(limit, made));

/** @param {Controls} controls @returns {RecordedSampling} */
export function samplingOf(controls) {
  const { greedy, repetitionPenalty, noRepeatNgram, suppress, minNewTokens, boundary } = controls;
  const chain = actingChain(controls);
  return { greedy, chain, repetitionPenalty, noRepeatNgram, suppress: [...suppress], minNewTokens, boundary };
}

/** The digests of the weights, in the order of their names. @param {Pick<RunRecord, "model">} record */
export const weightDigests = ({ model }) =>
  (model?.files ?? [])
    .filter(({ name }) => isWeights(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ sha256 }) => sha256);
