/** The part of update() that concerns the text: its steps looked back at, its branches, beam searches beside it. Pure. */

import { beamFieldSet, beamsSent, noBeams } from "./beams.js";
import { initialBench } from "./bench.js";
import { branchSent, withoutOldTexts } from "./branches.js";
import { lookSent, stepLookedAt } from "./look-back.js";

/** @import { State } from "./page-types.js" */
/** @import { TextEvent } from "./text-types.js" */

/** @satisfies {Partial<State>} */
export const initialTextState = {
  text: null,
  lastSerial: 0,
  /** @type {State["branches"]} */
  branches: [],
  undo: { prompt: "", model: "", past: [], future: [] },
  look: null,
  tokenMarks: /** @type {const} */ ("off"),
  beams: noBeams,
};

/** @param {State} state @param {TextEvent} event @returns {State} */
export function updateText(state, event) {
  switch (event.type) {
    case "stepLookedAt":
      return stepLookedAt(state, event);
    case "lookSent":
      return lookSent(state);
    case "lookEnded":
      return state.look ? { ...state, look: null } : state;
    case "branchSent": {
      const { serial = 0, handUniform = null } = event.text ?? {};
      const lastSerial = Math.max(state.lastSerial, serial);
      // A number that is set by hand, and a comparison, belong to the step that they were made for.
      const { comparison } = initialBench;
      return { ...branchSent(state, event), lastSerial, dice: null, diceUsed: handUniform, comparison };
    }
    case "oldTextsCleared":
      return withoutOldTexts(state);
    case "tokenMarksChosen":
      return { ...state, tokenMarks: event.marks };
    case "beamFieldSet":
      return beamFieldSet(state, event);
    case "beamsSent":
      return beamsSent(state, event);
  }
}
