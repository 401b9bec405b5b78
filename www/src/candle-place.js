/** What the candle kernel cannot hold, and what a worker beside the page's holds in its place. */

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
const formatWords = ({ precision, kvCache }) => `weights ${precision.toUpperCase()}, KV cache ${kvCache.toUpperCase()}`;

/** Before the work, null where nothing is to be said. @param {Formats} card @param {string} what runs there */
export function candleNotice(card, what) {
  const holding = candleHolding(card);
  if (holding === null) return null;
  return `The page's model (${formatWords(card)}) is not for the candle kernel, so ${what} in a second worker (${formatWords(holding)}), which is loaded from the same file and ended afterwards. The page's model stays as it is and may give other texts.`;
}

/** After the work. @param {CandleHolding} holding */
export const candleOutcome = (holding) => `Made in a second worker beside the page's: ${formatWords(holding)}.`;
