/** Words of the prompt, its tokens, what the model expected after one, and the buttons that make text. */

import { count, counted, percent } from "../format.js";
import { inLanguage } from "./language.js";

/** @import { Hidden } from "./language.js" */

export const words = inLanguage("prompt", {
  prompt: "Prompt",
  help: "Control and Enter generates.",
  examples: "Prompts to try",
  try: "Try",
  generateText: "Generate text",
  generate: "Generate",
  continue: "Continue",
  oneToken: "One token",
  stop: "Stop",
  clearText: "Clear text",
  pace: "Pace",
  paces: { step: "one step", three: "3 a second", full: "full speed" },

  tokens: "Tokens",
  ids: "ids",
  noTokenizer: "This model came without a tokenizer, so it takes token ids only (in the console, logitLab.generate).",
  empty: "A prompt needs at least one token to go on from.",
  stripLabel: (/** @type {number} */ n) =>
    `${counted(n, { one: "prompt token", other: "prompt tokens" })}; Enter shows the prediction after one`,

  /** @param {number} position from 1 @param {unknown} token */
  expectedAfter: (position, token) => [`After token ${position}, `, token, ", the model expected"],
  close: "Close",
  followed: "followed",
  shapes: "Shapes, from ids to logits",
  /** By the engine's names; that of the blocks has their number in it. @type {Record<string, string>} */
  shapeNames: {
    "token ids": "token ids",
    embeddings: "embeddings",
    "last position after the final layer norm": "last position after the final layer norm",
    logits: "logits",
  },
  hiddenStates: (/** @type {string} */ blocks) => `hidden states after ${blocks} blocks`,
  lastToken: "This is the last token of the prompt: what follows is not written yet.",
  notAmongRows: (/** @type {number} */ id) => `What really followed (id ${id}) is not among the rows shown.`,
  /** @param {unknown} token @param {number} rank from 1 @param {number} vocabulary @param {number} chance */
  rankOfFollowed: (token, rank, vocabulary, chance) => [
    "What really followed, ",
    token,
    `, was rank ${count(rank)} of ${count(vocabulary)}, with a chance of ${percent(chance)}.`,
  ],
});
