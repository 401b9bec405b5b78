/** What came of a comparison of two paths, in sentences. */

import { figure, milliseconds, plural } from "../format.js";

/** @import { CheckOutcome, CheckRow } from "./types.js" */

/** @param {CheckRow[]} rows the earliest of those that differ most */
export const mostDifferent = (rows) => rows.reduce((most, row) => (row.difference > most.difference ? row : most));

/** @param {CheckOutcome} outcome */
export function verdict({ rows, total, names }) {
  const stopped = rows.length < total ? `Stopped after ${rows.length} of ${total}. ` : "";
  if (rows.length === 0) return `${stopped || "No step was made. "}There is nothing to compare yet.`;
  const steps = rows.length === 1 ? "At the one step" : `At all ${plural(rows.length, "step")}`;
  if (rows.every(({ sameBits }) => sameBits))
    return `${stopped}${steps} every logit has the same bits ${names[0]} and ${names[1]}: the largest difference is exactly 0.`;
  const most = mostDifferent(rows);
  const largest = `The largest logit difference of ${plural(rows.length, "step")} is ${figure(most.difference)}, at context ${most.context}.`;
  const parting = rows.filter(({ sameBest }) => !sameBest);
  if (parting.length === 0) return `${stopped}${largest} ${steps} the same token has the largest logit.`;
  const first = parting[0];
  return `${stopped}${largest} Another token leads at ${plural(parting.length, "step")}, first at context ${first.context} (${first.best[0]} and ${first.best[1]}): there greedy decoding would part.`;
}

/** Why the difference is what it is. @param {CheckOutcome} outcome */
export function reason({ kind, rows, kernels }) {
  if (rows.length === 0) return "";
  const same = rows.every(({ sameBits }) => sameBits);
  if (kind === "cache" && same)
    return "Why exactly 0: this kernel adds up the sums of a position in one fixed order, however many positions it computes at once, so a position has the same bits whatever the chunk. That is a promise of this kernel and not of caches: candle's products change their order with the number of rows, and there the last digits differ.";
  if (kind === "cache")
    return `Both paths stand for the same sums. ${kernels[0] === "candle" ? "candle" : "The kernel"} adds in another order for one row than for many, and each order rounds in its own way. A broken cache would be off by far more than last digits.`;
  if (kind === "kernel" && !same)
    return "The two kernels compute the same formulas and add in different orders, so they round differently. Neither is the exact one.";
  if (kind === "simd" && !same)
    return "Relaxed SIMD may multiply and add with one rounding in place of two, as the machine likes. Another machine can give other last digits.";
  return "The same bits here are no promise: on another machine or text the last digits may differ.";
}

/** @param {CheckOutcome} outcome */
export function timeSentence({ rows, names }) {
  // The first step runs the whole prompt on both paths.
  const steps = rows.slice(1);
  if (steps.length === 0) return "One step, which runs the prompt: no time to compare.";
  const quarter = steps.slice(-Math.ceil(steps.length / 4));
  const [a, b] = [0, 1].map((side) => milliseconds(median(steps.map(({ ms }) => ms[side]))));
  const [lateA, lateB] = [0, 1].map((side) => milliseconds(median(quarter.map(({ ms }) => ms[side]))));
  const from = quarter[0].context;
  return `Median step after the prompt's: ${a} ${names[0]}, ${b} ${names[1]}; from context ${from} on ${lateA} and ${lateB}.`;
}

/** @param {number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
