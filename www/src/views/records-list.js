/** The records of the session, newest first, and what can be done with each. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, plural } from "../format.js";
import { resultSentence } from "../records/repeat.js";
import { mostKept } from "../records/state.js";
import {
  modelWords,
  reasonWords,
  seedWords,
  settingsWords,
  speedWords,
  tokensPerSecond,
} from "../records/words.js";

/** @import { RecordsActions } from "../records/actions.js" */
/** @import { KeptRecord, RecordsLab } from "../records/types.js" */

/** @param {RecordsLab} lab @param {RecordsActions} actions */
export function recordsListView({ records, letGo, work, copied }, actions) {
  const none = records.length === 0;
  return html`<div class="buttons">
      <button type="button" class="small" id="records-all" ?disabled=${none} @click=${actions.downloadAll}>
        Download all as JSON
      </button>
      <button type="button" class="small" id="records-csv" ?disabled=${none} @click=${actions.downloadRuns}>
        Table of runs as CSV
      </button>
      <button type="button" class="quiet small" ?disabled=${none} @click=${actions.copyRuns}>
        ${copied === "runs" ? "Table copied" : "Copy the table"}
      </button>
    </div>
    <p class="muted records-small" id="records-kept">
      ${plural(records.length, "record")} kept in this page's memory, at most ${mostKept}; they are gone with the page.
      ${letGo === 0 ? nothing : `The oldest ${count(letGo)} made room.`} In CSV, a text that a spreadsheet would take for
      a formula has an apostrophe in front.
    </p>
    <ol class="records-list" id="records-list">
      ${records.toReversed().map((kept) => recordItem(kept, work !== null, copied, actions))}
    </ol>`;
}

/** @param {KeptRecord} kept @param {boolean} busy @param {string | null} copied @param {RecordsActions} actions */
function recordItem(kept, busy, copied, actions) {
  const { number, record } = kept;
  const title = `record ${number}`;
  const hidden = html`<span class="visually-hidden"> ${title}</span>`;
  return html`<li data-record=${number}>
    <p class="records-line">
      <b>Record ${number}</b>
      <span>${modelWords(record)}; ${settingsWords(record)}; seed ${seedWords(record)}</span>
    </p>
    <p class="records-text records-clamp"><span class="muted">${record.prompt}</span>${record.text}</p>
    <p class="muted numbers records-small">
      ${plural(record.newIds.length, "new token")}, ended: ${reasonWords(record.stopReason)};
      ${speedWords(tokensPerSecond(record))} tokens/s after the first (model and sampling)
    </p>
    <div class="buttons">
      <button type="button" class="small" ?disabled=${busy} @click=${() => actions.repeat(kept)}>
        Repeat this record<span class="visually-hidden">, ${number}</span>
      </button>
      <button type="button" class="quiet small" @click=${() => actions.downloadRecord(kept)}>JSON${hidden}</button>
      <button type="button" class="quiet small" @click=${() => actions.downloadTokens(kept)}>Tokens as CSV${hidden}</button>
      <button type="button" class="quiet small" @click=${() => actions.copyRecord(kept)}>
        ${copied === `record-${number}` ? "Copied" : "Copy JSON"}${hidden}
      </button>
    </div>
    ${outcomeView(kept)}
  </li>`;
}

/** What came of repeating it. @param {KeptRecord} kept */
export function outcomeView({ result, fault }) {
  if (fault !== null) return html`<p class="fault records-outcome">It cannot be repeated here. ${fault}</p>`;
  if (result === null) return nothing;
  return html`<p class="records-outcome">
    <b>Repeated.</b> ${resultSentence(result)} ${result.notes.map((note) => html`<span class="muted">${note} </span>`)}
  </p>`;
}
