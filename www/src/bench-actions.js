/** The part of the actions that looks closer at one sampling step. */

import { selectOf } from "./bench.js";
import { uniformText } from "./format.js";
import { words } from "./words/spoken.js";

/** @import { EngineClient } from "./messages.js" */
/** @import { ChosenToken, ExtraColumn, Finder, PageEvent, State } from "./page-types.js" */
/** @import { Settings } from "./protocol.js" */

const typingPauseMs = 150;
export const manyDraws = 1000;

/**
 * @param {{
 *   getState: () => State,
 *   dispatch: (event: PageEvent) => void,
 *   client: EngineClient,
 *   settings: () => Settings,
 *   configureSoon: () => void,
 *   speakAfterPause: (what: string | null) => void,
 * }} deps
 */
export function createBenchActions({ getState, dispatch, client, settings, configureSoon, speakAfterPause }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typingTimer;

  /** Step, settings and seed are those of the bars, which may be looking back. */
  const ofTheBars = () => ({ step: getState().look?.index ?? null, settings: null, seed: null });

  /** Whether there is a step to look at. While a run goes on, it would be another with every token; while a prompt is being
   * read, the engine has none.
   */
  function isResting() {
    const { distribution, run, stage } = getState();
    return distribution !== null && run === null && stage !== "tokenize" && stage !== "prefill";
  }

  function compare() {
    const [first, second] = getState().chosen;
    if (!isResting() || second === undefined) return;
    dispatch({ type: "compareSent" });
    const { revision } = getState();
    client.send({ type: "compare", revision, ...ofTheBars(), firstId: first.id, secondId: second.id });
  }

  function find() {
    const select = selectOf(getState().finder);
    if (!isResting() || select === null) return;
    dispatch({ type: "finderSent" });
    client.send({ type: "show", revision: getState().revision, ...ofTheBars(), select });
  }

  /** @param {{ by?: Finder["by"], text?: string }} what */
  function typeFinder(what) {
    dispatch({ type: "finderTyped", ...what });
    clearTimeout(typingTimer);
    typingTimer = setTimeout(find, typingPauseMs);
  }

  return {
    /** Asks again for what belongs to the bars, when they have changed and rest. @param {State} state @param {State} before */
    followBars(state, before) {
      // Another text has no bars yet; they come.
      if (!state.benchOpen || state.run !== null || state.textRevision !== before.textRevision) return;
      const sameStep = state.look?.index === before.look?.index;
      if (sameStep && state.distribution === before.distribution && state.run === before.run) return;
      compare();
      // A slider at work changes the bars with every frame.
      clearTimeout(typingTimer);
      typingTimer = setTimeout(find, typingPauseMs);
    },

    /** @param {boolean} open */
    toggleBench(open) {
      dispatch({ type: "benchToggled", open });
      if (!open) return;
      compare();
      find();
    },

    /** @param {ExtraColumn} column */
    toggleColumn: (column) => dispatch({ type: "columnToggled", column }),

    /** @param {number | null} uniform null: the seed's number again */
    moveDice(uniform) {
      const { dice, run, controls } = getState();
      if (uniform === dice || run !== null || controls.greedy) return;
      dispatch({ type: "diceMoved", uniform });
      configureSoon();
      speakAfterPause(uniform === null ? words.seedsNumberAgain : uniformText(uniform));
    },

    /** @param {ChosenToken} token */
    chooseToken(token) {
      dispatch({ type: "tokenChosen", token });
      compare();
    },

    typeFinder,
    /** @param {number} first a rank, from 0 */
    showRanks: (first) => typeFinder({ by: "rank", text: String(Math.max(0, first) + 1) }),

    /** Many draws from the distribution of the bars. @param {boolean} fresh with a fresh seed, not the page's */
    drawMany(fresh) {
      if (!isResting()) return;
      dispatch({ type: "drawsSent" });
      const { lastRunId: runId, controls } = getState();
      const seed = fresh ? crypto.getRandomValues(new Uint32Array(1))[0] : controls.seed;
      client.send({ type: "call", runId, call: { method: "draws", settings: settings(), seed, draws: manyDraws } });
    },
  };
}
