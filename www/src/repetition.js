/**
 * How much a text repeats itself: different tokens, and the longest loop, a run of tokens that stands at least twice with
 * nothing between. Counted as the text grows: a new token is compared with the places where it stood before, no others.
 */

/** @import { Step } from "./protocol.js" */

/**
 * @typedef {object} Loop
 * @property {number} start its first token, from 0
 * @property {number} length of what is repeated, in tokens
 * @property {number} times how often that stands in a row
 * @property {number} span tokens from the first to the last that fit, a last unfinished round included
 */
/** @typedef {{ tokens: number, distinct: number, loop: Loop | null }} Repetition */

export class RepetitionCounter {
  /** Where each id has stood. @type {Map<number, number[]>} */
  #places = new Map();
  /** How many tokens in a row equalled the ones so many places before, by that distance. @type {number[]} */
  #matched = [];
  /** The last of those tokens. @type {number[]} */
  #matchedAt = [];
  #tokens = 0;
  /** @type {Loop | null} */
  #loop = null;

  /** @param {number} id */
  add(id) {
    const at = this.#tokens++;
    const places = this.#places.get(id) ?? [];
    for (const place of places) {
      const length = at - place;
      const matches = this.#matchedAt[length] === at - 1 ? this.#matched[length] + 1 : 1;
      this.#matched[length] = matches;
      this.#matchedAt[length] = at;
      if (matches >= length) this.#consider(at, length, matches + length);
    }
    places.push(at);
    this.#places.set(id, places);
  }

  /** What covers more tokens is the longer loop; of two that cover the same, the one that repeats less at a time.
   * @param {number} at @param {number} length @param {number} span
   */
  #consider(at, length, span) {
    const best = this.#loop;
    if (best && (span < best.span || (span === best.span && length >= best.length))) return;
    this.#loop = { start: at + 1 - span, length, times: Math.floor(span / length), span };
  }

  /** @returns {Repetition} */
  get result() {
    return { tokens: this.#tokens, distinct: this.#places.size, loop: this.#loop };
  }
}

/**
 * A function that measures a text in blocks and counts only what has been added to the text that it measured last, as long
 * as that is its beginning.
 */
export function createRepetition() {
  /** What is counted. @type {Step[][]} */
  let counted = [];
  let counter = new RepetitionCounter();

  /** @param {Step[][]} blocks @returns {Repetition} */
  return function measure(blocks) {
    if (!counted.every((block, n) => isBeginning(block, blocks[n] ?? []))) {
      counted = [];
      counter = new RepetitionCounter();
    }
    blocks.forEach((block, n) => {
      for (const step of block.slice(counted[n]?.length ?? 0)) counter.add(step.id);
    });
    counted = blocks;
    return counter.result;
  };
}

/** A full block is the same one from picture to picture, so that only the last is looked into.
 * @param {Step[]} start @param {Step[]} block
 */
function isBeginning(start, block) {
  return start === block || (start.length <= block.length && start.every(({ id }, n) => id === block[n].id));
}
