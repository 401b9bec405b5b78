/** Words that several areas share: units, names of the chain's steps, why a run ended, why nothing is kept. */

import { inLanguage } from "./language.js";

/** @import { StoreTrouble } from "../messages.js" */
/** @import { ChainKind, StopReason } from "../protocol.js" */

/** @type {Record<ChainKind, string>} */
const chain = { temperature: "temperature", topK: "top-k", topP: "top-p", minP: "min-p" };

/** Why this browser keeps no copy of a model. @type {Record<StoreTrouble, string>} */
const storeTroubles = {
  missing: "this browser has no store for this page, as on a page that did not come over https",
  refused: "this browser's settings allow no store, as in some private windows",
  full: "this browser's store is full",
  failed: "this browser's store failed",
};

/** @type {Record<StopReason, string>} */
const stopReasons = {
  endToken: "the model made its end-of-text token",
  maxNewTokens: "the limit of new tokens is reached",
  stopString: "a stop string came up",
  contextFull: "the context is full",
  user: "you stopped it",
};

export const words = inLanguage("common", {
  chain,
  /** Behind numbers, which come already written. */
  units: {
    percent: (/** @type {string} */ n) => `${n} %`,
    bytes: (/** @type {string} */ n) => `${n} B`,
    kilobytes: (/** @type {string} */ n) => `${n} kB`,
    megabytes: (/** @type {string} */ n) => `${n} MB`,
    gigabytes: (/** @type {string} */ n) => `${n} GB`,
    milliseconds: (/** @type {string} */ n) => `${n} ms`,
    seconds: (/** @type {string} */ n) => `${n} s`,
    /** @param {string} minutes @param {string} seconds */
    minutesAndSeconds: (minutes, seconds) => `${minutes} min ${seconds} s`,
  },
  storeTroubles,
  stopReasons,
  off: "off",
  loading: "Loading…",
  computing: "Computing…",
  id: (/** @type {number} */ id) => `id ${id}`,
  /** @param {string} token @param {number} id */
  withId: (token, id) => `${token}, id ${id}`,
  seed: "Seed",
});
