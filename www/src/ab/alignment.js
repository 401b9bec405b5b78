/** Two lists of tokens beside each other. Once they differ, all that follows comes of another prefix. */

/** @import { Alignment, Side } from "./types.js" */

/**
 * @param {ArrayLike<number>} one
 * @param {ArrayLike<number>} other
 * @returns {Alignment}
 */
export function align(one, other) {
  const shorter = Math.min(one.length, other.length);
  let equal = 0;
  while (equal < shorter && one[equal] === other[equal]) equal += 1;
  /** @type {Side | null} */
  const ends = one.length === other.length ? null : one.length < other.length ? 0 : 1;
  return { equal, firstDifference: equal < shorter ? equal : null, endsFirst: equal < shorter ? null : ends };
}

/**
 * How many of the tokens that both have are read before the last prediction that can be compared: nothing runs over a
 * last token itself.
 * @param {Alignment} alignment @param {number} longest of the two lists
 */
export function sharedLength({ equal }, longest) {
  return Math.max(0, Math.min(equal, longest - 1));
}

/** Positions of one block of logits: about this many bytes cross at a time, and never fewer than one position. */
const blockBytes = 3_300_000;

/**
 * The blocks in which the logits of some positions are fetched.
 * @param {number} first position @param {number} positions @param {number} vocabulary
 * @returns {{ first: number, count: number }[]}
 */
export function blocksOf(first, positions, vocabulary) {
  const most = Math.max(1, Math.floor(blockBytes / (4 * vocabulary)));
  const blocks = [];
  for (let done = 0; done < positions; done += most) {
    blocks.push({ first: first + done, count: Math.min(most, positions - done) });
  }
  return blocks;
}
