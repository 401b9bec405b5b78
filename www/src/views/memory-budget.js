/** A budget to reckon with: an invented device of 8 GiB to begin with, every line of which can be changed. */

import { html } from "../../vendor/lit-html.js";
import { budgetLines, budgetSentence, budgetSum, gib } from "../memory-lab/numbers.js";
import { words } from "../words/memory.js";
import { numberField } from "./memory-field.js";
import { tableHead } from "./table.js";

/** @import { MemoryActions } from "../memory-lab/actions.js" */
/** @import { MemoryLab } from "../memory-lab/types.js" */

/** @param {MemoryLab} lab @param {MemoryActions} actions */
export function budgetView(lab, actions) {
  const { budget } = words;
  const { sum, margin } = budgetSum(lab);
  const row = (/** @type {import("../memory-lab/types.js").BudgetLine | "device"} */ name, /** @type {string} */ label, /** @type {number} */ value) =>
    html`<tr>
      <th scope="row">${label}</th>
      <td>${numberField(lab, name, budget.inGib(label), value, (text) => actions.typeGib(name, text), actions.leave)}</td>
    </tr>`;
  return html`<h3 id="memory-budget-title">${budget.heading}</h3>
    <p class="muted">${budget.intro(html`2<sup>30</sup>`)}</p>
    <table class="lab-table memory-budget" id="memory-budget" aria-labelledby="memory-budget-title">
      ${tableHead(budget.columns)}
      <tbody>
        ${row("device", budget.device, lab.device)} ${budgetLines.map((name) => row(name, budget.lines[name], lab.budget[name]))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${budget.sum}</th>
          <td class="numbers" id="memory-sum">${gib(sum)}</td>
        </tr>
        <tr>
          <th scope="row">${budget.margin}</th>
          <td class="numbers" id="memory-margin">${gib(margin)}</td>
        </tr>
      </tfoot>
    </table>
    <p id="memory-budget-verdict">${budgetSentence(lab)}</p>
    <p class="muted">
      ${budget.note}
      <button type="button" class="quiet small" id="memory-reset" @click=${actions.resetBudget}>
        ${budget.reset}
      </button>
    </p>`;
}
