/**
 * The texts of one prompt as a tree: a node is a piece that some of them have in common, up to where they part. Chances
 * are the model's own: those with settings depend on the settings, and under greedy every token is certain.
 */

import { percent } from "./format.js";
import { logarithm } from "./tree-node.js";
import { words } from "./words/tree.js";

/** @import { GeneratedText, TextStep } from "./text-types.js" */
/** @import { TreeNode } from "./tree-node.js" */

/** @param {TextStep} step */
const chanceOf = ({ history, probability }) => history?.baseProbability ?? probability;

/** Logarithms of the chances of the tokens of a block, which never changes. @type {WeakMap<TextStep[], number>} */
const sums = new WeakMap();

/** The mean of the logarithms of its tokens' chances. @param {GeneratedText} text */
export function meanLogProbability({ blocks }) {
  let sum = 0;
  let tokens = 0;
  for (const block of blocks) {
    const known = sums.get(block);
    const own = known ?? block.reduce((total, step) => total + Math.log(chanceOf(step)), 0);
    if (known === undefined) sums.set(block, own);
    sum += own;
    tokens += block.length;
  }
  return sum / tokens;
}

/**
 * @typedef {object} Piece
 * @property {TextStep[]} steps
 * @property {Piece[]} children
 * @property {GeneratedText[]} ends texts that end with it
 */

/** @param {GeneratedText[]} texts @returns {Piece[]} */
function pieces(texts) {
  /** @type {Piece[]} */
  const roots = [];
  for (const text of texts) insert(roots, text.blocks.flat(), text);
  return roots;
}

/** @param {Piece[]} siblings @param {TextStep[]} steps @param {GeneratedText} text */
function insert(siblings, steps, text) {
  const piece = siblings.find((candidate) => candidate.steps[0].id === steps[0].id);
  if (!piece) {
    siblings.push({ steps, children: [], ends: [text] });
    return;
  }
  let shared = 1;
  while (shared < Math.min(piece.steps.length, steps.length) && piece.steps[shared].id === steps[shared].id) shared++;
  if (shared < piece.steps.length) {
    const rest = { steps: piece.steps.slice(shared), children: piece.children, ends: piece.ends };
    Object.assign(piece, { steps: piece.steps.slice(0, shared), children: [rest], ends: [] });
  }
  if (shared === steps.length) piece.ends.push(text);
  else insert(piece.children, steps.slice(shared), text);
}

/**
 * @param {GeneratedText[]} texts in the order in which they are shown
 * @param {GeneratedText | null} present
 * @param {(text: GeneratedText) => void} useText
 * @returns {TreeNode[]}
 */
export function textTree(texts, present, useText) {
  const path = new Set(present?.blocks.flat());
  /** @param {Piece} piece @param {string} above @returns {TreeNode} */
  function node({ steps, children, ends }, above) {
    const [first] = steps;
    const id = `${above}.${first.id}`;
    const text = ends.find((end) => end !== present) ?? ends[0];
    const isPresent = present !== null && ends.includes(present);
    const mean = text ? [words.meanLogProbability(logarithm(meanLogProbability(text)))] : [];
    const marked = path.size > 0 && steps.every((step, n) => present?.blocks.flat()[first.index + n]?.id === step.id);
    return {
      id,
      index: first.index,
      tokens: steps,
      facts: [words.firstToken(percent(chanceOf(first))), words.tokens(first.index + steps.length), ...mean],
      tags: [...(isPresent ? [words.branches.present] : []), ...(first.byHand ? [words.branches.byHand] : [])],
      marked,
      use:
        text && !isPresent
          ? { label: words.branches.use, spoken: words.branches.useWhich(lastWords(steps)), run: () => useText(text) }
          : null,
      dropped: [],
      children: children.map((child) => node(child, id)),
    };
  }
  return pieces(texts).map((piece) => node(piece, ""));
}

/** @param {TextStep[]} steps */
const lastWords = (steps) => steps.slice(-4).map(({ spoken }) => spoken);

/**
 * The tree in one sentence.
 * @param {GeneratedText[]} texts
 * @param {TreeNode[]} tree
 */
export function textTreeSentence(texts, tree) {
  if (texts.length === 0) return words.branches.none;
  const places = new Set(tree.length > 1 ? [1] : []);
  const look = (/** @type {TreeNode} */ { children }) => {
    if (children.length > 1) places.add(children[0].index + 1);
    children.forEach(look);
  };
  tree.forEach(look);
  return words.branches.sentence(texts.length, [...places].sort((a, b) => a - b));
}
