/**
 * The page's state as a pure function of events: no clock, no DOM, no worker. A recorded list of events is a test.
 * Events of a stale revision or run are dropped here (engine-events.js for those of the engine), and nowhere else.
 */

import { announce } from "./announce.js";
import { initialBench, updateBench } from "./bench.js";
import { defaultControls, parseControl, withValue } from "./controls.js";
import { activate, addProblem, updateFromWorker } from "./engine-events.js";
import { initialExample } from "./example.js";
import { updatePanels } from "./panel-state.js";
import { cleared, paceChosen, phaseElapsed, runStarted, runsUnder, withoutRun } from "./run-state.js";
import { initialTextState, updateText } from "./text-state.js";
import { words } from "./words/spoken.js";

/** @import { Catalogue, Controls, PageEvent, State } from "./page-types.js" */

/** @type {State} */
export const initialState = {
  catalogue: null,
  origins: {},
  only: null,
  loads: [],
  activeWorkerId: null,
  model: null,
  saved: {
    models: null,
    trouble: null,
    usageBytes: null,
    quotaBytes: null,
    persisted: null,
    checks: {},
    confirming: null,
  },
  source: null,
  options: {},
  touched: false,
  relaxedSimd: false,
  uncached: false,
  prompt: "",
  revision: 0,
  textRevision: 0,
  promptRevision: 0,
  promptSent: "",
  tokens: null,
  tokenizeMs: null,
  prefill: null,
  distribution: null,
  memory: null,
  controls: defaultControls,
  typed: {},
  faults: {},
  presetUndo: null,
  showMore: false,
  banLookup: null,
  tokenNames: {},
  ...initialBench,
  example: initialExample,
  pace: "full",
  run: null,
  lastRunId: 0,
  slowStep: null,
  ...initialTextState,
  stage: null,
  showIds: false,
  showBoundaries: true,
  showTokenTable: false,
  focusedToken: 0,
  inspectRevision: 0,
  inspection: null,
  problems: [],
  restarting: false,
  ignoredFromLink: [],
  linkPanel: null,
  openPanels: [],
  panelCode: {},
  ab: null,
  precisionLab: null,
  abLink: null,
  batchLab: null,
  scoresLab: null,
  cacheLab: null,
  memoryLab: null,
  notebook: { notes: "", entries: {} },
  notebookTrouble: null,
  sheet: null,
  sheets: null,
  timingLab: null,
  recordsLab: null,
  copied: null,
  offline: "unknown",
  update: "none",
  clock: null,
  announcement: { count: 0, text: "", recent: [] },
};

/**
 * @param {State} state
 * @param {PageEvent} event
 * @returns {State}
 */
