/** Words of the loop builder in the lab sheets, and of what comes of a loop. */

import { inLanguage } from "./language.js";

export const words = inLanguage("sheets-loop", {
  help: "Move the blocks to their places: drag them by the dots, or use their arrow buttons.",
  label: "Blocks of the loop, in the order in which they run",
  clear: "Take all blocks out",
  up: (/** @type {string} */ block) => `Move ${block} up`,
  down: (/** @type {string} */ block) => `Move ${block} down`,

  blocks: {
    tokenize: { label: "Tokenize", words: "the prompt's text becomes token ids" },
    forward: { label: "Forward", words: "the model computes scores for every position of the ids" },
    last: { label: "Take the last position", words: "of those scores, only those of the last position" },
    sample: { label: "Adjust and sample", words: "your settings, then one token id is picked" },
    append: { label: "Append", words: "the picked id is added to the ids" },
    limit: { label: "Check the limit", words: "leave the loop at 8 tokens or an end token" },
    detokenize: { label: "Detokenize", words: "the ids after the prompt become text" },
  },
  dividers: {
    before: "Once, before the loop:",
    loop: "Again and again:",
    after: "Once the loop is left:",
    out: "Left out:",
  },
  places: {
    before: (/** @type {number} */ place) => `before the loop, place ${place}`,
    loop: (/** @type {number} */ place) => `in the loop, place ${place}`,
    after: (/** @type {number} */ place) => `after the loop, place ${place}`,
    out: "left out",
  },
  /** @param {string} block @param {string} place */
  moved: (block, place) => `${block}: ${place}.`,

  ownLoop: "Running the page's own loop, to compare with",
  /** @param {number} pass @param {number} most */
  pass: (pass, most) => `Your loop, pass ${pass} of at most ${most}`,

  missing: {
    loop: "There is nothing in the loop, so nothing is repeated.",
    forwardIds: "Forward needs token ids, and there are none yet.",
    lastScores: "There are no scores yet to take the last position of.",
    sampleScores: "Sampling needs scores, and there are none yet.",
    appendIds: "There are no ids yet to append to.",
    appendPick: "Nothing has been picked yet that could be appended.",
    detokenizeIds: "There are no ids yet to make text of.",
  },
  verdicts: {
    guarded: (/** @type {number} */ passes) =>
      `Nothing in your loop would ever have ended it: a guard of this sheet did, after ${passes} passes.`,
    fault: (/** @type {string} */ fault) => `It could not go on: ${fault}`,
    nothing: "No token was ever picked.",
    wrongPlace:
      "The scores that were sampled belong to the first position: they say what follows the prompt's first token, not its last.",
    repeats: "The same token again and again: the ids never grow, so every forward call is asked the same question.",
    runsOn: "It runs on and on.",
    noText: "The ids are there, but nobody can read them: nothing made text of them.",
    right: "Your loop makes the very tokens that the page's own loop makes.",
    differs: "It ends, but with other tokens than the page's own loop makes of the same prompt and settings.",
  },
});
