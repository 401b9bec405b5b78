/** The part of update() that concerns a run: its start, its pace, its end by clearing the text. Pure. */

import { announce } from "./announce.js";
import { initialBench } from "./bench.js";
import { keepText, noteForUndo } from "./branches.js";
import { applySlowStep } from "./engine-events.js";
import { sameSetting } from "./presets.js";
import { countSteps } from "./text-blocks.js";
import { newText } from "./text-edit.js";
import { words } from "./words/spoken.js";

/** @import { Controls, State } from "./page-types.js" */
/** @import { TextRun } from "./text-types.js" */

/** @param {State} state @returns {State} */
export function withoutRun(state) {
  return { ...state, run: null, slowStep: null };
}

/** @param {State} state @returns {State} */
export function cleared(state) {
  const revision = state.revision + 1;
  const kept = keepText(noteForUndo(withoutRun(state)));
  const rest = { ...kept, revision, textRevision: revision, text: null, look: null, stage: null };
  return announce(rest, words.textCleared);
}

/** @param {State} state @param {"prompt" | "end"} from @returns {State} */
export function runStarted(state, from) {
  const start = from === "end" && state.text ? { ...state.text, reason: null } : newText(state);
  const uncached = state.uncached || (from === "end" && start.uncached);
  const run = { first: countSteps(start.blocks), controls: state.controls, uniform: state.dice, exact: true };
  const handUniform = state.dice ?? start.handUniform;
  const text = { ...start, uncached, handUniform, runs: withRun(start.runs, run) };
  const runId = state.lastRunId + 1;
  const started = {
    ...(text.serial === state.text?.serial ? noteForUndo(state) : keepText(noteForUndo(state))),
    lastSerial: Math.max(state.lastSerial, text.serial),
    look: null,
    revision: state.revision + 1,
    lastRunId: runId,
    run: { runId, status: /** @type {const} */ ("running"), paced: state.pace !== "full", waiting: false },
    slowStep: null,
    text,
    // It decides about one token; those after it have the seed's numbers.
    dice: null,
    comparison: initialBench.comparison,
    diceUsed: text.handUniform,
    stage: /** @type {const} */ ("decode"),
    touched: true,
  };
  return announce(started, from === "end" ? words.goingOn : words.generating);
}

/** What has no effect on the tokens of a run under way. */
const endings = ["rows", "maxNewTokens", "stop", "ignoreEos"];

/** A run with the settings of the one before goes on with it. @param {TextRun[]} runs @param {TextRun} run */
function withRun(runs, run) {
  const before = runs.at(-1);
  const same =
    before?.exact && run.exact && run.uniform === null && sameControls(before.controls, run.controls, ["rows"]);
  return same ? runs : [...runs.filter(({ first }) => first < run.first), run];
}

/** @param {Controls} a @param {Controls} b @param {string[]} but */
function sameControls(a, b, but) {
  const names = /** @type {(keyof Controls)[]} */ (Object.keys(a));
  return a === b || names.every((name) => but.includes(name) || sameSetting(a[name], b[name]));
}

/** New settings while a run is under way govern its next token; which that is, the page knows where the run waits.
 * @param {State} state @param {Controls} controls
 */
export function runsUnder(state, controls) {
  const { text, run, slowStep } = state;
  if (!text || !run || sameControls(state.controls, controls, endings)) return text;
  const first = countSteps(text.blocks) + (slowStep?.event.steps.length ?? 0);
  const exact = run.waiting || slowStep !== null;
  return { ...text, runs: withRun(text.runs, { first, controls, uniform: null, exact }) };
}

/** @param {State} state @param {State["pace"]} pace @returns {State} */
export function paceChosen(state, pace) {
  const settled = { ...applySlowStep(state), pace, touched: true };
  if (!settled.run) return settled;
  const paced = pace !== "full";
  return { ...settled, run: { ...settled.run, paced, waiting: paced } };
}

/** @param {State} state @returns {State} */
export function phaseElapsed(state) {
  const slow = state.slowStep;
  if (!slow) return state;
  if (slow.phase === "pick") return applySlowStep(state);
  const phase = slow.phase === "forward" ? "filter" : "pick";
  return { ...state, slowStep: { ...slow, phase }, distribution: slow.event.distribution ?? state.distribution };
}
