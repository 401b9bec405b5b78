/** The button in each row of the bars that puts its token into the text. */

import { html, nothing } from "../../vendor/lit-html.js";
import { canChange } from "../branches.js";
import { shownIndex } from "../look-back.js";
import { stepAt } from "../text-blocks.js";
import { words } from "../words/bars.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { Distribution } from "../protocol.js" */

/** Buttons for the rows of tables that are about the step that the bars show: one tab stop in a table, the arrow keys go
 * from row to row.
 * @param {State} state @param {Actions} actions @returns {(distribution: Distribution, row: number) => unknown}
 */
export function useButtons(state, actions) {
  const index = shownIndex(state);
  if (index === null || state.text?.stale) return () => nothing;
  const rests = canChange(state);
  // While text comes by itself there is nothing to put in; a moment after a change the button stays, and keeps the focus.
  if (!rests && state.run !== null) return () => nothing;
  const context = (state.tokens?.ids.length ?? 0) + index;
  const taken = (state.text && stepAt(state.text.blocks, index)?.id) ?? null;
  return (distribution, row) => {
    const { ids, spoken } = distribution.tokens;
    if (ids[row] === taken) return nothing;
    const fits = rests && distribution.contextTokens === context;
    return html`<button
      type="button"
      class="use"
      tabindex=${row === (ids[0] === taken ? 1 : 0) ? 0 : -1}
      aria-label=${taken === null ? words.useNext(spoken[row]) : words.useInstead(spoken[row])}
      aria-disabled=${fits ? nothing : "true"}
      @click=${() => fits && actions.useRow(distribution, row)}
    >
      ${words.use}
    </button>`;
  };
}

/** Arrow keys between the buttons of the rows; Escape goes back to the present. @param {Actions} actions */
export const useKeys = (actions) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Escape") return actions.endLook();
  const table = /** @type {HTMLElement} */ (event.currentTarget);
  const buttons = Array.from(/** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll(".use")));
  const at = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
  const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : -1;
  if (at < 0 || !buttons[to]) return;
  event.preventDefault();
  buttons[to].focus();
};
