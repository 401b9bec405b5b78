/** The settings: presets, the chain, seed and limit, all in words. What is rarely used is under "More" (more.js). */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { words as common } from "../words/common.js";
import { words } from "../words/settings.js";
import { chainView } from "./chain.js";
import { faultView, shortField } from "./control.js";
import { hidden } from "./hidden.js";
import { info } from "./info.js";
import { moreView } from "./more.js";
import { presetsView } from "./presets.js";
import { settingsLineView } from "./settings-line.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function settingsView(state, actions) {
  const { controls } = state;
  return html`
    <div class="panel-line">
      <h2>${words.title}</h2>
      <label class="switch"
        ><input
          type="checkbox"
          role="switch"
          id="greedy"
          .checked=${live(controls.greedy)}
          @change=${() => actions.setControls({ greedy: !controls.greedy })}
        />
        ${words.greedy}</label
      >
      ${info("greedy")}
      <span class="muted" id="greedy-reason"
        >${controls.greedy ? words.greedyReason : nothing}</span
      >
      <button type="button" class="quiet small push" id="reset-settings" @click=${actions.resetSettings}>${words.reset}</button>
    </div>
    ${presetsView(state, actions)} ${chainView(state, actions)}
    <div class="short-fields">
      ${shortField("seed", common.seed, state, actions)}
      <button type="button" class="quiet small" id="new-seed" @click=${actions.newSeed}>
        ${words.newSeed(hidden)}
      </button>
      ${shortField("maxNewTokens", words.maxNewTokens, state, actions)}
    </div>
    ${faultView("seed", state, actions)} ${faultView("maxNewTokens", state, actions)}
    ${settingsLineView(state, actions)}
    <details
      class="more"
      id="more-settings"
      @toggle=${(/** @type {Event & { target: HTMLDetailsElement }} */ { target }) => actions.toggleMore(target.open)}
    >
      <summary>${words.more}</summary>
      ${moreView(state, actions)}
    </details>
  `;
}
