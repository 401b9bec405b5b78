/** The text as it grows, token by token. Text is only ever text: nothing in it becomes markup. */

import { html, nothing } from "../../vendor/lit-html.js";
import { canChange, undoList } from "../branches.js";
import { countSteps } from "../text-blocks.js";
import { words as common } from "../words/common.js";
import { words } from "../words/text.js";
import { noteFollowing } from "./text-flow.js";
import { tokenHandlers } from "./text-keys.js";
import { eachBlock, tokenTable } from "./token-table.js";
import { legendView, markClasses, marksView, repetitionLine } from "./text-marks.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { GeneratedText, TextStep as Step } from "../text-types.js" */

/** @param {State} state @param {Actions} actions */
export function textView(state, actions) {
  const { text, run, prompt, showBoundaries, showTokenTable, tokenMarks } = state;
  const on = tokenHandlers(actions);
  // No white space between the pieces: the box shows every space that the model makes, and none that it does not.
  return html`
    <div class="panel-line">
      <h2 id="text-title">${words.title}</h2>
      <span class="muted" id="text-note">${note(text, run !== null)}</span>
      ${undoButtons(state, actions)}
    </div>
    <div class="text-options">
      ${marksView(tokenMarks, actions)}
      <label class="switch"
        ><input
          type="checkbox"
          id="show-boundaries"
          .checked=${showBoundaries}
          @change=${actions.toggleBoundaries}
        />
        ${words.boundaries}</label
      >
    </div>
    <div
      class="text-box ${showBoundaries ? "boundaries" : ""} marks-${tokenMarks} ${text?.stale ? "stale" : ""}"
      id="text"
      role="group"
      aria-labelledby="text-title"
      aria-describedby="text-help"
      tabindex="0"
      @scroll=${noteFollowing}
      @mouseover=${on.mouseover}
      @mouseleave=${on.mouseleave}
      @click=${on.click}
      @keydown=${on.keydown}
      @focusin=${on.focusin}
      @focusout=${on.focusout}
    ><span class="from-prompt" id="text-prompt">${text?.prompt ?? prompt}</span><span id="generated"
        >${text ? eachBlock(text.blocks, textBlock) : nothing}</span
      ></div>
    <p class="visually-hidden" id="text-help">
      ${words.help}
    </p>
    <p class="muted numbers" id="repetition">${repetitionLine(text?.blocks ?? [])}</p>
    ${legendView(tokenMarks)}
    <details
      id="token-table"
      @toggle=${(/** @type {Event & { target: HTMLDetailsElement }} */ { target }) =>
        actions.toggleTokenTable(target.open)}
    >
      <summary>${words.table}</summary>
      ${showTokenTable ? tokenTable(text?.blocks ?? []) : nothing}
    </details>
  `;
}

/** @param {State} state @param {Actions} actions */
function undoButtons(state, actions) {
  const { past, future } = undoList(state);
  const button = (/** @type {"undo" | "redo"} */ move, /** @type {string} */ label, /** @type {string} */ keys, /** @type {unknown[]} */ list) =>
    html`<button
      type="button"
      class="quiet small"
      id=${move}
      aria-keyshortcuts=${keys}
      aria-disabled=${list.length > 0 && canChange(state) ? nothing : "true"}
      @click=${actions[move]}
    >
      ${label}
    </button>`;
  return html`<span class="undo" role="group" aria-label=${words.changes}>
    ${button("undo", words.undo, "Control+Z", past)} ${button("redo", words.redo, "Control+Shift+Z", future)}
  </span>`;
}

/** @param {Step[]} block */
const textBlock = (block) => html`<span class="text-block">${block.map(tokenSpan)}</span>`;

/** @param {Step} step */
function tokenSpan(step) {
  const { index, text, shown, kind } = step;
  if (kind === "special" && text === "") return html`<code class="chip special">${shown}</code>`;
  return html`<span class="t ${index % 2 === 0 ? "even" : "odd"} ${markClasses(step)}">${text}</span>`;
}

/** @param {GeneratedText | null} text @param {boolean} running */
function note(text, running) {
  if (!text) return "";
  const made = countSteps(text.blocks);
  if (text.stale) return words.madeEarlier(made);
  if (running || text.reason === null) return words.made(made);
  return words.ended(made, common.stopReasons[text.reason], seedOf(text));
}

/** The seed that makes the same text again: a "random" run too can be repeated. @param {GeneratedText} text */
function seedOf({ blocks, summary }) {
  const drawn = blocks.some((block) => block.some(({ history }) => (history?.uniform ?? null) !== null));
  return summary && drawn ? summary.seed : null;
}
