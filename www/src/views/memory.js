/** The memory panel: what a running request has in memory, part by part, what more text would take, and a budget. */

import { html, nothing, styleMap } from "../../vendor/lit-html.js";
import { createMemoryActions, memoryLabOf } from "../memory-lab/actions.js";
import { bothUnits, partsOf } from "../memory-lab/numbers.js";
import { words } from "../words/memory.js";
import { budgetView } from "./memory-budget.js";
import { placesView } from "./memory-places.js";
import { projectionView } from "./memory-projection.js";
import { tableHead } from "./table.js";

/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { MemoryUse } from "../protocol.js" */
/** @import { MemoryActions } from "../memory-lab/actions.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createMemoryActions(parts);
  return (state) => memoryView(state, actions);
}

/** @param {State} state @param {MemoryActions} actions */
function memoryView(state, actions) {
  const lab = memoryLabOf(state);
  return html`<div class="lab-stack">
    <p class="muted">${words.intro(html`2<sup>20</sup>`)}</p>
    ${lab.use === null ? html`<p id="memory-none" class="muted">${words.none}</p>` : useView(lab.use)}
    ${lab.use === null ? nothing : placesView(state, lab, lab.use, actions)}
    ${lab.use === null ? nothing : projectionView(state, lab, lab.use, actions)} ${budgetView(lab, actions)}
  </div>`;
}

/** @param {MemoryUse} use */
function useView(use) {
  const parts = partsOf(use);
  const whole = use.wasmBytes;
  return html`<h3 id="memory-use-title">${words.nowHeading}</h3>
    <div class="memory-bar" id="memory-bar" aria-hidden="true">
      ${parts.map(
        ({ id, label, bytes }) =>
          html`<span
            data-part=${id}
            style=${styleMap({ flexGrow: String(bytes) })}
          ></span>`,
      )}
    </div>
    <div class="scroll-x" tabindex="0" role="group" aria-labelledby="memory-use-title">
      <table class="lab-table memory-table" id="memory-table">
        ${tableHead(words.columns)}
        <tbody>
          ${parts.map(
            ({ id, label, bytes, counted, note }) =>
              html`<tr data-part=${id}>
                <th scope="row"><span class="memory-key" data-part=${id} aria-hidden="true"></span> ${label}</th>
                <td class="numbers">${bothUnits(bytes)}</td>
                <td class="numbers">${words.share(bytes / whole)}</td>
                <td>${counted ? words.counted : words.difference}</td>
                <td class="muted memory-note">${note}</td>
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${words.wholeMemory}</th>
            <td class="numbers" id="memory-whole">${bothUnits(whole)}</td>
            <td class="numbers">${words.whole}</td>
            <td>${words.measured}</td>
            <td class="muted memory-note">${words.wholeNote}</td>
          </tr>
        </tfoot>
      </table>
    </div>
    ${
      use.otherBytes === null
        ? html`<p class="fault">${words.tooMuch}</p>`
        : nothing
    }
    <p class="muted">${words.countedNote}</p>`;
}
