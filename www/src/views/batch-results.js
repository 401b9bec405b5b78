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
import { chartView } from "./chart.js";
import { tableHead } from "./table.js";

/** @import { BatchedRequest } from "../protocol.js" */
/** @import { MadeBatch } from "../batch/types.js" */

/** @param {MadeBatch} made */
export function resultsView(made) {
  const { of, result } = made;
  const sentences = [
    ["equality", "", equalitySentence(result)],
    ["padding", "Padding.", paddingSentence(made)],
    ["reversed-order", "Order of the rows.", reversedSentence(made)],
    ["work", "Work.", workSentence(result.work)],
    ["admission", "Letting in.", of.schedule === "continuous" ? admissionSentence(result) : null],
    ["throughput", "Throughput.", throughputSentence(result)],
    ["latency", "Latency.", latencySentence(result)],
    ["order", "Names.", orderSentence(result)],
  ];
  const twice = result.requests.some(({ reversed }) => reversed !== null);
  return html`<div class="batch-sentences">
      ${sentences.map(([name, title, sentence]) =>
        sentence === null
          ? nothing
          : html`<p class=${name === "equality" ? "lab-verdict" : ""}>
              ${title ? html`<b>${title}</b> ` : nothing}<span id=${`batch-${name}`}>${sentence}</span>
            </p>`,
      )}
    </div>
    <p class="muted">
      All requests are there at time 0. A latency ends with the request's last token and counts forward passes and picks
      alone, not the page's own work between them. The largest logit difference is that to the run alone, while both had made
      the same tokens: batched products sum in another order, so it need not be 0.
    </p>
    ${latencyChart(made)}
    <div class="scroll-x" tabindex="0" role="group" aria-label="Results by request">
      <table id="batch-table" class="lab-table numbers">
        ${tableHead([
          "Request",
          "Prompt + new tokens",
          "Latency in the batch",
          "Alone: its own run",
          "Alone, in turn: with the wait",
          "Same as alone",
          "Largest logit difference",
          ...(twice ? ["Rows in the opposite order"] : []),
          "Text",
        ])}
        <tbody>
          ${result.requests.map((request) => requestRow(request, twice))}
        </tbody>
      </table>
    </div>`;
}

/** What each request waits, both ways. @param {MadeBatch} made */
function latencyChart(made) {
  const { result } = made;
  const ways = /** @type {const} */ (["in the batch", "alone, nobody before it", "alone, in turn"]);
  const waits = result.requests.flatMap(({ name, latencyMs, alone }) =>
    [latencyMs, alone?.runMs, alone?.latencyMs].flatMap((ms, way) =>
      ms === null || ms === undefined ? [] : [{ name, way: ways[way], ms }],
    ),
  );
  if (waits.length === 0) return nothing;
  const last = waits.reduce((most, one) => (one.ms > most.ms ? one : most));
  return chartView(
    {
      id: "batch-latency-chart",
      title: "What each request waits (ms from the start to its last token)",
      summary: `The longest: ${last.name}, ${last.way}, ${milliseconds(last.ms)}.`,
      draw: (plot) => ({
        height: 40 + 66 * result.requests.length,
        marginLeft: 150,
        marginRight: 70,
        x: { label: "ms", grid: true },
        y: { label: null, domain: [...ways] },
        fy: { label: null, domain: result.requests.map(({ name }) => name) },
        marks: [
          plot.barX(waits, { x: "ms", y: "way", fy: "name", fill: "var(--series-3)" }),
          plot.text(waits, {
            x: "ms",
            y: "way",
            fy: "name",
            text: (/** @type {{ ms: number }} */ { ms }) => milliseconds(ms),
            textAnchor: "start",
            dx: 4,
          }),
          plot.ruleX([0]),
        ],
      }),
      columns: ["Request", "Run", "ms"],
      rows: waits.map(({ name, way, ms }) => [name, way, ms.toFixed(1)]),
    },
    made,
  );
}

/** @param {number | null | undefined} ms */
const time = (ms) => (ms === null || ms === undefined ? "not finished" : milliseconds(ms));

/** @param {BatchedRequest} request @param {boolean} twice run with the rows in the opposite order too */
function requestRow({ name, seed, promptTokens, newTokens, text, stopReason, latencyMs, alone, reversed }, twice) {
  const parts = alone === null ? null : alone.run.firstDifference;
  return html`<tr data-name=${name}>
    <th scope="row">${name} <span class="muted batch-seed">seed ${seed}</span></th>
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
    ${twice ? html`<td>${otherWords(reversed)}</td>` : nothing}
    <td class="batch-text">
      ${text ?? ""} <span class="muted">${stopReason === null ? "(stopped)" : `(${stopReasons[stopReason]})`}</span>
      ${parts === null ? nothing : html`<br /><span class="tag">alone</span> ${alone?.run.text ?? ""}`}
    </td>
  </tr>`;
}

/** @param {BatchedRequest["reversed"]} reversed */
function otherWords(reversed) {
  if (reversed === null) return "not finished";
  return reversed.firstDifference === null ? "the same" : `other text: ${reversed.text ?? ""}`;
}
