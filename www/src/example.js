/**
 * The worked example: a few tokens whose chances can be checked by hand, sampled by the engine in two orders and under two
 * rules for the border. Pure: how the student's input is read, the calls that come of it, and its part of update().
 */

import { parseRational, power, quotient, ratio, sum, toNumber } from "./rational.js";

/** @import { Example, ExampleEvent, ExampleInput, Outcome, Variant } from "./example-types.js" */
/** @import { PageError } from "./messages.js" */
/** @import { State } from "./page-types.js" */
/** @import { ChainStep, Event, FullStep, Settings } from "./protocol.js" */
/** @import { Rational } from "./rational.js" */

export const fewestTokens = 2;
export const mostTokens = 8;
/** What fractions and the engine's numbers may differ by. */
const tolerance = 1e-6;
/** Beyond it fractions have more digits than anybody reads. */
const highestPower = 16;

/** @type {Variant[]} */
export const variants = [
  { order: "temperatureFirst", boundary: "smallest" },
  { order: "temperatureFirst", boundary: "listing" },
  { order: "topPFirst", boundary: "smallest" },
  { order: "topPFirst", boundary: "listing" },
];

/** @type {Example} */
export const initialExample = {
  input: { logits: ["log 8", "log 4", "log 2", "log 1"], temperature: "1/2", topK: "", topP: "3/4" },
  shown: 0,
  runIds: [],
  outcomes: variants.map(() => null),
  draws: null,
};

/** @param {number} id */
export const tokenName = (id) => String.fromCharCode(65 + id);

/**
 * A logit as typed: `log 8` has the weight 8 exactly, and so has 0 the weight 1. `weight` is null where it is no fraction.
 * @param {string} text
 * @returns {{ value: number, weight: Rational | null } | null} null for what is no logit
 */
export function parseLogit(text) {
  const log = /^\s*(?:log|ln)\s*(.*)$/i.exec(text);
  if (log) {
    const weight = parseRational(log[1].replace(/^\(([^()]*)\)\s*$/, "$1"));
    return weight && weight.n > 0n ? { value: Math.log(toNumber(weight)), weight } : null;
  }
  const value = Number(text.trim().replace(",", "."));
  if (text.trim() === "" || !Number.isFinite(value) || Math.abs(value) > 1e6) return null;
  return { value, weight: value === 0 ? ratio(1n, 1n) : null };
}

/** What is wrong with the input, in words by field; a logit's field is its index. @param {ExampleInput} input */
export function faultsOf({ logits, temperature, topK, topP }) {
  /** @type {Record<string, string>} */
  const faults = {};
  logits.forEach((text, id) => {
    if (!parseLogit(text)) faults[id] = `${tokenName(id)}: a number, or log and a number above 0, such as log 8.`;
  });
  const [heat, mass] = [parseRational(temperature), parseRational(topP)];
  // 0 is left to the engine, which has two rules for it.
  if (!heat || heat.n < 0n || toNumber(heat) > 100) faults.temperature = "Temperature: a number or fraction up to 100.";
  if (topK.trim() !== "" && !/^\s*\d{1,6}\s*$/.test(topK)) faults.topK = "Top-k: a whole number; empty or 0 is off.";
  if (topP.trim() !== "" && (!mass || mass.n <= 0n || mass.n > mass.d)) {
    faults.topP = "Top-p: a number or fraction above 0, up to 1; empty or 1 is off.";
  }
  return faults;
}

/** The chain of a variant: top-k stands before top-p in both orders. @param {ExampleInput} input @param {Variant} variant */
function chainOf({ temperature, topK, topP }, { order }) {
  const heat = { kind: /** @type {const} */ ("temperature"), value: toNumber(parseRational(temperature) ?? ratio(1n, 1n)) };
  /** @type {ChainStep[]} */
  const cuts = [];
  if (Number(topK) > 0) cuts.push({ kind: "topK", value: Number(topK) });
  const mass = parseRational(topP);
  if (mass && mass.n < mass.d) cuts.push({ kind: "topP", value: toNumber(mass) });
  return order === "temperatureFirst" ? [heat, ...cuts] : [...cuts, heat];
}

/**
 * What the engine is asked for a variant; null while something is wrong with the input.
 * @param {ExampleInput} input @param {Variant} variant
 * @returns {{ logits: number[], settings: Settings } | null}
 */
export function callOf(input, variant) {
  if (Object.keys(faultsOf(input)).length > 0) return null;
  const logits = input.logits.map((text) => parseLogit(text)?.value ?? 0);
  return { logits, settings: { chain: chainOf(input, variant), boundary: variant.boundary } };
}

/**
 * The exact fractions of a step, by token id, each null where there is none or where it is not what the engine says.
 * @param {ExampleInput} input @param {Variant} variant @param {FullStep} step
 */
