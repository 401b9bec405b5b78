/** The tables of the worked example: the variants side by side, and every stage of the one that is chosen. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { variants } from "../example.js";
import { callOf, fractionsOf, tokenName } from "../example-numbers.js";
import { chainNames, figure, setting, uniformText } from "../format.js";
import { toText } from "../rational.js";

/** @import { Example, ExampleOrder } from "../example-types.js" */
/** @import { FullStep } from "../protocol.js" */
/** @import { Rational } from "../rational.js" */
/** @import { ExampleActions } from "./example.js" */

/** @type {Record<ExampleOrder, string>} */
const orderNames = { temperatureFirst: "Temperature, then top-p", topPFirst: "Top-p, then temperature" };
/** @type {Record<import("../protocol.js").Boundary, string>} */
const boundaryNames = { smallest: "smallest set", listing: "listing" };

/** @param {Example} example @param {ExampleActions} actions */
export function variantsTable({ input, shown, outcomes }, actions) {
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Orders and rules">
    <table class="lab-table example-table numbers" id="example-variants">
      <caption>
        Two orders and two rules for the border, side by side: chance of each token
      </caption>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col">Border</th>
          ${input.logits.map((_, id) => html`<th scope="col">${tokenName(id)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${variants.map((variant, n) => {
          const outcome = outcomes[n];
          const name = `${orderNames[variant.order]}, ${boundaryNames[variant.boundary]}`;
          const chances = outcome && "step" in outcome ? fractionsOf(input, variant, outcome.step).chances : null;
          return html`<tr class=${n === shown ? "marked" : ""}>
            <th scope="row">
              <label class="switch"
                ><input
                  type="radio"
                  name="example-variant"
                  aria-label=${`Show the stages of: ${name}`}
                  .checked=${live(n === shown)}
                  @change=${() => actions.show(n)}
                />
                ${orderNames[variant.order]}</label
              >
            </th>
            <td>${boundaryNames[variant.boundary]}</td>
            ${
              outcome && "step" in outcome
                ? input.logits.map((_, id) => html`<td>${both(outcome.step.probabilities[id], chances?.[id] ?? null)}</td>`)
                : html`<td colspan=${input.logits.length}>${outcome ? outcome.fault : "…"}</td>`
            }
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

/** @param {Example} example @param {FullStep} step */
export function stagesTable({ input, shown }, step) {
  const variant = variants[shown];
  const { base, cumulative, chances } = fractionsOf(input, variant, step);
  const chain = callOf(input, variant)?.settings.chain ?? [];
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Every stage">
    <table class="lab-table example-table numbers" id="example-stages">
      <caption>
        Every stage: ${chain.map(({ kind, value }) => `${chainNames[kind]} ${setting(value)}`).join(", then ")}
      </caption>
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Logit z</th>
          <th scope="col">Model says</th>
          <th scope="col">z/T − max</th>
          <th scope="col">Cumulative</th>
          <th scope="col">Kept or cut</th>
          <th scope="col">With these settings</th>
          <th scope="col">Part of the strip</th>
        </tr>
      </thead>
      <tbody>
        ${[...step.ranking].map(
          (id) => html`<tr class=${step.cutBy[id] === 0 ? "" : "cut"} data-id=${id}>
            <th scope="row">${tokenName(id)}</th>
            <td>${figure(step.rawLogits[id])} <small class="muted">${input.logits[id]}</small></td>
            <td>${both(step.baseProbabilities[id], base[id])}</td>
            <td>${figure(step.scaledLogits[id])}</td>
            <td>${both(step.cumulative[id], cumulative[id])}</td>
            <td>${fate(step, id)}</td>
            <td>${both(step.probabilities[id], chances[id])}</td>
            <td>
              ${
                step.lows[id] < step.highs[id]
                  ? `${uniformText(step.lows[id])} – ${uniformText(step.highs[id])}`
                  : "–"
              }
            </td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {FullStep} step @param {number} id */
function fate({ cutBy, cuts }, id) {
  const cut = cutBy[id];
  return cut === 0 ? "kept" : `cut by ${chainNames[cuts[cut - 1].kind]}`;
}

/** The engine's number, and the fraction that it is. @param {number} value @param {Rational | null} fraction */
function both(value, fraction) {
  const text = fraction === null ? "" : toText(fraction);
  // A whole number is its own fraction, and what is longer than this nobody checks by hand.
  const shown = text.includes("/") && text.length <= 15;
  return html`${value.toFixed(4)}${shown ? html` <b class="fraction">${text}</b>` : nothing}`;
}
