/** What the scores of a text and the digests of the weights say, in sentences. */

import { figure } from "../format.js";
import { words } from "../words/scores.js";
import { meanFrom, partsAt } from "./state.js";

/** @import { TextScores, WeightsDigest } from "../protocol.js" */
/** @import { Told } from "./state.js" */
/** @import { ComparedDigests, MadeScores } from "./types.js" */

/** @param {number} nats never above 0 but by rounding */
export const natsText = (nats) => (nats > -0.0005 ? "0" : figure(nats));

/** @param {TextScores} scores */
export const summarySentence = ({ summary, tokens, unscored }) =>
  summary === null ? words.nothingScored : words.summary(tokens.ids.length, unscored === 0, summary);

/** @param {TextScores} scores */
export function perByteSentence({ summary }) {
  if (summary === null || summary.natsPerByte === null || summary.natsPerCharacter === null) return null;
  const { natsPerByte, natsPerCharacter, bytes, characters } = summary;
  return words.perByte({ natsPerByte, natsPerCharacter, bytes: bytes ?? 0, characters: characters ?? 0 });
}

/** @param {MadeScores} made */
export function loopSentence(made) {
  const { text, loop, given, of } = made;
  if (loop === null) return words.loopNothing;
  const at = partsAt(made);
  const [own, taught] = [meanFrom(loop, given), meanFrom(text, given)];
  const way = at === null ? words.loopSame(given, of.loop) : words.loopParts(given, of.loop, at + 1);
  return own === null || taught === null ? way : `${way} ${words.means(taught, own)}`;
}

/** One token in a sentence, for eyes and ears. @param {Told} told @param {number} tokens */
export function tokenSentence({ position, spoken, score }, tokens) {
  if (score === null) return words.tokens.unscored(position + 1, tokens, spoken);
  const { logProbability, rank, ...rest } = score;
  return words.tokens.scored(position + 1, tokens, spoken, { ...rest, nats: natsText(logProbability), rank: rank + 1 });
}

/** @param {WeightsDigest} a @param {WeightsDigest} b */
export const areEqual = (a, b) => a.checkpoint === b.checkpoint && a.model === b.model;

/** @param {ComparedDigests} digests */
export function digestsSentence({ before, after, newTokens }) {
  const { different, equal } = words.digests;
  return areEqual(before, after) ? equal(newTokens) : different(newTokens);
}

/** What was hashed. @param {WeightsDigest} digest */
export const hashedSentence = ({ checkpointBytes, modelBytes, kernel, precision }) =>
  words.digests.hashed(checkpointBytes, modelBytes, kernel, precision);
