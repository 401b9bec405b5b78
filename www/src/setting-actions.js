/** The part of the actions that concerns the controls: what is set, moved, banned, chosen and copied. */

import { defaultControls, listedKinds, movedTo, switched, unescaped, withBoundary, withValue } from "./controls.js";
import { copyText } from "./copy.js";
import { setting } from "./format.js";
import { settingsLine } from "./settings-words.js";
import { words as common } from "./words/common.js";
import { words } from "./words/spoken.js";

/** @import { EngineClient } from "./messages.js" */
/** @import { Controls, NumberControl, PageEvent, State } from "./page-types.js" */
/** @import { Preset } from "./presets.js" */
/** @import { Boundary, ChainKind } from "./protocol.js" */

const lookupPauseMs = 120;

/**
 * @param {{
 *   getState: () => State,
 *   dispatch: (event: PageEvent) => void,
 *   client: EngineClient,
 *   changed: (values: Partial<Controls>) => void,
 *   speakAfterPause: (what: string | null) => void,
 * }} deps
 */
export function createSettingActions({ getState, dispatch, client, changed, speakAfterPause }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let lookupTimer;

  /** @param {string} text */
  const announce = (text) => dispatch({ type: "announced", text });

  /** @param {Partial<Controls>} values */
  function setControls(values) {
    dispatch({ type: "controlsSet", values });
    changed(values);
  }

  function lookUp() {
    const { banLookup, activeWorkerId } = getState();
    if (banLookup === null || activeWorkerId === null) return;
    dispatch({ type: "banLookupSent" });
    const text = unescaped(banLookup.text);
    client.send({ type: "call", runId: getState().lastRunId, call: { method: "tokenize", text } });
  }

  return {
    setControls,

    /** A slider at work. @param {NumberControl} name @param {number} value */
    slide(name, value) {
      setControls(withValue(getState().controls, name, value));
      speakAfterPause(setting(value));
    },

    /** @param {NumberControl} name @param {string} text */
    typeControl(name, text) {
      dispatch({ type: "controlTyped", name, text });
      const { faults, controls } = getState();
      const faulty = faults[name] !== undefined;
      if (!faulty) changed({ [name]: controls[name] });
      speakAfterPause(faulty ? null : setting(controls[name]));
    },

    /** @param {keyof Controls} name */
    leaveControl: (name) => dispatch({ type: "controlLeft", name }),

    /** @param {ChainKind} kind */
    switchStep(kind) {
      setControls(switched(getState().controls, kind));
      speakAfterPause(common.chain[kind]);
    },

    /** @param {ChainKind} kind @param {number} place among the steps that are listed, from 0 */
    moveStep(kind, place) {
      const { controls, showMore } = getState();
      const listed = listedKinds(controls, showMore);
      if (listed.indexOf(kind) === place || controls.greedy) return;
      setControls({ order: movedTo(controls.order, listed, kind, place) });
      announce(words.stepMoved(common.chain[kind], place + 1, listed.length));
      speakAfterPause(words.stepAt(common.chain[kind], place + 1));
    },

    /** @param {Boundary} boundary */
    chooseBoundary(boundary) {
      const { controls } = getState();
      const values = withBoundary(controls, boundary);
      setControls(values);
      speakAfterPause(values.temperature === undefined ? words.borderRule : words.borderRuleAndTemperature);
    },

    /** @param {Preset} preset */
    choosePreset({ label, values }) {
      dispatch({ type: "presetChosen", values });
      changed(values);
      announce(words.presetInForce(label));
    },

    undoPreset() {
      dispatch({ type: "presetUndone" });
      changed(getState().controls);
      announce(words.presetUndone);
    },

    resetSettings() {
      setControls(defaultControls);
      announce(words.settingsReset);
    },

    newSeed() {
      const [seed] = crypto.getRandomValues(new Uint32Array(1));
      setControls({ seed });
      announce(words.seed(seed));
    },

    /** @param {boolean} open */
    toggleMore: (open) => dispatch({ type: "moreToggled", open }),

    /** @param {string} text */
    typeBan(text) {
      dispatch({ type: "banTyped", text });
      clearTimeout(lookupTimer);
      lookupTimer = setTimeout(lookUp, lookupPauseMs);
    },

    /** @param {number} id @param {string} spoken */
    toggleBan(id, spoken) {
      const { suppress } = getState().controls;
      const banned = suppress.includes(id);
      setControls({ suppress: banned ? suppress.filter((other) => other !== id) : [...suppress, id] });
      announce(banned ? words.allowedAgain(spoken) : words.banned(spoken));
    },

    async copySettings() {
      const ok = await copyText(settingsLine(getState().controls));
      const spoken = ok ? words.settingsCopied : words.settingsNotCopied;
      dispatch({ type: "copied", what: "settings", ok, spoken });
    },
  };
}