export function update(state, event) {
  switch (event.type) {
    case "worker":
      return updateFromWorker(state, event);
    case "catalogueLoaded":
      return catalogueLoaded(state, event.catalogue, event.only);
    case "originFound":
      return { ...state, origins: { ...state.origins, [event.id]: event.origin } };
    case "loadStarted":
      return loadStarted(state, event);
    case "loadGivenUp":
      return { ...state, loads: state.loads.filter((load) => load.workerId !== event.workerId) };
    case "modelActivated":
      return activate(state, event.workerId);
    case "touched":
      return state.touched ? state : { ...state, touched: true };

    case "browserProbed":
      return { ...state, relaxedSimd: event.relaxedSimd };

    case "promptEdited":
      return promptEdited(state, event.text);
    case "prepareSent":
      return prepareSent(state);
    case "configureSent":
      return { ...state, revision: state.revision + 1 };
    case "clearSent":
      return cleared(state);
    case "runStarted":
      return runStarted(state, event.from);
    case "advanceSent":
      return state.run ? { ...state, run: { ...state.run, waiting: false } } : state;
    case "stopSent":
      return state.run ? { ...state, run: { ...state.run, status: "stopping", waiting: false } } : state;
    case "paceChosen":
      return paceChosen(state, event.pace);
    case "phaseElapsed":
      return phaseElapsed(state);

    case "controlTyped":
      return controlTyped(state, event);
    case "controlLeft":
      return controlLeft(state, event.name);
    case "controlsSet":
      return { ...withControls(state, event.values), touched: true };
    case "presetChosen":
      return presetChosen(state, event.values);
    case "presetUndone":
      return { ...withControls(state, state.presetUndo?.before ?? {}), presetUndo: null };
    case "moreToggled":
      return state.showMore === event.open ? state : { ...state, showMore: event.open };
    case "banTyped":
      return banTyped(state, event.text);
    case "banLookupSent":
      return state.banLookup
        ? { ...state, lastRunId: state.lastRunId + 1, banLookup: { ...state.banLookup, runId: state.lastRunId + 1 } }
        : state;

    case "linkOpened":
      return linkOpened(state, event);
    case "linkNoticeDismissed":
      return { ...state, ignoredFromLink: [] };
    case "copied": {
      const { type: _, spoken, ...copied } = event;
      return announce({ ...state, copied }, spoken);
    }
    case "panelToggled":
    case "panelCodeChanged":
    case "panelsKept":
    case "allPanelsShown":
    case "sheetShown":
      return updatePanels(state, event);
    case "abChanged":
      return { ...state, ab: event.ab, abLink: event.link };
    case "labChanged":
      return { ...state, [event.name]: event.value };

    case "cacheChosen":
      return { ...state, uncached: event.uncached, touched: true };

    case "idsToggled":
      return { ...state, showIds: !state.showIds };
    case "boundariesToggled":
      return { ...state, showBoundaries: !state.showBoundaries };
    case "tokenTableToggled":
      return state.showTokenTable === event.open ? state : { ...state, showTokenTable: event.open };
    case "tokenFocused":
      return { ...state, focusedToken: event.position };
    case "inspectSent":
      return {
        ...state,
        revision: state.revision + 1,
        inspectRevision: state.revision + 1,
        inspection: { position: event.position, result: null },
      };
    case "inspectionClosed":
      return { ...state, inspection: null };

    case "savedChanged":
      return savedChanged(state, event.change);
    case "copyChecked":
      return savedChanged(state, { checks: { ...state.saved.checks, [event.id]: event.check } });

    case "problemFound":
      // With something to retry, nothing is under way by itself any more.
      return addProblem(
        { ...state, restarting: state.restarting && event.retry === null },
        event.error,
        event.retry,
      );
    case "problemDismissed":
      return { ...state, problems: state.problems.filter((problem) => problem.id !== event.id) };
    case "offlineChanged":
      return { ...state, offline: event.offline };
    case "updateFound":
      return state.update === "none"
        ? announce({ ...state, update: "ready" }, words.newVersion)
        : state;
    case "updateDismissed":
      return { ...state, update: "later" };
    case "clockMeasured":
      return { ...state, clock: { stepMs: event.stepMs, isolated: event.isolated } };
    case "announced":
      return announce(state, event.text);
    case "stepLookedAt":
    case "lookSent":
    case "lookEnded":
    case "branchSent":
    case "oldTextsCleared":
    case "tokenMarksChosen":
    case "beamFieldSet":
    case "beamsSent":
      return updateText(state, event);
    default:
      return updateBench(state, event);
  }
}

/** @param {State} state @param {Catalogue} catalogue @param {string | null} only */
function catalogueLoaded(state, catalogue, only) {
  const entry = catalogue.models.find((model) => model.id === only) ?? catalogue.models[0];
  const prompt = state.prompt === "" && !state.touched ? (entry?.prompts[0] ?? "") : state.prompt;
  return { ...state, catalogue, only, prompt };
}

/** @param {State} state @param {Extract<PageEvent, { type: "loadStarted" }>} event @returns {State} */
function loadStarted(state, { workerId, entryId, title, source, options, activate }) {
  /** @type {State["loads"][number]} */
  const load = {
    workerId,
    entryId,
    title,
    source,
    options,
    activate,
    phase: "starting",
    loadedBytes: 0,
    totalBytes: null,
    bytesPerSecond: null,
    retryInMs: null,
    model: null,
  };
  return { ...state, loads: [...state.loads, load] };
}

/** What is kept of the model in use may have changed with it.
 * @param {State} state @param {Partial<State["saved"]>} change @returns {State}
 */
