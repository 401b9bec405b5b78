/** The precision panel: what "precision" means for the running model, precisions compared, and numbers bit by bit. */

import { html } from "../../vendor/lit-html.js";
import { createPrecisionActions, precisionOf } from "../precision/actions.js";
import { blocksView, packedView } from "./block-scaling.js";
import { numberView } from "./number-formats.js";
import { comparisonView } from "./precision-table.js";
import { tableHead } from "./table.js";

/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { PrecisionMeaning } from "../protocol.js" */
/** @import { State } from "../page-types.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createPrecisionActions(parts);
  return (state) => view(state, actions);
}

/** @param {State} state @param {ReturnType<typeof createPrecisionActions>} actions */
function view(state, actions) {
  const lab = precisionOf(state);
  return html`<div class="precision lab-stack">
    <p class="muted">
      “The model runs in F16” can mean five different things. Read which hold for this model, compare Q4 with F32 on one text,
      then type a number and see which bits each format stores of it.
    </p>
    <details open id="precision-meanings">
      <summary><h3>Five meanings of precision, in the running model</h3></summary>
      ${
        lab.meanings === null
          ? html`<p class="muted">The engine has not answered yet.</p>`
          : meaningsTable(lab.meanings, buildWords(state))
      }
    </details>
    <details open id="precision-compare">
      <summary><h3>Precisions compared on one text</h3></summary>
      ${comparisonView(state, lab, actions)}
    </details>
    <details open id="precision-number">
      <summary><h3>The bits of a number</h3></summary>
      ${numberView(lab.number, actions)}
    </details>
    <details id="precision-blocks">
      <summary><h3>One scale, or a scale for each block</h3></summary>
      ${blocksView(lab.blocks, actions)}
    </details>
    <details id="precision-packed">
      <summary><h3>Bytes of packed weights</h3></summary>
      ${packedView(lab.packed, actions)}
    </details>
  </div>`;
}

/** @param {State} state */
function buildWords({ model }) {
  if (model === null) return "";
  const { kernel, simd, precision, kvCache } = model.card;
  return `${model.title}: kernel ${kernel}, engine ${simd === "relaxed" ? "with relaxed SIMD" : "exact"}, weights ${precision}, KV cache ${kvCache}. Choose others under “About ${model.title}” at the top of the page, and this table changes.`;
}

/** @param {PrecisionMeaning[]} meanings @param {string} words */
function meaningsTable(meanings, words) {
  return html`<p class="muted">${words}</p>
    <table class="lab-table as-list precision-facts">
      ${tableHead(["Part of the model", "Format", "How"])}
      ${meanings.map(
        ({ name, question, facts }, n) => html`<tbody>
          <tr>
            <th scope="rowgroup" colspan="3">
              <b>${n + 1}. ${name}</b> <span class="muted">${question}</span>
            </th>
          </tr>
          ${facts.map(
            ({ part, format, detail }) => html`<tr>
              <th scope="row">${part}</th>
              <td><b>${format}</b></td>
              <td>${detail}</td>
            </tr>`,
          )}
        </tbody>`,
      )}
    </table>`;
}
