/** Words of the settings: the controls, the chain, the rare settings under "More", presets, banned tokens, the line in force. */

import { atMost, count, counted } from "../format.js";
import { inLanguage } from "./language.js";

/** @import { Hidden } from "./language.js" */
/** @import { NumberControl } from "../page-types.js" */

/** What a field says when its value is outside. @type {Record<NumberControl, string>} */
const ranges = {
  temperature: "Temperature is a number above 0, up to 100.",
  topK: "Top-k is a whole number of tokens; 0 is off.",
  topP: "Top-p is above 0, up to 1; 1 is off.",
  minP: "Min-p is between 0 and 1; 0 is off.",
  repetitionPenalty: "The repetition penalty is above 0, up to 100; 1 is off.",
  noRepeatNgram: "A whole number of tokens, up to 100; 0 is off.",
  minNewTokens: "A whole number of tokens; 0 is off.",
  seed: `The seed is a whole number from 0 to ${count(2 ** 32 - 1)}.`,
  maxNewTokens: "A whole number of tokens, at least 1.",
  rows: "Between 10 and 50 rows.",
};

/** What the listing's rule makes of temperature 0. */
const least = atMost(0.00001, 5);

export const words = inLanguage("settings", {
  title: "Settings",
  greedy: "Greedy",
  greedyReason: "takes the highest score; the sliders have no effect",
  reset: "Reset",
  newSeed: (/** @type {Hidden} */ hidden) => ["New", hidden(" seed")],
  maxNewTokens: "New tokens, at most",
  more: "More",

  exactValue: (/** @type {string} */ label) => `${label}, exact value`,
  ranges,
  zeroTemperature: "Temperature 0 would divide by zero. To always take the highest score, use Greedy.",
  useGreedy: "Use Greedy",

  chain: "The chain, in the order in which its steps act",
  steps: { temperature: "Temperature", topK: "Top-k", topP: "Top-p", minP: "Min-p" },
  useStep: (/** @type {string} */ step) => `Use ${step}`,
  moveUp: (/** @type {string} */ step) => `Move ${step} up`,
  moveDown: (/** @type {string} */ step) => `Move ${step} down`,
  kept: (/** @type {number} */ n) => `${count(n)} kept`,
  heat: { same: "as is", sharper: "sharper", flatter: "flatter" },

  minPShown: "Min-p is in the chain above while it is on or this is open.",
  beforeChain: "Before the chain, on the raw logits",
  repetitionPenalty: "Repetition penalty",
  noRepeatNgram: "No-repeat n-gram",
  minNewTokens: "Min. new tokens",
  countsPrompt: "The repetition penalty and the n-gram rule count the tokens of the prompt too.",
  boundary: "On the border",
  boundaries: {
    smallest: "The smallest set that reaches p; exactly k",
    listing: `As a listing has it: one token more where p is reached exactly, ties at k kept, temperature 0 read as ${least}`,
  },
  endAndRows: "Where the text ends, and what is shown",
  stopStrings: "Stop strings, one a line (\\n is a line break)",
  ignoreEos: "Go on after the end-of-text token",
  rows: "Rows shown (10 to 50)",

  ban: "Ban tokens, by text or id",
  banHelp: "A space before a word is part of its token, so “the” and “ the” are two.",
  banById: "This model came without a tokenizer: type an id.",
  banned: "Banned tokens",
  allow: "Allow",
  allowAgain: (/** @type {string} */ token) => `Allow ${token} again`,
  banChoices: "Choose what to ban",
  banToken: (/** @type {string} */ token) => `Ban ${token}`,
  lastId: (/** @type {number} */ id) => `This model's ids end at ${count(id)}.`,

  presets: "Presets",
  presetInForce: (/** @type {string} */ preset) => `${preset} in force`,
  undoPreset: "Back to what I had",
  orderOfChain: "Order of the chain",
  purposes: {
    short: {
      label: "Short deterministic answer",
      sentence: "Takes the highest score each time, for a line of at most 24 tokens: nothing is left to chance.",
    },
    creative: {
      label: "Creative text",
      sentence: "Draws from the nucleus, slightly sharpened: surprises, but none from the long tail of unlikely tokens.",
    },
    code: {
      label: "Code and formats",
      sentence: "A low temperature over five candidates seldom breaks a pattern, and an empty line ends the text.",
    },
    alternatives: {
      label: "Many alternatives",
      sentence: "The nucleus at the model's own temperature: press New before each run for another seed, and compare.",
    },
  },
  orders: {
    ours: {
      label: "Temperature first",
      sentence: "The order of this page and of Hugging Face transformers: temperature, top-k, top-p, min-p.",
    },
    llama: {
      label: "Temperature last",
      sentence:
        "The default order of llama.cpp: top-k, top-p, min-p, temperature. Filters see the chances before temperature.",
    },
  },

  inForce: "In force",
  copy: "Copy settings",
  copied: "Settings copied",
  asCall: "As a Hugging Face call",
  /** The settings in one line, whose parts follow. */
  line: {
    /** In the order in which they act. @param {string[]} steps */
    steps: (steps) => steps.join(", then "),
    seed: (/** @type {number} */ seed) => `seed ${seed}`,
    /** @param {string[]} parts */
    parts: (parts) => parts.join("; "),
    repetitionPenalty: (/** @type {number} */ value) => `repetition penalty ${atMost(value, 10)} (prompt tokens count)`,
    noRepeatNgram: (/** @type {number} */ n) => `no ${n}-gram twice`,
    /** @param {number[]} ids */
    banned: (ids) => `banned ${ids.length === 1 ? "id" : "ids"} ${ids.join(", ")}`,
    minNewTokens: (/** @type {number} */ n) => `no end token among the first ${count(n)}`,
    greedy: "greedy: the highest score",
    plain: "plain sampling, no filter",
    /** @param {string} step @param {number} value */
    step: (step, value) => `${step} ${atMost(value, 10)}`,
    /** @param {string} step */
    zero: (step) => `${step} 0 (read as ${least})`,
    border: "border as in the listing",
    atMost: (/** @type {number} */ n) => `at most ${counted(n, { one: "new token", other: "new tokens" })}`,
    /** @param {string[]} strings */
    stopAt: (strings) => `stop at ${strings.join(" or ")}`,
    ignoreEos: "go on after the end token",
  },
  /** What has to be said of the call of transformers. */
  call: {
    noOrder: (/** @type {string[]} */ steps) =>
      `generate() has no setting for this order: it always applies ${steps.join(", ")}.`,
    ownNumbers: "Its random numbers are its own: a seed gives another text there.",
    ties: "It keeps every token that ties with the k-th.",
    oneFewer: "Where the chances reach p exactly, it keeps one token fewer than the listing's rule.",
    stopsAtEnd: "It stops at the end token; this page goes on.",
  },
});
