/**
 * What can be chosen of the engine itself. A kernel or precision that the engine learns appears on the page by a line here.
 * What runs is told by the model's card, under the same names.
 */

import { words } from "./words/models.js";

/** @import { State } from "./page-types.js" */

/**
 * @typedef {object} EngineChoice
 * @property {"simd" | "precision" | "kvCache" | "kernel"} name in the load options and in the model's card
 * @property {string} label
 * @property {{ value: string, label: string, needsRelaxedSimd?: boolean }[]} values the first is the default
 */

/** @type {EngineChoice[]} */
export const engineChoices = [
  {
    name: "simd",
    label: words.choices.simd.label,
    values: [
      { value: "baseline", label: words.choices.simd.values.baseline },
      { value: "relaxed", label: words.choices.simd.values.relaxed, needsRelaxedSimd: true },
    ],
  },
  {
    name: "precision",
    label: words.choices.precision.label,
    values: [
      { value: "f32", label: words.choices.precision.values.f32 },
      { value: "f16", label: words.choices.precision.values.f16 },
      { value: "bf16", label: words.choices.precision.values.bf16 },
      { value: "head=int8", label: words.choices.precision.values["head=int8"] },
      { value: "int8", label: words.choices.precision.values.int8 },
      { value: "q4", label: words.choices.precision.values.q4 },
    ],
  },
  {
    name: "kvCache",
    label: words.choices.kvCache.label,
    values: [
      { value: "f32", label: words.choices.kvCache.values.f32 },
      { value: "f16", label: words.choices.kvCache.values.f16 },
    ],
  },
  {
    name: "kernel",
    label: words.choices.kernel.label,
    values: [
      { value: "fused", label: words.choices.kernel.values.fused },
      { value: "candle", label: words.choices.kernel.values.candle },
    ],
  },
];

/** The choices of which this browser has more than one.
 * @param {Pick<State, "relaxedSimd">} state
 * @param {EngineChoice[]} [choices]
 */
export function offeredChoices({ relaxedSimd }, choices = engineChoices) {
  return choices
    .map((choice) => ({
      ...choice,
      values: choice.values.filter(({ needsRelaxedSimd }) => relaxedSimd || !needsRelaxedSimd),
    }))
    .filter(({ values }) => values.length > 1);
}
