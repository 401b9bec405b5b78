/** The text as it grows, token by token. Text is only ever text: nothing in it becomes markup. */

import { html, nothing, repeat } from "../../vendor/lit-html.js";
import { percent, plural, stopReasons } from "../format.js";

/** @import { Actions } from "../actions.js" */
/** @import { Step } from "../protocol.js" */
/** @import { GeneratedText, State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function textView({ text, run, prompt, showBoundaries }, actions) {
  // No white space between the pieces: the box shows every space that the model makes, and none that it does not.
  return html`
    <div class="panel-line">
      <h2 id="text-title">Text</h2>
      <span class="muted" id="text-note">${note(text, run !== null)}</span>
      <label class="switch"
        ><input
          type="checkbox"
          id="show-boundaries"
          .checked=${showBoundaries}
          @change=${actions.toggleBoundaries}
        />
        token boundaries</label
      >
    </div>
    <div
      class="text-box ${showBoundaries ? "boundaries" : ""} ${text?.stale ? "stale" : ""}"
      id="text"
      role="group"
      aria-labelledby="text-title"
      tabindex="0"
      @scroll=${noteFollowing}
    ><span class="from-prompt" id="text-prompt">${text?.prompt ?? prompt}</span><span id="generated"
        >${text ? repeat(text.steps, (step) => step.index, tokenSpan) : nothing}</span
      ></div>
  `;
}

/** @param {Step} step */
function tokenSpan({ index, id, text, shown, kind, probability, rank }) {
  const title = `${shown}  id ${id}, rank ${rank + 1}, chance ${percent(probability)}`;
  if (kind === "special" && text === "") return html`<code class="chip special" title=${title}>${shown}</code>`;
  return html`<span class=${index % 2 === 0 ? "t even" : "t odd"} title=${title}>${text}</span>`;
}

/** @param {GeneratedText | null} text @param {boolean} running */
function note(text, running) {
  if (!text) return "";
  const made = plural(text.steps.length, "token");
  if (text.stale) return `${made}, made from an earlier prompt`;
  if (running || text.reason === null) return made;
  return `${made}; ${stopReasons[text.reason]}`;
}

/** Whoever scrolls up to read is not pulled down again. @param {Event} event */
function noteFollowing(event) {
  const box = /** @type {HTMLElement} */ (event.currentTarget);
  box.dataset.following = String(box.scrollHeight - box.scrollTop - box.clientHeight < 8);
}

/** Called after each render. */
export function followText() {
  const box = document.getElementById("text");
  if (box && box.dataset.following !== "false") box.scrollTop = box.scrollHeight;
}
