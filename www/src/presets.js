/** Ready-made settings for usual purposes, and the orders of the chain that libraries use. */

import { chainKinds, defaultControls } from "./controls.js";

/** @import { Controls } from "./page-types.js" */
/** @import { ChainKind } from "./protocol.js" */

/**
 * @typedef {object} Preset
 * @property {string} id
 * @property {string} label
 * @property {string} sentence
 * @property {Partial<Controls>} values
 */

/** A purpose sets all that decides the text but the seed. */
const { seed: _seed, rows: _rows, ...fresh } = defaultControls;

/** @type {Preset[]} */
export const presets = [
  {
    id: "short",
    label: "Short deterministic answer",
    sentence: "Takes the highest score each time, for a line of at most 24 tokens: nothing is left to chance.",
    values: { ...fresh, greedy: true, maxNewTokens: 24, stop: "\\n" },
  },
  {
    id: "creative",
    label: "Creative text",
    sentence: "Draws from the nucleus, slightly sharpened: surprises, but none from the long tail of unlikely tokens.",
    values: { ...fresh, temperature: 0.9, topP: 0.9 },
  },
  {
    id: "code",
    label: "Code and formats",
    sentence: "A low temperature over five candidates seldom breaks a pattern, and an empty line ends the text.",
    values: { ...fresh, temperature: 0.3, topK: 5, stop: "\\n\\n" },
  },
  {
    id: "alternatives",
    label: "Many alternatives",
    sentence: "The nucleus at the model's own temperature: press New before each run for another seed, and compare.",
    values: { ...fresh, topP: 0.9 },
  },
];

/** @type {(Preset & { values: { order: ChainKind[] } })[]} */
export const orders = [
  {
    id: "ours",
    label: "Temperature first",
    sentence: "The order of this page and of Hugging Face transformers: temperature, top-k, top-p, min-p.",
    values: { order: chainKinds },
  },
  {
    id: "llama",
    label: "Temperature last",
    sentence: "The default order of llama.cpp: top-k, top-p, min-p, temperature. Filters see the chances before temperature.",
    values: { order: ["topK", "topP", "minP", "temperature"] },
  },
];

/** @param {Controls} controls @returns {Preset | null} */
export const presetInForce = (controls) => presets.find((preset) => isInForce(preset, controls)) ?? null;

/** @param {Preset} preset @param {Controls} controls */
export function isInForce({ values }, controls) {
  const names = /** @type {(keyof Controls)[]} */ (Object.keys(values));
  return names.every((name) => sameSetting(values[name], controls[name]));
}

/** Settings are plain values or lists of such. @param {unknown} a @param {unknown} b */
export const sameSetting = (a, b) => a === b || (Array.isArray(a) && String(a) === String(b));
