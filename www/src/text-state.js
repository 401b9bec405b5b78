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

/** A number that was set by hand, and a comparison, belong to the step that they were made for. @satisfies {Partial<State>} */
const fromTheSeed = { dice: null, diceUsed: null, comparison: initialBench.comparison };

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
      const sent = { ...branchSent(state, event), ...fromTheSeed };
      return { ...sent, lastSerial: Math.max(state.lastSerial, event.text?.serial ?? 0) };
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
