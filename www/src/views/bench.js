/** Looking closer at the step that the bars show: more columns, the draw, figures, two tokens compared, any token. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { percent, figure } from "../format.js";
import { asLookedAt } from "../look-back.js";
import { extraColumns, scaleOf } from "./bar-row.js";
import { diceView } from "./dice.js";
import { drawsView } from "./draws.js";
import { finderView } from "./finder.js";
import { info } from "./info.js";
import { oddsView } from "./odds.js";
import { useButtons } from "./use-row.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { Distribution, Entropy } from "../protocol.js" */
/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { RowOptions } from "./bar-row.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel({ actions }) {
  return (state) => view(state, actions);
}

/** What can be set concerns the present step, all else the one that the bars show.
 * @param {State} state @param {Actions} actions
 */
function view(state, actions) {
  const { columns, chosen, distribution, draws, run } = state;
  const looking = asLookedAt(state);
  const shown = looking.distribution;
  const use = useButtons(looking, actions);
  /** @type {RowOptions} */
  const options = { scale: scaleOf(shown), columns, chosen, choose: actions.chooseToken, use };
  return html`
    <fieldset class="columns">
      <legend class="label">More columns</legend>
      ${extraColumns.map(
        ({ name, label }) => html`<label class="switch"
          ><input
            type="checkbox"
            .checked=${live(columns.includes(name))}
            @change=${() => actions.toggleColumn(name)}
          />
          ${label}</label
        >`,
      )}
      ${info("columns")}
    </fieldset>
    ${diceView(state, actions)} ${shown ? figuresView(shown) : nothing} ${oddsView(state, actions)}
    ${finderView(state, actions, options)}
    <section class="bench-part" aria-labelledby="draws-title">
      <div class="panel-line">
        <h3 id="draws-title">Draw many times</h3>
        <span class="buttons">
          <button
            type="button"
            class="small"
            id="draw-many"
            ?disabled=${!distribution || run !== null}
            @click=${() => actions.drawMany(false)}
          >
            Draw 1,000 times
          </button>
          <button
            type="button"
            class="quiet small"
            ?disabled=${!distribution || run !== null}
            @click=${() => actions.drawMany(true)}
          >
            With a fresh seed
          </button>
        </span>
      </div>
      ${drawsView(draws?.result ?? null, { most: 10 })}
      <p class="muted" id="draws-stale">${draws?.result && draws.of !== distribution ? "The bars have changed since." : ""}</p>
    </section>
  `;
}

/** @param {Distribution} distribution */
function figuresView({ baseEntropy, entropy, margin, rest }) {
  return html`<table class="figures-table numbers" id="step-figures" aria-label="Figures of this step">
    <thead>
      <tr>
        <td></td>
        <th scope="col">Model</th>
        <th scope="col">Your settings</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <th scope="row">Entropy ${info("entropy")}</th>
        <td>${entropyText(baseEntropy)}</td>
        <td>${entropyText(entropy)}</td>
      </tr>
      <tr>
        <th scope="row">Effective vocabulary</th>
        <td>${figure(baseEntropy.effectiveVocabulary)} tokens</td>
        <td>${figure(entropy.effectiveVocabulary)} tokens</td>
      </tr>
      <tr>
        <th scope="row">All other tokens together</th>
        <td>${exact(rest.baseProbability)}</td>
        <td>${exact(rest.probability)}</td>
      </tr>
      <tr>
        <th scope="row">Lead of the first over the second</th>
        <td colspan="2">
          ${
            margin === null
              ? "it is alone"
              : `${figure(margin.logit)} in logits, ${percent(margin.probability)} in chance with your settings`
          }
        </td>
      </tr>
    </tbody>
  </table>`;
}

/** @param {Entropy} entropy */
const entropyText = ({ nats, bits }) => `${nats.toFixed(2)} nats, ${bits.toFixed(2)} bits`;

/** @param {number} chance */
const exact = (chance) => chance.toFixed(6);
