/** Beam search: its fields, and its tree as it grows. Pure; beam-fields.js reads the fields, beam-tree.js the tree. */

import { modelKey } from "./branches.js";

/** @import { State } from "./page-types.js" */
/** @import { BeamTree, Event } from "./protocol.js" */
/** @import { Beams, TextEvent } from "./text-types.js" */

/** @type {Beams} */
export const noBeams = {
  fields: { beams: "3", numReturn: "1", lengthPenalty: "1", earlyStopping: "false", maxNewTokens: "12" },
  runId: null,
  prompt: "",
  model: "",
  beams: 0,
  tree: null,
  sequences: null,
  greedy: null,
};

/** No more texts can be returned than there are beams.
 * @param {State} state @param {Extract<TextEvent, { type: "beamFieldSet" }>} event @returns {State}
 */
export function beamFieldSet(state, { name, value }) {
  const fields = { ...state.beams.fields, [name]: value };
  const numReturn = String(Math.min(Number(fields.numReturn), Number(fields.beams)));
  return { ...state, beams: { ...state.beams, fields: { ...fields, numReturn } } };
}

/** @param {State} state @param {Extract<TextEvent, { type: "beamsSent" }>} event @returns {State} */
export function beamsSent(state, { beams }) {
  const runId = state.lastRunId + 1;
  const greedy = beams === 1 ? { runId: runId + 1, ids: null } : null;
  return {
    ...state,
    lastRunId: greedy?.runId ?? runId,
    beams: {
      fields: state.beams.fields,
      runId,
      prompt: state.prompt,
      model: modelKey(state.model),
      beams,
      tree: null,
      sequences: null,
      greedy,
    },
    touched: true,
  };
}

/** @param {State} state @param {Extract<Event, { type: "beamStepped" }>} event @returns {State} */
export function beamStepped(state, { runId, tree }) {
  const { beams } = state;
  if (runId !== beams.runId) return state;
  return { ...state, beams: { ...beams, tree: beams.tree ? joined(beams.tree, tree) : tree } };
}

/** @param {State} state @param {Extract<Event, { type: "answered" }>} event @returns {State} */
export function beamsAnswered(state, { runId, answer }) {
  const { beams } = state;
  if (answer.method === "beam" && runId === beams.runId) {
    const { tree, sequences } = answer.result;
    return { ...state, beams: { ...beams, runId: null, tree, sequences } };
  }
  if (answer.method === "generate" && runId === beams.greedy?.runId) {
    return { ...state, beams: { ...beams, greedy: { runId, ids: [...answer.result.newIds] } } };
  }
  return state;
}

/** Whoever carried out the search is gone, or has refused it. @param {State} state @returns {State} */
export const withoutSearch = (state) =>
  state.beams.runId === null ? state : { ...state, beams: { ...state.beams, runId: null, greedy: null } };

/** @param {BeamTree} tree @param {BeamTree} part @returns {BeamTree} */
function joined(tree, part) {
  const tokens = {
    ids: Uint32Array.of(...tree.tokens.ids, ...part.tokens.ids),
    text: [...tree.tokens.text, ...part.tokens.text],
    spoken: [...tree.tokens.spoken, ...part.tokens.spoken],
    kind: [...tree.tokens.kind, ...part.tokens.kind],
  };
  return {
    steps: Uint32Array.of(...tree.steps, ...part.steps),
    parents: Uint32Array.of(...tree.parents, ...part.parents),
    tokens,
    logProbabilities: Float64Array.of(...tree.logProbabilities, ...part.logProbabilities),
    sums: Float64Array.of(...tree.sums, ...part.sums),
    scores: Float64Array.of(...tree.scores, ...part.scores),
    fates: Uint8Array.of(...tree.fates, ...part.fates),
  };
}
