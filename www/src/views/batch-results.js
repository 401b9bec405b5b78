/** What came of a batch: sentences, and a row for each request, under its name. */

import { html, nothing } from "../../vendor/lit-html.js";
import {
  admissionSentence,
  equalitySentence,
  latencySentence,
  orderSentence,
  paddingSentence,
  reversedSentence,
  throughputSentence,
  workSentence,
} from "../batch/words.js";
import { figure, milliseconds, stopReasons } from "../format.js";

/** @import { BatchedRequest } from "../protocol.js" */
/** @import { MadeBatch } from "../batch/types.js" */

/** @param {MadeBatch} made */
export function resultsView(made) {
  const { of, result } = made;
  const sentences = [
    ["equality", equalitySentence(result)],
    ["padding", paddingSentence(made)],
    ["reversed-order", reversedSentence(made)],
    ["work", workSentence(result.work)],
    ["admission", of.schedule === "continuous" ? admissionSentence(result) : null],
    ["throughput", throughputSentence(result)],
    ["latency", latencySentence(result)],
    ["order", orderSentence(result)],
  ];
  return html`<div class="batch-sentences">
      ${sentences.map(([name, sentence]) =>
        sentence === null ? nothing : html`<p id=${`batch-${name}`} class=${name === "equality" ? "batch-verdict" : ""}>${sentence}</p>`,
      )}
    </div>
    <p class="muted">
      All requests are there at time 0. A latency ends with the request’s last token and counts forward passes and picks
      alone, not the page’s own work between them. The largest logit difference is that to the run alone, while both had made
      the same tokens: batched products sum in another order, so it need not be 0.
    </p>
    <div class="batch-scroll" tabindex="0" role="group" aria-label="Results by request">
      <table id="batch-table" class="batch-table numbers">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Prompt + new tokens</th>
            <th scope="col">Latency in the batch</th>
            <th scope="col">Alone: its own run</th>
            <th scope="col">Alone, in turn: with the wait</th>
            <th scope="col">Same as alone</th>
            <th scope="col">Largest logit difference</th>
            ${result.requests.some(({ reversed }) => reversed !== null) ? html`<th scope="col">Rows in the opposite order</th>` : nothing}
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          ${result.requests.map((request) => requestRow(request))}
        </tbody>
      </table>
    </div>`;
}

/** @param {number | null | undefined} ms */
const time = (ms) => (ms === null || ms === undefined ? "not finished" : milliseconds(ms));

/** @param {BatchedRequest} request */
function requestRow({ name, seed, promptTokens, newTokens, text, stopReason, latencyMs, alone, reversed }) {
  const parts = alone === null ? null : alone.run.firstDifference;
  return html`<tr data-name=${name}>
    <th scope="row">${name}<span class="muted"> seed ${seed}</span></th>
    <td>${promptTokens.ids.length} + ${newTokens.ids.length}</td>
    <td>${time(latencyMs)}</td>
    <td>${alone === null ? "not run" : milliseconds(alone.runMs)}</td>
    <td>${alone === null ? "not run" : milliseconds(alone.latencyMs)}</td>
    <td class="batch-same">${alone === null ? "not compared" : parts === null ? "yes, every token" : `no, from token ${parts + 1} on`}</td>
    <td>
      ${alone === null || alone.largestLogitDifference === null
        ? "not compared"
        : html`${figure(alone.largestLogitDifference)}
            <span class="muted">over ${alone.compared} of ${newTokens.ids.length}</span>`}
    </td>
    ${reversed === null ? nothing : html`<td>${reversed.firstDifference === null ? "the same" : `other text: ${reversed.text ?? ""}`}</td>`}
    <td class="batch-text">
      ${text ?? ""} <span class="muted">${stopReason === null ? "(stopped)" : `(${stopReasons[stopReason]})`}</span>
      ${parts === null ? nothing : html`<br /><span class="tag">alone</span> ${alone?.run.text ?? ""}`}
    </td>
  </tr>`;
}
