/** The controls: their ranges, what is typed in them, and how they become the engine's settings and limits. */

import { readNumber } from "./format.js";
import { words } from "./words/settings.js";

/** @import { Controls, NumberControl } from "./page-types.js" */
/** @import { Boundary, ChainKind, Limits, Settings } from "./protocol.js" */

/** Every step of the chain, in the order of a fresh page. @type {ChainKind[]} */
export const chainKinds = ["temperature", "topK", "topP", "minP"];

/** @type {Controls} */
export const defaultControls = {
  temperature: 1,
  topK: 0,
  topP: 1,
  minP: 0,
  order: chainKinds,
  bypassed: [],
  repetitionPenalty: 1,
  noRepeatNgram: 0,
  minNewTokens: 0,
  suppress: [],
  greedy: false,
  seed: 42,
  maxNewTokens: 64,
  stop: "",
  ignoreEos: false,
  rows: 10,
  boundary: "smallest",
};

/**
 * `above`: the smallest value itself is not allowed. `off`: the value that an empty field stands for. `start`: what a
 * filter that is off begins with when it is switched on. What is said of a value outside: words/settings.js.
 * @typedef {{ min: number, max: number, above?: boolean, whole?: boolean, off?: number, start?: number }} Range
 * @type {Record<NumberControl, Range>}
 */
export const ranges = {
  temperature: { min: 0, max: 100, above: true },
  topK: { min: 0, max: 1e9, whole: true, off: 0, start: 40 },
  topP: { min: 0, max: 1, above: true, off: 1, start: 0.9 },
  minP: { min: 0, max: 1, off: 0, start: 0.05 },
  repetitionPenalty: { min: 0, max: 100, above: true, off: 1 },
  noRepeatNgram: { min: 0, max: 100, whole: true, off: 0 },
  minNewTokens: { min: 0, max: 100_000, whole: true, off: 0 },
  seed: { min: 0, max: 2 ** 32 - 1, whole: true },
  maxNewTokens: { min: 1, max: 100_000, whole: true },
  rows: { min: 10, max: 50, whole: true },
};

/**
 * Reads what somebody typed: a value within range, or the sentence to show.
 * @param {NumberControl} name
 * @param {string} text
 * @param {Boundary} [boundary] the rule in force: under that of the listing a temperature may be 0
 * @returns {{ value: number } | { fault: string }}
 */
export function parseControl(name, text, boundary = "smallest") {
  const range = ranges[name];
  if (text.trim() === "" && range.off !== undefined) return { value: range.off };
  const value = readNumber(text, range.whole);
  const inside =
    Number.isFinite(value) &&
    (range.above && !(name === "temperature" && boundary === "listing") ? value > range.min : value >= range.min) &&
    value <= range.max &&
    (!range.whole || Number.isInteger(value));
  if (inside) return { value };
  if (name === "temperature" && value === 0) return { fault: words.zeroTemperature };
  return { fault: words.ranges[name] };
}

/** What a line of text cannot hold is typed as \n and \t, and a backslash as \\. @param {string} line */
export function unescaped(line) {
  /** @type {Record<string, string>} */
  const meanings = { n: "\n", t: "\t", "\\": "\\" };
  return line.replace(/\\([nt\\])/g, (_, letter) => meanings[letter]);
}

/** Stop strings are typed one a line. @param {string} text */
export function stopStrings(text) {
  return text.split("\n").map(unescaped).filter((line) => line !== "");
}

/** Whether a step of the chain acts. One that is bypassed keeps its value.
 * @param {Controls} controls @param {ChainKind} kind
 */
export function isOn(controls, kind) {
  return !controls.bypassed.includes(kind) && controls[kind] !== ranges[kind].off;
}

/** What turns a step on or off.
 * @param {Controls} controls @param {ChainKind} kind @returns {Partial<Controls>}
 */
export function switched(controls, kind) {
  if (isOn(controls, kind)) return { bypassed: [...controls.bypassed, kind] };
  const { off, start = controls[kind] } = ranges[kind];
  return withValue(controls, kind, controls[kind] === off ? start : controls[kind]);
}

/** Another rule for the border; a temperature that it does not know is 1 again.
 * @param {Controls} controls @param {Boundary} boundary @returns {Partial<Controls>}
 */
export function withBoundary({ temperature }, boundary) {
  return { boundary, ...(boundary === "smallest" && temperature === 0 ? { temperature: 1 } : {}) };
}

/** Whoever sets a step's value wants it to act.
 * @param {Controls} controls @param {NumberControl} name @param {number} value @returns {Partial<Controls>}
 */
export function withValue(controls, name, value) {
  const bypassed = controls.bypassed.filter((kind) => kind !== name);
  return { [name]: value, ...(bypassed.length < controls.bypassed.length ? { bypassed } : {}) };
}

/** The steps that the page lists, in their order: min-p only where it acts or the rare controls are shown.
 * @param {Controls} controls @param {boolean} showMore
 */
export function listedKinds(controls, showMore) {
  return controls.order.filter((kind) => kind !== "minP" || showMore || isOn(controls, "minP"));
}

/**
 * The order with one step at another place among those that are listed. The others keep their places.
 * @param {ChainKind[]} order
 * @param {ChainKind[]} listed
 * @param {ChainKind} kind
 * @param {number} place from 0
 */
export function movedTo(order, listed, kind, place) {
  const moved = listed.filter((other) => other !== kind);
  moved.splice(place, 0, kind);
  let next = 0;
  return order.map((other) => (listed.includes(other) ? moved[next++] : other));
}

/** The steps that change something, in their order. @param {Controls} controls */
export function actingChain(controls) {
  return controls.order
    .filter((kind) => isOn(controls, kind) && !(kind === "temperature" && controls.temperature === 1))
    .map((kind) => ({ kind, value: controls[kind] }));
}

/**
 * @param {Controls} controls
 * @returns {Settings}
 */
export function toSettings(controls) {
  /** @type {Settings} */
  const settings = { chain: actingChain(controls) };
  if (controls.greedy) settings.greedy = true;
  if (controls.repetitionPenalty !== 1) settings.repetitionPenalty = controls.repetitionPenalty;
  if (controls.noRepeatNgram !== 0) settings.noRepeatNgram = controls.noRepeatNgram;
  if (controls.suppress.length > 0) settings.suppress = controls.suppress;
  if (controls.boundary !== "smallest") settings.boundary = controls.boundary;
  if (controls.minNewTokens !== 0) settings.minNewTokens = controls.minNewTokens;
  return settings;
}

/**
 * @param {Controls} controls
 * @param {number} [maxNewTokens]
 * @returns {Limits}
 */
export function toLimits(controls, maxNewTokens = controls.maxNewTokens) {
  return { maxNewTokens, stop: stopStrings(controls.stop), ignoreEos: controls.ignoreEos };
}

/**
 * The places where a top-k slider rests: every small number, then ever longer strides, and off (0) at the end.
 * @param {number} vocabulary
 */
export function topKStops(vocabulary) {
  const stops = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];
  for (let decade = 100; decade < vocabulary; decade *= 10) {
    stops.push(...[1.5, 2, 3, 5, 7, 10].map((factor) => factor * decade));
  }
  return [...stops.filter((stop) => stop < vocabulary), 0];
}
