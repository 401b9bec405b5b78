/** The KV cache's panel: what the newest pass computed, reused and discarded; and what the cache changes, step by step. */

import { html } from "../../vendor/lit-html.js";
import { cacheLabOf, createCacheActions } from "../cache-lab/actions.js";
import { words } from "../words/cache.js";
import { checkView } from "./cache-check.js";
import { gridView } from "./cache-grid.js";
import { choiceField } from "./fields.js";

/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { CacheActions } from "../cache-lab/actions.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createCacheActions(parts);
  return (state) => cacheView(state, actions);
}

/** @param {State} state @param {CacheActions} actions */
function cacheView(state, actions) {
  const lab = cacheLabOf(state);
  const { edits } = words;
  const ready = state.tokens !== null && state.activeWorkerId !== null;
  return html`<div class="lab-stack">
    <p class="muted">${words.intro}</p>
    <div class="lab-fields">
      <label for="cache-use">${words.use}</label>
      ${choiceField({
        id: "cache-use",
        options: [
          { value: "on", label: words.uses.on },
          { value: "off", label: words.uses.off },
        ],
        value: state.uncached ? "off" : "on",
        choose: (value) => actions.chooseUncached(value === "off"),
        disabled: state.run !== null,
      })}
    </div>
    <h3 id="cache-pass-title">${words.passHeading}</h3>
    <div class="buttons" role="group" aria-label=${edits.label}>
      <button type="button" class="small" @click=${actions.useLongPrompt}>${edits.long}</button>
      <button type="button" class="small" ?disabled=${!ready} @click=${actions.addWord}>${edits.add}</button>
      <button type="button" class="small" ?disabled=${!ready} @click=${actions.changeLast}>${edits.changeLast}</button>
      <button type="button" class="small" ?disabled=${!ready} @click=${actions.changeFirst}>${edits.changeFirst}</button>
    </div>
    ${gridView(lab.pass)}
    <p class="muted">${words.layersNote}</p>
    ${checkView(state, lab, actions)}
  </div>`;
}
