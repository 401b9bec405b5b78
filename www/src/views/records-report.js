/** The lab report: what the panel asks for it, and how it is printed. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { count } from "../format.js";
import { checkedWords } from "../records/markdown.js";
import { resultSentence } from "../records/repeat.js";
import { modelWords, reasonWords, seedWords, settingsWords, speedWords, tokensPerSecond } from "../records/words.js";
import { words } from "../words/records-report.js";

/** @import { RecordsActions } from "../records/actions.js" */
/** @import { LabReport } from "../records/report.js" */
/** @import { RecordsLab } from "../records/types.js" */

/** @param {RecordsLab} lab @param {RecordsActions} actions */
export function reportFormView({ student }, actions) {
  const { about, asMarkdown, heading, name, print } = words.form;
  return html`<section aria-labelledby="records-report-title">
    <h3 id="records-report-title">${heading}</h3>
    <p class="muted">${about}</p>
    <div class="panel-line">
      <label for="records-student">${name}</label>
      <input
        type="text"
        class="field records-student"
        id="records-student"
        maxlength="200"
        autocomplete="off"
        .value=${live(student)}
        @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => actions.nameStudent(target.value)}
      />
      <div class="buttons">
        <button type="button" id="records-markdown" @click=${actions.downloadReport}>${asMarkdown}</button>
        <button type="button" id="records-print" @click=${actions.print}>${print}</button>
      </div>
    </div>
  </section>`;
}

/** As it is printed. @param {LabReport} report */
export function reportView({ title, date, student, models, records, charts, notebook }) {
  const { record, model, settings, seed, prompt, text, newTokens, reason, speed, repeated } = words.columns;
  return html`<h1>${title}</h1>
    <p>${words.date(date)}</p>
    <p>${words.name(student)}</p>
    <h2>${words.models}</h2>
    ${models.map(
      ({ title: name, revision, files }) =>
        html`<p>${revision === null ? name : words.revision(name, revision)}</p>
          ${table(words.fileColumns, files.map(({ name: file, bytes, sha256 }) => [file, count(bytes), sha256]))}`,
    )}
    ${records.length === 0 ? nothing : html`<h2>${words.records}</h2>
      ${table(
        [record, model, settings, seed, prompt, text, newTokens, reason, speed, repeated],
        records.map(({ number, record, result, fault }) => [
          count(number),
          modelWords(record),
          settingsWords(record),
          seedWords(record),
          record.prompt,
          record.text ?? "",
          count(record.newIds.length),
          reasonWords(record.stopReason),
          speedWords(tokensPerSecond(record)),
          result ? resultSentence(result) : (fault ?? ""),
        ]),
      )}`}
    ${charts.length === 0 ? nothing : html`<h2>${words.charts}</h2>`}
    ${charts.map(
      ({ title: name, svg }) =>
        html`<figure>
          <figcaption>${name}</figcaption>
          <img alt=${name} src=${`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} />
        </figure>`,
    )}
    ${notebook === null || notebook.entries.length === 0 ? nothing : html`<h2>${words.answers}</h2>
      ${table(
        words.answerColumns,
        notebook.entries.map(({ sheet, step, question, prediction, answer, correct }) => [
          sheet,
          step,
          question,
          prediction ?? "",
          answer ?? "",
          checkedWords(correct),
        ]),
      )}`}
    ${notebook === null || notebook.notes.trim() === "" ? nothing : html`<h2>${words.notes}</h2>
      <p class="records-text">${notebook.notes}</p>`}`;
}

/** @param {string[]} head @param {string[][]} rows */
const table = (head, rows) => html`<table>
  <thead>
    <tr>
      ${head.map((name) => html`<th scope="col">${name}</th>`)}
    </tr>
  </thead>
  <tbody>
    ${rows.map((row) => html`<tr>${row.map((cell) => html`<td class="records-text">${cell}</td>`)}</tr>`)}
  </tbody>
</table>`;
