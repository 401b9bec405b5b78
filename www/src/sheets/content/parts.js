/** What the sheets' contents have in common. */

import { atMost, count, decimalMark } from "../../format.js";

/** @import { Field } from "../types.js" */

/** The prompt of the sheets, and no translation of it: both models of the page can go on from it. */
export const story = "Once upon a time there was";

/** @param {[string, string][]} choices value and words @returns {Field} */
export const choice = (...choices) => ({ kind: "choice", choices });

/** Choices whose order is that of a scale. @param {[string, string][]} choices value and words @returns {Field} */
export const scale = (...choices) => ({ kind: "choice", choices, ordered: true });

/** @param {string} [unit] @param {string} [one] the unit of 1, where it is another @returns {Field} */
export const number = (unit, one = unit) => ({ kind: "number", ...(unit && one ? { unit: { one, other: unit } } : {}) });

/** @type {Field} */
export const words = { kind: "text" };

/** @param {unknown} value */
export const quoted = (value) => `“${String(value).replaceAll("\n", "⏎")}”`;

/** A number of a sheet's own text. @param {number} value */
export const plain = (value) => (Number.isInteger(value) ? count(value) : atMost(value, 20));

/** Words for a fact that is a list. @param {unknown} value */
export function listed(value) {
  if (!Array.isArray(value)) return String(value);
  const decimals = value.some((part) => typeof part === "number" && !Number.isInteger(part));
  const parts = value.map((part) => (typeof part === "number" ? atMost(part, 20) : part));
  return parts.join(decimals && decimalMark === "," ? "; " : ", ");
}
