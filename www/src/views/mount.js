/** The list of panels: which view fills which element. All are drawn at most once per animation frame. */

import { render } from "../../vendor/lit-html.js";
import { announcerView } from "./announcer.js";
import { barsView } from "./bars.js";
import { modelsView, shareView } from "./header.js";
import { inspectionView } from "./inspection.js";
import { modelCardView } from "./model-card.js";
import { problemsView } from "./problems.js";
import { promptView, runButtonsView } from "./prompt.js";
import { settingsView } from "./settings.js";
import { statusView } from "./status.js";
import { followText, textView } from "./text.js";
import { tokensView } from "./tokens.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @typedef {(state: State, actions: Actions) => unknown} View */

/** @type {[string, View][]} */
const panels = [
  ["models", modelsView],
  ["share", shareView],
  ["problems", problemsView],
  ["prompt-panel", promptView],
  ["tokens-panel", tokensView],
  ["inspection-panel", inspectionView],
  ["run-panel", runButtonsView],
  ["text-panel", textView],
  ["status-panel", statusView],
  ["bars-panel", barsView],
  ["settings-panel", settingsView],
  ["model-card-panel", modelCardView],
  ["announcer", announcerView],
];

/**
 * @param {{ eachFrame: (listener: (state: State) => void) => void, getState: () => State, actions: Actions }} deps
 */
export function mountViews({ eachFrame, getState, actions }) {
  const roots = panels.map(([id, view]) => {
    const root = document.getElementById(id);
    if (!root) throw new Error(`index.html has no element with the id ${id}`);
    return { root, view };
  });
  const draw = (/** @type {State} */ state) => {
    for (const { root, view } of roots) render(view(state, actions), root);
    followText();
  };
  eachFrame(draw);
  draw(getState());
  // Until now everything would have been empty and would have jumped into place.
  document.getElementById("starting")?.remove();
  for (const id of ["lab", "foot"]) document.getElementById(id)?.removeAttribute("hidden");
}
