/**
 * The list of panels: which view fills which element. A panel is drawn at most once per animation frame, and only when
 * something that its view reads of the state has changed.
 */

import { render } from "../../vendor/lit-html.js";
import { isShown, panelId } from "../panel-state.js";
import { announcerView } from "./announcer.js";
import { barsView } from "./bars.js";
import { followSkipLinks, keepFocus } from "./focus.js";
import { modelsView, shareView } from "./header.js";
import { hostingView, updateView } from "./hosting.js";
import { inspectionView } from "./inspection.js";
import { keyboardView } from "./keyboard.js";
import { labsView } from "./labs.js";
import { modelCardView } from "./model-card.js";
import { ownModelView } from "./own-model.js";
import { problemsView } from "./problems.js";
import { promptView, runButtonsView } from "./prompt.js";
import { Reads } from "./reads.js";
import { savedModelsView } from "./saved-models.js";
import { settingsView } from "./settings.js";
import { sheetsFrameView } from "./sheets-frame.js";
import { statusView } from "./status.js";
import { textView } from "./text.js";
import { followText } from "./text-flow.js";
import { tokensView } from "./tokens.js";
import { underWayView, watchPlaces } from "./under-way.js";

/** @import { Actions } from "../actions.js" */
/** @import { LoadedPanels } from "../labs.js" */
/** @import { State } from "../page-types.js" */

/** @typedef {(state: State, actions: Actions) => unknown} View */

/** A third entry is done once all are drawn, if its own panel was: it may ask the browser for places and sizes.
 * @type {[string, View, (() => void)?][]}
 */
const panels = [
  ["models", modelsView],
  ["share", shareView],
  ["problems", problemsView],
  ["prompt-panel", promptView],
  ["tokens-panel", tokensView],
  ["inspection-panel", inspectionView],
  ["run-panel", runButtonsView],
  ["text-panel", textView, followText],
  ["status-panel", statusView],
  ["bars-panel", barsView],
  ["settings-panel", settingsView],
  ["sheets", sheetsFrameView],
  ["labs", labsView],
  ["model-card-panel", modelCardView],
  ["saved-models-panel", savedModelsView],
  ["hosting-panel", hostingView],
  ["update-notice", updateView],
  ["under-way", underWayView, watchPlaces],
  ["own-model-panel", ownModelView],
  ["keyboard-panel", keyboardView],
  ["announcer", announcerView],
];

/**
 * @param {{
 *   eachFrame: (listener: (state: State) => void) => void,
 *   getState: () => State,
 *   actions: Actions,
 *   labs: { loaded: LoadedPanels },
 * }} deps
 */
export function mountViews({ eachFrame, getState, actions, labs }) {
  const roots = panels.map(([id, view, afterwards]) => {
    const root = document.getElementById(id);
    if (!root) throw new Error(`index.html has no element with the id ${id}`);
    return { root, view, afterwards, reads: /** @type {Reads<State>} */ (new Reads()) };
  });
  const draw = (/** @type {State} */ state) => {
    // What the page as a whole is laid out by. With :has() each token would have all of the page looked at again.
    const { classList } = document.documentElement;
    classList.toggle("beside-sheets", state.sheet !== null);
    classList.toggle("under-notice", state.update === "ready");
    const due = roots.filter(({ reads }) => !reads.hold(state));
    for (const { root, view, reads } of due) render(view(reads.watch(state), actions), root);
    for (const [name, { view, reads }] of labs.loaded) {
      const root = document.getElementById(panelId(name));
      if (root && isShown(state, name) && !reads.hold(state)) render(view(reads.watch(state)), root);
    }
    for (const { afterwards } of due) afterwards?.();
  };
  eachFrame((state) => keepFocus(() => draw(state)));
  followSkipLinks();
  draw(getState());
  // Until now everything would have been empty and would have jumped into place.
  document.getElementById("starting")?.remove();
  for (const id of ["lab", "labs", "foot"]) document.getElementById(id)?.removeAttribute("hidden");
}
