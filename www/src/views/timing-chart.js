/** Inter-token latency of every token of a run, split into the model, sampling and what is left. */

import { html } from "../../vendor/lit-html.js";
import { ms } from "../timing/words.js";
import { words } from "../words/timing.js";
import { chartView } from "./chart.js";

/** @import { Latency } from "../protocol.js" */

const { chart } = words;
/** From below; the numbers of the first token of the run begin at 1. */
const parts = [chart.parts.model, chart.parts.sampling, chart.parts.rest];
const colours = ["var(--series-1)", "var(--series-2)", "var(--series-3)"];

/** @param {Latency} latency */
export function intervalChart(latency) {
  const { groups, intervalMs } = latency;
  if (intervalMs === null) {
    return html`<p id="timing-chart-none">${chart.none}</p>`;
  }
  const rows = rowsOf(groups);
  const { median, p95, largest } = intervalMs;
  const many = (latency.groupTokens > 1 ? chart.groups : chart.intervals)(rows.length);
  return chartView(
    {
      id: "timing-chart",
      title: chart.title,
      summary: chart.summary(many, ms(median), ms(p95), ms(largest), parts),
      draw: (plot) => drawing(plot, rows, median),
      columns: chart.columns,
      rows: rows.map(({ first, last, interval, model, sampling, rest }) => [
        chart.range(first, last),
        ...[interval, model, sampling, rest].map(ms),
      ]),
    },
    latency,
  );
}

/** @param {Latency["groups"]} groups */
function rowsOf({ first, tokens, intervalMs, modelMs, samplingMs }) {
  return Array.from(first, (from, n) => ({
    first: from + 1,
    last: from + tokens[n],
    interval: intervalMs[n],
    model: modelMs[n],
    sampling: samplingMs[n],
    rest: Math.max(0, intervalMs[n] - modelMs[n] - samplingMs[n]),
  }));
}

/** @param {import("./chart.js").Plot} plot @param {ReturnType<typeof rowsOf>} rows @param {number} median */
function drawing(plot, rows, median) {
  const bars = rows.flatMap(({ first, last, model, sampling, rest }) => {
    const span = { x1: first - 0.5, x2: last + 0.5 };
    return [
      { ...span, part: parts[0], y1: 0, y2: model },
      { ...span, part: parts[1], y1: model, y2: model + sampling },
      { ...span, part: parts[2], y1: model + sampling, y2: model + sampling + rest },
    ];
  });
  return {
    // On a phone a smaller drawing with letters of the usual size, not a scaled one.
    width: Math.max(280, Math.min(640, globalThis.innerWidth - 48)),
    x: { label: chart.x },
    y: { label: chart.y, grid: true },
    color: { domain: parts, range: colours, legend: true },
    marks: [
      plot.rectY(bars, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "part", inset: rows.length > 200 ? 0 : 0.25 }),
      plot.ruleY([0]),
      plot.ruleY([median], { stroke: "currentColor", strokeDasharray: "4 3" }),
    ],
  };
}
