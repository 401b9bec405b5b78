/** Texts that are made of another: with a token of the student's choice, or with the tokens that a beam search found. */

import { modelKey } from "./branches.js";
import { appendSteps, firstSteps } from "./text-blocks.js";

/** @import { Distribution } from "./protocol.js" */
/** @import { State } from "./page-types.js" */
/** @import { GeneratedText, TextStep } from "./text-types.js" */

/** A text without tokens. @param {Pick<State, "prompt" | "model" | "lastSerial">} state @returns {GeneratedText} */
export const newText = ({ prompt, model, lastSerial }) => ({
  blocks: [],
  decodeMs: 0,
  decodeSteps: 0,
  prompt,
  model: modelKey(model),
  serial: lastSerial + 1,
  handUniform: null,
  runs: [],
  madeOn: null,
  unread: false,
  stale: false,
  canContinue: false,
  reason: null,
  summary: null,
});

/** The text up to a token, and another token in its place.
 * @param {State} state @param {number} index among the new tokens @param {TextStep} step @returns {GeneratedText}
 */
export function withToken(state, index, step) {
  const { text } = state;
  const start = text ? firstSteps(text.blocks, index) : [];
  const drawn = start.flat().filter((kept) => kept.index > 0 && !kept.byHand);
  return {
    ...newText(state),
    blocks: appendSteps(start, [step]),
    decodeMs: drawn.reduce((sum, kept) => sum + kept.forwardMs + kept.samplingMs, 0),
    decodeSteps: drawn.length,
    handUniform: text?.handUniform ?? null,
    runs: (text?.runs ?? []).filter(({ first }) => first < index),
    madeOn: text?.madeOn ?? null,
    unread: true,
  };
}

/** A row of the bars as a token of the text. What it makes showable comes from the engine.
 * @param {Distribution} distribution @param {number} row @param {number} index @returns {TextStep}
 */
export function stepOfRow(distribution, row, index) {
  const { tokens, ranks, probabilities, baseProbabilities, kept, entropy, margin } = distribution;
  const top = Math.min(6, tokens.ids.length);
  return {
    index,
    id: tokens.ids[row],
    text: "",
    shown: tokens.text[row],
    spoken: tokens.spoken[row],
    kind: tokens.kind[row],
    probability: probabilities[row],
    rank: ranks[row],
    forwardMs: 0,
    samplingMs: 0,
    detokenizeMs: 0,
    history: {
      top: {
        ids: tokens.ids.slice(0, top),
        text: tokens.text.slice(0, top),
        spoken: tokens.spoken.slice(0, top),
        kind: tokens.kind.slice(0, top),
      },
      probabilities: probabilities.slice(0, top),
      rest: Math.max(0, 1 - probabilities.slice(0, top).reduce((sum, chance) => sum + chance, 0)),
      kept,
      uniform: null,
      baseProbability: baseProbabilities[row],
      entropy,
      margin,
    },
    byHand: true,
  };
}

/** @param {GeneratedText} text @param {string[]} texts what each token makes showable @returns {GeneratedText} */
export function withTexts(text, texts) {
  let changed = false;
  const steps = text.blocks.flat().map((step, n) => {
    // What follows a change is laid out anew, which the views do with other steps only.
    changed ||= step.text !== texts[n];
    return changed ? { ...step, text: texts[n] ?? "" } : step;
  });
  return { ...text, blocks: appendSteps([], steps), unread: false };
}
