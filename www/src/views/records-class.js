/** Records from files: dropped or chosen, one or those of a whole class, as a table that can be sorted. */

import { html, nothing } from "../../vendor/lit-html.js";
import { classColumns, groupsOf, groupWords, sorted } from "../records/class-table.js";
import { modelWords, reasonWords, seedWords, settingsWords, speedWords, tokensPerSecond } from "../records/words.js";
import { words } from "../words/records.js";
import { hidden } from "./hidden.js";
import { outcomeView } from "./records-list.js";

/** @import { RecordsActions } from "../records/actions.js" */
/** @import { KeptRecord, RecordsLab } from "../records/types.js" */

/** @param {RecordsLab} lab @param {RecordsActions} actions */
export function filesView({ files, refused, sort, work }, actions) {
  /** @param {Event & { target: HTMLInputElement }} event */
  const choose = ({ target }) => {
    void actions.readFiles([...(target.files ?? [])]);
    // The same files can be chosen again.
    target.value = "";
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    event.preventDefault();
    // Elsewhere on the page, dropped files are a model.
    event.stopPropagation();
    void actions.readFiles([...(event.dataTransfer?.files ?? [])]);
  };
  const over = (/** @type {DragEvent} */ event) => event.preventDefault();
  return html`<section class="records-files" aria-labelledby="records-files-title" @dragover=${over} @drop=${drop}>
    <h3 id="records-files-title">${words.files.heading}</h3>
    <p class="records-drop">
      <label for="records-input">${words.files.field}</label>
      <input type="file" id="records-input" multiple accept=".json,application/json" aria-describedby="records-drop-note" @change=${choose} />
      <span class="muted" id="records-drop-note">${words.files.drop}</span>
    </p>
    ${refused.length === 0 ? nothing : html`<ul class="records-refused" id="records-refused">
      ${refused.map(({ file, sentence }) => html`<li class="fault"><b>${file}</b>: ${sentence}</li>`)}
    </ul>`}
    ${files.length === 0 ? nothing : classTable(files, sort, work !== null, actions)}
  </section>`;
}

/** @param {KeptRecord[]} files @param {RecordsLab["sort"]} sort @param {boolean} busy @param {RecordsActions} actions */
function classTable(files, sort, busy, actions) {
  const groups = groupsOf(files);
  const texts = new Set([...groups.values()].map(({ text }) => text)).size;
  return html`<p id="records-class-sentence">
      ${words.files.found(files.length, texts)}
      ${texts === 1 && files.length > 1 ? words.files.allSame : nothing}
    </p>
    <div class="buttons">
      <button type="button" class="small" id="records-class-csv" @click=${actions.downloadClass}>${words.files.asCsv}</button>
      <button type="button" class="quiet small" @click=${actions.clearFiles}>${words.files.clear}</button>
    </div>
    <div class="records-scroll" tabindex="0" role="group" aria-label=${words.files.heading}>
      <table class="records-table" id="records-class">
        <thead>
          <tr>
            ${classColumns.map(
              (name) =>
                html`<th scope="col" aria-sort=${sort.column === name ? (sort.descending ? "descending" : "ascending") : nothing}>
                  <button type="button" class="quiet small" data-column=${name} @click=${() => actions.sortBy(name)}>
                    ${words.files.columns[name]}<span aria-hidden="true">${sort.column !== name ? "" : sort.descending ? " ↓" : " ↑"}</span>
                  </button>
                </th>`,
            )}
            <th scope="col">${words.files.repeat}</th>
          </tr>
        </thead>
        <tbody>
          ${sorted(files, sort, groups).map((kept) => classRow(kept, groupWords(groups.get(kept)), busy, actions))}
        </tbody>
      </table>
    </div>`;
}

/** @param {KeptRecord} kept @param {string} group @param {boolean} busy @param {RecordsActions} actions */
function classRow(kept, group, busy, actions) {
  const { file, number, record } = kept;
  return html`<tr data-number=${number}>
      <th scope="row" class="records-text">${file}</th>
      <td>${modelWords(record)}</td>
      <td>${settingsWords(record)}</td>
      <td class="numbers">${seedWords(record)}</td>
      <td class="numbers">${record.newIds.length}</td>
      <td><div class="records-text records-cell">${record.text}</div></td>
      <td>${reasonWords(record.stopReason)}</td>
      <td class="numbers">${speedWords(tokensPerSecond(record))}</td>
      <td>${group}</td>
      <td>
        <button type="button" class="small" ?disabled=${busy} @click=${() => actions.repeat(kept)}>
          ${words.files.repeat}${hidden(words.files.repeatOf(file, number))}
        </button>
      </td>
    </tr>
    ${kept.result === null && kept.fault === null ? nothing : html`<tr class="records-result">
      <td colspan="10">${outcomeView(kept)}</td>
    </tr>`}`;
}
