/** How far two blocks of logits are apart. A difference of logits is no probability: those come from the engine. */

/** @import { LogitDifference } from "./types.js" */

/** @type {LogitDifference} */
export const noDifference = { value: 0, id: 0, index: 0, positions: 0, sameBits: true };

/**
 * Adds rows of two models' logits for the same positions to what was found before.
 * @param {LogitDifference} before
 * @param {Float32Array} one row-major, `[positions, vocabulary]`
 * @param {Float32Array} other
 * @param {number} vocabulary
 * @returns {LogitDifference}
 */
export function addBlock(before, one, other, vocabulary) {
  let { value, id, index, sameBits } = before;
  const [bits, otherBits] = [one, other].map(
    ({ buffer, byteOffset, length }) => new Int32Array(buffer, byteOffset, length),
  );
  for (let n = 0; n < one.length; n++) {
    if (bits[n] === otherBits[n]) continue;
    sameBits = false;
    const apart = Math.abs(one[n] - other[n]);
    if (apart <= value) continue;
    value = apart;
    id = n % vocabulary;
    index = before.positions + Math.floor(n / vocabulary);
  }
  return { value, id, index, positions: before.positions + one.length / vocabulary, sameBits };
}
