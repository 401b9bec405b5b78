/** The bars of an earlier step: their title, and what its token keeps of it until all rows have come. */

import { html, nothing } from "../../vendor/lit-html.js";
import { stepLookedBackAt } from "../look-back.js";
import { words } from "../words/bars.js";
import { chance } from "./bar-row.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { RowOptions } from "./bar-row.js" */
/** @import { TextStep } from "../text-types.js" */

/** What the bars show: an earlier step, the next token, or the one that was picked last. All titles, with what stands
 * beside them, are equally wide, so that nothing moves when a pointer passes over the text.
 * @param {State} state @param {number} scale the chance that a full bar stands for
 */
export function barsTitle(state, scale) {
  const step = stepLookedBackAt(state);
  if (!step) {
    return html`<h2 id="bars-title">
        ${(state.distribution?.pickedId ?? null) === null ? words.next : words.pickedLast}
      </h2>
      <span class="muted numbers full-bar">${words.fullBar(scale)}</span>`;
  }
  const token = html`<code class="chip ${step.kind}" aria-hidden="true">${step.shown}</code
    ><span class="visually-hidden">${step.spoken}</span>`;
  return html`<h2 id="bars-title" class="of-step">
    ${step.byHand ? words.howPutIn(step.index + 1, token) : words.howPicked(step.index + 1, token)}
  </h2>`;
}

/** The button at the end of the title's line: one, which keeps the focus when it has brought the present back.
 * @param {State} state @param {Actions} actions
 */
export function barsButton({ look }, actions) {
  return html`<button
    type="button"
    class="quiet small bars-button"
    id="bars-button"
    aria-keyshortcuts=${look ? "Escape" : "Alt+B"}
    @click=${look ? actions.endLook : actions.readTopFive}
  >
    ${look ? words.back : words.readTopFive}
  </button>`;
}

/**
 * The rows that a token keeps of its step.
 * @param {TextStep} step @param {number} rows of the table, which stays as high as it is
 * @param {unknown} emptyRow
 * @param {RowOptions} options
 */
export function pastRows({ id, history }, rows, emptyRow, { scale, columns }) {
  const known = history?.top.ids.length ?? 0;
  return Array.from({ length: rows }, (_, row) => {
    if (!history || row >= known) return emptyRow;
    const { ids, text, spoken, kind } = history.top;
    return html`<tr class=${ids[row] === id ? "marked" : ""} data-id=${ids[row]}>
      <td class="rank">${row + 1}</td>
      <th scope="row">
        <span class="token-cell"
          ><code class="chip ${kind[row]}" aria-hidden="true">${text[row]}</code
          ><span class="visually-hidden">${spoken[row]}</span>${
            ids[row] === id ? html`<span class="tag">${words.marks.picked}</span>` : nothing
          }</span
        >
      </th>
      <td class="logit"></td>
      ${columns.length > 0 ? html`<td colspan=${columns.length}></td>` : nothing}
      <td></td>
      <td>${chance(history.probabilities[row], scale, "mine")}</td>
    </tr>`;
  });
}
