/** The half of update() that concerns what workers say. Pure, like the rest of it. */

import { announce } from "./announce.js";
import { beamsAnswered, beamStepped, withoutSearch } from "./beams.js";
import { drawn, shownOrCompared, withoutTokens } from "./bench.js";
import { keepText } from "./branches.js";
import { exampleAnswered, exampleFailed } from "./example.js";
import { shown } from "./look-back.js";
import { foreignTokenizerFault, selfTestFault } from "./models/checks.js";
import { appendSteps, appendText } from "./text-blocks.js";
import { withTexts } from "./text-edit.js";
import { words as common } from "./words/common.js";
import { words } from "./words/spoken.js";

/** @import { FromWorker, LoadedModel, LoadOptions, ModelSource, PageError, WorkerEvent } from "./messages.js" */
/** @import { Event, Step } from "./protocol.js" */
/** @import { Load, State } from "./page-types.js" */
/** @import { MadeOn } from "./text-types.js" */

/** A newer problem of the same kind takes the place of the older.
 * @param {State} state @param {PageError} error @param {ModelSource | null} retry
 * @param {LoadOptions} [options] of the load that can be tried again
 * @param {number | null} [workerId] of the loaded model that it is about
 * @returns {State}
 */
export function addProblem(state, error, retry, options = state.options, workerId = null) {
  const id = Math.max(0, ...state.problems.map((problem) => problem.id)) + 1;
  const others = state.problems.filter((problem) => problem.error.code !== error.code);
  return announce({ ...state, problems: [...others, { id, error, retry, options, workerId }] }, error.message);
}

/** Takes away the problems that a success shows to be over. Not sooner: while somebody mends a prompt letter by letter,
 * the problem must not come and go.
 * @param {State} state @returns {State}
 */
function withoutEngineProblems(state) {
  const passing = ["context", "numeric", "settings", "compute"];
  const problems = state.problems.filter(
    ({ error, retry }) => retry !== null || !passing.includes(error.code),
  );
  return problems.length === state.problems.length ? state : { ...state, problems };
}

/**
 * @param {State} state
 * @param {FromWorker} message
 * @returns {State}
 */
export function updateFromWorker(state, { workerId, event }) {
  switch (event.type) {
    case "ready":
    case "pong":
      return state;
    case "loadProgress": {
      const { phase, loadedBytes, totalBytes, bytesPerSecond, retryInMs } = event;
      return withLoad(state, workerId, { phase, loadedBytes, totalBytes, bytesPerSecond, retryInMs });
    }
    case "loaded":
      return loaded(state, workerId, event);
    case "loadCancelled":
      return withoutLoad(state, workerId);
    case "loadFailed":
    case "crashed":
      return lost(state, workerId, event);
    default:
      return workerId === state.activeWorkerId ? updateFromEngine(state, event) : state;
  }
}

/** @param {State} state @param {number} workerId @param {Partial<Load>} change @returns {State} */
function withLoad(state, workerId, change) {
  const loads = state.loads.map((load) => (load.workerId === workerId ? { ...load, ...change } : load));
  return { ...state, loads };
}

/** @param {State} state @param {number} workerId @returns {State} */
function withoutLoad(state, workerId) {
  return { ...state, loads: state.loads.filter((load) => load.workerId !== workerId) };
}

/** @param {State} state @param {number} workerId @param {Extract<WorkerEvent, { type: "loaded" }>} event */
function loaded(state, workerId, { model }) {
  const load = state.loads.find((candidate) => candidate.workerId === workerId);
  if (!load) return state;
  if (model.selfTest?.passed === false) return doubted(state, load, model);
  const ready = withLoad(state, workerId, { phase: "ready", model });
  const needed = load.activate === "always" || state.activeWorkerId === null;
  const now = needed || (load.activate === "untouched" && !state.touched);
  return now ? activate(ready, workerId) : announce(ready, words.readyToSwitch(model.title));
}

/** A model that this browser computes wrongly waits for the student to say whether to use it all the same.
 * @param {State} state @param {Load} load @param {LoadedModel} model
 */
function doubted(state, { workerId, options }, model) {
  const ready = withLoad({ ...state, restarting: false }, workerId, { phase: "ready", model, activate: "ask" });
  return addProblem(ready, selfTestFault(model), null, options, workerId);
}

