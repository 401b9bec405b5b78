/** What a record says, in a few words each, for tables and reports. */

import { chainNames, count, setting, stopReasons } from "../format.js";

/** @import { RecordedRun, RunRecord } from "./types.js" */

/** @param {RunRecord} record */
export function settingsWords({ runs, byHand }) {
  const last = runs.at(-1);
  const words = last ? [runWords(last)] : ["no run"];
  if (runs.length > 1) words.push(`after ${count(runs.length - 1)} earlier ${runs.length === 2 ? "run" : "runs"}`);
  if (byHand.length > 0) words.push(`${count(byHand.length)} put in by hand`);
  return words.join("; ");
}

/** @param {RecordedRun} run */
function runWords({ sampling, limits, uniform }) {
  const { greedy, chain, repetitionPenalty, noRepeatNgram, suppress, minNewTokens, boundary } = sampling;
  const words = [
    repetitionPenalty !== 1 && `repetition penalty ${setting(repetitionPenalty)}`,
    noRepeatNgram !== 0 && `no ${noRepeatNgram}-gram twice`,
    suppress.length > 0 && `${count(suppress.length)} banned`,
    minNewTokens !== 0 && `at least ${count(minNewTokens)}`,
    greedy && "greedy",
    ...(greedy ? [] : chain.map(({ kind, value }) => `${chainNames[kind]} ${setting(value)}`)),
    !greedy && chain.length === 0 && "plain sampling",
    boundary === "listing" && !greedy && "border as in the listing",
    uniform !== null && "a number set by hand",
    limits.stop.length > 0 && `${count(limits.stop.length)} stop ${limits.stop.length === 1 ? "string" : "strings"}`,
    limits.ignoreEos && "past the end token",
  ].filter((word) => word !== false);
  return words.join(", ");
}

/** @param {RunRecord} record */
export function modelWords({ model, engine }) {
  const { precision = "f32", kernel = "fused", simd = "baseline", kvCache = "f32", cachePolicy = "reuse" } = engine ?? {};
  const unusual = [
    precision !== "f32" && `weights ${precision}`,
    kvCache !== "f32" && `KV cache ${kvCache}`,
    cachePolicy !== "reuse" && "KV cache not used",
    kernel !== "fused" && kernel,
    simd !== "baseline" && simd,
  ].filter((word) => word !== false);
  return [model?.title ?? "unknown model", ...unusual].join(", ");
}

/** Whether a seed had a part in it. @param {RunRecord} record */
export const seedWords = ({ runs, seed }) =>
  runs.length > 0 && runs.every(({ sampling }) => sampling.greedy) ? "greedy: none" : String(seed ?? "none");

/** @param {RunRecord["stopReason"]} reason */
export function reasonWords(reason) {
  if (reason === null) return "it had not ended";
  // Whoever reads it need not be who stopped it.
  return reason === "user" ? "it was stopped by hand" : stopReasons[reason];
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
export const speedWords = (speed) => (speed === null ? "not available" : count(speed));
