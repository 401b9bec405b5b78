/** What the candle kernel cannot hold, and what a worker beside the page's holds in its place. */

import { words } from "./words/lab-work.js";

/** @import { Holding } from "./lab-places.js" */
/** @import { LoadedModel } from "./messages.js" */

/** One of these for all weights. */
const weights = ["f32", "f16", "bf16"];

/** @typedef {Pick<LoadedModel["card"], "precision" | "kvCache">} Formats */
/** What a second worker holds for candle. @typedef {Required<Pick<Holding, "precision" | "kvCache">>} CandleHolding */

/** Null where candle takes what the page's model has. @param {Formats} card @returns {CandleHolding | null} */
export function candleHolding({ precision, kvCache }) {
  const takes = weights.includes(precision);
  return takes && kvCache === "f32" ? null : { precision: takes ? precision : "f32", kvCache: "f32" };
}

/** @param {Formats} formats */
const formatWords = ({ precision, kvCache }) => words.candle.formats(precision.toUpperCase(), kvCache.toUpperCase());

/** Before the work, null where nothing is to be said. @param {Formats} card @param {string} what runs there */
export function candleNotice(card, what) {
  const holding = candleHolding(card);
  if (holding === null) return null;
  return words.candle.notice(formatWords(card), formatWords(holding), what);
}

/** After the work. @param {CandleHolding} holding */
export const candleOutcome = (holding) => words.candle.outcome(formatWords(holding));
