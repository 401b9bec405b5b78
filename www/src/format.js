/** How numbers and sizes are written, as the reader writes them. Probabilities come from the engine; here they become text. */

import { words } from "./words/common.js";
import { form, numberLocale } from "./words/language.js";

/** @import { Forms } from "./words/language.js" */

const { units } = words;

/** @param {Intl.NumberFormatOptions} options */
const writer = (options) => new Intl.NumberFormat(numberLocale, options);

const whole = writer({ maximumFractionDigits: 0 });

/** What the reader writes between thousands ("" for nothing) and in front of decimals. */
export const groupMark = markOf("group") ?? "";
export const decimalMark = markOf("decimal") ?? ".";

/** @param {"group" | "decimal"} type */
function markOf(type) {
  return writer({}).formatToParts(1_234_567.5).find((part) => part.type === type)?.value;
}

/** @param {number} value */
export const count = (value) => whole.format(value);

/** @type {Map<string, Intl.NumberFormat>} making one is slow, and rows of numbers are drawn many times a second */
const writers = new Map();

/** @param {string} name @param {Intl.NumberFormatOptions} options @param {number} value */
function written(name, options, value) {
  let numbers = writers.get(name);
  if (numbers === undefined) writers.set(name, (numbers = writer(options)));
  return numbers.format(value).replace("-", "−");
}

/** With so many decimals, as toFixed, without marks between thousands. @param {number} value @param {number} decimals */
export const fixed = (value, decimals) =>
  written(`f${decimals}`, { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false }, value);

/** With at most so many decimals, without needless zeros. @param {number} value @param {number} decimals */
export const atMost = (value, decimals) =>
  written(`a${decimals}`, { maximumFractionDigits: decimals, useGrouping: false }, value);

/** With so many significant digits, as toPrecision: 0.0123, 1.23 × 10^−8. @param {number} value @param {number} digits */
export const significant = (value, digits) =>
  value !== 0 && Math.abs(value) < 1e-6
    ? scientific(value, digits - 1)
    : written(`s${digits}`, { minimumSignificantDigits: digits, maximumSignificantDigits: digits, useGrouping: false }, value);

/** A number with its noun: "3 tokens". @param {number} n @param {Forms} forms */
export const counted = (n, forms) => `${count(n)} ${form(n, forms)}`;

/** A chance as everywhere on the page: percent with one decimal. @param {number} chance */
export function percent(chance) {
  if (chance === 0) return units.percent("0");
  if (chance < 0.001) return units.percent(`<${fixed(0.1, 1)}`);
  if (chance < 1 && chance > 0.999) return units.percent(`>${fixed(99.9, 1)}`);
  return units.percent(fixed(chance * 100, 1));
}

/** In a column of numbers that change: as long as the longest, so that none of them begins anywhere else than before.
 * @param {string} number @param {number} length
 */
export const inColumn = (number, length) => number.padStart(length, "\u2007");

/** A uniform number, or a place on the strip from 0 to 1. @param {number} uniform */
export const uniformText = (uniform) => fixed(uniform, 4);

/** A figure of any size with a few digits: 3.03, 128.4, 1.2 × 10^7. @param {number} value */
export function figure(value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 0.001 && size < 1e5) return fixed(value, size < 0.1 ? 4 : size < 100 ? 2 : 1);
  return scientific(value, 1);
}

/** 1.2 × 10^7. @param {number} value @param {number} decimals */
export function scientific(value, decimals) {
  const [digits, power] = value.toExponential(decimals).split("e");
  return `${fixed(Number(digits), decimals)} × 10^${Number(power)}`.replaceAll("-", "−");
}

/** With all its digits, or with as many as are asked for: 0.0999755859375, 5.96 × 10^−8. @param {number} value @param {number} [most] */
export function allDigits(value, most) {
  const rounded = most === undefined ? value : Number(value.toPrecision(most));
  const text = Object.is(rounded, -0) ? "-0" : String(rounded);
  return text.replace(".", decimalMark).replace(/e\+?/, " × 10^").replaceAll("-", "−");
}

/** Decimal units, as the lesson defines a MB. @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return units.bytes(`${bytes}`);
  if (bytes < 1e6) return units.kilobytes(fixed(bytes / 1e3, 1));
  if (bytes < 1e9) return units.megabytes(fixed(bytes / 1e6, 1));
  return units.gigabytes(fixed(bytes / 1e9, 1));
}

/** @param {number} ms */
export function milliseconds(ms) {
  if (ms < 10) return units.milliseconds(fixed(ms, 1));
  if (ms < 1000) return units.milliseconds(fixed(ms, 0));
  return units.seconds(fixed(ms / 1000, 1));
}

/** @param {number} seconds */
export function duration(seconds) {
  const total = Math.max(1, Math.round(seconds));
  return total < 60
    ? units.seconds(`${total}`)
    : units.minutesAndSeconds(`${Math.floor(total / 60)}`, `${total % 60}`);
}

/** @param {number} ms since 1970 */
export const dateAndTime = (ms) =>
  new Intl.DateTimeFormat(numberLocale, { dateStyle: "medium", timeStyle: "short" }).format(ms);

/** A value of a setting without needless zeros. @param {number} value */
export const setting = (value) => atMost(value, 4);

/** Marks between thousands, of one kind. */
const grouped = /^\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+)$/;
/** And a decimal sign of the other. */
const groupedDecimal = /^\d{1,3}(?:(?:,\d{3})+\.|(?:\.\d{3})+,)\d+$/;

/**
 * Reads what somebody typed: 0.8 and 0,8, whatever the page's language; NaN for what is no number. Marks between thousands
 * are known where they can be nothing else: beside a decimal sign, or in a number that has to be whole.
 * @param {string} text @param {boolean} [whole]
 */
export function readNumber(text, whole = false) {
  const typed = text.trim().replace("−", "-").replace(/(\d)[\s'’](?=\d{3}(?!\d))/g, "$1");
  if (typed === "") return NaN;
  if (whole && grouped.test(typed)) return Number(typed.replace(/[.,]/g, ""));
  if (groupedDecimal.test(typed)) return Number(typed.replace(/[.,](?=.*[.,])/g, "").replace(",", "."));
  return Number(typed.replace(",", "."));
}
