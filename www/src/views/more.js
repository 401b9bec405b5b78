/** The controls that are rarely used: what acts on the raw logits, and what ends a run. */

import { html, live } from "../../vendor/lit-html.js";
import { bansView } from "./bans.js";
import { faultView, shortField, sliderView } from "./control.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { Boundary } from "../protocol.js" */

/** @param {State} state @param {Actions} actions */
export function moreView(state, actions) {
  const { controls } = state;
  return html`
    <p class="muted">Min-p is in the chain above while it is on or this is open.</p>
    <h3>Before the chain, on the raw logits</h3>
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
    <p class="muted">The repetition penalty and the n-gram rule count the tokens of the prompt too.</p>
    ${bansView(state, actions)}
    <fieldset class="boundary">
      <legend><b>On the border</b> ${info("boundary")}</legend>
      ${boundaryChoice("smallest", "The smallest set that reaches p; exactly k", state, actions)}
      ${boundaryChoice("listing", "As a listing has it: one token more where p is reached exactly, ties at k kept, temperature 0 read as 0.00001", state, actions)}
    </fieldset>
    <h3>Where the text ends, and what is shown</h3>
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

/** @param {Boundary} rule @param {string} label @param {State} state @param {Actions} actions */
function boundaryChoice(rule, label, { controls }, actions) {
  return html`<label class="switch"
    ><input
      type="radio"
      name="boundary"
      value=${rule}
      .checked=${live(controls.boundary === rule)}
      @change=${() => actions.chooseBoundary(rule)}
    />
    ${label}</label
  >`;
}
