/** Any token of the vocabulary, by text or id, and the ranking page by page, in the step that the bars show. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { pageRows } from "../bench.js";
import { words } from "../words/bench.js";
import { barRow, barsHead, markOf, tableClass, tableStyle } from "./bar-row.js";

/** @import { Actions } from "../actions.js" */
/** @import { Finder, State } from "../page-types.js" */
/** @import { Distribution } from "../protocol.js" */
/** @import { RowOptions } from "./bar-row.js" */

const ways = /** @type {[Finder["by"], string][]} */ (Object.entries(words.ways));

/** @param {State} state @param {Actions} actions @param {RowOptions} options */
export function finderView({ finder, run }, actions, options) {
  const { by, text, result } = finder;
  return html`<section class="bench-part" aria-labelledby="finder-title">
    <div class="panel-line">
      <h3 id="finder-title">${words.find}</h3>
      <fieldset class="segments" aria-label=${words.findBy}>
        ${ways.map(
          ([way, label]) => html`<label
            ><input
              type="radio"
              name="find-by"
              value=${way}
              .checked=${live(by === way)}
              @change=${() => actions.typeFinder({ by: way, text: way === "rank" ? "1" : "" })}
            /><span>${label}</span></label
          >`,
        )}
      </fieldset>
      <input
        type="text"
        class="field finder-field"
        id="finder-text"
        aria-label=${words.fields[by]}
        inputmode=${by === "text" ? "text" : "numeric"}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        .value=${live(text)}
        @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
          actions.typeFinder({ text: target.value })}
      />
    </div>
    <p class="muted" id="finder-hint">${run === null ? words.hints[by] : words.waits}</p>
    ${text === "" || !result ? nothing : found(finder, result, actions, options)}
  </section>`;
}

/** @param {Finder} finder @param {Distribution} result @param {Actions} actions @param {RowOptions} options */
function found({ by }, result, actions, options) {
  const { tokens, ranks, vocabulary } = result;
  const rows = tokens.ids.length;
  if (rows === 0) return html`<p class="muted" id="found-none">${words.noneHas[by](vocabulary)}</p>`;
  const [first, last] = [ranks[0], ranks[rows - 1]];
  return html`
    <div class="bars-frame" tabindex="0" role="group" aria-labelledby="finder-title">
      <table class=${tableClass(options)} style=${tableStyle(options)} id="found" aria-labelledby="finder-title">
        ${barsHead(options.columns)}
        <tbody>
          ${Array.from(tokens.ids, (id, row) => barRow(result, row, markOf(result, id), { ...options, ids: true }))}
        </tbody>
      </table>
    </div>
    ${
      by === "rank"
        ? html`<p class="buttons ranks">
            <button type="button" class="quiet small" aria-disabled=${first === 0} @click=${() => first > 0 && actions.showRanks(first - pageRows)}>
              ${words.ranksBefore}
            </button>
            <span class="numbers">${words.ranks(first + 1, last + 1, vocabulary)}</span>
            <button
              type="button"
              class="quiet small"
              aria-disabled=${last + 1 >= vocabulary}
              @click=${() => last + 1 < vocabulary && actions.showRanks(last + 1)}
            >
              ${words.ranksAfter}
            </button>
          </p>`
        : nothing
    }
  `;
}
