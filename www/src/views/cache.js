/** The KV cache's panel: what the newest pass computed, reused and discarded; and what the cache changes, step by step. */

import { html } from "../../vendor/lit-html.js";
import { cacheLabOf, createCacheActions } from "../cache-lab/actions.js";
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
  const ready = state.tokens !== null && state.activeWorkerId !== null;
  return html`<div class="lab-stack">
    <p class="muted">
      A token's keys and values are computed once and kept, so that a step need not read the whole text again. Edit the
      prompt and see what stays; then switch the cache off and see that only time changes.
    </p>
    <div class="lab-fields">
      <label for="cache-use">KV cache in the page's runs</label>
      ${choiceField({
        id: "cache-use",
        options: [
          { value: "on", label: "used" },
          { value: "off", label: "not used: all again for each token" },
        ],
        value: state.uncached ? "off" : "on",
        choose: (value) => actions.chooseUncached(value === "off"),
        disabled: state.run !== null,
      })}
    </div>
    <h3 id="cache-pass-title">The newest forward pass</h3>
    <div class="buttons" role="group" aria-label="Try an edit of the prompt">
      <button type="button" class="small" @click=${actions.useLongPrompt}>Take a long prompt</button>
      <button type="button" class="small" ?disabled=${!ready} @click=${actions.addWord}>Add a word at its end</button>
      <button type="button" class="small" ?disabled=${!ready} @click=${actions.changeLast}>Change its last word</button>
      <button type="button" class="small" ?disabled=${!ready} @click=${actions.changeFirst}>Change its first word</button>
    </div>
    ${gridView(lab.pass)}
    <p class="muted">
      All layers of a position are computed together, each from what the layer below made of it, which is why the rows look
      alike. An entry belongs to these inputs, these weights, this mask and this position: change one of them and it is of
      no use. Entries are not learned weights; nothing here trains the model.
    </p>
    ${checkView(state, lab, actions)}
  </div>`;
}
