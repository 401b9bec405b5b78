/** What every lab panel that works for a while shows: its button, a way to stop, how far it is, and its fault. */

import { html, nothing } from "../../vendor/lit-html.js";
import { errorTexts } from "../errors.js";
import { words } from "../words/lab-work.js";

/** @import { LabWork, PageError } from "../lab-types.js" */

/**
 * @param {object} parts
 * @param {string} parts.id prefix of the elements' ids: ID-run, ID-stop, ID-progress, ID-fault
 * @param {string} parts.label of the button that starts
 * @param {string} parts.what is stopped, for ears
 * @param {boolean} parts.ready
 * @param {LabWork | null} parts.work
 * @param {PageError | null} parts.fault
 * @param {() => void} parts.run
 * @param {() => void} parts.stop
 * @param {unknown} [parts.hint] why it cannot start, or what it will do
 */
export function labWorkView({ id, label, what, ready, work, fault, run, stop, hint = nothing }) {
  return html`<div class="panel-line lab-work">
      <div class="buttons">
        <button
          type="button"
          class="primary"
          id=${`${id}-run`}
          ?disabled=${!ready}
          aria-disabled=${work === null ? nothing : "true"}
          @click=${() => work === null && run()}
        >
          ${label}
        </button>
        <button
          type="button"
          id=${`${id}-stop`}
          ?disabled=${work === null}
          aria-disabled=${work?.stopping ? "true" : nothing}
          @click=${() => work && !work.stopping && stop()}
        >
          ${words.stop}<span class="visually-hidden"> ${what}</span>
        </button>
      </div>
      <span class="muted numbers" id=${`${id}-progress`}>${work === null ? hint : words.underWay(work.words)}</span>
    </div>
    ${fault === null ? nothing : faultLine(`${id}-fault`, fault)}`;
}

/** @param {string} id @param {PageError} fault */
export function faultLine(id, fault) {
  const { title, advice } = errorTexts[fault.code];
  return html`<p class="fault" id=${id}>${words.fault(title, fault.message, advice)}</p>`;
}
