/**
 * The worked example's input and its numbers: how logits and settings are read, what the engine is asked, and the exact
 * fractions beside its answers. Loaded with the panel.
 */

import { readNumber } from "./format.js";
import { parseRational, power, quotient, ratio, sum, toNumber } from "./rational.js";
import { words } from "./words/example.js";

/** @import { ExampleInput, Variant } from "./example-types.js" */
/** @import { ChainStep, FullStep, Settings } from "./protocol.js" */
/** @import { Rational } from "./rational.js" */

export const fewestTokens = 2;
export const mostTokens = 8;
/** What fractions and the engine's numbers may differ by. */
const tolerance = 1e-6;
/** Beyond it fractions have more digits than anybody reads. */
const highestPower = 16;

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
  const value = readNumber(text);
  if (!Number.isFinite(value) || Math.abs(value) > 1e6) return null;
  return { value, weight: value === 0 ? ratio(1n, 1n) : null };
}

/** What is wrong with the input, in words by field; a logit's field is its index. @param {ExampleInput} input */
export function faultsOf({ logits, temperature, topK, topP }) {
  /** @type {Record<string, string>} */
  const faults = {};
  logits.forEach((text, id) => {
    if (!parseLogit(text)) faults[id] = words.faults.logit(tokenName(id));
  });
  const [heat, mass] = [parseRational(temperature), parseRational(topP)];
  // 0 is left to the engine, which has two rules for it.
  if (!heat || heat.n < 0n || toNumber(heat) > 100) faults.temperature = words.faults.temperature;
  if (topK.trim() !== "" && !/^\s*\d{1,6}\s*$/.test(topK)) faults.topK = words.faults.topK;
  if (topP.trim() !== "" && (!mass || mass.n <= 0n || mass.n > mass.d)) {
    faults.topP = words.faults.topP;
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
