/** What the A/B panel knows, as a pure function of its events. It is a part of the page's state, under `ab`. */

import { parseControl } from "../controls.js";
import { readNumber } from "../format.js";
import { workChanges } from "../lab-work.js";
import { words } from "../words/lab-work.js";
import { toLink } from "./configuration.js";

/** @import { AbEvent, AbState, Configuration, Pair, Side } from "./types.js" */

export const mostSamples = 100;

/** From and to. */
export const planRanges = {
  newTokens: /** @type {const} */ ([1, 4096]),
  warmUps: /** @type {const} */ ([0, 20]),
  repeats: /** @type {const} */ ([1, 100]),
};

/** Faults that keep only one of the panel's works from starting. */
export const ownFaults = ["count", ...Object.keys(planRanges)];

/** @param {Pair<Configuration>} pair @returns {AbState} */
export const initialAb = (pair) => ({
  pair,
  typed: {},
  faults: {},
  subject: 1,
  sampleCount: 10,
  work: null,
  comparison: null,
  series: null,
  plan: { newTokens: 48, warmUps: 1, repeats: 7, forced: true },
  benchmark: null,
  fault: null,
});

/** @param {Side} side @param {string} name */
export const fieldKey = (side, name) => `${side}-${name}`;

/** How the pair stands in a link. @param {AbState} ab @returns {Pair<string>} */
export const linkOf = ({ pair: [a, b] }) => [toLink(a), toLink(b)];

/** Whether a benchmark is of another prompt, other configurations or another plan.
 * @param {AbState} ab @param {string} prompt
 */
export function isBenchmarkOutdated({ pair, plan, benchmark }, prompt) {
  if (benchmark === null) return false;
  const same = benchmark.of.every((of, side) => toLink(of) === toLink(pair[side]));
  return !same || benchmark.prompt !== prompt || JSON.stringify(benchmark.plan) !== JSON.stringify(plan);
}

/**
 * Whether what is shown was made of another prompt or with other configurations. @param {AbState} ab
 * @param {string} prompt
 */
export function isOutdated({ pair, comparison }, prompt) {
  if (comparison === null) return false;
  if (comparison.prompt !== prompt) return true;
  const links = comparison.of.map(toLink);
  const now = pair.map(toLink);
  return comparison.kind === "twice" ? !now.includes(links[0]) : links.some((link, side) => link !== now[side]);
}

/** @param {AbState} ab @param {AbEvent} event @returns {AbState} */
export function updateAb(ab, event) {
  switch (event.type) {
    case "configured":
      return configured(ab, event);
    case "typed":
      return typed(ab, event);
    case "countTyped": {
      const value = readNumber(event.text, true);
      const fits = Number.isInteger(value) && value >= 2 && value <= mostSamples;
      const faults = { ...ab.faults, count: words.wholeNumber(2, mostSamples) };
      if (!fits) return { ...ab, typed: { ...ab.typed, count: event.text }, faults };
      return {
        ...ab,
        sampleCount: value,
        typed: { ...ab.typed, count: event.text },
        faults: without(ab.faults, "count"),
      };
    }
    case "planTyped":
      return planTyped(ab, event);
    case "forcedToggled":
      return { ...ab, plan: { ...ab.plan, forced: !ab.plan.forced } };
    case "benchmarked":
      return { ...ab, benchmark: event.benchmark };
    case "left": {
      // What is in force is written its own way again; what is not stays with its sentence.
      const typed = Object.fromEntries(Object.entries(ab.typed).filter(([key]) => ab.faults[key] !== undefined));
      return { ...ab, typed };
    }
    case "swapped":
      return { ...ab, pair: [ab.pair[1], ab.pair[0]], typed: {}, faults: {} };
    case "subjectChosen":
      return { ...ab, subject: event.side };
    case "started":
      // What was found before stays until there is something new, so that nothing jumps.
      return { ...ab, work: workChanges.started(event.kind), fault: null };
    case "progressed":
      return { ...ab, work: workChanges.progressed(ab.work, event.words) };
    case "stopAsked":
      return { ...ab, work: workChanges.stopAsked(ab.work) };
    case "compared":
      return { ...ab, comparison: event.comparison };
    case "sampled":
      return { ...ab, series: event.series };
    case "ended":
      return { ...ab, work: null, fault: event.fault };
  }
}

/** @param {AbState} ab @param {Extract<AbEvent, { type: "configured" }>} event @returns {AbState} */
function configured(ab, { side, values, controls = {} }) {
  const before = ab.pair[side];
  const after = { ...before, ...values, controls: { ...before.controls, ...controls } };
  const keys = Object.keys(controls).map((name) => fieldKey(side, name));
  return {
    ...ab,
    pair: side === 0 ? [after, ab.pair[1]] : [ab.pair[0], after],
    typed: without(ab.typed, ...keys),
    faults: without(ab.faults, ...keys),
  };
}

/** @param {AbState} ab @param {Extract<AbEvent, { type: "typed" }>} event @returns {AbState} */
function typed(ab, { side, name, text }) {
  const key = fieldKey(side, name);
  const parsed = parseControl(name, text);
  const kept = { ...ab.typed, [key]: text };
  if ("fault" in parsed) return { ...ab, typed: kept, faults: { ...ab.faults, [key]: parsed.fault } };
  return {
    ...configured(ab, { type: "configured", side, values: {}, controls: { [name]: parsed.value } }),
    typed: kept,
  };
}

/** @param {AbState} ab @param {Extract<AbEvent, { type: "planTyped" }>} event @returns {AbState} */
function planTyped(ab, { name, text }) {
  const [from, to] = planRanges[name];
  const value = readNumber(text, true);
  const typed = { ...ab.typed, [name]: text };
  if (!Number.isInteger(value) || value < from || value > to) {
    return { ...ab, typed, faults: { ...ab.faults, [name]: words.wholeNumber(from, to) } };
  }
  return { ...ab, plan: { ...ab.plan, [name]: value }, typed, faults: without(ab.faults, name) };
}

/** @template T @param {Record<string, T>} record @param {...string} keys @returns {Record<string, T>} */
function without(record, ...keys) {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
