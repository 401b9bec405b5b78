/** Looking closer at the step that the bars show: more columns, the draw, figures, two tokens compared, any token. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { manyDraws } from "../bench-actions.js";
import { fixed } from "../format.js";
import { asLookedAt } from "../look-back.js";
import { words } from "../words/bench.js";
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
      <legend class="label">${words.moreColumns}</legend>
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
        <h3 id="draws-title">${words.drawManyTimes}</h3>
        <span class="buttons">
          <button
            type="button"
            class="small"
            id="draw-many"
            ?disabled=${!distribution || run !== null}
            @click=${() => actions.drawMany(false)}
          >
            ${words.draw(manyDraws)}
          </button>
          <button
            type="button"
            class="quiet small"
            ?disabled=${!distribution || run !== null}
            @click=${() => actions.drawMany(true)}
          >
            ${words.freshSeed}
          </button>
        </span>
      </div>
      ${drawsView(draws?.result ?? null, { most: 10 })}
      <p class="muted" id="draws-stale">${draws?.result && draws.of !== distribution ? words.changedSince : ""}</p>
    </section>
  `;
}

/** @param {Distribution} distribution */
function figuresView({ baseEntropy, entropy, margin, rest }) {
  return html`<table class="figures-table numbers" id="step-figures" aria-label=${words.figures}>
    <thead>
      <tr>
        <td></td>
        <th scope="col">${words.model}</th>
        <th scope="col">${words.settings}</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <th scope="row">${words.entropy} ${info("entropy")}</th>
        <td>${entropyText(baseEntropy)}</td>
        <td>${entropyText(entropy)}</td>
      </tr>
      <tr>
        <th scope="row">${words.effectiveVocabulary}</th>
        <td>${words.tokens(baseEntropy.effectiveVocabulary)}</td>
        <td>${words.tokens(entropy.effectiveVocabulary)}</td>
      </tr>
      <tr>
        <th scope="row">${words.others}</th>
        <td>${exact(rest.baseProbability)}</td>
        <td>${exact(rest.probability)}</td>
      </tr>
      <tr>
        <th scope="row">${words.lead}</th>
        <td colspan="2">
          ${margin === null ? words.alone : words.margin(margin.logit, margin.probability)}
        </td>
      </tr>
    </tbody>
  </table>`;
}

/** @param {Entropy} entropy */
const entropyText = ({ nats, bits }) => words.natsAndBits(nats, bits);

/** @param {number} chance */
const exact = (chance) => fixed(chance, 6);
