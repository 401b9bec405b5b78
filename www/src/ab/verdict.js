/** What a comparison shows, in sentences. */

import { count, plural, stopReasons } from "../format.js";

/** @import { Comparison, LogitDifference, MadeToken, SampleSeries } from "./types.js" */

const sides = /** @type {const} */ (["A", "B"]);

/** A logit's difference: what is small in powers of ten. @param {number} value */
export function apart(value) {
  if (value === 0) return "0";
  return value < 0.001 ? value.toExponential(1).replace("e-", " × 10^-") : value.toPrecision(3);
}

/** @param {LogitDifference} difference */
export function differenceSentence({ value, positions, sameBits }) {
  const where = `at ${positions === 1 ? "the one position" : `all ${count(positions)} positions`} of the identical prefix`;
  if (sameBits) return `Largest logit difference 0: the same bits ${where}.`;
  if (value === 0)
    return `Largest logit difference 0 ${where}, though not the same bits: only the sign of a zero differs.`;
  return `Largest logit difference ${apart(value)} on the identical prefix: not the same bits.`;
}

/** @param {Comparison} comparison @param {(token: MadeToken) => string} [name] */
export function verdict(comparison, name = ({ spoken }) => spoken) {
  return comparison.kind === "twice" ? twice(comparison) : pair(comparison, name);
}

/** @param {Comparison} comparison */
function twice({ of: [{ controls }], runs, alignment, difference }) {
  const seed = controls.greedy ? "greedy" : `seed ${controls.seed}`;
  const made = plural(runs[0].tokens.length, "token");
  if (alignment && isWhole(alignment) && difference?.sameBits) {
    return `Proved equal: both runs (${seed}) made the same ${made}, from logits with the same bits.`;
  }
  if (alignment && isWhole(alignment)) return `Both runs (${seed}) made the same ${made}, but from logits that differ.`;
  return `The two runs (${seed}) are not the same.`;
}

/** @param {NonNullable<Comparison["alignment"]>} alignment */
const isWhole = ({ firstDifference, endsFirst }) => firstDifference === null && endsFirst === null;

/** @param {Comparison} comparison @param {(token: MadeToken) => string} name */
function pair({ runs, alignment, difference }, name) {
  if (alignment === null) {
    return "The two models cut text into different tokens, so that nothing can be lined up: only the texts can be read side by side.";
  }
  const { firstDifference, endsFirst, equal } = alignment;
  if (firstDifference !== null) {
    const picked = sides.map((side, n) => `${side} picked ${name(runs[n].tokens[firstDifference])}`).join(", ");
    const start = firstDifference === 0 ? "at the first token" : `at token ${count(firstDifference + 1)}`;
    return `The texts part ${start}: ${picked}. ${cause(difference)} All that follows comes of another prefix.`;
  }
  if (endsFirst !== null) {
    const why = stopReasons[runs[endsFirst].stopReason];
    return `No token differs: ${sides[endsFirst]} ends after ${plural(equal, "token")} (${why}), and the other goes on.`;
  }
  return `Both made the same ${plural(equal, "token")}${unmoved(difference)}.`;
}

/** @param {LogitDifference | null} difference */
function cause(difference) {
  if (difference === null) return "";
  return difference.sameBits
    ? "The model said the same to both: how a token is picked made the difference."
    : `Before that, the logits differed by at most ${apart(difference.value)}.`;
}

/** @param {LogitDifference | null} difference */
function unmoved(difference) {
  if (difference === null) return "";
  if (difference.sameBits) return ", from logits with the same bits";
  return `, though their logits differ by up to ${apart(difference.value)}: not the same bits, but no pick was changed by it`;
}

/** @param {SampleSeries} series */
export function seriesSentence({ of: { controls }, samples, distinct }) {
  if (samples.length === 0) return "No text was finished.";
  const seeds = `seeds ${samples[0].seed} to ${samples[samples.length - 1].seed}`;
  const few = controls.greedy ? " Greedy draws nothing: no seed changes it." : "";
  return `${plural(samples.length, "text")} (${seeds}), ${count(distinct)} of them distinct.${few}`;
}

/**
 * For each text the first one with the same tokens, itself if it is that. @param {{ newIds: Uint32Array }[]} samples
 */
export function firstAlike(samples) {
  const keys = samples.map(({ newIds }) => newIds.join());
  return keys.map((key) => keys.indexOf(key));
}
