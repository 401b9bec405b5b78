/** Units as they stand behind numbers, which come already written. */

import { inLanguage } from "./language.js";

export const words = await inLanguage("units", {
  percent: (/** @type {string} */ n) => `${n} %`,
  bytes: (/** @type {string} */ n) => `${n} B`,
  kilobytes: (/** @type {string} */ n) => `${n} kB`,
  megabytes: (/** @type {string} */ n) => `${n} MB`,
  gigabytes: (/** @type {string} */ n) => `${n} GB`,
  milliseconds: (/** @type {string} */ n) => `${n} ms`,
  seconds: (/** @type {string} */ n) => `${n} s`,
  /** @param {string} minutes @param {string} seconds */
  minutesAndSeconds: (minutes, seconds) => `${minutes} min ${seconds} s`,
});
