/** The controls that are rarely used: min-p, penalties and bans, and what ends a run. */

import { html, live } from "../../vendor/lit-html.js";
import { faultView, keptBy, shortField, sliderView } from "./control.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function moreView(state, actions) {
  const { controls } = state;
  return html`
    ${sliderView(
      {
        name: "minP",
        label: "Min-p",
        term: "minP",
        min: 0,
        max: 0.5,
        step: 0.01,
        off: 0,
        output: keptBy("minP", controls.minP === 0, state),
      },
      state,
      actions,
    )}
    ${sliderView(
      {
        name: "repetitionPenalty",
        label: "Repetition penalty",
        term: "repetitionPenalty",
        min: 1,
        max: 2,
        step: 0.05,
        off: 1,
      },
      state,
      actions,
    )}
    ${sliderView(
      {
        name: "noRepeatNgram",
        label: "No-repeat n-gram",
        term: "noRepeatNgram",
        min: 0,
        max: 10,
        step: 1,
        off: 0,
      },
      state,
      actions,
    )}
    ${sliderView(
      {
        name: "minNewTokens",
        label: "Min. new tokens",
        term: "minNewTokens",
        min: 0,
        max: 100,
        step: 1,
        off: 0,
      },
      state,
      actions,
    )}
    <div class="stop-field">
      <label for="stop-strings">Stop strings, one a line (\\n is a line break)</label>
      <textarea
        id="stop-strings"
        rows="2"
        spellcheck="false"
        .value=${live(controls.stop)}
        @input=${(/** @type {InputEvent & { target: HTMLTextAreaElement }} */ { target }) =>
          actions.setControls({ stop: target.value })}
      ></textarea>
    </div>
    <p class="switch-line">
      <label class="switch"
        ><input
          type="checkbox"
          id="ignore-eos"
          .checked=${live(controls.ignoreEos)}
          @change=${() => actions.setControls({ ignoreEos: !controls.ignoreEos })}
        />
        Go on after the end-of-text token</label
      >
      ${info("endToken")}
    </p>
    <div class="short-fields">${shortField("rows", "Rows shown (10 to 50)", state, actions)}</div>
    ${faultView("rows", state, actions)}
  `;
}
