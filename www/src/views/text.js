/** The text as it grows, token by token. Text is only ever text: nothing in it becomes markup. */

import { guard, html, nothing, repeat } from "../../vendor/lit-html.js";
import { count, percent, plural, stopReasons } from "../format.js";
import { countSteps } from "../text-blocks.js";
import { noteFollowing } from "./text-flow.js";

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
        >${text ? eachBlock(text.blocks, textBlock) : nothing}</span
      ></div>
    <details
      id="token-table"
      @toggle=${(/** @type {Event & { target: HTMLDetailsElement }} */ { target }) =>
        actions.toggleTokenTable(target.open)}
    >
      <summary>Token by token</summary>
      ${showTokenTable ? tokenTable(text?.blocks ?? []) : nothing}
    </details>
  `;
}

/**
 * A block that is full is not looked at again. Another text has other elements, whatever their number: text-flow.js puts
 * each in its place but once.
 *
 * @param {Step[][]} blocks
 * @param {(block: Step[]) => unknown} template
 */
const eachBlock = (blocks, template) =>
  repeat(
    blocks,
    (block) => block[0],
    (block) => guard([block], () => template(block)),
  );

/** @param {Step[]} block */
const textBlock = (block) => html`<span class="text-block">${block.map(tokenSpan)}</span>`;

/** @param {Step} step */
function tokenSpan({ index, text, shown, kind }) {
  if (kind === "special" && text === "") return html`<code class="chip special">${shown}</code>`;
  return html`<span class=${index % 2 === 0 ? "t even" : "t odd"}>${text}</span>`;
}

/** @param {Step[][]} blocks */
function tokenTable(blocks) {
  return html`<div class="scroll-y" tabindex="0" role="group" aria-label="Tokens made">
    ${blocks.length === 0 ? html`<p class="muted">No tokens yet.</p>` : eachBlock(blocks, blockTable)}
  </div>`;
}

/** A table for each block: the browser lays out a table whole when it grows. @param {Step[]} block */
function blockTable(block) {
  return html`<div class="block-rows">
    <table class="made" aria-label=${`Tokens from number ${block[0].index + 1}`}>
      <thead>
        <tr>
          <th scope="col" class="number">No.</th>
          <th scope="col">Token</th>
          <th scope="col" class="id">Id</th>
          <th scope="col" class="place">Rank</th>
          <th scope="col" class="drawn">Drawn with</th>
        </tr>
      </thead>
      <tbody>
        ${block.map(tokenRow)}
      </tbody>
    </table>
  </div>`;
}

/** @param {Step} step */
function tokenRow({ index, id, shown, spoken, kind, rank, probability }) {
  return html`<tr>
    <td>${index + 1}</td>
    <th scope="row">
      <code class="chip ${kind}" aria-hidden="true">${shown}</code>
      <span class="visually-hidden">${spoken}</span>
    </th>
    <td>${id}</td>
    <td>${count(rank + 1)}</td>
    <td>${percent(probability)}</td>
  </tr>`;
}

/** @param {GeneratedText | null} text @param {boolean} running */
function note(text, running) {
  if (!text) return "";
  const made = plural(countSteps(text.blocks), "token");
  if (text.stale) return `${made}, made from an earlier prompt`;
  if (running || text.reason === null) return made;
  return `${made}; ${stopReasons[text.reason]}${seedOf(text)}`;
}

/** The seed that makes the same text again: a "random" run too can be repeated. @param {GeneratedText} text */
function seedOf({ blocks, summary }) {
  const drawn = blocks.some((block) => block.some(({ history }) => (history?.uniform ?? null) !== null));
  return summary && drawn ? `; seed ${summary.seed}` : "";
}
