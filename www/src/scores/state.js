/** What the text-scores panel knows, as pure functions. It is `scoresLab` of the state. */

import { words } from "../words/scores.js";

/** @import { State } from "../page-types.js" */
/** @import { TextScores } from "../protocol.js" */
/** @import { MadeScores, ScoresLab, ScoresSetup } from "./types.js" */

/** @type {ScoresLab} */
export const initialScores = {
  setup: {
    text: words.setup.firstText,
    start: false,
    given: "4",
    loop: "greedy",
  },
  chosen: 1,
  made: null,
  digests: null,
  kind: "score",
  work: null,
  fault: null,
};

const mostGiven = 1000;

/** @param {Pick<State, "scoresLab">} state */
export const scoresOf = ({ scoresLab }) => scoresLab ?? initialScores;

/** What is wrong with what is typed. @param {ScoresSetup} setup @returns {{ text?: string, given?: string }} */
export function faultsOf({ text, given }) {
  /** @type {{ text?: string, given?: string }} */
  const faults = {};
  if (text === "") faults.text = words.setup.noText;
  const value = Number(given);
  if (given.trim() === "" || !Number.isInteger(value) || value < 1 || value > mostGiven)
    faults.given = words.setup.wrongGiven(mostGiven);
  return faults;
}

/** @param {ScoresLab} lab */
export const isOutdated = ({ setup, made }) => made !== null && made.of !== setup;

/**
 * What is told of one token of a text; null scores for one that nothing predicts.
 * @typedef {object} Told
 * @property {number} position from 0
 * @property {string} shown
 * @property {string} spoken
 * @property {string} kind
 * @property {null | { logProbability: number, probability: number, rank: number, top: string, topProbability: number }} score
 */

/** @param {TextScores} scores @returns {Told[]} */
export function toldOf({ tokens, unscored, logProbabilities, probabilities, ranks, topTokens, topProbabilities }) {
  return Array.from(tokens.ids, (_, position) => {
    const at = position - unscored;
    const score =
      at < 0
        ? null
        : {
            logProbability: logProbabilities[at],
            probability: probabilities[at],
            rank: ranks[at],
            top: topTokens.text[at],
            topProbability: topProbabilities[at],
          };
    return { position, shown: tokens.text[position], spoken: tokens.spoken[position], kind: tokens.kind[position], score };
  });
}

/** The first token that the loop made otherwise; null where it made the text. @param {MadeScores} made */
export function partsAt({ text, loop }) {
  if (loop === null) return null;
  const [a, b] = [text.tokens.ids, loop.tokens.ids];
  const length = Math.max(a.length, b.length);
  for (let n = 0; n < length; n += 1) if (a[n] !== b[n]) return n;
  return null;
}

/** Mean log-probability of the tokens from `first` on, in nats; null where there is none.
 * @param {TextScores} scores @param {number} first
 */
export function meanFrom({ logProbabilities, unscored }, first) {
  const from = logProbabilities.subarray(Math.max(0, first - unscored));
  return from.length === 0 ? null : from.reduce((sum, value) => sum + value, 0) / from.length;
}
