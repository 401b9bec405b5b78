/**
 * Watches the page's runs: takes the times of each when it has ended, and counts the frames in which its text grew. What a
 * run brings between two frames is painted together, so that chunks painted are not tokens made.
 */

import { countSteps } from "../text-blocks.js";

/** @import { TimingLab } from "../lab-types.js" */
/** @import { State } from "../page-types.js" */

/** @param {State["text"]} text */
const made = (text) => (text ? countSteps(text.blocks) : 0);

/** What there is to show of a run that has ended. @param {State} state @returns {Omit<TimingLab, "paints"> | null} */
export function lastRun({ run, text, model }) {
  if (run !== null || !text?.summary || text.reason === null || model === null) return null;
  return { timing: text.summary.timing, model, reason: text.reason };
}

/** @param {(run: TimingLab) => void} tell with each run that has ended, once its last token is painted */
export function createRunWatch(tell) {
  /** The run that is followed, and how much of its text has been painted.
   * @type {{ runId: number, serial: number, seen: number, paints: number, tokens: number } | null}
   */
  let followed = null;
  /** One that has ended since the last frame. @type {Omit<TimingLab, "paints"> | null} */
  let ended = null;

  return {
    /** To be called at each change of the state. @param {State} state @param {State} before */
    changed(state, before) {
      if (state.run !== null && state.run.runId !== before.run?.runId) {
        const { runId } = state.run;
        followed = { runId, serial: state.text?.serial ?? 0, seen: made(state.text), paints: 0, tokens: 0 };
      }
      if (before.run !== null && state.run === null) ended = lastRun(state);
    },

    /** To be called with each frame. @param {State} state */
    painted({ text }) {
      const steps = made(text);
      if (followed !== null && text?.serial === followed.serial && steps > followed.seen) {
        followed.paints += 1;
        followed.tokens += steps - followed.seen;
        followed.seen = steps;
      }
      if (ended === null) return;
      const { paints = 0, tokens = 0 } = followed ?? {};
      const complete = tokens > 0 && tokens === ended.timing.latency.outputTokens;
      tell({ ...ended, paints: complete ? { paints, tokens } : null });
      followed = null;
      ended = null;
    },
  };
}
