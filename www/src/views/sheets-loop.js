/** The loop builder: the blocks of generation as a list to be ordered by mouse, touch or keys. */

import { html, repeat } from "../../vendor/lit-html.js";
import { blocks, dividers, placeWords, startProgram } from "../sheets/loop.js";
import { words } from "../words/sheets-loop.js";
import { startDrag } from "./drag.js";

/** @import { SheetActions } from "../sheets/actions.js" */

/** @param {string[]} program @param {SheetActions} actions */
export function programView(program, actions) {
  return html`<div class="program">
    <p class="muted" id="program-help">${words.help}</p>
    <p class="program-divider" id="program-before">${words.dividers.before}</p>
    <ol id="program" aria-label=${words.label}>
      ${repeat(
        program,
        (name) => name,
        (name, place) =>
          name.startsWith("#")
            ? html`<li class="program-divider">${dividers[name]}</li>`
            : html`<li class="program-block" data-block=${name}>${blockView(program, name, place, actions)}</li>`,
      )}
    </ol>
    <button type="button" class="quiet small" id="program-clear" @click=${() => actions.setProgram(startProgram)}>
      ${words.clear}
    </button>
  </div>`;
}

/** @param {string[]} program @param {string} name @param {number} place @param {SheetActions} actions */
function blockView(program, name, place, actions) {
  const block = blocks.find((candidate) => candidate.name === name);
  const label = block?.label ?? name;
  const last = program.length - 1;
  return html`<span
      class="handle"
      aria-hidden="true"
      @pointerdown=${(/** @type {PointerEvent} */ event) => startDrag(event, (to) => actions.moveBlock(name, to))}
    ></span>
    <span class="program-name" id=${`block-${name}`}>
      <b>${label}</b> <span class="muted">${block?.words}<span class="visually-hidden">, ${placeWords(program, name)}</span></span>
    </span>
    <span class="moves">
      ${moveButton(name, label, "up", place - 1, place === 0, actions)}
      ${moveButton(name, label, "down", place + 1, place === last, actions)}
    </span>`;
}

/**
 * @param {string} name @param {string} label @param {"up" | "down"} way @param {number} to @param {boolean} off
 * @param {SheetActions} actions
 */
function moveButton(name, label, way, to, off, actions) {
  const id = `block-${name}-${way}`;
  return html`<button
    type="button"
    class="quiet move"
    id=${id}
    aria-label=${words[way](label)}
    aria-disabled=${off}
    @click=${() => off || move(name, to, id, actions)}
  >
    <span aria-hidden="true">${way === "up" ? "↑" : "↓"}</span>
  </button>`;
}

/** The row that moves leaves the page for a moment, and would lose the focus.
 * @param {string} name @param {number} to @param {string} id @param {SheetActions} actions
 */
function move(name, to, id, actions) {
  actions.moveBlock(name, to);
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}
