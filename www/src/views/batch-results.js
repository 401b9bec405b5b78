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
import { figure, fixed, milliseconds } from "../format.js";
import { words } from "../words/batch.js";
import { words as common } from "../words/common.js";
import { chartView } from "./chart.js";
import { tableHead } from "./table.js";

/** @import { BatchedRequest } from "../protocol.js" */
/** @import { MadeBatch } from "../batch/types.js" */

/** @param {MadeBatch} made */
export function resultsView(made) {
  const { of, result } = made;
  const { table, titles } = words;
  const sentences = [
    ["equality", "", equalitySentence(result)],
    ["padding", titles.padding, paddingSentence(made)],
    ["reversed-order", titles.reversedOrder, reversedSentence(made)],
    ["work", titles.work, workSentence(result.work)],
    ["admission", titles.admission, of.schedule === "continuous" ? admissionSentence(result) : null],
    ["throughput", titles.throughput, throughputSentence(result)],
    ["latency", titles.latency, latencySentence(result)],
    ["order", titles.order, orderSentence(result)],
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
    <p class="muted">${words.timesNote}</p>
    ${latencyChart(made)}
    <div class="scroll-x" tabindex="0" role="group" aria-label=${table.label}>
      <table id="batch-table" class="lab-table numbers">
        ${tableHead([
          table.request,
          table.lengths,
          table.latency,
          table.alone,
          table.inTurn,
          table.same,
          table.difference,
          ...(twice ? [table.reversed] : []),
          table.text,
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
  const { columns, summary, title, ways } = words.chart;
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
      title: title,
      summary: summary(last.name, last.way, last.ms),
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
      columns,
      rows: waits.map(({ name, way, ms }) => [name, way, fixed(ms, 1)]),
    },
    made,
  );
}

/** @param {number | null | undefined} ms */
const time = (ms) => (ms === null || ms === undefined ? words.table.notFinished : milliseconds(ms));

/** @param {BatchedRequest} request @param {boolean} twice run with the rows in the opposite order too */
function requestRow({ name, seed, promptTokens, newTokens, text, stopReason, latencyMs, alone, reversed }, twice) {
  const parts = alone === null ? null : alone.run.firstDifference;
  const { table } = words;
  return html`<tr data-name=${name}>
    <th scope="row">${name} <span class="muted batch-seed">${table.seed(seed)}</span></th>
    <td>${promptTokens.ids.length} + ${newTokens.ids.length}</td>
    <td>${time(latencyMs)}</td>
    <td>${alone === null ? table.notRun : milliseconds(alone.runMs)}</td>
    <td>${alone === null ? table.notRun : milliseconds(alone.latencyMs)}</td>
    <td class="batch-same">${alone === null ? table.notCompared : parts === null ? table.everyToken : table.partsAt(parts + 1)}</td>
    <td>
      ${alone === null || alone.largestLogitDifference === null
        ? table.notCompared
        : html`${figure(alone.largestLogitDifference)}
            <span class="muted">${table.over(alone.compared, newTokens.ids.length)}</span>`}
    </td>
    ${twice ? html`<td>${otherWords(reversed)}</td>` : nothing}
    <td class="batch-text">
      ${text ?? ""} <span class="muted">${stopReason === null ? table.stopped : table.ended(common.stopReasons[stopReason])}</span>
      ${parts === null ? nothing : html`<br /><span class="tag">${table.aloneText}</span> ${alone?.run.text ?? ""}`}
    </td>
  </tr>`;
}

/** @param {BatchedRequest["reversed"]} reversed */
function otherWords(reversed) {
  if (reversed === null) return words.table.notFinished;
  return reversed.firstDifference === null ? words.table.theSame : words.table.otherText(reversed.text ?? "");
}
