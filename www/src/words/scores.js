/** Words of the panel "Text scores". */

import { count, counted, figure, fixed, percent, size } from "../format.js";
import { inLanguage } from "./language.js";

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });
const border = (/** @type {number} */ nats) => fixed(nats, 2);

const how = { greedy: "greedily", page: "with the page's settings and seed" };

export const words = inLanguage("scores", {
  about:
    "A text that is there already: one pass tells, at every position, how likely the model found the token that really comes " +
    "next, as in training. Beside it runs the loop, which reads its own tokens. Try a text with a mistake in it.",
  run: "Score the text",
  runWork: "scoring",
  noTokenizer: "This model has no tokenizer, so it reads no text.",

  setup: {
    firstText: "Once upon a time there was a little girl. She lived in a small house near the sea.",
    text: "Text",
    noText: "A text to score.",
    take: "Take the page's prompt and text",
    startToken: "End-of-text token in front, so that the first token is predicted too",
    loopLabel: "How the loop picks",
    loop: "The loop picks",
    loops: { greedy: "greedily", page: "with the page's settings" },
    given: "and is given this many tokens",
    wrongGiven: (/** @type {number} */ most) => `A whole number of tokens from 1 to ${count(most)}.`,
  },

  scoring: "Scoring the text",
  /** @param {number} done @param {number} total */
  scoringAt: (done, total) => `Scoring the text: ${done} of ${total} tokens`,
  running: "Running the loop on its own output",
  outdated: "Made of another text or with other choices than above",

  nothingScored: "Nothing was scored.",
  /**
   * @param {number} all tokens of the text @param {boolean} started whether a start token stood in front
   * @param {{ tokens: number, logProbability: number, perplexity: number }} summary
   */
  summary: (all, started, summary) =>
    `Scored in one pass: ${
      started
        ? `all ${count(summary.tokens)} tokens, the first after the start token`
        : `${tokens(summary.tokens)} of ${count(all)}; the first has no prediction, because nothing is before it`
    }. Sum of the log-probabilities ${figure(summary.logProbability)} nats, ` +
    `perplexity e^(mean negative log-probability) = ${figure(summary.perplexity)}.`,
  byToken:
    "A perplexity counts by token, so it cannot be compared between models with different tokenizers: another one cuts the " +
    "same text into more or fewer pieces.",
  /** @param {{ natsPerByte: number, natsPerCharacter: number, bytes: number, characters: number }} summary */
  perByte: ({ natsPerByte, natsPerCharacter, bytes, characters }) =>
    `${figure(natsPerByte)} nats for each byte and ${figure(natsPerCharacter)} for each character of the scored text ` +
    `(${counted(bytes, { one: "byte", other: "bytes" })}, ${counted(characters, { one: "character", other: "characters" })}): ` +
    "these do not depend on how a tokenizer cuts the text, so models with different tokenizers can be compared by them on the " +
    "same text.",

  loopNothing: "The loop had nothing to make: the text has no more tokens than it was given.",
  /** @param {number} given @param {"greedy" | "page"} loop */
  loopSame: (given, loop) => `From the first ${tokens(given)} the loop, ${how[loop]}, made this very text.`,
  /** @param {number} given @param {"greedy" | "page"} loop @param {number} at token, from 1 */
  loopParts: (given, loop, at) =>
    `From the first ${tokens(given)} the loop, ${how[loop]}, goes its own way at token ${at}: from there on each of its ` +
    "predictions reads its own tokens, while the scores of the text go on reading the true ones.",
  /** @param {number} text mean log-probability, nats @param {number} loop */
  means: (text, loop) =>
    `Mean log-probability after those tokens: ${figure(text)} nats for the text, ${figure(loop)} for what the loop wrote itself.`,

  tokens: {
    legend: "Log-probability of the token, nats:",
    /** Between two borders, or beyond the outermost. @param {number | null} from @param {number | null} to */
    level: (from, to) =>
      from === null
        ? `above ${border(to ?? 0)}`
        : to === null
          ? `below ${border(from)}`
          : `${border(from)} to ${border(to)}`,
    plain: "plain: no prediction, or given",
    text: "The text, scored with the true tokens before each",
    loop: "The loop, which reads its own tokens",
    ofLoop: (/** @type {string} */ sentence) => `The loop: ${sentence}`,
    /** @param {number} number @param {number} all @param {string} spoken */
    unscored: (number, all, spoken) => `Token ${number} of ${all}, “${spoken}”: no prediction, nothing is before it.`,
    /**
     * @param {number} number @param {number} all @param {string} spoken
     * @param {{ nats: string, probability: number, rank: number, top: string, topProbability: number }} score rank from 1
     */
    scored: (number, all, spoken, { nats, probability, rank, top, topProbability }) =>
      `Token ${number} of ${all}, “${spoken}”: log-probability ${nats} nats, probability ${percent(probability)}, rank ` +
      `${count(rank)}. Likeliest there: “${top}”, ${percent(topProbability)}.`,
  },

  table: {
    summary: "Table of all tokens",
    label: "Scores of all tokens",
    number: "No.",
    token: "Token of the text",
    logProbability: "Log-probability, nats",
    probability: "Probability",
    rank: "Rank",
    likeliest: "Likeliest there",
    loopToken: "Token of the loop",
    loopLogProbability: "Its log-probability, nats",
    none: "none",
    given: "given",
  },

  digests: {
    heading: "Does generating change the weights?",
    about: "Takes a digest of the weights in memory, generates from the page's prompt, and takes it again.",
    run: "Generate and compare digests",
    runWork: "comparing digests",
    hashing: "Hashing the weights",
    generating: "Generating",
    hashingAgain: "Hashing them again",
    /** @param {string} what @param {number} share from 0 to 1 */
    at: (what, share) => `${what}: ${Math.round(100 * share)} %`,
    equal: (/** @type {number} */ newTokens) =>
      `Equal: no bit of the weights has changed, and ${tokens(newTokens)} were generated in between. What a generation changes ` +
      "is the text and the KV cache; the model has learnt nothing from it.",
    different: (/** @type {number} */ newTokens) =>
      `Different: the weights in memory have changed, and ${tokens(newTokens)} were generated in between. They must not.`,
    /** @param {number} checkpointBytes @param {number} modelBytes @param {string} kernel @param {string} precision */
    hashed: (checkpointBytes, modelBytes, kernel, precision) =>
      `SHA-256 of the checkpoint's tensors in memory, in the file's own format (${size(checkpointBytes)}), and of what the ` +
      `${kernel} kernel computes with at precision ${precision} (${size(modelBytes)}): numbers that it shares with the ` +
      "checkpoint, and what it derived from them, such as the codes and scales of INT8 and Q4.",
    rows: {
      checkpointBefore: "checkpoint, before",
      checkpointAfter: "checkpoint, after",
      modelBefore: "what is computed with, before",
      modelAfter: "what is computed with, after",
    },
  },
});
