/** What came of a comparison of two paths: which sentences say it. */

import { figure, milliseconds } from "../format.js";
import { words } from "../words/cache.js";

/** @import { CheckOutcome, CheckRow } from "./types.js" */

/** @param {CheckRow[]} rows the earliest of those that differ most */
export const mostDifferent = (rows) => rows.reduce((most, row) => (row.difference > most.difference ? row : most));

/** @param {CheckOutcome} outcome */
export function verdict({ rows, total, names }) {
  const { stopped, noStep, nothing, sameBits, largest, sameBest, parting } = words.verdict;
  const sentences = rows.length < total ? [stopped(rows.length, total)] : [];
  if (rows.length === 0) return [...(total > 0 ? sentences : [noStep]), nothing].join(" ");
  if (rows.every((row) => row.sameBits)) return [...sentences, sameBits(rows.length, names)].join(" ");
  const most = mostDifferent(rows);
  sentences.push(largest(rows.length, figure(most.difference), most.context));
  const others = rows.filter((row) => !row.sameBest);
  if (others.length === 0) return [...sentences, sameBest(rows.length)].join(" ");
  return [...sentences, parting(others.length, others[0].context, others[0].best)].join(" ");
}

/** Why the difference is what it is. @param {CheckOutcome} outcome */
export function reason({ kind, rows, kernels }) {
  const { reasons } = words;
  if (rows.length === 0) return "";
  const same = rows.every(({ sameBits }) => sameBits);
  if (kind === "cache" && same) return reasons.cacheSame;
  if (kind === "cache") return kernels[0] === "candle" ? reasons.cacheCandle : reasons.cache;
  return same ? reasons.same : reasons[kind];
}

/** @param {CheckOutcome} outcome */
export function timeSentence({ rows, names }) {
  // The first step runs the whole prompt on both paths.
  const steps = rows.slice(1);
  if (steps.length === 0) return words.times.none;
  const quarter = steps.slice(-Math.ceil(steps.length / 4));
  return words.times.medians(mediansOf(steps), mediansOf(quarter), names, quarter[0].context);
}

/** Of each path. @param {CheckRow[]} rows @returns {[string, string]} */
function mediansOf(rows) {
  const [a, b] = [0, 1].map((side) => milliseconds(median(rows.map(({ ms }) => ms[side]))));
  return [a, b];
}

/** @param {number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
