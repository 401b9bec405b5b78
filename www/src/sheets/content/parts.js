/** What the sheets' contents have in common. */

/** @import { Field } from "../types.js" */

/** @param {[string, string][]} choices value and words @returns {Field} */
export const choice = (...choices) => ({ kind: "choice", choices });

/** Choices whose order is that of a scale. @param {[string, string][]} choices value and words @returns {Field} */
export const scale = (...choices) => ({ kind: "choice", choices, ordered: true });

/** @param {string} [unit] @returns {Field} */
export const number = (unit) => ({ kind: "number", ...(unit ? { unit } : {}) });

/** @type {Field} */
export const words = { kind: "text" };

/** @param {unknown} value */
export const quoted = (value) => `“${String(value).replaceAll("\n", "⏎")}”`;

/** Words for a fact that is a list. @param {unknown} value */
export const listed = (value) => (Array.isArray(value) ? value.join(", ") : String(value));
