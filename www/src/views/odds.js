/** Two tokens compared: the gap of their logits, and the odds that follow from it by the formula. */

import { html, nothing } from "../../vendor/lit-html.js";
import { isOn } from "../controls.js";
import { figure } from "../format.js";
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
      <h3 id="odds-title">Odds of two tokens</h3>
      ${info("odds")}
      <span class="buttons">${chosen.map(
        (token) => html`<button
          type="button"
          class="quiet small"
          aria-label=${`Do not compare ${token.spoken}`}
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
        ? html`<p class="muted">
            Tick two rows of the table, or of the search below. With logits z and temperature T, their odds are exp((z₁ − z₂) /
            T).
          </p>`
        : comparison.result === null
          ? html`<p class="muted">${run === null ? "Computing…" : "When the run rests."}</p>`
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
    <p id="odds-model">
      <b>Model:</b> exp(z₁ − z₂) = exp(${figure(rawGap)}) = <b>${figure(baseOdds)}</b>: ${chip(first)} is ${figure(baseOdds)}
      times as likely as ${chip(second)}.
    </p>
    <p id="odds-mine">
      <b>Your settings:</b>
      ${
        scaledGap === null || odds === null
          ? "one of the two is not kept, so it is never picked."
          : html`exp((z₁ − z₂) / T) = exp(${figure(gap)} / ${temperature}) = exp(${figure(scaledGap)}) =
              <b>${figure(odds)}</b>${penalised ? ", with the logits after penalties" : nothing}.`
      }
    </p>
  `;
}
