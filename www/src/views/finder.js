/** Any token of the vocabulary, by text or id, and the ranking page by page, in the step that the bars show. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { pageRows } from "../bench.js";
import { count } from "../format.js";
import { barRow, barsHead, markOf, tableClass, tableStyle } from "./bar-row.js";

/** @import { Actions } from "../actions.js" */
/** @import { Finder, State } from "../page-types.js" */
/** @import { Distribution } from "../protocol.js" */
/** @import { RowOptions } from "./bar-row.js" */

/** @type {[Finder["by"], string][]} */
const ways = [
  ["text", "Text"],
  ["id", "Id"],
  ["rank", "From rank"],
];

/** @param {State} state @param {Actions} actions @param {RowOptions} options */
export function finderView({ finder, run }, actions, options) {
  const { by, text, result } = finder;
  return html`<section class="bench-part" aria-labelledby="finder-title">
    <div class="panel-line">
      <h3 id="finder-title">Find any token</h3>
      <fieldset class="segments" aria-label="Find by">
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
        aria-label=${{ text: "Token text to find", id: "Token id to find", rank: "First rank to show" }[by]}
        inputmode=${by === "text" ? "text" : "numeric"}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        .value=${live(text)}
        @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
          actions.typeFinder({ text: target.value })}
      />
    </div>
    <p class="muted" id="finder-hint">${run === null ? hints[by] : "While a run goes on, this waits for its end."}</p>
    ${text === "" || !result ? nothing : found(finder, result, actions, options)}
  </section>`;
}

const hints = {
  text: "A space before a word is part of its token: “the” and “ the” are two. \\n is a line break.",
  id: "Ids count from 0 to the size of the vocabulary less 1.",
  rank: "Rank 1 is the highest score.",
};

/** @param {Finder} finder @param {Distribution} result @param {Actions} actions @param {RowOptions} options */
function found({ by }, result, actions, options) {
  const { tokens, ranks, vocabulary } = result;
  const rows = tokens.ids.length;
  if (rows === 0) return html`<p class="muted" id="found-none">None of the ${count(vocabulary)} tokens has this ${by}.</p>`;
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
              Ranks before
            </button>
            <span class="numbers">${count(first + 1)} to ${count(last + 1)} of ${count(vocabulary)}</span>
            <button
              type="button"
              class="quiet small"
              aria-disabled=${last + 1 >= vocabulary}
              @click=${() => last + 1 < vocabulary && actions.showRanks(last + 1)}
            >
              Ranks after
            </button>
          </p>`
        : nothing
    }
  `;
}