/**
 * Puts a loaded model to use. The prompt stays; the text belonged to the model before.
 * @param {State} state
 * @param {number} workerId
 * @returns {State}
 */
export function activate(state, workerId) {
  const load = state.loads.find((candidate) => candidate.workerId === workerId);
  if (!load?.model) return state;
  const { model, source, options } = load;
  const same = state.model !== null && state.model.title === model.title && state.model.base === model.base;
  // What was said of another model is of no use any more.
  const problems = state.problems.filter(({ error }) => error.code !== "foreignTokenizer");
  const activated = {
    ...withoutLoad(withoutEngineProblems(withoutSearch({ ...(same ? state : keepText(state)), problems })), workerId),
    activeWorkerId: workerId,
    model,
    source,
    options,
    restarting: false,
    tokens: null,
    tokenizeMs: null,
    prefill: null,
    distribution: null,
    memory: model.card.memory,
    run: null,
    slowStep: null,
    inspection: null,
    // Another model's ids can be other tokens.
    banLookup: null,
    tokenNames: {},
    ...withoutTokens,
    look: null,
    stage: null,
    text: same ? state.text : null,
  };
  const fault = foreignTokenizerFault(model, state.catalogue);
  const told = announce(activated, words.ready(model.title));
  return fault === null ? told : addProblem(told, fault, null);
}

/** A load that came to nothing, or a worker that died.
 * @param {State} state @param {number} workerId
 * @param {Extract<WorkerEvent, { type: "loadFailed" | "crashed" }>} event
 * @returns {State}
 */
function lost(state, workerId, { error }) {
  const load = state.loads.find((candidate) => candidate.workerId === workerId);
  if (load) {
    return addProblem({ ...withoutLoad(state, workerId), restarting: false }, error, load.source, load.options);
  }
  if (workerId !== state.activeWorkerId) return state;
  return {
    ...withoutSearch(state),
    activeWorkerId: null,
    restarting: true,
    look: null,
    run: null,
    slowStep: null,
    stage: null,
    text: state.text && { ...state.text, stale: true, canContinue: false },
  };
}

/** @param {State} state @param {Event} event @returns {State} */
function updateFromEngine(state, event) {
  switch (event.type) {
    case "tokenized":
      if (event.revision !== state.promptRevision) return state;
      return { ...state, tokens: event.tokens, tokenizeMs: event.tokenizeMs, stage: "prefill" };
    case "prefilled": {
      // Clearing the text runs only the head again; its time is not that of the prompt.
      if (event.revision === state.textRevision && event.revision !== state.promptRevision) {
        return { ...state, memory: event.memory };
      }
      if (event.revision !== state.promptRevision) return state;
      const { tokens, reusedTokens, prefillMs: ms, memory } = event;
      return { ...state, prefill: { tokens, reusedTokens, ms }, memory, stage: state.run ? "decode" : null };
    }
    case "previewed":
      // An older preview of the present text is still true of its settings, and keeps the bars moving under a slider.
      if (event.revision < state.textRevision) return state;
      return { ...withoutEngineProblems(state), distribution: event.distribution };
    case "stepped":
      return stepped(state, event);
    case "inspected": {
      const { inspection } = state;
      if (event.revision !== state.inspectRevision || inspection?.position !== event.position) return state;
      const { distribution, nextId, shapes } = event;
      return { ...state, inspection: { ...inspection, result: { distribution, nextId, shapes } } };
    }
    case "stopped":
      return stopped(state, event);
    case "failed":
      return failed(state, event);
    case "answered":
      return exampleAnswered(beamsAnswered(drawn(lookedUp(state, event), event), event), event);
    case "branched": {
      const { text, textRevision } = state;
      if (!text?.unread || event.revision !== textRevision) return state;
      return { ...state, text: withTexts(text, event.texts) };
    }
    case "shown":
      return shownOrCompared(shown(state, event), event);
    case "compared":
      return shownOrCompared(state, event);
    case "beamStepped":
      return beamStepped(state, event);
    case "callStepped":
    case "callProgressed":
      return state;
  }
}

/** @param {State} state @param {Extract<Event, { type: "stepped" }>} event @returns {State} */
function stepped(state, event) {
  if (event.runId !== state.run?.runId) return state;
  const settled = applySlowStep(state);
  // Bars alone, which catch up with tokens that are already shown, are no step.
  if (settled.run?.paced && settled.pace === "three" && event.steps.length > 0) {
    return { ...settled, slowStep: { phase: "forward", event, stopped: null } };
  }
  return applyStep(settled, event);
}

