/** The controls that are rarely used: what acts on the raw logits, and what ends a run. */

import { html, live } from "../../vendor/lit-html.js";
import { words } from "../words/settings.js";
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
    <p class="muted">${words.minPShown}</p>
    <h3>${words.beforeChain}</h3>
    ${sliderView(
      {
        name: "repetitionPenalty",
        label: words.repetitionPenalty,
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
        label: words.noRepeatNgram,
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
        label: words.minNewTokens,
        term: "minNewTokens",
        min: 0,
        max: 100,
        step: 1,
        off: 0,
      },
      state,
      actions,
    )}
    <p class="muted">${words.countsPrompt}</p>
    ${bansView(state, actions)}
    <fieldset class="boundary">
      <legend><b>${words.boundary}</b> ${info("boundary")}</legend>
      ${boundaryChoice("smallest", state, actions)}
      ${boundaryChoice("listing", state, actions)}
    </fieldset>
    <h3>${words.endAndRows}</h3>
    <div class="stop-field">
      <label for="stop-strings">${words.stopStrings}</label>
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
        ${words.ignoreEos}</label
      >
      ${info("endToken")}
    </p>
    <div class="short-fields">${shortField("rows", words.rows, state, actions)}</div>
    ${faultView("rows", state, actions)}
  `;
}

/** @param {Boundary} rule @param {State} state @param {Actions} actions */
function boundaryChoice(rule, { controls }, actions) {
  return html`<label class="switch"
    ><input
      type="radio"
      name="boundary"
      value=${rule}
      .checked=${live(controls.boundary === rule)}
      @change=${() => actions.chooseBoundary(rule)}
    />
    ${words.boundaries[rule]}</label
  >`;
}
