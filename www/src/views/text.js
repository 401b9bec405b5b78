/** The text as it grows, token by token. Text is only ever text: nothing in it becomes markup. */

import { html, nothing, repeat } from "../../vendor/lit-html.js";
import { count, percent, plural, stopReasons } from "../format.js";

/** @import { Actions } from "../actions.js" */
/** @import { Step } from "../protocol.js" */
/** @import { GeneratedText, State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function textView({ text, run, prompt, showBoundaries, showTokenTable }, actions) {
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
    <details
      id="token-table"
      @toggle=${(/** @type {Event & { target: HTMLDetailsElement }} */ { target }) =>
        actions.toggleTokenTable(target.open)}
    >
      <summary>Token by token</summary>
      ${showTokenTable ? tokenTable(text?.steps ?? []) : nothing}
    </details>
  `;
}

/** @param {Step} step */
function tokenSpan({ index, text, shown, kind }) {
  if (kind === "special" && text === "") return html`<code class="chip special">${shown}</code>`;
  return html`<span class=${index % 2 === 0 ? "t even" : "t odd"}>${text}</span>`;
}

/** @param {Step[]} steps */
function tokenTable(steps) {
  return html`<div class="scroll-y" tabindex="0" role="group" aria-label="Tokens made">
    <table class="made">
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Token</th>
          <th scope="col">Id</th>
          <th scope="col">Rank</th>
          <th scope="col">Drawn with</th>
        </tr>
      </thead>
      <tbody>
        ${steps.map(
          ({ index, id, shown, spoken, kind, rank, probability }) =>
            html`<tr>
              <td>${index + 1}</td>
              <th scope="row">
                <code class="chip ${kind}" aria-hidden="true">${shown}</code>
                <span class="visually-hidden">${spoken}</span>
              </th>
              <td>${id}</td>
              <td>${count(rank + 1)}</td>
              <td>${percent(probability)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
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
