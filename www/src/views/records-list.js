/** The records of the session, newest first, and what can be done with each. */

import { html, nothing } from "../../vendor/lit-html.js";
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
import { words } from "../words/records.js";
import { hidden } from "./hidden.js";

/** @import { RecordsActions } from "../records/actions.js" */
/** @import { KeptRecord, RecordsLab } from "../records/types.js" */

/** @param {RecordsLab} lab @param {RecordsActions} actions */
export function recordsListView({ records, letGo, work, copied }, actions) {
  const none = records.length === 0;
  return html`<div class="buttons">
      <button type="button" class="small" id="records-all" ?disabled=${none} @click=${actions.downloadAll}>
        ${words.list.downloadAll}
      </button>
      <button type="button" class="small" id="records-csv" ?disabled=${none} @click=${actions.downloadRuns}>
        ${words.list.runsAsCsv}
      </button>
      <button type="button" class="quiet small" ?disabled=${none} @click=${actions.copyRuns}>
        ${copied === "runs" ? words.list.tableCopied : words.list.copyTable}
      </button>
    </div>
    <p class="muted records-small" id="records-kept">
      ${words.list.kept(records.length, mostKept)} ${letGo === 0 ? nothing : words.list.madeRoom(letGo)}
      ${words.list.formulas}
    </p>
    <ol class="records-list" id="records-list">
      ${records.toReversed().map((kept) => recordItem(kept, work !== null, copied, actions))}
    </ol>`;
}

/** @param {KeptRecord} kept @param {boolean} busy @param {string | null} copied @param {RecordsActions} actions */
function recordItem(kept, busy, copied, actions) {
  const { number, record } = kept;
  const which = hidden(words.list.ofRecord(number));
  const [repeat, repeatWhich] = words.list.repeat(number);
  return html`<li data-record=${number}>
    <p class="records-line">
      <b>${words.list.record(number)}</b>
      <span>${words.list.madeWith(modelWords(record), settingsWords(record), seedWords(record))}</span>
    </p>
    <p class="records-text records-clamp"><span class="muted">${record.prompt}</span>${record.text}</p>
    <p class="muted numbers records-small">
      ${words.list.outcome(record.newIds.length, reasonWords(record.stopReason), speedWords(tokensPerSecond(record)))}
    </p>
    <div class="buttons">
      <button type="button" class="small" ?disabled=${busy} @click=${() => actions.repeat(kept)}>
        ${repeat}${hidden(repeatWhich)}
      </button>
      <button type="button" class="quiet small" @click=${() => actions.downloadRecord(kept)}>${words.list.json}${which}</button>
      <button type="button" class="quiet small" @click=${() => actions.downloadTokens(kept)}>${words.list.tokensAsCsv}${which}</button>
      <button type="button" class="quiet small" @click=${() => actions.copyRecord(kept)}>
        ${copied === `record-${number}` ? words.list.jsonCopied : words.list.copyJson}${which}
      </button>
    </div>
    ${outcomeView(kept)}
  </li>`;
}

/** What came of repeating it. @param {KeptRecord} kept */
export function outcomeView({ result, fault }) {
  if (fault !== null) return html`<p class="fault records-outcome">${words.list.notHere(fault)}</p>`;
  if (result === null) return nothing;
  return html`<p class="records-outcome">
    <b>${words.list.repeated}</b> ${resultSentence(result)} ${result.notes.map((note) => html`<span class="muted">${note} </span>`)}
  </p>`;
}
