/** The ranked tokens: the model's own chance beside the chance with the student's settings. Numbers as they come. */

import { html, nothing } from "../../vendor/lit-html.js";
import { chainNames, count, percent, setting } from "../format.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { Distribution } from "../protocol.js" */

/** Lengths that a full bar may stand for, so that small chances can be seen and bars seldom change their scale. */
const scales = [0.05, 0.1, 0.25, 0.5, 1];
const banned = 255;

/** @param {State} state @param {Actions} actions */
export function barsView(state, actions) {
  const { distribution, controls } = state;
  const scale = distribution ? scaleOf(distribution) : 1;
  return html`
    <div class="panel-line">
      <h2 id="bars-title">${(distribution?.pickedId ?? null) === null ? "Next token" : "Token picked last"}</h2>
      <span class="muted numbers full-bar">full bar ${Math.round(scale * 100)} %</span>
      <span class="muted numbers" id="kept-line">${distribution ? keptLine(distribution) : nothing}</span>
      <button type="button" class="quiet small" id="read-top" aria-keyshortcuts="Alt+B" @click=${actions.readTopFive}>
        Read the top five
      </button>
    </div>
    <table class="bars" id="bars" aria-labelledby="bars-title">
      <thead>
        <tr>
          <th scope="col" class="rank"><span class="visually-hidden">Rank</span></th>
          <th scope="col">Token</th>
          <th scope="col" class="logit">Logit ${info("logit")}</th>
          <th scope="col" class="chance">Model says ${info("chance")}</th>
          <th scope="col" class="chance">With your settings ${info("mine")}</th>
        </tr>
      </thead>
      <tbody>
        ${Array.from({ length: controls.rows }, (_, row) => barRow(state, row, scale))}
        ${distribution ? restRow(distribution, scale) : emptyRow}
        ${[0, 1].map((extra) => barRow(state, controls.rows + extra, scale))}
      </tbody>
    </table>
    <p class="draw-line numbers" id="draw-line">
      ${distribution ? drawLine(distribution, state) : nothing}
    </p>
  `;
}

/**
 * Keeps the table's height while there is nothing to show: below the rest, the picked token and the one that would be.
 * Four columns, not five: on a phone the logits are hidden, and a fifth would take its share of the width.
 */
const emptyRow = html`<tr class="empty" aria-hidden="true"><td colspan="4"></td></tr>`;

/** @param {State} state @param {number} row @param {number} scale */
function barRow({ distribution, slowStep }, row, scale) {
  if (!distribution || row >= distribution.tokens.ids.length) return emptyRow;
  const { tokens, ranks, rawLogits, baseProbabilities, probabilities, cutBy, cuts } = distribution;
  const cut = cutBy[row];
  const why = cut === banned ? "banned" : cut > 0 ? `cut by ${chainNames[cuts[cut - 1].kind]}` : null;
  const mark = slowStep?.phase === "filter" ? null : markOf(distribution, tokens.ids[row]);
  return html`<tr class="${why ? "cut" : ""} ${mark ? "marked" : ""}" data-id=${tokens.ids[row]}>
    <td class="rank">${count(ranks[row] + 1)}</td>
    <th scope="row">
      <span class="token-cell"
        ><code class="chip ${tokens.kind[row]}" aria-hidden="true">${tokens.text[row]}</code
        ><span class="visually-hidden">${tokens.spoken[row]}</span>${
          mark ? html`<span class="tag ${mark === "picked" ? "" : "soft"}">${mark}</span>` : nothing
        }</span
      >
    </th>
    <td class="logit"><span class="logit-cell">${rawLogits[row].toFixed(2)}</span></td>
    <td>${chance(baseProbabilities[row], scale, "model")}</td>
    <td>${why ? html`<span class="why">${why}</span>` : chance(probabilities[row], scale, "mine")}</td>
  </tr>`;
}

/** @param {number} probability @param {number} scale @param {"model" | "mine"} whose */
function chance(probability, scale, whose) {
  return html`<span class="chance-cell"
    ><span class="track" aria-hidden="true"
      ><span class="bar ${whose}" style=${`transform: scaleX(${Math.min(1, probability / scale)})`}></span></span
    ><span class="numbers">${percent(probability)}</span></span
  >`;
}

/** @param {Distribution} distribution @param {number} scale */
function restRow({ rest }, scale) {
  return html`<tr class="rest" id="rest-row">
    <th scope="row" colspan="2">all other tokens together: ${count(rest.count)}</th>
    <td class="logit"></td>
    <td>${chance(rest.baseProbability, scale, "model")}</td>
    <td>${rest.kept === 0 ? html`<span class="why">all cut</span>` : chance(rest.probability, scale, "mine")}</td>
  </tr>`;
}

/** @param {Distribution} distribution @param {number} id */
function markOf({ pickedId, draw }, id) {
  if (id === pickedId) return "picked";
  if (id !== draw.id) return null;
  return pickedId === null ? "next pick" : "would pick";
}

/** @param {Distribution} distribution */
function keptLine({ cuts, kept, vocabulary, greedy }) {
  if (greedy) return `greedy, 1 of ${count(vocabulary)}`;
  const filters = cuts
    .filter(({ keptBefore, keptAfter }) => keptAfter < keptBefore)
    .map(({ kind, value, keptAfter }) => `${chainNames[kind]} ${setting(value)} → ${count(keptAfter)}`);
  return filters.length === 0
    ? `${count(kept)} of ${count(vocabulary)} kept`
    : `${count(vocabulary)}, ${filters.join(", ")}`;
}

/** @param {Distribution} distribution @param {State} state */
function drawLine({ draw, tokens, pickedId, greedy }, { controls }) {
  if (greedy || draw.uniform === null) return "Greedy: the highest score, no random number.";
  const row = tokens.ids.indexOf(draw.id);
  const name =
    row < 0 ? `id ${draw.id}` : html`<code class="chip ${tokens.kind[row]}">${tokens.text[row]}</code>`;
  const falls = pickedId === null ? "will fall" : pickedId === draw.id ? "fell" : "would fall now";
  const span = `${draw.low.toFixed(4)} to ${draw.high.toFixed(4)}`;
  // The token stands last, where its length moves nothing.
  return html`Seed ${controls.seed} ${info("seed")} drew ${draw.uniform.toFixed(4)}; it ${falls} in ${span}, the span of ${name}`;
}

/** @param {Distribution} distribution */
function scaleOf({ baseProbabilities, probabilities, rest }) {
  let highest = Math.max(rest.baseProbability, rest.probability);
  for (const column of [baseProbabilities, probabilities]) {
    for (const probability of column) highest = Math.max(highest, probability);
  }
  return scales.find((scale) => scale >= highest) ?? 1;
}
