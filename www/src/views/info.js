/** The field's terms, each explained once, where it is used, in a note that a small button opens. */

import { html } from "../../vendor/lit-html.js";
import { words } from "../words/terms.js";

/** @typedef {keyof typeof words.notes} Term */

/** @param {Term} term */
export function info(term) {
  const [name, note] = words.notes[term];
  const id = `info-${term}`;
  return html`<button type="button" class="info" popovertarget=${id} aria-label=${words.question(name)}>
      <span aria-hidden="true">?</span></button
    ><span popover class="note" id=${id} role="note" @beforetoggle=${placeNote}><b>${name}</b> ${note}</span>`;
}

/** Puts the note under its button, within the window.
 * @param {ToggleEvent} event
 */
function placeNote(event) {
  const note = /** @type {HTMLElement} */ (event.currentTarget);
  const button = note.previousElementSibling;
  if (event.newState !== "open" || !button) return;
  const { left, bottom, top } = button.getBoundingClientRect();
  const width = Math.min(320, innerWidth - 24);
  note.style.width = `${width}px`;
  note.style.left = `${Math.max(12, Math.min(left - 12, innerWidth - width - 12))}px`;
  const below = bottom + 150 < innerHeight;
  note.style.top = below ? `${bottom + 6}px` : "auto";
  note.style.bottom = below ? "auto" : `${innerHeight - top + 6}px`;
}
