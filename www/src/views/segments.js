/** A choice of a few, side by side. */

import { html, live } from "../../vendor/lit-html.js";

/**
 * @template {string} T
 * @param {string} name of the choice; with a value, the id of an input
 * @param {string} label
 * @param {[T, string][]} choices values and their words
 * @param {T} chosen
 * @param {(value: T) => void} choose
 */
export function segmentsView(name, label, choices, chosen, choose) {
  return html`<fieldset class="pace">
    <legend class="label">${label}</legend>
    <span class="segments">${choices.map(
      ([value, words]) =>
        html`<label
          ><input
            type="radio"
            name=${name}
            id=${`${name}-${value}`}
            .checked=${live(chosen === value)}
            @change=${() => choose(value)}
          /><span>${words}</span></label
        >`,
    )}</span>
  </fieldset>`;
}
