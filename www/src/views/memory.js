/** The memory panel: what a running request has in memory, part by part, what more text would take, and a budget. */

import { html, nothing, styleMap } from "../../vendor/lit-html.js";
import { createMemoryActions, memoryLabOf } from "../memory-lab/actions.js";
import { bothUnits, partsOf } from "../memory-lab/numbers.js";
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
    <p class="muted">
      A model that runs needs more than its weights. Make the text longer and see which part grows, and which does not. MB is
      a million bytes, MiB is 2<sup>20</sup> = 1,048,576.
    </p>
    ${lab.use === null ? html`<p id="memory-none" class="muted">No model is loaded yet.</p>` : useView(lab.use)}
    ${lab.use === null ? nothing : placesView(state, lab, lab.use, actions)}
    ${lab.use === null ? nothing : projectionView(state, lab, lab.use, actions)} ${budgetView(lab, actions)}
  </div>`;
}

/** @param {MemoryUse} use */
function useView(use) {
  const parts = partsOf(use);
  const whole = use.wasmBytes;
  return html`<h3 id="memory-use-title">The engine's memory now</h3>
    <div class="memory-bar" id="memory-bar" aria-hidden="true">
      ${parts.map(
        ({ id, label, bytes }) =>
          html`<span
            data-part=${id}
            title=${`${label}: ${bothUnits(bytes)}`}
            style=${styleMap({ flexGrow: String(bytes) })}
          ></span>`,
      )}
    </div>
    <div class="scroll-x" tabindex="0" role="group" aria-labelledby="memory-use-title">
      <table class="lab-table memory-table" id="memory-table">
        ${tableHead(["Part", "Size", "Share", "Known how", "What it is"])}
        <tbody>
          ${parts.map(
            ({ id, label, bytes, counted, note }) =>
              html`<tr data-part=${id}>
                <th scope="row"><span class="memory-key" data-part=${id} aria-hidden="true"></span> ${label}</th>
                <td class="numbers">${bothUnits(bytes)}</td>
                <td class="numbers">${((100 * bytes) / whole).toFixed(1)} %</td>
                <td>${counted ? "counted" : "the difference"}</td>
                <td class="muted memory-note">${note}</td>
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">WebAssembly memory</th>
            <td class="numbers" id="memory-whole">${bothUnits(whole)}</td>
            <td class="numbers">100 %</td>
            <td>measured</td>
            <td class="muted memory-note">all that the engine has taken from the browser</td>
          </tr>
        </tfoot>
      </table>
    </div>
    ${
      use.otherBytes === null
        ? html`<p class="fault">More was counted than the memory measures: one of the two figures is wrong.</p>`
        : nothing
    }
    <p class="muted">
      Counted means: the lengths of the buffers that are allocated, added up. The parts need not peak at the same time. On
      candle the tensors of a pass live as long as the pass needs them, so between passes its live activations are the kept
      hidden states and logits alone.
    </p>`;
}
