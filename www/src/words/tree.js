/** Words of the panel of branches and beams: the texts of a prompt as a tree, and beam search. */

import { count, counted } from "../format.js";
import { inLanguage } from "./language.js";

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });
const texts = (/** @type {number} */ n) => counted(n, { one: "text", other: "texts" });

export const words = inLanguage("tree", {
  intro:
    "The texts of this prompt as a tree, and a search for the likeliest text. Put another token into the text, see where the two part, then run beam search and compare its text with yours.",

  // -------------------------------------------------------------------------------------------------------- a tree

  prompt: "the prompt",
  /** @param {number} index of the first, from 0 @param {number} n */
  place: (index, n) =>
    n === 1 ? `token ${count(index + 1)}` : `tokens ${count(index + 1)} to ${count(index + n)}`,
  /** Left out of a long piece. @param {number} n */
  between: (n) => `… ${tokens(n)} …`,
  /** @param {number} n */
  dropped: (n) => `${count(n)} dropped on the way`,
  tokens,
  /** @param {string} chance */
  firstToken: (chance) => `first token ${chance}`,
  /** @param {string} score */
  score: (score) => `score ${score}`,
  /** @param {string} value */
  meanLogProbability: (value) => `mean log-probability ${value}`,

  // ------------------------------------------------------------------------------------------------------ branches

  branches: {
    heading: "Branches",
    intro:
      "A text parts from another where you use another token, or another seed or setting: in the bars, “Use” puts a token in the place of the one that was picked. The texts stay here.",
    none: "No text has been made from this prompt yet.",
    /** @param {number} n @param {number[]} places tokens at which they part, from 1 */
    sentence: (n, places) => {
      const where = `${places.length === 1 ? "token" : "tokens"} ${places.map((place) => count(place)).join(", ")}`;
      return places.length === 0 ? `${texts(n)} from this prompt.` : `${texts(n)} from this prompt; they part at ${where}.`;
    },
    present: "present text",
    byHand: "put in by hand",
    use: "Use this text",
    /** Which, for ears. @param {string[]} lastTokens */
    useWhich: (lastTokens) => `Use this text, which ends ${lastTokens.join(", ")}`,
    asTable: "As a table",
    table: "Pieces of the texts",
    columns: ["From token", "First token", "Tokens", "Known of it"],
    /** @param {number} n */
    old: (n) => `${texts(n)} of earlier prompts or models`,
    clear: "Clear them",
    /** @param {string} promptEnd @param {number} n @param {string} mean log-probability */
    oldText: (promptEnd, n, mean) => `“${promptEnd}” and ${tokens(n)}, mean log-probability ${mean}`,
  },

  // --------------------------------------------------------------------------------------------------------- beams

  beams: {
    heading: "Beam search",
    intro:
      "Beam search draws nothing: at each step it looks at all ways to go on from its beams and keeps the texts that are likeliest as a whole. The sampling settings do not act on it; one beam is greedy decoding.",
    fields: {
      beams: "Beams",
      numReturn: "Texts returned",
      maxNewTokens: "New tokens, at most",
      lengthPenalty: "Length penalty",
      earlyStopping: "Ends early",
    },
    earlyStopping: {
      false: "when a better text is unlikely",
      true: "with enough finished texts",
      never: "when no better text is possible",
    },
    badPenalty: "The length penalty is a number from -100 to 100; 1 is the mean.",
    badLimit: "A whole number of tokens, from 1 to 256.",
    run: "Run beam search",
    stopWhat: "beam search",
    tree: "Beams",
    none: "No search has been run from this prompt yet.",
    begins: "The search begins.",
    /** @param {number} steps @param {number} beams @param {number} kept @param {number} dropped @param {number} finished */
    looked: (steps, beams, kept, dropped, finished) =>
      `${counted(steps, { one: "step", other: "steps" })} with ${counted(beams, { one: "beam", other: "beams" })}: ` +
      `${count(kept)} continuations kept, ${count(dropped)} dropped, ${count(finished)} finished.`,
    /** @param {string} score */
    best: (score) => `The best text has the score ${score}.`,
    /** @param {number} n */
    asGreedy: (n) => `One beam is greedy decoding: greedy, run beside it, gives the same ${tokens(n)}.`,
    notGreedy: "Greedy decoding, run beside it, gives other tokens.",
    /** @param {number} n texts */
    ended: (n) => `Beam search ended: ${n === 0 ? "no text" : texts(n)}.`,
    bestText: "best text",
    /** @param {number} place from 0 */
    returned: (place) => `returned, place ${count(place + 1)}`,
    finished: "finished",
    allDropped: "all that follows dropped",
    use: "Put into the text",
    /** Which, for ears. @param {number} place from 0 */
    useWhich: (place) => `Put into the text: place ${count(place + 1)}`,
    steps: "Step by step",
    continuations: "All continuations",
    table: "Continuations that were looked at",
    columns: ["Token", "Text", "After", "Log-probability, nats", "Sum, nats", "Score", "What became of it"],
    /** By the search's own numbers: what became of a continuation. */
    fates: ["dropped", "kept", "finished"],
  },
});
