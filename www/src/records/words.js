/** What a record says, in a few words each, for tables and reports. */

import { count, setting } from "../format.js";
import { words as common } from "../words/common.js";
import { words } from "../words/record.js";

/** @import { RecordedRun, RunRecord } from "./types.js" */

/** @param {RunRecord} record @param {(value: number) => string} [written] numbers; files have theirs with a point */
export function settingsWords({ runs, byHand }, written = setting) {
  const last = runs.at(-1);
  const parts = [last ? runWords(last, written) : words.noRun];
  if (runs.length > 1) parts.push(words.earlierRuns(runs.length - 1));
  if (byHand.length > 0) parts.push(words.byHand(byHand.length));
  return parts.join("; ");
}

/** @param {RecordedRun} run @param {(value: number) => string} written */
function runWords({ sampling, limits, uniform }, written) {
  const { greedy, chain, repetitionPenalty, noRepeatNgram, suppress, minNewTokens, boundary } = sampling;
  const parts = [
    repetitionPenalty !== 1 && words.repetitionPenalty(written(repetitionPenalty)),
    noRepeatNgram !== 0 && words.noRepeatNgram(noRepeatNgram),
    suppress.length > 0 && words.banned(suppress.length),
    minNewTokens !== 0 && words.atLeast(minNewTokens),
    greedy && words.greedy,
    ...(greedy ? [] : chain.map(({ kind, value }) => `${common.chain[kind]} ${written(value)}`)),
    !greedy && chain.length === 0 && words.plainSampling,
    boundary === "listing" && !greedy && words.listingBorder,
    uniform !== null && words.handNumber,
    limits.stop.length > 0 && words.stopStrings(limits.stop.length),
    limits.ignoreEos && words.pastEnd,
  ].filter((part) => part !== false);
  return parts.join(", ");
}

/** @param {RunRecord} record */
export function modelWords({ model, engine }) {
  const { precision = "f32", kernel = "fused", simd = "baseline", kvCache = "f32", cachePolicy = "reuse" } = engine ?? {};
  const unusual = [
    precision !== "f32" && words.weights(precision),
    kvCache !== "f32" && words.kvCache(kvCache),
    cachePolicy !== "reuse" && words.cacheUnused,
    kernel !== "fused" && kernel,
    simd !== "baseline" && simd,
  ].filter((part) => part !== false);
  return [model?.title ?? words.unknownModel, ...unusual].join(", ");
}

/** Whether a seed had no part in it. @param {Pick<RunRecord, "runs">} record */
export const isGreedy = ({ runs }) => runs.length > 0 && runs.every(({ sampling }) => sampling.greedy);

/** @param {RunRecord} record */
export const seedWords = (record) => (isGreedy(record) ? words.greedySeed : String(record.seed ?? words.noSeed));

/** @param {RunRecord["stopReason"]} reason */
export function reasonWords(reason) {
  if (reason === null) return words.notEnded;
  // Whoever reads it need not be who stopped it.
  return reason === "user" ? words.stoppedByHand : common.stopReasons[reason];
}

/**
 * Output tokens a second after the first: N-1 tokens over their forward passes and their picks; null where there are no
 * such, or nobody measured them. A token put in by hand took no time and is not counted.
 * @param {RunRecord} record
 */
export function tokensPerSecond({ tokens }) {
  if (!tokens) return null;
  let totalMs = 0;
  let made = 0;
  tokens.forwardMs.forEach((forwardMs, n) => {
    const samplingMs = tokens.samplingMs[n];
    if (n === 0 || forwardMs === null || samplingMs === null) return;
    totalMs += forwardMs + samplingMs;
    made += 1;
  });
  return made === 0 || totalMs === 0 ? null : (1000 * made) / totalMs;
}

/** @param {number | null} speed */
export const speedWords = (speed) => (speed === null ? words.noSpeed : count(speed));
