/** A number field of the memory panel: what is typed stays, with a sentence where it is not in force. */

import { html, live, nothing } from "../../vendor/lit-html.js";

/** @import { MemoryLab } from "../memory-lab/types.js" */

/**
 * @param {MemoryLab} lab @param {string} name @param {string} label for ears @param {number} value in force
 * @param {(text: string) => void} type @param {() => void} leave
 */
export function numberField({ typed, faults }, name, label, value, type, leave) {
  const fault = faults[name];
  const id = `memory-${name}`;
  return html`<input
      type="text"
      inputmode="decimal"
      autocomplete="off"
      class="field numbers"
      id=${id}
      aria-label=${label}
      aria-invalid=${fault === undefined ? nothing : "true"}
      aria-describedby=${fault === undefined ? nothing : `${id}-fault`}
      .value=${live(typed[name] ?? String(value))}
      @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => type(target.value)}
      @blur=${leave}
    />${fault === undefined ? nothing : html` <span class="fault" id=${`${id}-fault`}>${fault}</span>`}`;
}
