/** The list of lab sheets with what is done of each, and the student's notes. */

import { html, live } from "../../vendor/lit-html.js";
import { initialSheets, progressOf } from "../sheets/state.js";
import { words } from "../words/sheets.js";

/** @import { State } from "../page-types.js" */
/** @import { SheetActions } from "../sheets/actions.js" */
/** @import { Sheet } from "../sheets/types.js" */

/** @param {Sheet[]} sheets @param {State} state @param {SheetActions} actions */
export function sheetListView(sheets, { notebook, sheets: own }, actions) {
  const { erasing } = own ?? initialSheets;
  const { list } = words;
  return html`<div class="sheet">
    <p class="muted">${list.about}</p>
    <ol class="sheet-list" id="sheet-list" aria-label=${list.label}>
      ${sheets.map(
        (sheet, n) => html`<li>
          <button type="button" class="quiet" id=${`sheet-${sheet.name}`} @click=${() => actions.show(sheet.name)}>
            <b>${list.title(n + 1, sheet.title)}</b>
            <span class="muted">${sheet.about}</span>
            <span class="muted numbers">${list.length(sheet.minutes, progressOf(notebook, sheet))}</span>
          </button>
        </li>`,
      )}
    </ol>
    <label class="sheet-notes" for="notebook-notes">
      <span class="label">${list.notes}</span>
      <textarea
        id="notebook-notes"
        rows="4"
        .value=${live(notebook.notes)}
        @input=${(/** @type {Event} */ { target }) => actions.typeNotes(/** @type {HTMLTextAreaElement} */ (target).value)}
      ></textarea>
    </label>
    ${
      erasing
        ? html`<div class="sheet-erase" role="group" aria-label=${list.eraseLabel}>
            <p>${list.eraseWarning}</p>
            <div class="buttons">
              <button type="button" id="notebook-erase-yes" @click=${actions.erase}>${list.eraseYes}</button>
              <button type="button" class="quiet" id="notebook-erase-no" @click=${actions.keep}>${list.eraseNo}</button>
            </div>
          </div>`
        : html`<button type="button" class="quiet small" id="notebook-erase" @click=${actions.askErase}>
            ${list.erase}
          </button>`
    }
  </div>`;
}
