/** What other panels have measured, to be taken away as files. */

import { html, nothing } from "../../vendor/lit-html.js";
import { labTables } from "../records/tables.js";
import { words } from "../words/records.js";
import { hidden } from "./hidden.js";

/** @import { RecordsActions } from "../records/actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {RecordsActions} actions */
export function tablesView(state, actions) {
  const tables = labTables(state);
  return html`<section aria-labelledby="records-tables-title">
    <h3 id="records-tables-title">${words.tables.heading}</h3>
    <p class="muted">
      ${words.tables.about}
      ${tables.length > 0 ? nothing : html`<span id="records-tables-none">${words.tables.none}</span>`}
    </p>
    <ul class="records-list" id="records-tables">
      ${tables.map(
        (table) => html`<li data-table=${table.name}>
          <p><b>${table.label}</b>, <span class="muted">${table.note}</span></p>
          <div class="buttons">
            <button type="button" class="small" @click=${() => actions.downloadTable(table, "csv")}>
              ${words.tables.csv}${hidden(words.tables.ofTable(table.label))}
            </button>
            <button type="button" class="quiet small" @click=${() => actions.downloadTable(table, "json")}>
              ${words.tables.json}${hidden(words.tables.ofTable(table.label))}
            </button>
          </div>
        </li>`,
      )}
    </ul>
  </section>`;
}
