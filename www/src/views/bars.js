/** The ranked tokens: the model's own chance beside the chance with the student's settings. */

import { html, nothing, repeat } from "../../vendor/lit-html.js";
import { asLookedAt, stepLookedBackAt } from "../look-back.js";
import { BENCH, panelId } from "../panel-state.js";
import { words } from "../words/bars.js";
import { words as common } from "../words/common.js";
import { barRow, barsHead, chance, markOf, scaleOf, tableClass, tableStyle } from "./bar-row.js";
import { info } from "./info.js";
import { barsButton, barsTitle, pastRows } from "./past-bars.js";
import { useButtons, useKeys } from "./use-row.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { Distribution } from "../protocol.js" */
/** @import { RowOptions } from "./bar-row.js" */

/** @param {State} present @param {Actions} actions */
export function barsView(present, actions) {
  const state = asLookedAt(present);
  const { distribution, controls, columns, benchOpen, chosen } = state;
  const past = distribution ? null : stepLookedBackAt(state);
  const scale = scaleOf(distribution);
  /** @type {RowOptions} */
  const options = {
    scale,
    columns,
    chosen: benchOpen ? chosen : null,
    choose: actions.chooseToken,
    use: useButtons(state, actions),
  };
  return html`
    <div class="panel-line">
      ${barsTitle(state, scale)}
      <span class="muted numbers" id="kept-line">${distribution ? keptLine(distribution) : nothing}</span>
      ${barsButton(state, actions)}
    </div>
    <div
      class="bars-frame"
      tabindex=${columns.length > 0 ? 0 : nothing}
      role=${columns.length > 0 ? "group" : nothing}
      aria-labelledby=${columns.length > 0 ? "bars-title" : nothing}
    >
      <table
        class=${tableClass(options)}
        style=${tableStyle(options)}
        id="bars"
        aria-labelledby="bars-title"
        @keydown=${useKeys(actions)}
      >
        ${barsHead(columns, true)}
        <tbody>
          ${
            past
              ? pastRows(past, controls.rows, emptyRow, options)
              : Array.from({ length: controls.rows }, (_, row) => rowOrEmpty(state, row, options))
          }
          ${distribution ? restRow(distribution, options) : emptyRow}
          ${repeat(
            [0, 1].map((extra) => controls.rows + extra),
            // Another token is another row; a rank that changed its length in place would be seen to jump.
            (row) => `${row} ${distribution?.tokens.ids[row]}`,
            (row) => rowOrEmpty(state, row, options),
          )}
        </tbody>
      </table>
    </div>
    <p class="draw-line numbers" id="draw-line">
      ${distribution ? drawLine(distribution, state) : nothing}
    </p>
    <details
      class="bench"
      id="bench"
      @toggle=${(/** @type {Event & { target: HTMLDetailsElement }} */ { target }) => actions.toggleBench(target.open)}
    >
      <summary>${words.lookCloser}</summary>
      ${benchOpen ? codeView(state) : nothing}
      <div id=${panelId(BENCH)}></div>
    </details>
  `;
}

/**
 * Keeps the table's height while there is nothing to show: below the rest, the picked token and the one that would be.
 * Four columns, not five: on a phone the logits are hidden, and a fifth would take its share of the width.
 */
const emptyRow = html`<tr class="empty" aria-hidden="true"><td colspan="4"></td></tr>`;

/** @param {State} state @param {number} row @param {RowOptions} options */
function rowOrEmpty({ distribution, slowStep }, row, options) {
  if (!distribution || row >= distribution.tokens.ids.length) return emptyRow;
  const mark = slowStep?.phase === "filter" ? null : markOf(distribution, distribution.tokens.ids[row]);
  return barRow(distribution, row, mark, options);
}

/** @param {Distribution} distribution @param {RowOptions} options */
function restRow({ rest }, { scale, columns }) {
  return html`<tr class="rest" id="rest-row">
    <th scope="row" colspan="2">${words.rest(rest.count)}</th>
    <td class="logit"></td>
    ${columns.length > 0 ? html`<td colspan=${columns.length}></td>` : nothing}
    <td>${chance(rest.baseProbability, scale, "model")}</td>
    <td>${rest.kept === 0 ? html`<span class="why">${words.allCut}</span>` : chance(rest.probability, scale, "mine")}</td>
  </tr>`;
}

/** @param {Distribution} distribution */
function keptLine({ cuts, kept, vocabulary, greedy }) {
  if (greedy) return words.keptByGreedy(vocabulary);
  const filters = cuts
    .filter(({ keptBefore, keptAfter }) => keptAfter < keptBefore)
    .map(({ kind, value, keptAfter }) => words.filter(common.chain[kind], value, keptAfter));
  return filters.length === 0 ? words.keptOf(kept, vocabulary) : words.keptAfter(vocabulary, filters);
}

/** @param {Distribution} distribution @param {State} state */
function drawLine({ draw, tokens, pickedId, greedy }, { controls, dice, diceUsed, look }) {
  if (greedy || draw.uniform === null) return words.greedyDraw;
  const row = tokens.ids.indexOf(draw.id);
  const name =
    row < 0 ? common.id(draw.id) : html`<code class="chip ${tokens.kind[row]}">${tokens.text[row]}</code>`;
  const falls = pickedId === null ? "willFall" : pickedId === draw.id ? "fell" : "wouldFall";
  const byHand = dice !== null || draw.uniform === diceUsed;
  // Since an earlier step the seed may have been changed.
  const drawn = look ? words.numberWas(draw.uniform) : words.seedDrew(controls.seed, info("seed"), draw.uniform);
  const number = byHand && !look ? words.yourNumber(draw.uniform) : drawn;
  return words.draw(number, words.places[falls](draw.low, draw.high, name));
}

/** What stands for the part below the bars until its code is there. @param {State} state */
function codeView({ panelCode }) {
  if (panelCode.bench === "ready") return nothing;
  return panelCode.bench === "failed"
    ? html`<p>${words.notLoaded}</p>`
    : html`<p class="muted">${common.loading}</p>`;
}
