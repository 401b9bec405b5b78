/** How answers are read and compared with what is right. Pure. */

import { atMost, count, decimalMark, figure, groupMark } from "../format.js";
import { form } from "../words/language.js";
import { words } from "../words/sheets.js";

/** @import { Facts, Field, Prediction, Question, Verdict } from "./types.js" */

/** In groups as the page writes thousands for this reader (three digits, in India two and three), with decimals or without. */
const grouped = new RegExp(`^-?[1-9]\\d{0,2}(${escaped(groupMark)}\\d{2,3})*${escaped(groupMark)}\\d{3}(${escaped(decimalMark)}\\d+)?$`);

/** @param {string} mark */
function escaped(mark) {
  return mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/**
 * A number as somebody types it: 0.53, 0,53, 8/15, 53 %, 4,096 (where the page writes it so) or 1 048 576. NaN for anything
 * else.
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
  const plain = groupMark !== "" && grouped.test(text) ? text.replaceAll(groupMark, "") : text;
  const value = Number(plain.replace(decimalMark, ".").replace(",", "."));
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
    return { choice: words.answer.chooseFirst, number: words.answer.typeFirst, text: words.answer.writeFirst }[field.kind];
  }
  if (field.kind === "number" && Number.isNaN(parseNumber(text))) {
    return words.answer.noNumber(["12", atMost(0.5, 1), "8/15", "40 %"]);
  }
  return null;
}

/** An answer in words, as the notebook keeps it. @param {Field} field @param {string} text */
export function answerWords(field, text) {
  if (field.kind === "choice") return field.choices.find(([value]) => value === text)?.[1] ?? text;
  if (field.kind !== "number" || !field.unit) return text.trim();
  return words.answer.withUnit(text.trim(), form(parseNumber(text), field.unit));
}

/** What stands in front of an answer's verdict. @param {boolean | null} right */
export const leadOf = (right) => (right === null ? words.answer.kept : right ? words.answer.right : words.answer.notYet);

/** @param {Field} field @param {string} text @param {string | number} right @param {number} [tolerance] of numbers */
export function matches(field, text, right, tolerance = 0) {
  if (field.kind !== "number") return text === right;
  const value = parseNumber(text);
  // Floating point is not what is being asked about.
  return Math.abs(value - Number(right)) <= tolerance + 1e-9 * Math.abs(Number(right));
}

/** The number of an answer in words. @param {Field} field @param {string} answer */
function withoutUnit(field, answer) {
  const units = field.kind === "number" && field.unit ? Object.values(field.unit) : [];
  const ending = units.find((unit) => answer.endsWith(` ${unit}`));
  return ending === undefined ? answer : answer.slice(0, -ending.length - 1);
}

/** @param {Question} question @param {string} text @param {Facts} facts @returns {Verdict} */
export function verdictOn({ field, right, tolerance, why, hint = "" }, text, facts) {
  if (right === undefined) return { right: null, words: why(facts) };
  return matches(field, text, right(facts), tolerance)
    ? { right: true, words: why(facts) }
    : { right: false, words: hint };
}

/** Whether a prediction came true; null where that cannot be said.
 * @param {Prediction} prediction @param {string} answer as the notebook keeps it @param {Facts} facts
 */
export function cameTrue({ field, right, tolerance }, answer, facts) {
  if (right === undefined) return null;
  if (field.kind === "choice") return answer === answerWords(field, String(right(facts)));
  return matches(field, withoutUnit(field, answer), right(facts), tolerance);
}

/** A figure for people. @param {unknown} value */
export function shown(value) {
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? count(value) : figure(value);
}