/** @param {State} state @param {Extract<Event, { type: "stepped" }>} event @returns {State} */
function applyStep(state, { steps, distribution, memory }) {
  const { run, text } = state;
  if (!run || !text) return state;
  const waiting = run.paced && run.status === "running";
  const decodeMs = steps.reduce((sum, step) => sum + decodeMsOf(step), text.decodeMs);
  const decodeSteps = text.decodeSteps + steps.filter(({ index }) => index > 0).length;
  return {
    ...withoutEngineProblems(state),
    text: steps.length === 0 ? text : { ...text, blocks: appendSteps(text.blocks, steps), decodeMs, decodeSteps },
    // At full speed not every event has bars; the ones before stay until the next.
    distribution: distribution ?? state.distribution,
    memory,
    run: run.waiting === waiting ? run : { ...run, waiting },
  };
}

/** The first token comes from the prefill's logits. @param {Step} step */
const decodeMsOf = ({ index, forwardMs, samplingMs }) => (index === 0 ? 0 : forwardMs + samplingMs);

/** Shows at once what is left of a step that was being shown slowly, and the end of the run if it came meanwhile.
 * @param {State} state @returns {State}
 */
export function applySlowStep(state) {
  const slow = state.slowStep;
  if (!slow) return state;
  const applied = applyStep({ ...state, slowStep: null }, slow.event);
  return slow.stopped ? endRun(applied, slow.stopped) : applied;
}

/** @param {State} state @param {Extract<Event, { type: "stopped" }>} event @returns {State} */
function stopped(state, event) {
  if (event.runId !== state.run?.runId) return state;
  if (state.slowStep && event.reason !== "user") {
    return { ...state, slowStep: { ...state.slowStep, stopped: event } };
  }
  return endRun(applySlowStep(state), event);
}

/** @param {State} state @param {Extract<Event, { type: "stopped" }>} event @returns {State} */
function endRun(state, { reason, summary }) {
  const ended = {
    ...state,
    run: null,
    stage: /** @type {const} */ ("text"),
    text: state.text && {
      ...state.text,
      blocks: appendText(state.text.blocks, summary.finalText),
      reason,
      summary,
      canContinue: summary.canContinue,
      madeOn: madeOn(state),
    },
  };
  return announce(ended, words.stopped(summary.newTokens, common.stopReasons[reason]));
}

/** @param {State} state @returns {MadeOn} */
const madeOn = ({ model, tokens, tokenizeMs, prefill }) => ({ model, tokens, tokenizeMs, prefillMs: prefill?.ms ?? null });

/** @param {State} state @param {Extract<Event, { type: "answered" }>} event @returns {State} */
function lookedUp(state, { runId, answer }) {
  if (answer.method !== "tokenize" || runId !== state.banLookup?.runId) return state;
  const { ids, text, spoken } = answer.tokens;
  const tokenNames = { ...state.tokenNames };
  ids.forEach((id, n) => (tokenNames[id] = { text: text[n], spoken: spoken[n] }));
  return { ...state, banLookup: { ...state.banLookup, tokens: answer.tokens }, tokenNames };
}

/** @param {State} state @param {Extract<Event, { type: "failed" }>} event @returns {State} */
function failed(state, { runId, revision, error }) {
  const example = exampleFailed(state, runId, error);
  if (example !== state) return example;
  if (runId !== null && (runId === state.beams.runId || runId === state.beams.greedy?.runId)) {
    return addProblem(withoutSearch(state), error, null);
  }
  // The step's token is not read yet; what is known of it stays.
  if (revision !== null && revision === state.look?.revision && error.code === "context") return state;
  const ours =
    runId !== null ? runId === state.run?.runId : revision === null || revision >= state.textRevision;
  if (!ours) return state;
  const settled = applySlowStep(state);
  const ended = { ...addProblem(settled, error, null), stage: null };
  if (runId !== null) return { ...ended, run: null };
  if (revision === state.inspectRevision) return { ...ended, inspection: null };
  // A prompt that could not be prepared has no prediction; the bars of the prompt before would be a lie.
  return revision === state.promptRevision ? { ...ended, distribution: null, prefill: null } : ended;
}
