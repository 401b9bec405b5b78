/** The KV cache as a grid, a row for each layer and a column for each position, with a table that says the same in words. */

import { html, nothing, styleMap } from "../../vendor/lit-html.js";
import { columnsOf, fateWords, passSentence, stretchesOf } from "../cache-lab/pass.js";
import { count, plural } from "../format.js";
import { tableHead } from "./table.js";

/** @import { CacheState } from "../protocol.js" */
/** @import { Stretch } from "../cache-lab/pass.js" */

/** More rows would say nothing new. */
const mostRows = 24;

/** @param {CacheState | null} pass */
export function gridView(pass) {
  if (pass === null || pass.reused + pass.computed === 0)
    return html`<p id="cache-pass" class="muted">No forward pass yet: write a prompt, or take the long one.</p>`;
  const stretches = stretchesOf(pass);
  const { perColumn, columns } = columnsOf(stretches);
  const rows = Math.min(pass.layers, mostRows);
  return html`<p id="cache-pass">${passSentence(pass)}</p>
    <figure class="kv-figure">
      <figcaption class="muted">
        Positions from left to right${perColumn > 1 ? `, up to ${perColumn} a column` : ", one a column"}; layers from the
        first, above, to the last${rows < pass.layers ? ` (the first ${rows} of ${pass.layers} are drawn)` : ""}.
      </figcaption>
      <div class="kv-grid" id="kv-grid" aria-hidden="true" style=${styleMap({ "--columns": String(columns.length) })}>
        ${Array.from({ length: rows }, (_, layer) =>
          columns.map(
            ({ fate, first, count: length }) =>
              html`<span class="kv-cell" data-fate=${fate} title=${`layer ${layer + 1}, ${span(first, length)}: ${fateWords[fate]}`}></span>`,
          ),
        )}
      </div>
    </figure>
    <div class="scroll-x" tabindex="0" role="group" aria-label="What became of the positions">
      <table class="lab-table" id="kv-table">
        ${tableHead(["What became of it", "Positions", "Entries, all layers", "Tokens"])}
        <tbody>
          ${stretches.map((stretch) => stretchRow(stretch, pass))}
        </tbody>
      </table>
    </div>`;
}

/** @param {number} first from 0 @param {number} length */
const span = (first, length) =>
  length === 1 ? `position ${count(first + 1)}` : `positions ${count(first + 1)} to ${count(first + length)}`;

/** @param {Stretch} stretch @param {CacheState} pass */
function stretchRow({ fate, first, count: length }, { layers, tokens }) {
  const names = fate === "gone" ? [] : tokens.text.slice(first, first + length);
  return html`<tr data-fate=${fate}>
    <th scope="row"><span class="kv-cell kv-key" data-fate=${fate} aria-hidden="true"></span> ${fateWords[fate]}</th>
    <td class="numbers">${plural(length, "position")}: ${count(first + 1)}${length > 1 ? `–${count(first + length)}` : ""}</td>
    <td class="numbers">${count(length * layers)}</td>
    <td class="kv-tokens">${names.length > 0 ? tokenRange(names) : nothing}</td>
  </tr>`;
}

/** @param {string[]} names */
function tokenRange(names) {
  if (names.length <= 4) return html`${names.map((name, n) => html`${n > 0 ? " " : nothing}<code>${name}</code>`)}`;
  return html`<code>${names[0]}</code> <code>${names[1]}</code> … <code>${names.at(-1)}</code>`;
}
