/**
 * The generated tokens in blocks of some dozens. A block that is full never changes again, so that a new token costs the
 * last block, however long the text is: here, where state is copied, and in the views, which draw a block anew only when
 * it is another one.
 */

/** @import { TextStep as Step } from "./text-types.js" */

/** From this length on a block ends at the next good place; at the second it ends anywhere. In tokens. */
export const blockTokens = 48;
const longestBlockTokens = 4 * blockTokens;

/**
 * @param {Step[][]} blocks
 * @param {Step[]} steps
 * @returns {Step[][]} with the full blocks themselves, not copies
 */
export function appendSteps(blocks, steps) {
  if (steps.length === 0) return blocks;
  const grown = blocks.slice(0, -1);
  let last = [...(blocks.at(-1) ?? [])];
  for (const step of steps) {
    if (isFull(last, step)) {
      grown.push(last);
      last = [];
    }
    last.push(step);
  }
  return [...grown, last];
}

/** A text where lines break the same whether it is laid out whole or in blocks: after a line break, or before a space
 * with letters that run from left to right on both sides.
 * @param {Step[]} block @param {Step} next
 */
function isFull(block, next) {
  if (block.length < blockTokens) return false;
  const before = block[block.length - 1].text;
  const good = endsLine(before) || (/\p{Script=Latin}$/u.test(before) && /^ \p{Script=Latin}/u.test(next.text));
  return good || block.length >= longestBlockTokens;
}

/** @param {string} text */
export const endsLine = (text) => text.endsWith("\n");

/** @param {Step[][]} blocks */
export const countSteps = (blocks) => blocks.reduce((sum, block) => sum + block.length, 0);

/** Text that was held back belongs to the last token, whose end made it certain.
 * @param {Step[][]} blocks @param {string} finalText
 */
export function appendText(blocks, finalText) {
  const block = blocks.at(-1);
  const last = block?.at(-1);
  if (!block || !last || finalText === "") return blocks;
  return [...blocks.slice(0, -1), [...block.slice(0, -1), { ...last, text: last.text + finalText }]];
}

/** The first so many, in the blocks that they would have grown into.
 * @param {Step[][]} blocks @param {number} count
 */
export function firstSteps(blocks, count) {
  /** @type {Step[][]} */
  const first = [];
  for (const block of blocks) {
    if (count <= 0) break;
    first.push(block.length <= count ? block : block.slice(0, count));
    count -= block.length;
  }
  return first;
}

/** @param {Step[][]} blocks @param {number} index @returns {Step | undefined} */
export function stepAt(blocks, index) {
  const block = blocks.findLast((candidate) => candidate[0].index <= index);
  return block?.[index - block[0].index];
}
