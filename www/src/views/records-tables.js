/** What other panels have measured, to be taken away as files. */

import { html, nothing } from "../../vendor/lit-html.js";
import { labTables } from "../records/tables.js";

/** @import { RecordsActions } from "../records/actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {RecordsActions} actions */
export function tablesView(state, actions) {
  const tables = labTables(state);
  return html`<section aria-labelledby="records-tables-title">
    <h3 id="records-tables-title">Tables of the other panels</h3>
    <p class="muted">
      The newest outcome of the A/B benchmark, of the batch, of precisions compared and of the KV cache's two paths, each with
      all its rows and with what was run.
      ${tables.length > 0 ? nothing : html`<span id="records-tables-none">None of them has been run yet.</span>`}
    </p>
    <ul class="records-list" id="records-tables">
      ${tables.map(
        (table) => html`<li data-table=${table.name}>
          <p><b>${table.label}</b>, <span class="muted">${table.note}</span></p>
          <div class="buttons">
            <button type="button" class="small" @click=${() => actions.downloadTable(table, "csv")}>
              CSV<span class="visually-hidden"> of ${table.label}</span>
            </button>
            <button type="button" class="quiet small" @click=${() => actions.downloadTable(table, "json")}>
              JSON<span class="visually-hidden"> of ${table.label}</span>
            </button>
          </div>
        </li>`,
      )}
    </ul>
  </section>`;
}
