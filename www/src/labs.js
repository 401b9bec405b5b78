/** Loads the code of lab panels when they are opened. */

import { loadLabStyles } from "./lab-styles.js";
import { isShown } from "./panel-state.js";
import { benchPanel, labPanels, sheetsPanel } from "./panels.js";
import { Reads } from "./views/reads.js";

/** @import { State } from "./page-types.js" */
/** @import { LabPanel, LabParts, PanelView } from "./panels.js" */

/** @typedef {Map<string, { view: PanelView, reads: Reads<State> }>} LoadedPanels by name */

/** @param {LabParts} parts @param {LabPanel[]} [panels] @param {() => Promise<unknown>} [styles] */
export function createLabs(parts, panels = [...labPanels, benchPanel, sheetsPanel], styles = loadLabStyles) {
  const { getState, dispatch, eachChange } = parts;
  /** @type {LoadedPanels} */
  const loaded = new Map();

  /** @param {LabPanel} panel */
  async function load({ name, load }) {
    dispatch({ type: "panelCodeChanged", name, code: "loading" });
    try {
      const [{ createPanel }] = await Promise.all([load(), styles()]);
      loaded.set(name, { view: createPanel(parts), reads: new Reads() });
      dispatch({ type: "panelCodeChanged", name, code: "ready" });
    } catch {
      // Opening it again tries again.
      dispatch({ type: "panelCodeChanged", name, code: "failed" });
    }
  }

  /** @param {State} state */
  function loadOpened(state) {
    for (const panel of panels) {
      if (isShown(state, panel.name) && state.panelCode[panel.name] === undefined) void load(panel);
    }
  }

  eachChange((state, before) => {
    const names = /** @type {const} */ (["openPanels", "linkPanel", "benchOpen", "sheet"]);
    if (names.some((name) => state[name] !== before[name])) loadOpened(state);
  });
  loadOpened(getState());

  return { loaded };
}
