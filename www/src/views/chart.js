/**
 * A chart: Observable Plot draws it, and its code comes with the first one. Beside every chart stand a sentence that says
 * what it shows and a table with its numbers, so that nothing hangs on seeing it.
 */

import { html, nothing, ref } from "../../vendor/lit-html.js";
import { atMost, count } from "../format.js";
import { words } from "../words/lab-work.js";
import { tableHead } from "./table.js";

/** @typedef {typeof import("../../vendor/plot.js")} Plot */
/** @typedef {import("@observablehq/plot").PlotOptions} PlotOptions */

/**
 * @typedef {object} Chart
 * @property {string} id
 * @property {string} title what it shows, with units
 * @property {string} summary one sentence with the figures that matter
 * @property {(plot: Plot) => PlotOptions} draw the marks and axes; width, colours of text and font are given
 * @property {string[]} columns of its table
 * @property {(string | number)[][]} rows
 */

/** @type {Promise<Plot> | null} */
let library = null;
/**
 * What each place shows, and how wide: a chart is drawn again only when its data or its place's width is another.
 * @type {WeakMap<Element, { data: unknown, draw: Chart["draw"], width: number }>}
 */
const drawn = new WeakMap();
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const shown = drawn.get(target);
    if (shown && shown.width > 0 && target.clientWidth > 0 && widthIn(target) !== shown.width) void fill(target);
  }
});

/**
 * @param {Chart} chart
 * @param {unknown} data what `draw` reads: the chart is drawn again when this is another value
 */
export function chartView({ id, title, summary, draw, columns, rows }, data) {
  return html`<figure class="chart" id=${id}>
    <figcaption><b>${title}</b> <span class="muted">${summary}</span></figcaption>
    <div
      class="chart-drawing"
      role="img"
      aria-label=${title}
      ${ref((element) => {
        if (!element || drawn.get(element)?.data === data) return;
        drawn.set(element, { data, draw, width: 0 });
        widths.observe(element);
        void fill(element);
      })}
    ></div>
    <details>
      <summary>${words.table}</summary>
      <div class="scroll-y" tabindex="0" role="group" aria-label=${title}>
        <table class="lab-table numbers">
          ${tableHead(columns)}
          <tbody>
            ${rows.map(
              ([first, ...rest]) =>
                html`<tr>
                  <th scope="row">${first}</th>
                  ${rest.map((value) => html`<td>${value === "" ? nothing : value}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`;
}

/** A number at an axis, as the reader writes it. @param {unknown} value */
function tick(value) {
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? count(value) : atMost(value, 6);
}

/** A narrow screen has a narrow chart and not a small one, whose words nobody could read. @param {Element} place */
const widthIn = (place) => Math.min(640, place.clientWidth || 640);

/** @param {Element} place */
async function fill(place) {
  const shown = drawn.get(place);
  library ??= import("../../vendor/plot.js");
  try {
    const plot = await library;
    // Newer data may have come while the code did.
    if (!shown || drawn.get(place) !== shown) return;
    shown.width = widthIn(place);
    const options = shown.draw(plot);
    // Other scales of numbers, such as that of a colour's legend, are Plot's to write: none has numbers so far.
    const x = { tickFormat: tick, ...options.x };
    const y = { tickFormat: tick, ...options.y };
    const drawing = plot.plot({ width: shown.width, height: 240, marginLeft: 56, ...options, x, y });
    // The place has the chart's name; what Plot calls its marks says nothing.
    drawing.setAttribute("aria-hidden", "true");
    place.replaceChildren(drawing);
  } catch {
    // The next chart asks for the code again; the table has the numbers meanwhile.
    library = null;
    place.replaceChildren(words.noChart);
  }
}
