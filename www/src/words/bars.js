/** Words of the bars: their head, their rows, the draw, and the button that puts a row's token into the text. */

import { count, fixed, setting, uniformText } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("bars", {
  next: "Next token",
  pickedLast: "Token picked last",
  fullBar: (/** @type {number} */ scale) => `full bar ${fixed(scale * 100, 0)} %`,
  /** @param {number} step from 1 @param {unknown} token */
  howPicked: (step, token) => [`Step ${count(step)}: how `, token, " was picked"],
  /** @param {number} step from 1 @param {unknown} token */
  howPutIn: (step, token) => [`Step ${count(step)}: how `, token, " was put in"],
  back: "Back to present",
  readTopFive: "Read the top five",

  columns: {
    rank: "Rank",
    token: "Token",
    logit: "Logit",
    processed: "After penalties",
    scaled: "z/T − max",
    cumulative: "Cumulative",
    span: "Span",
    fate: "Kept or cut",
    model: "Model says",
    mine: "With your settings",
  },
  minusInfinity: "−∞",
  noSpan: "–",
  /** @param {number} low @param {number} high */
  span: (low, high) => `${uniformText(low)} – ${uniformText(high)}`,
  kept: "kept",
  banned: "banned",
  bannedBefore: "banned before",
  cutBy: (/** @type {string} */ step) => `cut by ${step}`,
  marks: { picked: "picked", nextPick: "next pick", wouldPick: "would pick" },
  compare: (/** @type {string} */ token) => `Compare ${token}`,
  rest: (/** @type {number} */ n) => `all other tokens together: ${count(n)}`,
  allCut: "all cut",

  keptByGreedy: (/** @type {number} */ vocabulary) => `greedy, 1 of ${count(vocabulary)}`,
  /** @param {number} kept @param {number} vocabulary */
  keptOf: (kept, vocabulary) => `${count(kept)} of ${count(vocabulary)} kept`,
  /** @param {string} step @param {number} value @param {number} kept after it */
  filter: (step, value, kept) => `${step} ${setting(value)} → ${count(kept)}`,
  /** @param {number} vocabulary @param {string[]} filters */
  keptAfter: (vocabulary, filters) => `${count(vocabulary)}, ${filters.join(", ")}`,

  greedyDraw: "Greedy: the highest score, no random number.",
  /** @param {unknown} number @param {unknown} place where it falls */
  draw: (number, place) => [number, "; ", place],
  numberWas: (/** @type {number} */ uniform) => `The number was ${uniformText(uniform)}`,
  yourNumber: (/** @type {number} */ uniform) => `Your number is ${uniformText(uniform)}`,
  /** @param {number} seed @param {unknown} info @param {number} uniform */
  seedDrew: (seed, info, uniform) => [`Seed ${seed} `, info, ` drew ${uniformText(uniform)}`],
  /** The token stands last, where its length moves nothing; nor does a word when the number has been used. @type {Record<"willFall" | "fell" | "wouldFall", (low: number, high: number, token: unknown) => unknown[]>} */
  places: {
    willFall: (low, high, token) => [`it lies in ${uniformText(low)} to ${uniformText(high)}, the span of `, token],
    fell: (low, high, token) => [`it lies in ${uniformText(low)} to ${uniformText(high)}, the span of `, token],
    wouldFall: (low, high, token) => [`it would now lie in ${uniformText(low)} to ${uniformText(high)}, the span of `, token],
  },

  use: "Use",
  useNext: (/** @type {string} */ token) => `Use ${token} next`,
  useInstead: (/** @type {string} */ token) => `Use ${token} instead`,

  lookCloser: "Look closer: columns, the draw, odds, any token",
  notLoaded: "This part's code could not be loaded. Close it and open it again to try once more.",
});
