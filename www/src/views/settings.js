/** The controls of the chain, the seed and the limits. Rarely used ones are under "More". */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { topKStops } from "../controls.js";
import { count } from "../format.js";
import { faultView, fieldView, sliderView } from "./control.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { NumberControl, State } from "../page-types.js" */
/** @import { ChainKind } from "../protocol.js" */

const usualVocabulary = 50_304;

/** @param {State} state @param {Actions} actions */
export function settingsView(state, actions) {
  const { controls, model } = state;
  const stops = topKStops(model?.card.vocabSize ?? usualVocabulary);
  const last = stops.length - 1;
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
    ${sliderView(
      { name: "temperature", label: "Temperature", term: "temperature", min: 0.1, max: 2, step: 0.05, output: heat(controls.temperature) },
      state,
      actions,
    )}
    ${sliderView(
      {
        name: "topK",
        label: "Top-k",
        term: "topK",
        min: 0,
        max: last,
        step: 1,
        off: 0,
        toPosition: (value) => (value === 0 ? last : closest(stops, value)),
        toValue: (position) => stops[position],
        output: keptBy("topK", controls.topK === 0, state),
      },
      state,
      actions,
    )}
    ${sliderView(
      { name: "topP", label: "Top-p", term: "topP", min: 0.05, max: 1, step: 0.01, off: 1, output: keptBy("topP", controls.topP === 1, state) },
      state,
      actions,
    )}
    <div class="short-fields">
      ${shortField("seed", html`Seed`, state, actions)}
      <button type="button" class="quiet small" id="new-seed" @click=${actions.newSeed}>
        New<span class="visually-hidden"> seed</span>
      </button>
      ${shortField("maxNewTokens", "New tokens, at most", state, actions)}
    </div>
    ${faultView("seed", state, actions)} ${faultView("maxNewTokens", state, actions)}
    <details class="more" id="more-settings">
      <summary>More</summary>
      ${moreView(state, actions)}
    </details>
  `;
}

/** @param {State} state @param {Actions} actions */
function moreView(state, actions) {
  const { controls } = state;
  return html`
    ${sliderView(
      { name: "minP", label: "Min-p", term: "minP", min: 0, max: 0.5, step: 0.01, off: 0, output: keptBy("minP", controls.minP === 0, state) },
      state,
      actions,
    )}
    ${sliderView(
      { name: "repetitionPenalty", label: "Repetition penalty", term: "repetitionPenalty", min: 1, max: 2, step: 0.05, off: 1 },
      state,
      actions,
    )}
    ${sliderView(
      { name: "noRepeatNgram", label: "No-repeat n-gram", term: "noRepeatNgram", min: 0, max: 10, step: 1, off: 0 },
      state,
      actions,
    )}
    ${sliderView(
      { name: "minNewTokens", label: "Min. new tokens", term: "minNewTokens", min: 0, max: 100, step: 1, off: 0 },
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

/** @param {NumberControl} name @param {unknown} label @param {State} state @param {Actions} actions */
function shortField(name, label, state, actions) {
  return html`<label for=${`${name}-field`}>${label}</label> ${fieldView({ name }, state, actions)}`;
}

/** @param {number} temperature */
function heat(temperature) {
  if (temperature === 1) return "as is";
  return temperature < 1 ? "sharper" : "flatter";
}

/** How many tokens a filter left, from the engine's own account of the step.
 * @param {ChainKind} kind @param {boolean} off @param {State} state
 */
function keptBy(kind, off, { distribution, controls }) {
  if (off) return "off";
  const cut = distribution?.cuts.find((candidate) => candidate.kind === kind);
  return cut && !controls.greedy ? `${count(cut.keptAfter)} kept` : "";
}

/** @param {number[]} stops @param {number} value */
function closest(stops, value) {
  const position = stops.findIndex((stop) => stop >= value);
  return position < 0 ? stops.length - 1 : position;
}
