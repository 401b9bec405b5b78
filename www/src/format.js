/** How numbers and sizes are written, as the reader writes them. Probabilities come from the engine; here they become text. */

import { form, numberLocale } from "./words/language.js";

/** @import { Distribution } from "./protocol.js" */
/** @import { Forms } from "./words/language.js" */

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

/** With so many significant digits, as toPrecision. @param {number} value @param {number} digits */
export const significant = (value, digits) =>
  written(`s${digits}`, { minimumSignificantDigits: digits, maximumSignificantDigits: digits, useGrouping: false }, value);

/** A number with its noun: "3 tokens". @param {number} n @param {Forms} forms */
export const counted = (n, forms) => `${count(n)} ${form(n, forms)}`;

/** English nouns alone, for what is not in the catalogue yet. @param {number} n @param {string} noun */
export const plural = (n, noun) => counted(n, { one: noun, other: `${noun}s` });

/** A chance as everywhere on the page: percent with one decimal. @param {number} chance */
export function percent(chance) {
  if (chance === 0) return "0 %";
  if (chance < 0.001) return `<${fixed(0.1, 1)} %`;
  if (chance < 1 && chance > 0.999) return `>${fixed(99.9, 1)} %`;
  return `${fixed(chance * 100, 1)} %`;
}

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

/** @param {number} chance */
export function spokenPercent(chance) {
  if (chance > 0 && chance < 0.01) return "under 1 percent";
  return `${Math.round(chance * 100)} percent`;
}

/** Decimal units, as the lesson defines a MB. @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${fixed(bytes / 1e3, 1)} kB`;
  if (bytes < 1e9) return `${fixed(bytes / 1e6, 1)} MB`;
  return `${fixed(bytes / 1e9, 1)} GB`;
}

/** @param {number} ms */
export function milliseconds(ms) {
  if (ms < 10) return `${fixed(ms, 1)} ms`;
  if (ms < 1000) return `${fixed(ms, 0)} ms`;
  return `${fixed(ms / 1000, 1)} s`;
}

/** @param {number} seconds */
export function duration(seconds) {
  const rounded = Math.max(1, Math.round(seconds));
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}

/** A value of a setting without needless zeros. @param {number} value */
export const setting = (value) => atMost(value, 4);

/** @type {Record<import("./protocol.js").ChainKind, string>} */
export const chainNames = { temperature: "temperature", topK: "top-k", topP: "top-p", minP: "min-p" };

/** Why this browser keeps no copy of a model. @type {Record<import("./messages.js").StoreTrouble, string>} */
export const storeTroubles = {
  missing: "this browser has no store for this page, as on a page that did not come over https",
  refused: "this browser's settings allow no store, as in some private windows",
  full: "this browser's store is full",
  failed: "this browser's store failed",
};

/** @type {Record<import("./protocol.js").StopReason, string>} */
export const stopReasons = {
  endToken: "the model made its end-of-text token",
  maxNewTokens: "the limit of new tokens is reached",
  stopString: "a stop string came up",
  contextFull: "the context is full",
  user: "you stopped it",
};

/**
 * The bars in one sentence: "34 kept, top: space the, 41 percent".
 * @param {Distribution} distribution
 */
export function spokenDistribution(distribution) {
  const { tokens, probabilities, kept, greedy } = distribution;
  if (tokens.ids.length === 0) return "";
  let top = 0;
  probabilities.forEach((probability, row) => {
    if (probability > probabilities[top]) top = row;
  });
  const scope = greedy ? "greedy" : `${count(kept)} kept`;
  return `${scope}, top: ${tokens.spoken[top]}, ${spokenPercent(probabilities[top])}`;
}

/**
 * The first five bars as sentences, for the "Read the top five" button.
 * @param {Distribution} distribution
 */
export function spokenTopFive(distribution) {
  const { tokens, baseProbabilities, probabilities, cutBy, pickedId } = distribution;
  const rows = Math.min(5, tokens.ids.length);
  return Array.from({ length: rows }, (_, row) => {
    const mine = cutBy[row] === 0 ? spokenPercent(probabilities[row]) : "cut";
    const picked = tokens.ids[row] === pickedId ? ", picked" : "";
    const model = spokenPercent(baseProbabilities[row]);
    return `${row + 1}: ${tokens.spoken[row]}, model ${model}, with your settings ${mine}${picked}.`;
  }).join(" ");
}

/** A token of the text, for ears. @param {import("./text-types.js").TextStep} step @param {number} tokens in the text */
export function spokenStep({ index, spoken, probability, rank, byHand }, tokens) {
  const how = byHand ? "put in by hand" : `picked with ${spokenPercent(probability)}`;
  return `${spoken}, token ${index + 1} of ${count(tokens)}, ${how}, rank ${count(rank + 1)}`;
}
