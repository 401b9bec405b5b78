/** What the scores of a text and the digests of the weights say, in sentences. */

import { count, figure, percent, plural, size } from "../format.js";
import { meanFrom, partsAt } from "./state.js";

/** @import { TextScores, WeightsDigest } from "../protocol.js" */
/** @import { Told } from "./state.js" */
/** @import { ComparedDigests, MadeScores } from "./types.js" */

/** @param {number} nats never above 0 but by rounding */
export const natsText = (nats) => (nats > -0.0005 ? "0" : figure(nats));

/** @param {TextScores} scores */
export function summarySentence({ summary, tokens, unscored }) {
  if (summary === null) return "Nothing was scored.";
  const which =
    unscored === 0
      ? `all ${count(summary.tokens)} tokens, the first after the start token`
      : `${plural(summary.tokens, "token")} of ${count(tokens.ids.length)}; the first has no prediction, because nothing is before it`;
  return (
    `Scored in one pass: ${which}. Sum of the log-probabilities ${figure(summary.logProbability)} nats, ` +
    `perplexity e^(mean negative log-probability) = ${figure(summary.perplexity)}.`
  );
}

/** @param {TextScores} scores */
export function perByteSentence({ summary }) {
  if (summary === null || summary.natsPerByte === null || summary.natsPerCharacter === null) return null;
  return (
    `${figure(summary.natsPerByte)} nats for each byte and ${figure(summary.natsPerCharacter)} for each character of the ` +
    `scored text (${plural(summary.bytes ?? 0, "byte")}, ${plural(summary.characters ?? 0, "character")}): these do not depend ` +
    "on how a tokenizer cuts the text, so models with different tokenizers can be compared by them on the same text."
  );
}

/** @param {MadeScores} made */
export function loopSentence(made) {
  const { text, loop, given, of } = made;
  if (loop === null) return "The loop had nothing to make: the text has no more tokens than it was given.";
  const how = of.loop === "greedy" ? "greedily" : "with the page's settings and seed";
  const at = partsAt(made);
  const [own, taught] = [meanFrom(loop, given), meanFrom(text, given)];
  const means =
    own === null || taught === null
      ? ""
      : ` Mean log-probability after those tokens: ${figure(taught)} nats for the text, ${figure(own)} for what the loop wrote itself.`;
  if (at === null) return `From the first ${plural(given, "token")} the loop, ${how}, made this very text.${means}`;
  return (
    `From the first ${plural(given, "token")} the loop, ${how}, goes its own way at token ${at + 1}: from there on each of its ` +
    `predictions reads its own tokens, while the scores of the text go on reading the true ones.${means}`
  );
}

/** One token in a sentence, for eyes and ears. @param {Told} told @param {number} tokens */
export function tokenSentence({ position, spoken, score }, tokens) {
  const where = `Token ${position + 1} of ${tokens}, “${spoken}”`;
  if (score === null) return `${where}: no prediction, nothing is before it.`;
  return (
    `${where}: log-probability ${natsText(score.logProbability)} nats, probability ${percent(score.probability)}, rank ` +
    `${count(score.rank + 1)}. Likeliest there: “${score.top}”, ${percent(score.topProbability)}.`
  );
}

/** @param {WeightsDigest} a @param {WeightsDigest} b */
export const areEqual = (a, b) => a.checkpoint === b.checkpoint && a.model === b.model;

/** @param {ComparedDigests} digests */
export function digestsSentence({ before, after, newTokens }) {
  const made = `${plural(newTokens, "token")} were generated in between`;
  if (!areEqual(before, after)) return `Different: the weights in memory have changed, and ${made}. They must not.`;
  return (
    `Equal: no bit of the weights has changed, and ${made}. What a generation changes is the text and the KV cache; the ` +
    "model has learnt nothing from it."
  );
}

/** What was hashed. @param {WeightsDigest} digest */
export function hashedSentence({ checkpointBytes, modelBytes, kernel, precision }) {
  return (
    `SHA-256 of the checkpoint's tensors in memory, in the file's own format (${size(checkpointBytes)}), and of what the ` +
    `${kernel} kernel computes with at precision ${precision} (${size(modelBytes)}): numbers that it shares with the checkpoint, ` +
    "and what it derived from them, such as the codes and scales of INT8 and Q4."
  );
}
