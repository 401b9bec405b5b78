/** A budget to reckon with: an invented device of 8 GiB to begin with, every line of which can be changed. */

import { html } from "../../vendor/lit-html.js";
import { budgetLines, budgetSentence, budgetSum, gib } from "../memory-lab/numbers.js";
import { numberField } from "./memory-field.js";
import { tableHead } from "./table.js";

/** @import { MemoryActions } from "../memory-lab/actions.js" */
/** @import { MemoryLab } from "../memory-lab/types.js" */

/** @param {MemoryLab} lab @param {MemoryActions} actions */
export function budgetView(lab, actions) {
  const { sum, margin } = budgetSum(lab);
  const row = (/** @type {import("../memory-lab/types.js").BudgetLine | "device"} */ name, /** @type {string} */ label, /** @type {number} */ value) =>
    html`<tr>
      <th scope="row">${label}</th>
      <td>${numberField(lab, name, `${label}, in GiB`, value, (text) => actions.typeGib(name, text), actions.leave)}</td>
    </tr>`;
  return html`<h3 id="memory-budget-title">A budget on paper</h3>
    <p class="muted">Numbers of an invented device; put in your own. 1 GiB is 2<sup>30</sup> bytes, 1.074 GB.</p>
    <table class="lab-table memory-budget" id="memory-budget" aria-labelledby="memory-budget-title">
      ${tableHead(["Part", "GiB"])}
      <tbody>
        ${row("device", "what there is", lab.device)} ${budgetLines.map(({ name, label }) => row(name, label, lab.budget[name]))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">sum</th>
          <td class="numbers" id="memory-sum">${gib(sum)}</td>
        </tr>
        <tr>
          <th scope="row">margin</th>
          <td class="numbers" id="memory-margin">${gib(margin)}</td>
        </tr>
      </tfoot>
    </table>
    <p id="memory-budget-verdict">${budgetSentence(lab)}</p>
    <p class="muted">
      A margin is no guarantee: every line is an estimate, peaks may have been missed, parts may overlap in time or share
      room, and an allocator may not find its bytes in one piece.
      <button type="button" class="quiet small" id="memory-reset" @click=${actions.resetBudget}>
        Put the first numbers back
      </button>
    </p>`;
}
