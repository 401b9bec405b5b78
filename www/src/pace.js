/**
 * The clock of "3 a second": asks for a token every 333 ms and moves the page through the phases of each step.
 * It only waits and dispatches. Times that the page shows come from the engine, so no pause is in any of them.
 */

/** @import { PageEvent, State } from "./page-types.js" */

const stepMs = 333;
const phaseMs = 80;

/**
 * @param {{ dispatch: (event: PageEvent) => void, advance: () => void }} deps
 * @returns {(state: State) => void} to be called at each change of state
 */
export function createPacer({ dispatch, advance }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let phaseTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let advanceTimer;
  let lastStepAt = 0;

  return function follow({ run, slowStep, pace }) {
    if (slowStep && phaseTimer === undefined) {
      if (slowStep.phase === "forward") lastStepAt = performance.now();
      phaseTimer = setTimeout(() => {
        phaseTimer = undefined;
        dispatch({ type: "phaseElapsed" });
      }, phaseMs);
    }
    const due = run !== null && run.status === "running" && run.waiting && pace === "three";
    if (due && advanceTimer === undefined) {
      const wait = Math.max(0, lastStepAt + stepMs - performance.now());
      advanceTimer = setTimeout(() => {
        advanceTimer = undefined;
        advance();
      }, wait);
    }
    if (!due && advanceTimer !== undefined) {
      clearTimeout(advanceTimer);
      advanceTimer = undefined;
    }
  };
}
