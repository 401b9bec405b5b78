/** The settings: presets, the chain, seed and limit, all in words. What is rarely used is under "More" (more.js). */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { chainView } from "./chain.js";
import { faultView, shortField } from "./control.js";
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
      <h2>Settings</h2>
      <label class="switch"
        ><input
          type="checkbox"
          role="switch"
          id="greedy"
          .checked=${live(controls.greedy)}
          @change=${() => actions.setControls({ greedy: !controls.greedy })}
        />
        Greedy</label
      >
      ${info("greedy")}
      <span class="muted" id="greedy-reason"
        >${controls.greedy ? "takes the highest score; the sliders have no effect" : nothing}</span
      >
      <button type="button" class="quiet small push" id="reset-settings" @click=${actions.resetSettings}>Reset</button>
    </div>
    ${presetsView(state, actions)} ${chainView(state, actions)}
    <div class="short-fields">
      ${shortField("seed", html`Seed`, state, actions)}
      <button type="button" class="quiet small" id="new-seed" @click=${actions.newSeed}>
        New<span class="visually-hidden"> seed</span>
      </button>
      ${shortField("maxNewTokens", "New tokens, at most", state, actions)}
    </div>
    ${faultView("seed", state, actions)} ${faultView("maxNewTokens", state, actions)}
    ${settingsLineView(state, actions)}
    <details
      class="more"
      id="more-settings"
      @toggle=${(/** @type {Event & { target: HTMLDetailsElement }} */ { target }) => actions.toggleMore(target.open)}
    >
      <summary>More</summary>
      ${moreView(state, actions)}
    </details>
  `;
}
