/** Ready-made settings for usual purposes, and the orders of the chain that libraries use. */

import { chainKinds, defaultControls } from "./controls.js";
import { words } from "./words/settings.js";

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
    ...words.purposes.short,
    values: { ...fresh, greedy: true, maxNewTokens: 24, stop: "\\n" },
  },
  {
    id: "creative",
    ...words.purposes.creative,
    values: { ...fresh, temperature: 0.9, topP: 0.9 },
  },
  {
    id: "code",
    ...words.purposes.code,
    values: { ...fresh, temperature: 0.3, topK: 5, stop: "\\n\\n" },
  },
  {
    id: "alternatives",
    ...words.purposes.alternatives,
    values: { ...fresh, topP: 0.9 },
  },
];

/** @type {(Preset & { values: { order: ChainKind[] } })[]} */
export const orders = [
  {
    id: "ours",
    ...words.orders.ours,
    values: { order: chainKinds },
  },
  {
    id: "llama",
    ...words.orders.llama,
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
