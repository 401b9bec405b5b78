/** What a view can ask for: each action dispatches what happened and sends the worker its command. */

import { createBenchActions } from "./bench-actions.js";
import { defaultControls, toLimits, toSettings } from "./controls.js";
import { copyText } from "./copy.js";
import { asLookedAt } from "./look-back.js";
import { spokenDistribution, spokenTopFive } from "./spoken-bars.js";
import { createSettingActions } from "./setting-actions.js";
import { createTextActions } from "./text-actions.js";
import { hasAddress, toAddress } from "./url-state.js";
import { words } from "./words/spoken.js";

/** @import { EngineClient } from "./messages.js" */
/** @import { Controls, PaceChoice, PageEvent, Problem, State } from "./page-types.js" */
/** @import { ModelActions } from "./model-choice.js" */
/** @import { SavedActions } from "./saved-models.js" */

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
 *   saved: SavedActions,
 * }} deps
 */
export function createActions({ getState, dispatch, client, models, saved }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typingTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let speakingTimer;
  let configureScheduled = false;

  const sampling = () => {
    const { controls, revision, dice } = getState();
    const settings = { ...toSettings(controls), ...(dice === null ? {} : { uniform: dice }) };
    return { revision, settings, seed: controls.seed, rows: controls.rows };
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

  /** Says what was set, and the bars that came of it. @param {string | null} what null says nothing after all */
  function speakAfterPause(what) {
    clearTimeout(speakingTimer);
    if (what === null) return;
    speakingTimer = setTimeout(() => {
      const { distribution } = getState();
      const bars = distribution && spokenDistribution(distribution);
      dispatch({ type: "announced", text: bars ? words.setWithBars(what, bars) : what });
    }, speakingPauseMs);
  }

  /** To be called after controls have changed. @param {Partial<Controls>} values */
  function changed(values) {
    const names = /** @type {(keyof Controls)[]} */ (Object.keys(values));
    if (names.some((name) => samplingControls.has(name))) configureSoon();
  }

  /** @param {number | undefined} [maxNewTokens] */
  function start(maxNewTokens) {
    if (typingTimer !== undefined) prepare();
    const { text, pace, controls, activeWorkerId, prompt } = getState();
    if (activeWorkerId === null || prompt === "") return;
    const from = text?.canContinue && !text.stale ? "end" : "prompt";
    // With the number that was set by hand, which starting the run uses up.
    const { settings } = sampling();
    dispatch({ type: "runStarted", from });
    const limits = toLimits(controls, maxNewTokens);
    const stepped = pace === "full" && maxNewTokens === undefined ? "full" : "stepped";
    client.send({ type: "start", runId: getState().lastRunId, from, limits, pace: stepped, ...sampling(), settings });
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
    ...createSettingActions({ getState, dispatch, client, changed, speakAfterPause }),
    ...createBenchActions({
      getState,
      dispatch,
      client,
      settings: () => toSettings(getState().controls),
      configureSoon,
      speakAfterPause,
    }),
    ...createTextActions({ getState, dispatch, client, sampling }),
    ...saved,
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
    dismissUpdate: () => dispatch({ type: "updateDismissed" }),

    dismissLinkNotice: () => dispatch({ type: "linkNoticeDismissed" }),
    /** @param {Problem} problem */
    dismissProblem: (problem) => dispatch({ type: "problemDismissed", id: problem.id }),

    readTopFive() {
      const { distribution } = asLookedAt(getState());
      const text = distribution ? spokenTopFive(distribution) : words.noPrediction;
      dispatch({ type: "announced", text });
    },

    /** @param {string} name */
    togglePanel: (name) => dispatch({ type: "panelToggled", name }),
    /** Opens a lab sheet, the list of them (""), or closes them. @param {string | null} name */
    showSheet: (name) => dispatch({ type: "sheetShown", name }),
    showAllPanels: () => dispatch({ type: "allPanelsShown" }),

    async copyLink() {
      const state = getState();
      const address = await toAddress(state, location.href);
      history.replaceState(null, "", address);
      const ok = await copyText(address);
      const copied = hasAddress(state.model) ? words.linkCopied : words.linkCopiedWithoutModel;
      const spoken = ok ? copied : words.addressHoldsLink;
      dispatch({ type: "copied", what: "link", ok, spoken });
    },

    /** A link that opens one lab panel alone. @param {string} panel its name */
    async copyPanelLink(panel) {
      const ok = await copyText(await toAddress({ ...getState(), linkPanel: panel }, location.href));
      const spoken = ok ? words.linkCopied : words.notCopied;
      dispatch({ type: "copied", what: "panel", panel, ok, spoken });
    },
  };
}