export function fractionsOf({ logits, temperature }, { order }, step) {
  const ids = [...step.ranking];
  const weights = logits.map((text) => parseLogit(text)?.weight ?? null);
  const none = weights.map(() => null);
  if (ids.length !== weights.length || !weights.every((weight) => weight !== null)) {
    return { base: none, cumulative: none, chances: none };
  }
  const exponent = exponentOf(temperature);
  const powered = exponent === null ? null : weights.map((weight) => power(weight, exponent));
  const cutAt = (/** @type {string} */ kind) => 1 + step.cuts.findIndex((cut) => cut.kind === kind);
  const kept = ids.filter((id) => step.cutBy[id] === 0);
  // What top-p looks at in its place; where it is off, what is drawn from.
  const seen = cutAt("topP") > 0 ? ids.filter((id) => cutAt("topK") === 0 || step.cutBy[id] !== cutAt("topK")) : kept;
  const seenWeights = cutAt("topP") > 0 && order === "topPFirst" ? weights : powered;
  return {
    base: checked(shares(weights, ids), step.baseProbabilities),
    cumulative: checked(seenWeights && totals(shares(seenWeights, seen), seen), step.cumulative),
    chances: checked(powered && shares(powered, kept), step.probabilities),
  };

  /** Only what the engine's own numbers bear out. @param {(Rational | null)[] | null} exact @param {Float64Array} numbers */
  function checked(exact, numbers) {
    return (exact ?? none).map((fraction, id) =>
      fraction && Math.abs(toNumber(fraction) - numbers[id]) < tolerance ? fraction : null,
    );
  }
}

/** 1 / T, to whose power the weights are raised; null where it is not a small whole number. @param {string} temperature */
function exponentOf(temperature) {
  const heat = parseRational(temperature);
  return heat && heat.n === 1n && heat.d <= BigInt(highestPower) ? Number(heat.d) : null;
}

/** Shares of the weights of some ids, by id; the others have none. @param {Rational[]} weights @param {number[]} ids */
function shares(weights, ids) {
  const all = sum(ids.map((id) => weights[id]));
  return weights.map((weight, id) => (ids.includes(id) ? quotient(weight, all) : null));
}

/** Running totals in the order of `ids`. @param {(Rational | null)[]} parts by id @param {number[]} ids */
function totals(parts, ids) {
  const running = parts.map(() => /** @type {Rational | null} */ (null));
  let total = ratio(0n, 1n);
  for (const id of ids) running[id] = total = sum([total, parts[id] ?? ratio(0n, 1n)]);
  return running;
}

/** @param {State} state @param {ExampleEvent} event @returns {State} */
export function updateExample(state, event) {
  const { example } = state;
  if (event.type === "exampleChanged") {
    const { input: change, shown = example.shown } = event;
    if (!change) return { ...state, example: { ...example, shown } };
    const input = { ...example.input, ...change };
    // Stages of another number of tokens would not fit the table.
    const fits = input.logits.length === example.input.logits.length;
    const outcomes = fits ? example.outcomes : initialExample.outcomes;
    return { ...state, example: { ...example, input, shown, outcomes, draws: null } };
  }
  if (event.type === "exampleDrawsSent") {
    const runId = state.lastRunId + 1;
    return { ...state, lastRunId: runId, example: { ...example, draws: { runId, variant: example.shown, result: null } } };
  }
  const runIds = variants.map((_, n) => state.lastRunId + 1 + n);
  return { ...state, lastRunId: state.lastRunId + variants.length, example: { ...example, runIds } };
}

/** @param {State} state @param {Extract<Event, { type: "answered" }>} event @returns {State} */
export function exampleAnswered(state, { runId, answer }) {
  const { example } = state;
  if (answer.method === "sampleStep") return withOutcome(state, runId, { step: answer.step });
  if (answer.method !== "draws" || runId !== example.draws?.runId) return state;
  return { ...state, example: { ...example, draws: { ...example.draws, result: answer.result } } };
}

/** The engine's refusal of a variant is part of the lesson, no problem of the page.
 * @param {State} state @param {number | null} runId @param {PageError} error @returns {State}
 */
export function exampleFailed(state, runId, error) {
  const { example } = state;
  if (runId === null) return state;
  if (runId === example.draws?.runId) return { ...state, example: { ...example, draws: null } };
  return withOutcome(state, runId, { fault: error.message });
}

/** @param {State} state @param {number} runId @param {Outcome} outcome @returns {State} */
function withOutcome(state, runId, outcome) {
  const variant = state.example.runIds.indexOf(runId);
  if (variant < 0) return state;
  const outcomes = state.example.outcomes.map((other, n) => (n === variant ? outcome : other));
  return { ...state, example: { ...state.example, outcomes } };
}
