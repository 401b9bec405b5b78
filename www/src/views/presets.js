/** Presets: settings for a purpose and orders of the chain, each with what it is good for. */

import { html, nothing } from "../../vendor/lit-html.js";
import { isInForce, orders, presetInForce, presets } from "../presets.js";
import { words } from "../words/settings.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { Preset } from "../presets.js" */

/** @param {State} state @param {Actions} actions */
export function presetsView(state, actions) {
  const inForce = presetInForce(state.controls);
  const undo = html`<button type="button" class="quiet small" id="undo-preset" @click=${actions.undoPreset}>
    ${words.undoPreset}
  </button>`;
  return html`<div class="presets">
    <details id="presets">
      <summary>
        ${words.presets} ${inForce && html`<span class="tag" id="preset-in-force">${words.presetInForce(inForce.label)}</span>`}
      </summary>
      <ul class="preset-list">
        ${presets.map((preset) => presetView(preset, state, actions))}
      </ul>
      <h3>${words.orderOfChain}</h3>
      <ul class="preset-list">
        ${orders.map((order) => presetView(order, state, actions))}
      </ul>
    </details>
    ${state.presetUndo === null ? nothing : undo}
  </div>`;
}

/** @param {Preset} preset @param {State} state @param {Actions} actions */
function presetView(preset, { controls }, actions) {
  const { id, label, sentence } = preset;
  return html`<li>
    <button
      type="button"
      class="quiet small"
      id=${`preset-${id}`}
      aria-pressed=${isInForce(preset, controls)}
      aria-describedby=${`preset-${id}-about`}
      @click=${() => actions.choosePreset(preset)}
    >
      ${label}
    </button>
    <span class="muted" id=${`preset-${id}-about`}>${sentence}</span>
  </li>`;
}
