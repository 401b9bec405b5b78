/** Words of "Look closer": the draw, the figures of a step, two tokens compared, any token, many draws. */

import { atMost, count, figure, fixed, percent, uniformText } from "../format.js";
import { inLanguage } from "./language.js";

/** @typedef {(text: string) => unknown} Bold */

export const words = inLanguage("bench", {
  moreColumns: "More columns",

  beTheDice: "Be the dice",
  greedyDraws: "Greedy draws nothing.",
  seedDecides: "While a run goes on, the seed's numbers decide.",
  backToSeed: "Back to the seed's number",
  uniform: "Uniform number",
  /** @param {number} uniform @param {string} token */
  picks: (uniform, token) => `${uniformText(uniform)}, picks ${token}`,
  moveIt: "Move the number: the token whose part of the strip it falls on is picked.",
  decidesNext: "Your number decides the next pick. Later tokens have the seed's numbers again.",
  alreadyPicked:
    "This token is already picked. Your number decides the next one; later tokens have the seed's numbers again.",

  figures: "Figures of this step",
  model: "Model",
  settings: "Your settings",
  entropy: "Entropy",
  /** @param {number} nats @param {number} bits */
  natsAndBits: (nats, bits) => `${fixed(nats, 2)} nats, ${fixed(bits, 2)} bits`,
  effectiveVocabulary: "Effective vocabulary",
  tokens: (/** @type {number} */ n) => `${figure(n)} tokens`,
  others: "All other tokens together",
  lead: "Lead of the first over the second",
  alone: "it is alone",
  /** @param {number} logit @param {number} probability */
  margin: (logit, probability) => `${figure(logit)} in logits, ${percent(probability)} in chance with your settings`,

  odds: "Odds of two tokens",
  doNotCompare: (/** @type {string} */ token) => `Do not compare ${token}`,
  tickTwo:
    "Tick two rows of the table, or of the search below. With logits z and temperature T, their odds are exp((z₁ − z₂) / T).",
  whenResting: "When the run rests.",
  /** @param {Bold} bold @param {number} gap @param {number} odds @param {unknown} first @param {unknown} second */
  modelOdds: (bold, gap, odds, first, second) => [
    bold("Model:"),
    ` exp(z₁ − z₂) = exp(${figure(gap)}) = `,
    bold(figure(odds)),
    ": ",
    first,
    ` is ${figure(odds)} times as likely as `,
    second,
    ".",
  ],
  oneNotKept: (/** @type {Bold} */ bold) => [bold("Your settings:"), " one of the two is not kept, so it is never picked."],
  /** @param {Bold} bold @param {number} gap @param {number} temperature @param {number} scaled @param {number} odds
   * @param {boolean} penalised */
  settingsOdds: (bold, gap, temperature, scaled, odds, penalised) => [
    bold("Your settings:"),
    ` exp((z₁ − z₂) / T) = exp(${figure(gap)} / ${atMost(temperature, 10)}) = exp(${figure(scaled)}) = `,
    bold(figure(odds)),
    `${penalised ? ", with the logits after penalties" : ""}.`,
  ],

  find: "Find any token",
  findBy: "Find by",
  ways: { text: "Text", id: "Id", rank: "From rank" },
  fields: { text: "Token text to find", id: "Token id to find", rank: "First rank to show" },
  hints: {
    text: "A space before a word is part of its token: “the” and “ the” are two. \\n is a line break.",
    id: "Ids count from 0 to the size of the vocabulary less 1.",
    rank: "Rank 1 is the highest score.",
  },
  waits: "While a run goes on, this waits for its end.",
  noneHas: {
    text: (/** @type {number} */ vocabulary) => `None of the ${count(vocabulary)} tokens has this text.`,
    id: (/** @type {number} */ vocabulary) => `None of the ${count(vocabulary)} tokens has this id.`,
    rank: (/** @type {number} */ vocabulary) => `None of the ${count(vocabulary)} tokens has this rank.`,
  },
  ranksBefore: "Ranks before",
  ranksAfter: "Ranks after",
  /** @param {number} first from 1 @param {number} last @param {number} vocabulary */
  ranks: (first, last, vocabulary) => `${count(first)} to ${count(last)} of ${count(vocabulary)}`,

  drawManyTimes: "Draw many times",
  draw: (/** @type {number} */ times) => `Draw ${count(times)} times`,
  freshSeed: "With a fresh seed",
  changedSince: "The bars have changed since.",
  /** @param {number} draws @param {number} seed */
  drawsWithSeed: (draws, seed) => `${count(draws)} draws with seed ${seed}`,
  token: "Token",
  barsOfDraws: "Bars: drawn above, expected below",
  drawn: "Drawn",
  expected: "Expected",
  /** @param {number} seed @param {number} draws @param {number} others draws of tokens that are not listed
   * @param {number} deviation the largest, as a share */
  drawsSay: (seed, draws, others, deviation) =>
    `Seed ${seed}, ${count(draws)} draws${others > 0 ? `, ${count(others)} of them of other tokens` : ""}. No token's share of the draws is further from its chance than ${fixed(deviation * 100, 1)} percentage points.`,
  /** @param {number} chiSquare @param {number} limit */
  chiSquare: (chiSquare, limit) =>
    `Chi-square is ${fixed(chiSquare, 2)}; honest draws exceed ${fixed(limit, 2)} in 5 of 100 such experiments.`,
});
