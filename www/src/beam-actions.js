/** What the controls of beam search do. */

import { textOfSequence } from "./beam-tree.js";
import { readBeamFields } from "./beam-fields.js";
import { words } from "./words/tree.js";

/** @import { LabParts } from "./panels.js" */
/** @import { BeamSequence } from "./protocol.js" */
/** @import { BeamFields } from "./text-types.js" */

/** @typedef {ReturnType<typeof createBeamActions>} BeamActions */

/** @param {LabParts} parts */
export function createBeamActions({ getState, dispatch, eachChange, client, actions }) {
  eachChange(({ beams }, { beams: before }) => {
    const { sequences, runId } = beams;
    const ended = before.runId !== null && runId === null && sequences !== null;
    if (ended) dispatch({ type: "announced", text: words.beams.ended(sequences.length) });
  });

  return {
    /** @param {keyof BeamFields} name @param {string} value */
    setBeamField: (name, value) => dispatch({ type: "beamFieldSet", name, value }),

    runBeams() {
      const { beams, prompt, activeWorkerId } = getState();
      const read = readBeamFields(beams.fields);
      if ("fault" in read || activeWorkerId === null || prompt === "" || beams.runId !== null) return;
      dispatch({ type: "beamsSent", beams: read.options.beams });
      const { runId, greedy } = getState().beams;
      if (runId === null) return;
      const call = { method: /** @type {const} */ ("beam"), prompt: { text: prompt }, ...read.options };
      client.send({ type: "call", runId, call });
      if (!greedy) return;
      const limits = { maxNewTokens: read.options.maxNewTokens };
      const beside = { method: /** @type {const} */ ("generate"), prompt: { text: prompt }, settings: { greedy: true }, seed: 0, limits };
      client.send({ type: "call", runId: greedy.runId, call: beside });
    },

    stopBeams() {
      const { runId } = getState().beams;
      if (runId !== null) client.send({ type: "stop", runId });
    },

    /** @param {BeamSequence} sequence */
    useSequence(sequence) {
      const text = textOfSequence(getState(), sequence);
      if (text) actions.useText(text);
    },
  };
}
