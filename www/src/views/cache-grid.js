/** The KV cache as a grid, a row for each layer and a column for each position, with a table that says the same in words. */

import { html, nothing, styleMap } from "../../vendor/lit-html.js";
import { columnsOf, passSentence, stretchesOf } from "../cache-lab/pass.js";
import { count } from "../format.js";
import { words } from "../words/cache.js";
import { tableHead } from "./table.js";

/** @import { CacheState } from "../protocol.js" */
/** @import { Stretch } from "../cache-lab/pass.js" */

/** More rows would say nothing new. */
const mostRows = 24;

/** @param {CacheState | null} pass */
export function gridView(pass) {
  if (pass === null || pass.reused + pass.computed === 0)
    return html`<p id="cache-pass" class="muted">${words.noPassHint}</p>`;
  const stretches = stretchesOf(pass);
  const { perColumn, columns } = columnsOf(stretches);
  const rows = Math.min(pass.layers, mostRows);
  return html`<p id="cache-pass">${passSentence(pass)}</p>
    <figure class="kv-figure">
      <figcaption class="muted">${words.grid(perColumn, rows, pass.layers)}</figcaption>
      <div class="kv-grid" id="kv-grid" aria-hidden="true" style=${styleMap({ "--columns": String(columns.length) })}>
        ${Array.from({ length: rows }, (_, layer) =>
          columns.map(
            ({ fate, first, count: length }) =>
              html`<span class="kv-cell" data-fate=${fate}></span>`,
          ),
        )}
      </div>
    </figure>
    <div class="scroll-x" tabindex="0" role="group" aria-label=${words.fateTable}>
      <table class="lab-table" id="kv-table">
        ${tableHead(words.fateColumns)}
        <tbody>
          ${stretches.map((stretch) => stretchRow(stretch, pass))}
        </tbody>
      </table>
    </div>`;
}

/** @param {Stretch} stretch @param {CacheState} pass */
function stretchRow({ fate, first, count: length }, { layers, tokens }) {
  const names = fate === "gone" ? [] : tokens.text.slice(first, first + length);
  return html`<tr data-fate=${fate}>
    <th scope="row"><span class="kv-cell kv-key" data-fate=${fate} aria-hidden="true"></span> ${words.fates[fate]}</th>
    <td class="numbers">${words.stretch(first, length)}</td>
    <td class="numbers">${count(length * layers)}</td>
    <td class="kv-tokens">${names.length > 0 ? tokenRange(names) : nothing}</td>
  </tr>`;
}

/** @param {string[]} names */
function tokenRange(names) {
  if (names.length <= 4) return html`${names.map((name, n) => html`${n > 0 ? " " : nothing}<code>${name}</code>`)}`;
  return html`<code>${names[0]}</code> <code>${names[1]}</code> … <code>${names.at(-1)}</code>`;
}
