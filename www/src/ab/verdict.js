/** What a comparison shows: which sentence says it. */

import { scientific, significant } from "../format.js";
import { words } from "../words/ab.js";
import { words as common } from "../words/common.js";

/** @import { Comparison, LogitDifference, MadeToken, Pair, SampleSeries } from "./types.js" */

/** A logit's difference: what is small in powers of ten. @param {number} value */
export function apart(value) {
  if (value === 0) return "0";
  return value < 0.001 ? scientific(value, 1) : significant(value, 3);
}

/** @param {LogitDifference} difference */
export function differenceSentence({ value, positions, sameBits }) {
  if (sameBits) return words.logits.sameBits(positions);
  return value === 0 ? words.logits.signOfZero(positions) : words.logits.largest(apart(value));
}

/** @param {Comparison} comparison @param {(token: MadeToken) => string} [name] */
export function verdict(comparison, name = ({ spoken }) => spoken) {
  return comparison.kind === "twice" ? twice(comparison) : pair(comparison, name);
}

/** Greedy, or the seed that was drawn with. @param {boolean} greedy @param {number} seed */
export const howPicked = (greedy, seed) => (greedy ? words.greedy : words.seed(seed));

/** @param {Comparison} comparison */
function twice({ of: [{ controls }], runs, alignment, difference }) {
  const how = howPicked(controls.greedy, controls.seed);
  const made = runs[0].tokens.length;
  if (!alignment || !isWhole(alignment)) return words.verdict.notSame(how);
  return difference?.sameBits ? words.verdict.provedEqual(how, made) : words.verdict.sameTokens(how, made);
}

/** @param {NonNullable<Comparison["alignment"]>} alignment */
const isWhole = ({ firstDifference, endsFirst }) => firstDifference === null && endsFirst === null;

/** @param {Comparison} comparison @param {(token: MadeToken) => string} name */
function pair({ runs, alignment, difference }, name) {
  if (alignment === null) return words.verdict.otherTokenizers;
  const { firstDifference, endsFirst, equal } = alignment;
  if (firstDifference !== null) {
    const picked = /** @type {Pair<string>} */ (runs.map(({ tokens }) => name(tokens[firstDifference])));
    return words.verdict.parted(firstDifference, picked, cause(difference));
  }
  if (endsFirst !== null) {
    const why = common.stopReasons[runs[endsFirst].stopReason];
    return words.verdict.endsFirst(words.sides[endsFirst], equal, why);
  }
  if (difference === null) return words.verdict.same(equal);
  return difference.sameBits
    ? words.verdict.sameFromBits(equal)
    : words.verdict.sameDespite(equal, apart(difference.value));
}

/** @param {LogitDifference | null} difference */
function cause(difference) {
  if (difference === null) return "";
  return difference.sameBits ? words.cause.picks : words.cause.logits(apart(difference.value));
}

/** @param {SampleSeries} series */
export function seriesSentence({ of: { controls }, samples, distinct }) {
  if (samples.length === 0) return words.repeats.none;
  const made = words.repeats.made(samples.length, samples[0].seed, samples[samples.length - 1].seed, distinct);
  return controls.greedy ? words.repeats.greedy(made) : made;
}

/**
 * For each text the first one with the same tokens, itself if it is that. @param {{ newIds: Uint32Array }[]} samples
 */
export function firstAlike(samples) {
  const keys = samples.map(({ newIds }) => newIds.join());
  return keys.map((key) => keys.indexOf(key));
}
