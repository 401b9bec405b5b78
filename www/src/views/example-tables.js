/** The tables of the worked example: the variants side by side, and every stage of the one that is chosen. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { variants } from "../example.js";
import { callOf, fractionsOf, tokenName } from "../example-numbers.js";
import { figure, fixed, setting, uniformText } from "../format.js";
import { toText } from "../rational.js";
import { words as common } from "../words/common.js";
import { words } from "../words/example.js";

/** @import { Example } from "../example-types.js" */
/** @import { FullStep } from "../protocol.js" */
/** @import { Rational } from "../rational.js" */
/** @import { ExampleActions } from "./example.js" */

const { stages } = words;

/** @param {Example} example @param {ExampleActions} actions */
export function variantsTable({ input, shown, outcomes }, actions) {
  const { variants: texts } = words;
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label=${texts.label}>
    <table class="lab-table example-table numbers" id="example-variants">
      <caption>${texts.caption}</caption>
      <thead>
        <tr>
          <th scope="col">${texts.order}</th>
          <th scope="col">${texts.border}</th>
          ${input.logits.map((_, id) => html`<th scope="col">${tokenName(id)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${variants.map((variant, n) => {
          const outcome = outcomes[n];
          const [order, border] = [texts.orders[variant.order], texts.borders[variant.boundary]];
          const chances = outcome && "step" in outcome ? fractionsOf(input, variant, outcome.step).chances : null;
          return html`<tr class=${n === shown ? "marked" : ""}>
            <th scope="row">
              <label class="switch"
                ><input
                  type="radio"
                  name="example-variant"
                  aria-label=${texts.show(order, border)}
                  .checked=${live(n === shown)}
                  @change=${() => actions.show(n)}
                />
                ${order}</label
              >
            </th>
            <td>${border}</td>
            ${
              outcome && "step" in outcome
                ? input.logits.map((_, id) => html`<td>${both(outcome.step.probabilities[id], chances?.[id] ?? null)}</td>`)
                : html`<td colspan=${input.logits.length}>${outcome ? outcome.fault : texts.waiting}</td>`
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
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label=${stages.label}>
    <table class="lab-table example-table numbers" id="example-stages">
      <caption>
        ${stages.caption(chain.map(({ kind, value }) => stages.step(common.chain[kind], setting(value))))}
      </caption>
      <thead>
        <tr>
          ${stages.columns.map((name) => html`<th scope="col">${name}</th>`)}
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
                  ? stages.strip(uniformText(step.lows[id]), uniformText(step.highs[id]))
                  : stages.none
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
  return cut === 0 ? stages.kept : stages.cutBy(common.chain[cuts[cut - 1].kind]);
}

/** The engine's number, and the fraction that it is. @param {number} value @param {Rational | null} fraction */
function both(value, fraction) {
  const text = fraction === null ? "" : toText(fraction);
  // A whole number is its own fraction, and what is longer than this nobody checks by hand.
  const shown = text.includes("/") && text.length <= 15;
  return html`${fixed(value, 4)}${shown ? html` <b class="fraction">${text}</b>` : nothing}`;
}
