/** What a record says, in a few words each, for tables, reports and CSV cells. Numbers come written. */

import { count, counted } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("record", {
  noRun: "no run",
  earlierRuns: (/** @type {number} */ n) => `after ${counted(n, { one: "earlier run", other: "earlier runs" })}`,
  byHand: (/** @type {number} */ n) => `${count(n)} put in by hand`,
  repetitionPenalty: (/** @type {string} */ value) => `repetition penalty ${value}`,
  noRepeatNgram: (/** @type {number} */ n) => `no ${n}-gram twice`,
  banned: (/** @type {number} */ n) => `${count(n)} banned`,
  atLeast: (/** @type {number} */ tokens) => `at least ${count(tokens)}`,
  greedy: "greedy",
  plainSampling: "plain sampling",
  listingBorder: "border as in the listing",
  handNumber: "a number set by hand",
  stopStrings: (/** @type {number} */ n) => counted(n, { one: "stop string", other: "stop strings" }),
  pastEnd: "past the end token",

  unknownModel: "unknown model",
  weights: (/** @type {string} */ precision) => `weights ${precision}`,
  kvCache: (/** @type {string} */ format) => `KV cache ${format}`,
  cacheUnused: "KV cache not used",

  greedySeed: "greedy: none",
  noSeed: "none",
  notEnded: "it had not ended",
  stoppedByHand: "it was stopped by hand",
  noSpeed: "not available",
});
