/** The precision panel: what "precision" means for the running model, precisions compared, and numbers bit by bit. */

import { html } from "../../vendor/lit-html.js";
import { createPrecisionActions, precisionOf } from "../precision/actions.js";
import { words } from "../words/precision.js";
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
  const { headings } = words;
  return html`<div class="precision lab-stack">
    <p class="muted">${words.intro}</p>
    <details open id="precision-meanings">
      <summary><h3>${headings.meanings}</h3></summary>
      ${
        lab.meanings === null
          ? html`<p class="muted">${words.noAnswer}</p>`
          : meaningsTable(lab.meanings, buildWords(state))
      }
    </details>
    <details open id="precision-compare">
      <summary><h3>${headings.compare}</h3></summary>
      ${comparisonView(state, lab, actions)}
    </details>
    <details open id="precision-number">
      <summary><h3>${headings.number}</h3></summary>
      ${numberView(lab.number, actions)}
    </details>
    <details id="precision-blocks">
      <summary><h3>${headings.blocks}</h3></summary>
      ${blocksView(lab.blocks, actions)}
    </details>
    <details id="precision-packed">
      <summary><h3>${headings.packed}</h3></summary>
      ${packedView(lab.packed, actions)}
    </details>
  </div>`;
}

/** @param {State} state */
function buildWords({ model }) {
  if (model === null) return "";
  const { kernel, simd, precision, kvCache } = model.card;
  return words.build(model.title, kernel, simd === "relaxed", precision, kvCache);
}

/** @param {PrecisionMeaning[]} meanings @param {string} build */
function meaningsTable(meanings, build) {
  return html`<p class="muted">${build}</p>
    <table class="lab-table as-list precision-facts">
      ${tableHead(words.meaningColumns)}
      ${meanings.map(
        ({ name, question, facts }, n) => html`<tbody>
          <tr>
            <th scope="rowgroup" colspan="3">
              <b>${words.meaning(n, name)}</b> <span class="muted">${question}</span>
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
