/** How answers are read and compared with what is right. Pure. */

import { count, figure } from "../format.js";

/** @import { Facts, Field, Prediction, Question, Verdict } from "./types.js" */

/**
 * A number as somebody types it: 0.53, 0,53, 8/15, 53 %, 4,096 or 1 048 576. NaN for anything else.
 * @param {string} text
 */
export function parseNumber(text) {
  const plain = text.trim().replace(/[\s\u00a0\u202f]/g, "").replace("−", "-");
  const [, body = plain, percent] = /^(.*?)(%)?$/.exec(plain) ?? [];
  const parts = body.split("/").map(parsePart);
  const value = parts.length === 2 ? parts[0] / parts[1] : parts.length === 1 ? parts[0] : NaN;
  return percent ? value / 100 : value;
}

/** @param {string} text */
function parsePart(text) {
  if (text === "") return NaN;
  // In groups of three, commas are the page's own way of writing thousands.
  const grouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text);
  const value = Number(grouped ? text.replaceAll(",", "") : text.replace(",", "."));
  return Number.isFinite(value) ? value : NaN;
}

/**
 * Choices as they are shown: in an order of their own, always the same one, so that the right one has no usual place.
 * @param {Field} field @param {string} key of the notebook @returns {[string, string][]}
 */
export function arranged(field, key) {
  if (field.kind !== "choice") return [];
  if (field.ordered) return field.choices;
  const place = (/** @type {[string, string]} */ [value]) => hash(`${key}/${value}`);
  return [...field.choices].sort((one, other) => place(one) - place(other));
}

/** FNV-1a. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  // The last letters alone would move it little.
  return (value ^ (value >>> 15)) >>> 0;
}

/** Why this cannot be an answer, in a sentence, or null. @param {Field} field @param {string | undefined} text */
export function faultOf(field, text) {
  if (text === undefined || text.trim() === "") {
    return field.kind === "choice" ? "Choose one first." : field.kind === "number" ? "Type a number first." : "Write something first.";
  }
  if (field.kind === "number" && Number.isNaN(parseNumber(text))) {
    return "That is not read as a number: 12, 0.5, 8/15 and 40 % are.";
  }
  return null;
}

/** An answer in words, as the notebook keeps it. @param {Field} field @param {string} text */
export function answerWords(field, text) {
  if (field.kind === "choice") return field.choices.find(([value]) => value === text)?.[1] ?? text;
  return field.kind === "number" && field.unit ? `${text.trim()} ${unitOf(text, field.unit)}` : text.trim();
}

/** One call, two calls. @param {string} text @param {string} unit */
const unitOf = (text, unit) => (text.trim() === "1" && /[a-z]{3}s$/.test(unit) ? unit.slice(0, -1) : unit);

/** @param {Field} field @param {string} text @param {string | number} right @param {number} [tolerance] of numbers */
export function matches(field, text, right, tolerance = 0) {
  if (field.kind !== "number") return text === right;
  const value = parseNumber(text);
  // Floating point is not what is being asked about.
  return Math.abs(value - Number(right)) <= tolerance + 1e-9 * Math.abs(Number(right));
}

/** The number of an answer in words. @param {Field} field @param {string} words */
function withoutUnit(field, words) {
  const unit = field.kind === "number" ? field.unit : undefined;
  const ending = unit && [unit, unitOf("1", unit)].find((end) => words.endsWith(` ${end}`));
  return ending ? words.slice(0, -ending.length - 1) : words;
}

/** @param {Question} question @param {string} text @param {Facts} facts @returns {Verdict} */
export function verdictOn({ field, right, tolerance, why, hint = "" }, text, facts) {
  if (right === undefined) return { right: null, words: why(facts) };
  return matches(field, text, right(facts), tolerance)
    ? { right: true, words: why(facts) }
    : { right: false, words: hint };
}

/** Whether a prediction came true; null where that cannot be said.
 * @param {Prediction} prediction @param {string} words as the notebook keeps it @param {Facts} facts
 */
export function cameTrue({ field, right, tolerance }, words, facts) {
  if (right === undefined) return null;
  if (field.kind === "choice") return words === answerWords(field, String(right(facts)));
  return matches(field, withoutUnit(field, words), right(facts), tolerance);
}

/** A figure for people. @param {unknown} value */
export function shown(value) {
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? count(value) : figure(value);
}
