/** The bars for ears. */

import { words } from "./words/spoken.js";

/** @import { Distribution } from "./protocol.js" */

/**
 * In one sentence: "34 kept, top: space the, 41 percent".
 * @param {Distribution} distribution
 */
export function spokenDistribution(distribution) {
  const { tokens, probabilities, kept, greedy } = distribution;
  if (tokens.ids.length === 0) return "";
  let top = 0;
  probabilities.forEach((probability, row) => {
    if (probability > probabilities[top]) top = row;
  });
  const [token, chance] = [tokens.spoken[top], probabilities[top]];
  return greedy ? words.greedyBars(token, chance) : words.bars(kept, token, chance);
}

/**
 * The first five as sentences, for the "Read the top five" button.
 * @param {Distribution} distribution
 */
export function spokenTopFive(distribution) {
  const { tokens, baseProbabilities, probabilities, cutBy, pickedId } = distribution;
  const rows = Math.min(5, tokens.ids.length);
  return Array.from({ length: rows }, (_, row) => {
    const mine = cutBy[row] === 0 ? probabilities[row] : null;
    return words.row(row + 1, tokens.spoken[row], baseProbabilities[row], mine, tokens.ids[row] === pickedId);
  }).join(" ");
}
