/** What a view can ask for: each action dispatches what happened and sends the worker its command. */

import { defaultControls, toLimits, toSettings } from "./controls.js";
import { setting, spokenDistribution, spokenTopFive } from "./format.js";
import { toFragment } from "./url-state.js";

/** @import { EngineClient } from "./messages.js" */
/** @import { Controls, NumberControl, PaceChoice, PageEvent, Problem, State } from "./page-types.js" */
/** @import { ModelActions } from "./model-choice.js" */

const typingPauseMs = 120;
const speakingPauseMs = 700;

/** Controls that change the bars; the others only say when a run ends. */
const samplingControls = new Set(
  /** @type {(keyof Controls)[]} */ (
    Object.keys(defaultControls).filter((name) => !["maxNewTokens", "stop", "ignoreEos"].includes(name))
  ),
);

/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * @param {{
 *   getState: () => State,
 *   dispatch: (event: PageEvent) => void,
 *   client: EngineClient,
 *   models: ModelActions,
 * }} deps
 */
export function createActions({ getState, dispatch, client, models }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typingTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let speakingTimer;
  let configureScheduled = false;

  const sampling = () => {
    const { controls, revision } = getState();
    return { revision, settings: toSettings(controls), seed: controls.seed, rows: controls.rows };
  };

  /** Has the engine read the prompt as it stands now. */
  function prepare() {
    clearTimeout(typingTimer);
    typingTimer = undefined;
    const { prompt, activeWorkerId, model, run } = getState();
    if (activeWorkerId === null || !model?.hasTokenizer) return;
    if (run) client.send({ type: "stop", runId: run.runId });
    if (prompt === "") return;
    dispatch({ type: "prepareSent" });
    client.send({ type: "prepare", prompt: { text: prompt }, ...sampling() });
  }

  /** A drag moves a slider many times a frame; the engine hears of the last position. */
  function configureSoon() {
    if (configureScheduled) return;
    configureScheduled = true;
    requestAnimationFrame(() => {
      configureScheduled = false;
      const { activeWorkerId, tokens } = getState();
      // A prompt that waits to be sent takes the new settings with it.
      if (activeWorkerId === null || tokens === null || typingTimer !== undefined) return;
      dispatch({ type: "configureSent" });
      client.send({ type: "configure", ...sampling() });
    });
  }

  /** @param {string} what */
  function speakAfterPause(what) {
    clearTimeout(speakingTimer);
    speakingTimer = setTimeout(() => {
      const { distribution } = getState();
      const bars = distribution ? `, ${spokenDistribution(distribution)}` : "";
      dispatch({ type: "announced", text: `${what}${bars}` });
    }, speakingPauseMs);
  }

  /** @param {Partial<Controls>} values */
  function changed(values) {
    const names = /** @type {(keyof Controls)[]} */ (Object.keys(values));
    if (names.some((name) => samplingControls.has(name))) configureSoon();
  }

  /** @param {Partial<Controls>} values */
  function setControls(values) {
    dispatch({ type: "controlsSet", values });
    changed(values);
  }

  /** @param {number | undefined} [maxNewTokens] */
  function start(maxNewTokens) {
    if (typingTimer !== undefined) prepare();
    const { text, pace, controls, activeWorkerId, prompt } = getState();
    if (activeWorkerId === null || prompt === "") return;
    const from = text?.canContinue && !text.stale ? "end" : "prompt";
    dispatch({ type: "runStarted", from });
    const limits = toLimits(controls, maxNewTokens);
    const stepped = pace === "full" && maxNewTokens === undefined ? "full" : "stepped";
    client.send({ type: "start", runId: getState().lastRunId, from, limits, pace: stepped, ...sampling() });
  }

  function advance() {
    const { run } = getState();
    if (!run) return;
    dispatch({ type: "advanceSent" });
    client.send({ type: "advance", runId: run.runId });
  }

  function oneToken() {
    const { run } = getState();
    if (!run) start(1);
    else if (run.waiting) advance();
  }

  return {
    ...models,
    prepare,
    advance,
    oneToken,

    /** @param {string} text */
    editPrompt(text) {
      if (text === getState().prompt) return;
      dispatch({ type: "touched" });
      dispatch({ type: "promptEdited", text });
      clearTimeout(typingTimer);
      typingTimer = setTimeout(prepare, typingPauseMs);
    },

    generate() {
      const { run, pace } = getState();
      if (pace === "step") oneToken();
      else if (!run) start();
    },

    stop() {
      const { run } = getState();
      if (!run || run.status === "stopping") return;
      dispatch({ type: "stopSent" });
      client.send({ type: "stop", runId: run.runId });
    },

    clearText() {
      const { run, text, tokens } = getState();
      if (!text) return;
      if (run) client.send({ type: "stop", runId: run.runId });
      dispatch({ type: "clearSent" });
      if (tokens) client.send({ type: "clearText", ...sampling() });
    },

    /** @param {PaceChoice} pace */
    choosePace(pace) {
      dispatch({ type: "paceChosen", pace });
      const { run } = getState();
      if (run) client.send({ type: "setPace", runId: run.runId, pace: pace === "full" ? "full" : "stepped" });
    },

    setControls,

    /** A slider at work. @param {NumberControl} name @param {number} value */
    slide(name, value) {
      setControls({ [name]: value });
      speakAfterPause(setting(value));
    },

    /** @param {NumberControl} name @param {string} text */
    typeControl(name, text) {
      dispatch({ type: "controlTyped", name, text });
      const { faults, controls } = getState();
      if (faults[name] === undefined) {
        changed({ [name]: controls[name] });
        speakAfterPause(setting(controls[name]));
      } else {
        clearTimeout(speakingTimer);
      }
    },

    /** @param {keyof Controls} name */
    leaveControl: (name) => dispatch({ type: "controlLeft", name }),

    resetSettings() {
      setControls(defaultControls);
      dispatch({ type: "announced", text: "All settings are as on a fresh page." });
    },

    newSeed() {
      const [seed] = crypto.getRandomValues(new Uint32Array(1));
      setControls({ seed });
      dispatch({ type: "announced", text: `Seed ${seed}` });
    },

    /** @param {number} position */
    inspect(position) {
      const { inspection, controls } = getState();
      if (inspection?.position === position) {
        dispatch({ type: "inspectionClosed" });
        return;
      }
      dispatch({ type: "inspectSent", position });
      const { revision, settings } = sampling();
      client.send({ type: "inspect", revision, position, settings, rows: controls.rows });
    },

    closeInspection: () => dispatch({ type: "inspectionClosed" }),
    /** @param {number} position */
    focusToken: (position) => dispatch({ type: "tokenFocused", position }),
    toggleIds: () => dispatch({ type: "idsToggled" }),
    toggleBoundaries: () => dispatch({ type: "boundariesToggled" }),
    /** @param {boolean} open */
    toggleTokenTable: (open) => dispatch({ type: "tokenTableToggled", open }),
    dismissLinkNotice: () => dispatch({ type: "linkNoticeDismissed" }),
    /** @param {Problem} problem */
    dismissProblem: (problem) => dispatch({ type: "problemDismissed", id: problem.id }),

    readTopFive() {
      const { distribution } = getState();
      const text = distribution ? spokenTopFive(distribution) : "There is no prediction yet.";
      dispatch({ type: "announced", text });
    },

    async copyLink() {
      const address = new URL(toFragment(getState()), location.href).href;
      history.replaceState(null, "", address);
      const ok = await navigator.clipboard?.writeText(address).then(
        () => true,
        () => false,
      );
      dispatch({ type: "linkCopied", ok: ok === true });
    },
  };
}
