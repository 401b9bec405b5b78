/** The steps of a comparison: time against context, and a row for each. */

import { html } from "../../vendor/lit-html.js";
import { timeSentence } from "../cache-lab/words.js";
import { count, figure } from "../format.js";
import { chartView } from "./chart.js";
import { tableHead } from "./table.js";

/** @import { CheckOutcome } from "../cache-lab/types.js" */

/** @param {CheckOutcome} outcome */
export function timeChart(outcome) {
  const { rows, names } = outcome;
  const points = rows.slice(1).flatMap(({ context, ms }) => names.map((name, side) => ({ context, ms: ms[side], path: name })));
  return chartView(
    {
      id: "cache-chart",
      title: "Time of a step (ms) against its context (positions read)",
      summary: timeSentence(outcome),
      draw: (plot) => ({
        x: { label: "positions read" },
        y: { label: "ms a step", zero: true, grid: true },
        symbol: { domain: names, range: ["circle", "triangle"], legend: true },
        marks: [
          plot.ruleY([0]),
          plot.dot(points, { x: "context", y: "ms", symbol: "path", stroke: "path", r: 3 }),
        ],
        color: { domain: names, range: ["var(--series-1)", "var(--series-2)"] },
      }),
      columns: ["Positions read", ...names.map((name) => `${name}, ms`)],
      rows: rows.map(({ context, ms }) => [context, ms[0].toFixed(3), ms[1].toFixed(3)]),
    },
    outcome,
  );
}

/** @param {CheckOutcome["rows"]} rows @param {[string, string]} names */
export function stepTable(rows, names) {
  return html`<div class="scroll-y cache-steps" tabindex="0" role="group" aria-label="Step by step">
    <table class="lab-table" id="cache-table">
      ${tableHead(["Positions read", "Largest logit difference", "Token that differs most", "Likeliest token", ...names.map((name) => `${name}, ms`)])}
      <tbody>
        ${rows.map(
          ({ context, difference, sameBits, mostDifferent, best, sameBest, ms }) =>
            html`<tr>
              <th scope="row" class="numbers">${count(context)}</th>
              <td class="numbers">${sameBits ? "0, same bits" : figure(difference)}</td>
              <td>${mostDifferent === "" ? "none" : html`<code>${mostDifferent}</code>`}</td>
              <td>${sameBest ? html`same: <code>${best[0]}</code>` : html`differs: <code>${best[0]}</code>, <code>${best[1]}</code>`}</td>
              <td class="numbers">${ms[0].toFixed(2)}</td>
              <td class="numbers">${ms[1].toFixed(2)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
