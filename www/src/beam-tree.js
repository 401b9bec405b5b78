/**
 * The tree of a beam search: a node is a piece along which one beam went on alone, and knows the continuations that were
 * dropped on its way. What is worked out here is how rows hang together; every number is the search's own.
 */

import { modelKey } from "./branches.js";
import { percent } from "./format.js";
import { appendSteps } from "./text-blocks.js";
import { newText } from "./text-edit.js";
import { logarithm } from "./tree-node.js";
import { words } from "./words/tree.js";

/** @import { State } from "./page-types.js" */
/** @import { BeamSequence, BeamTree } from "./protocol.js" */
/** @import { Beams, GeneratedText, TextStep } from "./text-types.js" */
/** @import { TreeNode, TreeToken } from "./tree-node.js" */

const { beams: texts } = words;
/** Fates, by the search's own numbers. */
const dropped = 0;
const finished = 2;

/** @param {BeamTree} tree @param {number} row @returns {TreeToken} */
export const tokenOf = ({ tokens }, row) => ({
  shown: tokens.text[row],
  spoken: tokens.spoken[row],
  kind: tokens.kind[row],
});

/** The rows from the prompt to one of them. @param {BeamTree} tree @param {number} leaf */
export function pathTo(tree, leaf) {
  const rows = [];
  for (let row = leaf + 1; row > 0; row = tree.parents[row - 1]) rows.unshift(row - 1);
  return rows;
}

/** Rows by the row that they continue, shifted by one: the prompt's come first. @param {BeamTree} tree */
function continuations(tree) {
  /** @type {number[][]} */
  const rows = Array.from({ length: tree.parents.length + 1 }, () => []);
  tree.parents.forEach((parent, row) => rows[parent].push(row));
  return rows;
}

/**
 * @param {Beams} beams
 * @param {(sequence: BeamSequence) => void} useSequence
 * @returns {TreeNode[]}
 */
export function beamTree({ tree, sequences }, useSequence) {
  return tree ? nodesOf(tree, sequences ?? [], useSequence) : [];
}

/**
 * @param {BeamTree} tree
 * @param {BeamSequence[]} sequences
 * @param {(sequence: BeamSequence) => void} useSequence
 */
function nodesOf(tree, sequences, useSequence) {
  const below = continuations(tree);
  const returned = new Map(sequences.map((sequence, place) => [sequence.leaf, { sequence, place }]));
  const winning = new Set(sequences[0] ? pathTo(tree, sequences[0].leaf) : []);
  const alive = (/** @type {number} */ row) => tree.fates[row] !== dropped;

  /** @param {number} first @returns {TreeNode} */
  function node(first) {
    const rows = [first];
    /** @type {TreeNode["dropped"]} */
    const left = [];
    for (;;) {
      const row = rows[rows.length - 1];
      const next = below[row + 1].filter(alive);
      for (const other of below[row + 1]) if (!alive(other)) left.push(leftOut(tree, other));
      const goesOn = next.length === 1 && !returned.has(row) && winning.has(row) === winning.has(next[0]);
      if (!goesOn) return finish(rows, left, next);
      rows.push(next[0]);
    }
  }

  /** @param {number[]} rows @param {TreeNode["dropped"]} left @param {number[]} next @returns {TreeNode} */
  function finish(rows, left, next) {
    const [first, last] = [rows[0], rows[rows.length - 1]];
    const result = returned.get(last);
    const tags = [];
    if (result) tags.push(result.place === 0 ? texts.bestText : texts.returned(result.place));
    if (tree.fates[last] === finished) tags.push(texts.finished);
    else if (next.length === 0 && left.length > 0 && !result) tags.push(texts.allDropped);
    return {
      id: String(first),
      index: tree.steps[first],
      tokens: rows.map((row) => tokenOf(tree, row)),
      facts: [
        words.firstToken(percent(Math.exp(tree.logProbabilities[first]))),
        words.score(logarithm(scoreOf(last, result?.sequence))),
      ],
      tags,
      marked: winning.has(first),
      use: result
        ? {
            label: texts.use,
            spoken: texts.useWhich(result.place),
            run: () => useSequence(result.sequence),
          }
        : null,
      dropped: left,
      children: next.map(node),
    };
  }

  /** @param {number} row @param {BeamSequence | undefined} sequence */
  const scoreOf = (row, sequence) => sequence?.score ?? tree.scores[row];

  const prompt = {
    id: "prompt",
    index: 0,
    tokens: [],
    facts: [],
    tags: [],
    marked: winning.size > 0,
    use: null,
    dropped: below[0].filter((row) => !alive(row)).map((row) => leftOut(tree, row)),
    children: below[0].filter(alive).map(node),
  };
  return [prompt];
}

/** @param {BeamTree} tree @param {number} row */
function leftOut(tree, row) {
  return {
    token: tokenOf(tree, row),
    index: tree.steps[row],
    facts: [percent(Math.exp(tree.logProbabilities[row])), words.score(logarithm(tree.scores[row]))],
  };
}

/** The search in some sentences. @param {Beams} beams */
export function beamSentence({ tree, sequences, runId, beams, greedy }) {
  if (!tree) return runId === null ? texts.none : texts.begins;
  const steps = (tree.steps.at(-1) ?? 0) + 1;
  const fates = [0, 0, 0];
  tree.fates.forEach((fate) => fates[fate]++);
  const looked = texts.looked(steps, beams, fates[1], fates[0], fates[2]);
  if (!sequences?.[0]) return looked;
  const found = [looked, texts.best(logarithm(sequences[0].score))];
  return [...found, ...(greedy?.ids ? [greedySentence(sequences[0], greedy.ids)] : [])].join(" ");
}

/** @param {BeamSequence} best @param {number[]} greedy */
function greedySentence({ newIds, stopReason }, greedy) {
  // A search that was stopped has not got as far.
  const whole = stopReason === "user" || newIds.length === greedy.length;
  return whole && newIds.every((id, n) => id === greedy[n])
    ? texts.asGreedy(newIds.length)
    : texts.notGreedy;
}

/**
 * A text that the search found, as a text of the page.
 * @param {State} state @param {BeamSequence} sequence @returns {GeneratedText | null}
 */
export function textOfSequence(state, { leaf, stopReason }) {
  const { tree, prompt, model } = state.beams;
  if (!tree || prompt !== state.prompt || model !== modelKey(state.model)) return null;
  const below = continuations(tree);
  const steps = pathTo(tree, leaf).map((row, index) => stepOfRow(tree, row, index, below));
  return { ...newText(state), blocks: appendSteps([], steps), unread: true, reason: stopReason };
}

/** @param {BeamTree} tree @param {number} row @param {number} index @param {number[][]} below @returns {TextStep} */
function stepOfRow(tree, row, index, below) {
  const likelier = below[tree.parents[row]].filter(
    (other) => tree.logProbabilities[other] > tree.logProbabilities[row],
  );
  return {
    index,
    id: tree.tokens.ids[row],
    text: "",
    ...tokenOf(tree, row),
    probability: Math.exp(tree.logProbabilities[row]),
    // The search looks at the likeliest continuations of a beam, so all that are likelier are among them.
    rank: likelier.length,
    forwardMs: 0,
    samplingMs: 0,
    detokenizeMs: 0,
    history: null,
    byHand: true,
  };
}
