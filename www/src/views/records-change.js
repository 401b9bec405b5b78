/** "Where does the behaviour live?": what was changed since the run before, layer by layer, and where the texts part. */

import { html, nothing } from "../../vendor/lit-html.js";
import { changesBetween, checkSentence, divergenceSentence, expectation, nameOf } from "../records/difference.js";
import { words } from "../words/records.js";

/** @import { Change, KeptRecord } from "../records/types.js" */

/** @param {KeptRecord[]} records oldest first */
export function changeView(records) {
  const [before, after] = records.slice(-2);
  return html`<section class="records-change" aria-labelledby="records-change-title">
    <h3 id="records-change-title">${words.change.heading}</h3>
    ${before && after ? comparison(before, after) : html`<p id="records-change" class="muted">${waiting(records)}</p>`}
    <p class="muted records-small">${words.change.since}</p>
  </section>`;
}

/** @param {KeptRecord[]} records */
const waiting = (records) => (records.length === 0 ? words.change.noRun : words.change.oneRun);

/** @param {KeptRecord} one @param {KeptRecord} other */
function comparison({ number: first, record: before }, { number, record: after }) {
  const changes = changesBetween(before, after);
  const { same, sentence } = expectation(changes, before, after);
  return html`<p id="records-change">
      <b>${words.change.against(number, first)}</b> ${changes.length === 0 ? nothing : words.change.whatChanged}
    </p>
    ${changes.length === 0 ? nothing : changesTable(changes)}
    <p id="records-expected">${sentence}</p>
    <p class="records-verdict" id="records-divergence">
      ${divergenceSentence(before, after)} ${checkSentence(same, before, after)}
    </p>`;
}

/** @param {Change[]} changes */
function changesTable(changes) {
  const { layer, what, before, now } = words.change.columns;
  return html`<div class="records-scroll" tabindex="0" role="group" aria-label=${words.change.tableLabel}>
    <table class="records-table" id="records-changes">
      <thead>
        <tr>
          <th scope="col">${layer}</th>
          <th scope="col">${what}</th>
          <th scope="col">${before}</th>
          <th scope="col">${now}</th>
        </tr>
      </thead>
      <tbody>
        ${changes.map((change) => {
          const name = nameOf(change);
          return html`<tr>
            <th scope="row">${name.layer}</th>
            <td>${name.row}</td>
            <td class="records-text">${change.before}</td>
            <td class="records-text">${change.after}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}
