/** The places of a batch, row by column, and the attention mask of one row: as tables, with words in every cell. */

import { html, nothing } from "../../vendor/lit-html.js";
import { words } from "../words/batch.js";
import { choiceField } from "./fields.js";
import { segmentsView } from "./segments.js";

/** @import { BatchLayout, BatchResult, BatchRow } from "../protocol.js" */
/** @import { BatchActions } from "../batch/actions.js" */
/** @import { BatchLab, MadeBatch } from "../batch/types.js" */

/** Columns that are drawn: of more, the first and the last. */
const mostColumns = 96;
const kinds = /** @type {const} */ (["padding", "prompt", "new", "finished"]);

/** @param {BatchLab} lab @param {MadeBatch} made @param {BatchActions} actions */
export function placesView({ layout: chosen, maskRow }, { result }, actions) {
  const { layouts } = result;
  const layout = layouts[chosen] ?? layouts[0];
  if (layout === undefined) return nothing;
  /** @type {[string, string][]} */
  const choices = layouts.map((_, index) => [String(index), String(index + 1)]);
  return html`<section class="lab-stack lab-part" aria-labelledby="batch-places-title">
    <h3 id="batch-places-title">${words.places.heading}</h3>
    ${
      layouts.length > 1
        ? segmentsView("batch-layout", words.places.batch, choices, String(chosen), (index) => actions.showLayout(Number(index)))
        : nothing
    }
    <p id="batch-places-summary">${layoutSentence(layout, result)}</p>
    <p class="batch-legend" aria-hidden="true">
      ${kinds.map((kind) => {
        const [sign, meaning] = words.places.legend[kind];
        return html`<span><span class="batch-cell batch-${kind}">${sign}</span> ${meaning}</span> `;
      })}
    </p>
    ${gridView(layout, result)} ${maskView(layout, result, maskRow, actions)}
  </section>`;
}

/** @param {BatchLayout} layout @param {BatchResult} result */
function layoutSentence({ startColumns, carried, steps, rows }, { requests }) {
  const cells = rows.flatMap((row) => Array.from(row.cells));
  const padded = cells.filter((cell) => cell === 0).length;
  const finished = cells.filter((cell) => cell === 3).length;
  const names = rows.map(({ request }) => requests[request].name);
  return words.places.summary(names, { startColumns, carried, steps, padded, finished });
}

/** Which columns are drawn. @param {number} columns */
function drawn(columns) {
  if (columns <= mostColumns) return Array.from({ length: columns }, (_, column) => column);
  const half = mostColumns / 2;
  return Array.from({ length: mostColumns }, (_, n) => (n < half ? n : columns - mostColumns + n));
}

/** @param {BatchLayout} layout @param {BatchResult} result */
function gridView({ startColumns, steps, rows }, result) {
  const columns = drawn(startColumns + steps);
  const left = startColumns + steps - columns.length;
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label=${words.places.label}>
      <table id="batch-grid" class="batch-grid">
        <thead>
          <tr>
            <th scope="col">${words.places.row}</th>
            ${columns.map((column) => html`<th scope="col" class="numbers">${column + 1}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => {
            const { name } = result.requests[row.request];
            const tokens = tokensOf(row, result);
            return html`<tr data-name=${name}>
              <th scope="row">${name}</th>
              ${columns.map((column) => cellView(row.cells[column], tokens[column]))}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    ${left > 0 ? html`<p class="muted">${words.places.leftOut(left)}</p>` : nothing}`;
}

/**
 * The token of each column, as it is shown and said. A row's real columns hold its prompt and then its new tokens, in order.
 * @param {BatchRow} row @param {BatchResult} result
 */
function tokensOf({ request, cells }, { requests }) {
  const { promptTokens, newTokens } = requests[request];
  let [prompt, made] = [0, 0];
  return Array.from(cells, (cell) => {
    if (cell === 1) return [promptTokens.text[prompt], promptTokens.spoken[prompt++]];
    if (cell === 2) return [newTokens.text[made], newTokens.spoken[made++]];
    return cell === 0 ? ["·", words.places.padding] : ["×", words.places.finished];
  });
}

/** @param {number} cell @param {string[]} token */
function cellView(cell, [shown, spoken]) {
  const kind = kinds[cell];
  return html`<td class="batch-cell batch-${kind}">
    <span aria-hidden="true">${shown}</span><span class="visually-hidden">${kind === "new" ? words.places.heardNew : ""}${spoken}</span>
  </td>`;
}

/** @param {BatchLayout} layout @param {BatchResult} result @param {number} chosen @param {BatchActions} actions */
function maskView({ startColumns, rows }, result, chosen, actions) {
  const row = rows[chosen] ?? rows[0];
  const { mask, maskColumns, request } = row;
  const tokens = tokensOf(row, result);
  const columns = Array.from({ length: maskColumns }, (_, column) => column);
  const seenBy = (/** @type {number} */ query) => columns.filter((key) => mask[query * maskColumns + key] === 1);
  return html`<h3 id="batch-mask-title">${words.mask.heading}</h3>
    <label class="lab-field"
      >${words.mask.rowOf}
      ${choiceField({
        id: "batch-mask-row",
        options: rows.map((one, index) => ({ value: String(index), label: result.requests[one.request].name })),
        value: String(rows[chosen] ? chosen : 0),
        choose: (index) => actions.showMask(Number(index)),
      })}</label
    >
    <p class="muted" id="batch-mask-summary">
      ${words.mask.about(result.requests[request].name)}
      ${maskColumns < startColumns ? words.mask.first(maskColumns, startColumns) : nothing}
    </p>
    <div class="scroll-x" tabindex="0" role="group" aria-label=${words.mask.label}>
      <table id="batch-mask" class="batch-grid batch-mask">
        <thead>
          <tr>
            <th scope="col">${words.mask.column}</th>
            <th scope="col">${words.mask.sees}</th>
            ${columns.map((key) => html`<th scope="col" class="numbers" aria-hidden="true">${key + 1}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${columns.map((query) => {
            const seen = seenBy(query);
            return html`<tr>
              <th scope="row">${query + 1} <span aria-hidden="true">${tokens[query][0]}</span><span class="visually-hidden">${tokens[query][1]}</span></th>
              <td class="numbers">${rangeWords(seen)}</td>
              ${columns.map(
                (key) =>
                  html`<td class=${seen.includes(key) ? "batch-seen" : "batch-hidden"} aria-hidden="true">${seen.includes(key) ? "■" : "·"}</td>`,
              )}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
}

/** Columns from 1, as ranges: "3 to 7", "1 to 2, 7". @param {number[]} columns from 0 */
function rangeWords(columns) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const column of columns) {
    const last = ranges[ranges.length - 1];
    if (last !== undefined && last[1] === column - 1) last[1] = column;
    else ranges.push([column, column]);
  }
  return ranges.map(([from, to]) => words.mask.range(from + 1, to + 1)).join(", ");
}
