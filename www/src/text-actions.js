/** The part of the actions that concerns the text: looking back at its steps, changing it, going from branch to branch. */

import { canChange, stepsOf, undoList } from "./branches.js";
import { shownIndex } from "./look-back.js";
import { stepOfRow, withToken } from "./text-edit.js";
import { countSteps, stepAt } from "./text-blocks.js";
import { words } from "./words/spoken.js";

/** @import { EngineClient } from "./messages.js" */
/** @import { PageEvent, State } from "./page-types.js" */
/** @import { Distribution, Settings } from "./protocol.js" */
/** @import { GeneratedText, TokenMarks } from "./text-types.js" */

/** A pointer that passes over tokens, or a key that is held down, asks for none of them. */
const lookPauseMs = 60;

/**
 * @param {{
 *   getState: () => State,
 *   dispatch: (event: PageEvent) => void,
 *   client: EngineClient,
 *   sampling: () => { revision: number, settings: Settings, seed: number, rows: number },
 * }} deps
 */
export function createTextActions({ getState, dispatch, client, sampling }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let lookTimer;

  /** @param {string} text */
  const announce = (text) => dispatch({ type: "announced", text });

  /** @param {number} index @param {boolean} pinned */
  function lookAt(index, pinned) {
    const before = getState().look;
    dispatch({ type: "stepLookedAt", index, pinned });
    const { look } = getState();
    if (look === null || look.index === before?.index) return;
    clearTimeout(lookTimer);
    lookTimer = setTimeout(askForRows, lookPauseMs);
  }

  function askForRows() {
    const { look, activeWorkerId, controls } = getState();
    if (look === null || activeWorkerId === null) return;
    dispatch({ type: "lookSent" });
    const { revision } = getState();
    const select = { top: { count: controls.rows } };
    client.send({ type: "show", revision, step: look.index, settings: null, seed: null, select });
  }

  function endLook() {
    clearTimeout(lookTimer);
    dispatch({ type: "lookEnded" });
  }

  /** Puts a text in the place of the present one. @param {GeneratedText | null} text @param {"edit" | "undo" | "redo"} move */
  function setText(text, move) {
    clearTimeout(lookTimer);
    dispatch({ type: "branchSent", text, move });
    const newIds = stepsOf(text).map(({ id }) => id);
    client.send({ type: "branch", newIds, ...sampling() });
  }

  /** @param {"undo" | "redo"} move */
  function travel(move) {
    const state = getState();
    const { past, future } = undoList(state);
    const list = move === "undo" ? past : future;
    if (list.length === 0 || !canChange(state)) return;
    const text = list[list.length - 1];
    setText(text, move);
    const length = text ? countSteps(text.blocks) : null;
    announce(move === "undo" ? words.undone(length) : words.redone(length));
  }

  return {
    /** The pointer rests on a token. While text comes by itself, it would be another token every moment.
     * @param {number} index
     */
    pointAtStep(index) {
      const { run, look } = getState();
      if (look?.pinned || (run && !run.waiting)) return;
      lookAt(index, false);
    },
    leaveSteps() {
      if (getState().look?.pinned === false) endLook();
    },
    /** @param {number} index */
    lookAtStep: (index) => lookAt(index, true),
    endLook,
    /** What a token of the text is called. @param {number} index */
    spokenStep(index) {
      const { text } = getState();
      const step = text && stepAt(text.blocks, index);
      return text && step ? words.step(step, countSteps(text.blocks)) : "";
    },

    /** Puts a row of the bars where their token is, or would be. @param {Distribution} distribution @param {number} row */
    useRow(distribution, row) {
      const state = getState();
      const index = shownIndex({ ...state, distribution });
      if (index === null || !canChange(state)) return;
      const replaced = state.text && stepAt(state.text.blocks, index);
      const step = stepOfRow(distribution, row, index);
      setText(withToken(state, index, step), "edit");
      announce(
        replaced
          ? words.tokenReplaced(index + 1, step.spoken, replaced.spoken)
          : words.tokenPut(index + 1, step.spoken),
      );
    },

    undo: () => travel("undo"),
    redo: () => travel("redo"),

    /** @param {GeneratedText} text */
    useText(text) {
      if (!canChange(getState())) return;
      setText(text, "edit");
      announce(words.textHas(countSteps(text.blocks)));
    },

    clearOldTexts: () => dispatch({ type: "oldTextsCleared" }),
    /** @param {TokenMarks} marks */
    chooseTokenMarks: (marks) => dispatch({ type: "tokenMarksChosen", marks }),
  };
}
