/** Repeating a record: what of it this page cannot offer, the engine's call, and what came of it. */

import { isWeights, TOKENIZER } from "../models/file-names.js";
import { words } from "../words/records-compare.js";
import { divergence } from "./difference.js";
import { weightDigests } from "./record.js";
import { reasonWords } from "./words.js";

/** @import { WorkTools } from "../lab-work.js" */
/** @import { State } from "../page-types.js" */
/** @import { Holding } from "../lab-places.js" */
/** @import { Replayed } from "../protocol.js" */
/** @import { RepeatResult, RunRecord } from "./types.js" */

/**
 * What stands in the way, each in a sentence (then it cannot be repeated here), what is to be known of the repeat, and the
 * weights that it needs.
 * @param {RunRecord} record
 * @param {Pick<State, "model" | "catalogue" | "relaxedSimd" | "activeWorkerId">} state
 * @param {{ build: string | null, engineVersion: string }} page
 * @returns {{ hindrances: string[], notes: string[], holding: Holding | null }}
 */
export function prospects(record, state, page) {
  const { engine, runs, newIds, promptIds, byHand, padding, rowOrder } = record;
  /** @type {string[]} */
  const hindrances = [];
  /** @type {string[]} */
  const notes = [];
  const { hindrances: hinders, notes: known } = words;
  const holder = findHolder(record, state);
  if (state.activeWorkerId === null || state.model === null) hindrances.push(hinders.noModel);
  if (newIds.length === 0 || promptIds.length === 0) hindrances.push(hinders.noTokens);
  if (padding !== "none" || rowOrder.length !== 1) hindrances.push(hinders.batch);
  if (runs.some(({ exact }) => !exact)) hindrances.push(hinders.inexact);
  if (newIds.length > 0 && runs.length === 0 && byHand.length < newIds.length) hindrances.push(hinders.noSettings);
  if (engine === null) hindrances.push(hinders.noEngine);
  if ("fault" in holder) hindrances.push(holder.fault);
  if (engine?.simd === "relaxed") {
    if (!state.relaxedSimd) hindrances.push(hinders.noRelaxed);
    else notes.push(known.relaxed);
  }
  if (engine?.kernel === "candle") notes.push(known.candle);
  const tokenizer = "fault" in holder ? null : holder.tokenizer;
  if (record.tokenizer.sha256 !== null && tokenizer !== null && tokenizer !== record.tokenizer.sha256)
    notes.push(known.otherTokenizer);
  if (record.page.engineVersion !== page.engineVersion)
    notes.push(known.otherVersion(record.page.engineVersion, page.engineVersion));
  else if (record.page.build !== page.build)
    notes.push(known.otherBuild(record.page.build ?? record.page.program, page.build));
  if (byHand.length > 0) notes.push(known.byHand(byHand.length));
  if (engine === null || "fault" in holder || hindrances.length > 0) return { hindrances, notes, holding: null };
  const { precision, kernel, simd, kvCache } = engine;
  return { hindrances, notes, holding: { model: holder.model, precision, kernel, simd, kvCache } };
}

/**
 * Where the weights of a record are: the page's model, or one of the catalogue, by their SHA-256.
 * @param {RunRecord} record @param {Pick<State, "model" | "catalogue">} state
 * @returns {{ model: string | null, tokenizer: string | null } | { fault: string }}
 */
function findHolder(record, { model, catalogue }) {
  const wanted = weightDigests(record).join();
  const title = record.model?.title ?? words.unknown;
  if (wanted === "") return { fault: words.hindrances.noDigest };
  if (model && weightDigests({ model: /** @type {RunRecord["model"]} */ (/** @type {unknown} */ (model)) }).join() === wanted)
    return { model: null, tokenizer: model.files.find(({ name }) => name === TOKENIZER)?.sha256 ?? null };
  const entry = catalogue?.models.find(
    ({ files }) =>
      Object.entries(files)
        .filter(([name]) => isWeights(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { sha256 }]) => sha256)
        .join() === wanted,
  );
  if (entry) return { model: entry.id, tokenizer: entry.files[TOKENIZER]?.sha256 ?? null };
  return { fault: words.hindrances.otherWeights(title, wanted.slice(0, 8)) };
}

/** Whether the run was stopped, or had not ended: the repeat stops at the same length. @param {RunRecord} record */
const isCutShort = ({ stopReason }) => stopReason === "user" || stopReason === null;

/** @param {RunRecord} record */
export function replayCall(record) {
  const { promptIds, newIds, runs, byHand, engine } = record;
  return {
    method: /** @type {const} */ ("replay"),
    ids: promptIds,
    parts: runs.map(({ first, sampling, seed, uniform, limits }, n) => ({
      first,
      settings: { ...sampling, ...(uniform === null ? {} : { uniform }) },
      seed,
      limits:
        n + 1 === runs.length && isCutShort(record)
          ? { ...limits, maxNewTokens: newIds.length - first - byHand.filter((index) => index > first).length }
          : limits,
    })),
    forced: byHand.map((index) => ({ index, id: newIds[index] })),
    cache: engine?.cachePolicy !== "recompute",
    kernel: engine?.kernel,
  };
}

/** @param {RunRecord} record @param {Holding} holding @param {WorkTools} tools @returns {Promise<Replayed>} */
export async function replay(record, holding, { calls, placeOf, report, signal }) {
  const { workerId } = await placeOf(holding);
  report(words.repeating);
  const { result } = await calls.ask(workerId, replayCall(record), {
    signal,
    onProgress: (done, total) => report(words.repeatingAt(done, total)),
  });
  // What was stopped answers with what there is, which is no repeat.
  signal.throwIfAborted();
  return result;
}

/** @param {RunRecord} record @param {Replayed} replayed @param {string[]} notes @returns {RepeatResult} */
export function resultOf(record, { tokens, stopReason }, notes) {
  return {
    divergence: divergence(record.newIds, tokens.ids, (index, side) =>
      side === 0 ? record.tokens?.shown[index] : tokens.text[index],
    ),
    tokens: tokens.ids.length,
    forced: record.byHand.length,
    reasonBefore: record.stopReason,
    reasonNow: stopReason,
    stoppedByHand: isCutShort(record),
    notes,
  };
}

/** What came of it, in a sentence or two. @param {RepeatResult} result */
export function resultSentence(result) {
  const { divergence: found, reasonBefore, reasonNow, stoppedByHand } = result;
  const sentences = [textSentence(result)];
  if (stoppedByHand && found === null) sentences.push(words.repeated.noEnd);
  else if (reasonBefore !== reasonNow) sentences.push(words.repeated.otherEnd(reasonWords(reasonBefore), reasonWords(reasonNow)));
  return sentences.join(" ");
}

/** @param {RepeatResult} result */
function textSentence({ divergence: found, tokens, forced }) {
  const { repeated } = words;
  if (found === null) return repeated.same(tokens, forced);
  const { index, before, after } = found;
  if (before && after) return repeated.first(index, before, after);
  return before ? repeated.endedSooner(index, before) : repeated.wentOn(index, after ?? { id: 0, shown: "" });
}
