/** Words of the worked example: sampling with a few tokens whose chances can be checked by hand. */

import { count } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("example", {
  intro:
    "Sampling with numbers that you can check by hand: logits log 8, log 4, log 2 and log 1 are the weights 8, 4, 2 and 1, so every chance is a fraction. Change a number, or press a button after “Try”, and see which tokens each order and rule keeps. The engine that samples the model's text computes all numbers; a fraction stands where the two agree.",
  fields: { temperature: "Temperature", topK: "Top-k", topP: "Top-p" },
  /** The same for ears: the page has such fields of its own. */
  spokenFields: {
    temperature: "Temperature of the example",
    topK: "Top-k of the example",
    topP: "Top-p of the example",
  },
  /** @param {string} token */
  logitOf: (token) => `Logit of ${token}`,
  addToken: "Add a token",
  /** @param {string} token */
  remove: (token) => `Remove ${token}`,
  try: "Try",
  tries: { none: "No filter", topK: "Top-k 2", border: "Border at p = 4/5", both: "T = 1/2, p = 3/4" },
  faults: {
    /** @param {string} token */
    logit: (token) => `${token}: a number, or log and a number above 0, such as log 8.`,
    temperature: "Temperature: a number or fraction up to 100.",
    topK: "Top-k: a whole number; empty or 0 is off.",
    topP: "Top-p: a number or fraction above 0, up to 1; empty or 1 is off.",
  },
  noEngine: "The engine is not there yet.",
  drawHeading: "Draw many times",
  /** @param {number} n */
  draw: (n) => `Draw ${count(n)} times`,
  drawFresh: "With a fresh seed",
  drawHint: "Draws from the chances of the row chosen above.",

  variants: {
    label: "Orders and rules",
    caption: "Two orders and two rules for the border, side by side: chance of each token",
    order: "Order",
    border: "Border",
    orders: { temperatureFirst: "Temperature, then top-p", topPFirst: "Top-p, then temperature" },
    borders: { smallest: "smallest set", listing: "listing" },
    /** For ears. @param {string} order @param {string} border */
    show: (order, border) => `Show the stages of: ${order}, ${border}`,
    waiting: "…",
  },
  stages: {
    label: "Every stage",
    /** @param {string[]} steps of the chain */
    caption: (steps) => `Every stage: ${steps.join(", then ")}`,
    /** @param {string} filter @param {string} value */
    step: (filter, value) => `${filter} ${value}`,
    columns: [
      "Token",
      "Logit z",
      "Model says",
      "z/T − max",
      "Cumulative",
      "Kept or cut",
      "With these settings",
      "Part of the strip",
    ],
    kept: "kept",
    /** @param {string} filter */
    cutBy: (filter) => `cut by ${filter}`,
    /** @param {string} low @param {string} high */
    strip: (low, high) => `${low} – ${high}`,
    none: "–",
  },
});
