/**
 * What can be chosen of the engine itself. A kernel or precision that the engine learns appears on the page by a line here.
 * What runs is told by the model's card, under the same names.
 */

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
    label: "Engine",
    values: [
      { value: "baseline", label: "exact (default)" },
      { value: "relaxed", label: "relaxed, often faster, may differ in the last digits", needsRelaxedSimd: true },
    ],
  },
  {
    name: "precision",
    label: "Weights",
    values: [
      { value: "f32", label: "F32, exact (default)" },
      { value: "f16", label: "F16" },
      { value: "bf16", label: "BF16" },
      { value: "head=int8", label: "INT8 for the output head only, not exact" },
      { value: "int8", label: "INT8, not exact" },
      { value: "q4", label: "Q4, not exact" },
    ],
  },
  {
    name: "kvCache",
    label: "KV cache",
    values: [
      { value: "f32", label: "F32, exact (default)" },
      { value: "f16", label: "F16, half the memory, not exact" },
    ],
  },
  {
    name: "kernel",
    label: "Kernel",
    values: [
      { value: "fused", label: "fused (default)" },
      { value: "candle", label: "candle, the readable reference" },
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
