/** "Where does the behaviour live?": what was changed since the run before, layer by layer, and where the texts part. */

import { html, nothing } from "../../vendor/lit-html.js";
import { changesBetween, checkSentence, divergenceSentence, expectation } from "../records/difference.js";

/** @import { Change, KeptRecord } from "../records/types.js" */

/** @param {KeptRecord[]} records oldest first */
export function changeView(records) {
  const [before, after] = records.slice(-2);
  return html`<section class="records-change" aria-labelledby="records-change-title">
    <h3 id="records-change-title">Where does the behaviour live?</h3>
    ${before && after ? comparison(before, after) : html`<p id="records-change" class="muted">${waiting(records)}</p>`}
    <p class="muted records-small">
      Recording begins when this panel is opened; of earlier runs it shows those whose texts the page has kept.
    </p>
  </section>`;
}

/** @param {KeptRecord[]} records */
const waiting = (records) =>
  records.length === 0
    ? "There is no run yet. After two, the first can be compared with the second."
    : "There is one run. Change one thing, make another, and this place says what came of it.";

/** @param {KeptRecord} one @param {KeptRecord} other */
function comparison({ number: first, record: before }, { number, record: after }) {
  const changes = changesBetween(before, after);
  const { same, sentence } = expectation(changes, before, after);
  return html`<p id="records-change">
      <b>Record ${number} against record ${first}.</b> ${changes.length === 0 ? nothing : "What was changed:"}
    </p>
    ${changes.length === 0 ? nothing : changesTable(changes)}
    <p id="records-expected">${sentence}</p>
    <p class="records-verdict" id="records-divergence">
      ${divergenceSentence(before, after)} ${checkSentence(same, before, after)}
    </p>`;
}

/** @param {Change[]} changes */
function changesTable(changes) {
  return html`<div class="records-scroll" tabindex="0" role="group" aria-label="What was changed">
    <table class="records-table" id="records-changes">
      <thead>
        <tr>
          <th scope="col">Layer</th>
          <th scope="col">What</th>
          <th scope="col">Before</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        ${changes.map(
          ({ layer, label, before, after }) =>
            html`<tr>
              <th scope="row">${layer}</th>
              <td>${label}</td>
              <td class="records-text">${before}</td>
              <td class="records-text">${after}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
