/** Repeating a record: what of it this page cannot offer, the engine's call, and what came of it. */

import { divergence, named } from "./difference.js";
import { count, plural } from "../format.js";
import { isWeights, TOKENIZER } from "../models/file-names.js";
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
  const hindrances = [];
  const notes = [];
  const holder = findHolder(record, state);
  if (state.activeWorkerId === null || state.model === null) hindrances.push("No model is loaded.");
  if (newIds.length === 0 || promptIds.length === 0) hindrances.push("The record has no new tokens: there is nothing to repeat.");
  if (padding !== "none" || rowOrder.length !== 1)
    hindrances.push("It was made in a batch. A single run has no padding and no other rows, so it cannot be repeated as one call.");
  if (runs.some(({ exact }) => !exact))
    hindrances.push("Its settings were changed while it ran at full speed, and nobody knows at which token: it cannot be repeated as one call.");
  if (newIds.length > 0 && runs.length === 0 && byHand.length < newIds.length)
    hindrances.push("It does not say with which settings its tokens were drawn.");
  if (engine === null) hindrances.push("It does not say on which engine it was made.");
  if ("fault" in holder) hindrances.push(holder.fault);
  if (engine?.simd === "relaxed") {
    if (!state.relaxedSimd) hindrances.push("It was made with relaxed SIMD, which this browser does not have.");
    else notes.push("Relaxed SIMD may differ in the last digits from machine to machine, so a divergence proves no fault.");
  }
  if (engine?.kernel === "candle")
    notes.push("The candle kernel promises no equal bits between a browser and a native run.");
  const tokenizer = "fault" in holder ? null : holder.tokenizer;
  if (record.tokenizer.sha256 !== null && tokenizer !== null && tokenizer !== record.tokenizer.sha256)
    notes.push("The tokenizer here is another one. The ids of the record are used as they are, and names of tokens may differ.");
  if (record.page.engineVersion !== page.engineVersion)
    notes.push(`It was made by engine version ${record.page.engineVersion}; this page has ${page.engineVersion}.`);
  else if (record.page.build !== page.build)
    notes.push(`It was made by another build (${record.page.build ?? record.page.program}; here ${page.build ?? "one without a name"}).`);
  if (byHand.length > 0) notes.push(`${plural(byHand.length, "token")} put in by hand ${byHand.length === 1 ? "is" : "are"} put in again, not drawn.`);
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
  const title = record.model?.title ?? "unknown";
  if (wanted === "") return { fault: "The record names no digest of its weights, so nobody can tell whether these are the same." };
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
  return {
    fault: `Its weights (${title}, SHA-256 ${wanted.slice(0, 8)}…) are neither those of the model in use nor of one that this page names. Load that model first.`,
  };
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
  report("Repeating the run");
  const { result } = await calls.ask(workerId, replayCall(record), {
    signal,
    onProgress: (done, total) => report(`Repeating the run: ${count(done)} of ${plural(total, "token")}`),
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

/** @param {RepeatResult} result */
export function resultSentence({ divergence: found, tokens, forced, reasonBefore, reasonNow, stoppedByHand }) {
  const reason =
    stoppedByHand && found === null
      ? " The first run had no end of its own, so the repeat was given as many tokens."
      : reasonBefore !== reasonNow
        ? ` It ended otherwise: then because ${reasonWords(reasonBefore)}, now because ${reasonWords(reasonNow)}.`
        : "";
  const drawn = forced === 0 ? "" : `, ${count(forced)} of them put in by hand`;
  if (found === null) return `No divergence: the same ${plural(tokens, "token")}${drawn}.${reason}`;
  const place = `new token ${count(found.index + 1)} (index ${found.index})`;
  if (found.before && found.after)
    return `First divergence at ${place}: in the record ${named(found.before)}, now ${named(found.after)}.${reason}`;
  return found.before
    ? `The repeat ended sooner, before ${place}, ${named(found.before)} in the record.${reason}`
    : `The repeat went on after the record's end, with ${named(found.after ?? { id: 0, shown: "" })} at ${place}.${reason}`;
}
