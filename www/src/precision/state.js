/** What the precision panel keeps, and how what is typed in it is read. */

import { readNumber } from "../format.js";
import { words } from "../words/precision.js";

/** @import { PrecisionLab } from "../lab-types.js" */

/** The rows that can be compared, by the engine's names. */
export const rowChoices = /** @type {const} */ (["f32", "f16", "bf16", "int8", "head=int8", "q4", "cache=f16"]);

/** @param {string} name */
export const rowLabel = (name) => /** @type {Record<string, string>} */ (words.rows)[name] ?? name;

/** @type {PrecisionLab} */
export const initialPrecision = {
  work: null,
  fault: null,
  meanings: null,
  text: words.sampleText,
  rows: [...rowChoices],
  report: null,
  number: { typed: "0.1", largest: "1", result: null, fault: null },
  blocks: {
    typed: "0.012 -0.034 0.051 -0.008 0.027 0.019 -0.045 0.003 1.9 -0.02 0.4 0.03 -0.011 0.006 0.025 -0.017",
    size: "8",
    format: "int4",
    result: null,
    fault: null,
  },
  packed: { weights: "2^20", bits: "4", group: "64", scale: "2", result: null, fault: null },
};

/** A decimal comma is as good as a point, but 70,000 is seventy to some and seventy thousand to others. @param {string} text */
const withPoint = (text) => (/^[+-]?[1-9]\d*,\d{3}$/.test(text) ? text : text.replace(",", "."));

/** A number as one writes it: 0.1 or 0,1, -3e-5, 1/3, 2^-14, infinity. Null where it is none. @param {string} text */
export function parseNumber(text) {
  const clean = withPoint(text.trim().replaceAll("−", "-"));
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(clean);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  const power = /^([+-]?)2\^([+-]?\d{1,4})$/.exec(clean);
  if (power) return (power[1] === "-" ? -1 : 1) * 2 ** Number(power[2]);
  const parts = clean.split("/");
  if (parts.length > 2 || parts.some((part) => !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part.trim()))) return null;
  const [numerator, denominator = 1] = parts.map(Number);
  return denominator === 0 ? null : numerator / denominator;
}

/** A whole number from 0: 1048576, 1,048,576 or 2^20. @param {string} text */
export function parseWhole(text) {
  const power = /^\s*2\^(\d{1,2})\s*$/.exec(text);
  const value = power ? 2 ** Number(power[1]) : /^[\d.,'’\s]*$/.test(text) ? readNumber(text, true) : NaN;
  return Number.isSafeInteger(value) ? value : null;
}

/** The numbers of a list, and the first part of it that is none. @param {string} text */
export function parseList(text) {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  const values = parts.map(parseNumber);
  const wrong = parts.find((_, n) => values[n] === null || !Number.isFinite(values[n]));
  return { values: values.filter((value) => value !== null), wrong: wrong ?? null };
}
