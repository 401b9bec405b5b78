/** The steps of a comparison: time against context, and a row for each. */

import { html } from "../../vendor/lit-html.js";
import { timeSentence } from "../cache-lab/words.js";
import { count, figure, fixed } from "../format.js";
import { words } from "../words/cache.js";
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
      title: words.times.title,
      summary: timeSentence(outcome),
      draw: (plot) => ({
        x: { label: words.times.x },
        y: { label: words.times.y, zero: true, grid: true },
        symbol: { domain: names, range: ["circle", "triangle"], legend: true },
        marks: [
          plot.ruleY([0]),
          plot.dot(points, { x: "context", y: "ms", symbol: "path", stroke: "path", r: 3 }),
        ],
        color: { domain: names, range: ["var(--series-1)", "var(--series-2)"] },
      }),
      columns: [words.times.context, ...names.map(words.times.ms)],
      rows: rows.map(({ context, ms }) => [count(context), fixed(ms[0], 3), fixed(ms[1], 3)]),
    },
    outcome,
  );
}

/** @param {CheckOutcome["rows"]} rows @param {[string, string]} names */
export function stepTable(rows, names) {
  const { difference, mostDifferent, best } = words.steps;
  return html`<div class="scroll-y cache-steps" tabindex="0" role="group" aria-label=${words.steps.label}>
    <table class="lab-table" id="cache-table">
      ${tableHead([words.times.context, difference, mostDifferent, best, ...names.map(words.times.ms)])}
      <tbody>
        ${rows.map(
          ({ context, difference, sameBits, mostDifferent, best, sameBest, ms }) =>
            html`<tr>
              <th scope="row" class="numbers">${count(context)}</th>
              <td class="numbers">${sameBits ? words.steps.sameBits : figure(difference)}</td>
              <td>${mostDifferent === "" ? words.steps.none : code(mostDifferent)}</td>
              <td>${sameBest ? words.steps.sameBest(code(best[0])) : words.steps.otherBest(code(best[0]), code(best[1]))}</td>
              <td class="numbers">${fixed(ms[0], 2)}</td>
              <td class="numbers">${fixed(ms[1], 2)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {string} token */
const code = (token) => html`<code>${token}</code>`;
