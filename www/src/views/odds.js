/** Two tokens compared: the gap of their logits, and the odds that follow from it by the formula. */

import { html, nothing } from "../../vendor/lit-html.js";
import { isOn } from "../controls.js";
import { words } from "../words/bench.js";
import { words as common } from "../words/common.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { ChosenToken, State } from "../page-types.js" */
/** @import { Comparison } from "../protocol.js" */

/** What the rule of the listing reads a temperature of 0 as. */
const coldest = 1e-5;
/** Gaps that differ less than f32 logits can tell are the same. */
const sameGap = 1e-3;

/** @param {State} state @param {Actions} actions */
export function oddsView({ chosen, comparison, controls, run }, actions) {
  const [first, second] = chosen;
  const temperature = isOn(controls, "temperature") && !controls.greedy ? controls.temperature || coldest : 1;
  return html`<section class="bench-part odds" id="odds" tabindex="-1" aria-labelledby="odds-title">
    <div class="panel-line">
      <h3 id="odds-title">${words.odds}</h3>
      ${info("odds")}
      <span class="buttons">${chosen.map(
        (token) => html`<button
          type="button"
          class="quiet small"
          aria-label=${words.doNotCompare(token.spoken)}
          @click=${() => {
            actions.chooseToken(token);
            // The button goes away.
            document.getElementById("odds")?.focus();
          }}
        >
          ${chip(token)} ×
        </button>`,
      )}</span>
    </div>
    ${
      second === undefined
        ? html`<p class="muted">${words.tickTwo}</p>`
        : comparison.result === null
          ? html`<p class="muted">${run === null ? common.computing : words.whenResting}</p>`
          : sentences(first, second, comparison.result, temperature)
    }
  </section>`;
}

/** @param {ChosenToken} token */
const chip = ({ text, kind }) => html`<code class="chip ${kind}">${text}</code>`;

/** @param {ChosenToken} first @param {ChosenToken} second @param {Comparison} comparison @param {number} temperature */
function sentences(first, second, { rawGap, baseOdds, scaledGap, odds }, temperature) {
  const gap = scaledGap === null ? rawGap : scaledGap * temperature;
  const penalised = Math.abs(gap - rawGap) > sameGap * Math.max(1, temperature);
  return html`
    <p id="odds-model">${words.modelOdds(bold, rawGap, baseOdds, chip(first), chip(second))}</p>
    <p id="odds-mine">
      ${
        scaledGap === null || odds === null
          ? words.oneNotKept(bold)
          : words.settingsOdds(bold, gap, temperature, scaledGap, odds, penalised)
      }
    </p>
  `;
}

/** @param {string} text */
const bold = (text) => html`<b>${text}</b>`;
