/** The controls of the chain, the seed and the limits. Rarely used ones are under "More" (more.js). */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { topKStops } from "../controls.js";
import { faultView, keptBy, shortField, sliderView } from "./control.js";
import { info } from "./info.js";
import { moreView } from "./more.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

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
      {
        name: "temperature",
        label: "Temperature",
        term: "temperature",
        min: 0.1,
        max: 2,
        step: 0.05,
        output: heat(controls.temperature),
      },
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
      {
        name: "topP",
        label: "Top-p",
        term: "topP",
        min: 0.05,
        max: 1,
        step: 0.01,
        off: 1,
        output: keptBy("topP", controls.topP === 1, state),
      },
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

/** @param {number} temperature */
function heat(temperature) {
  if (temperature === 1) return "as is";
  return temperature < 1 ? "sharper" : "flatter";
}

/** @param {number[]} stops @param {number} value */
function closest(stops, value) {
  const position = stops.findIndex((stop) => stop >= value);
  return position < 0 ? stops.length - 1 : position;
}