function savedChanged(state, change) {
  const { model } = state;
  const saved = { ...state.saved, ...change };
  if (!change.models || model?.id === null || model?.origin === "files") return { ...state, saved };
  const kept = change.models.some(({ id }) => id === model?.id);
  return { ...state, saved, model: model && model.kept !== kept ? { ...model, kept } : model };
}

/** @param {State} state @param {string} prompt @returns {State} */
function promptEdited(state, prompt) {
  if (prompt === state.prompt) return state;
  const text = state.text && { ...state.text, stale: true, canContinue: false };
  const edited = { ...state, prompt, text, look: null, inspection: null, copied: null };
  if (prompt !== "") return edited;
  // The engine is not asked about an empty prompt, so nothing else would take the old tokens and bars away.
  return {
    ...withoutRun(edited),
    tokens: null,
    tokenizeMs: null,
    prefill: null,
    distribution: null,
    stage: null,
  };
}

/** @param {State} state @returns {State} */
function prepareSent(state) {
  const revision = state.revision + 1;
  return {
    ...withoutRun(state),
    revision,
    promptRevision: revision,
    promptSent: state.prompt,
    textRevision: revision,
    // The engine forgets what it generated when it prepares a prompt.
    text: state.text && { ...state.text, stale: true, canContinue: false },
    stage: "tokenize",
    inspection: null,
    look: null,
    focusedToken: 0,
  };
}

/** @param {State} state @param {Extract<PageEvent, { type: "controlTyped" }>} event @returns {State} */
function controlTyped(state, { name, text }) {
  const parsed = parseControl(name, text, state.controls.boundary);
  const typed = { ...state.typed, [name]: text };
  if ("fault" in parsed) {
    return { ...state, typed, faults: { ...state.faults, [name]: parsed.fault }, touched: true };
  }
  const changed = withControls(state, withValue(state.controls, name, parsed.value));
  return { ...changed, typed, touched: true };
}

/** A good value is written in its usual form again; a bad one stays, with its sentence, until it is mended.
 * @param {State} state @param {keyof Controls} name @returns {State}
 */
function controlLeft(state, name) {
  if (state.faults[name] !== undefined || state.typed[name] === undefined) return state;
  const { [name]: _, ...typed } = state.typed;
  return { ...state, typed };
}

/** @param {State} state @param {Partial<Controls>} values @returns {State} */
function withControls(state, values) {
  const typed = { ...state.typed };
  const faults = { ...state.faults };
  for (const name of /** @type {(keyof Controls)[]} */ (Object.keys(values))) {
    delete typed[name];
    delete faults[name];
  }
  // Whoever sets the seed wants its numbers.
  const dice = values.seed === undefined ? state.dice : null;
  const controls = { ...state.controls, ...values };
  return { ...state, controls, text: runsUnder(state, controls), typed, faults, dice, copied: null };
}

/** Presets that were only looked at, one after another, are one step back.
 * @param {State} state @param {Partial<Controls>} values @returns {State}
 */
function presetChosen(state, values) {
  const { presetUndo, controls } = state;
  const before = presetUndo?.after === controls ? presetUndo.before : controls;
  const chosen = withControls(state, values);
  return { ...chosen, presetUndo: { before, after: chosen.controls }, touched: true };
}

/** @param {State} state @param {string} text @returns {State} */
function banTyped(state, text) {
  if (text === "") return { ...state, banLookup: null };
  // The tokens of the text before stay until the new ones are known.
  return { ...state, banLookup: { runId: 0, tokens: null, ...state.banLookup, text }, touched: true };
}

/** @param {State} state @param {Extract<PageEvent, { type: "linkOpened" }>} link @returns {State} */
function linkOpened(state, { prompt, values, options, uncached = false, panel, abLink, sheet, ignored }) {
  const prompted = prompt === null ? state : promptEdited(state, prompt);
  return {
    // A link names only what differs from a fresh page.
    ...withControls(prompted, { ...defaultControls, ...values }),
    presetUndo: null,
    options,
    uncached,
    linkPanel: panel,
    sheet: sheet ?? state.sheet,
    openPanels: panel === null ? state.openPanels : [...new Set([...state.openPanels, panel])],
    // A link that names a pair starts the panel anew.
    ...(abLink ? { ab: null, abLink } : {}),
    ignoredFromLink: ignored,
  };
}
