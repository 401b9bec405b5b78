/** Fields of the lab panels: a number or a few words that are typed, and a choice among some. */

import { html, live, nothing } from "../../vendor/lit-html.js";

/**
 * A field to type into. Its label stands beside it, or is given for ears. The sentence of a fault, which the caller puts
 * where there is room for it, has the field's id and "-fault" as its own.
 *
 * @param {object} parts
 * @param {string} parts.id
 * @param {string} parts.value as it is typed
 * @param {(text: string) => void} parts.type
 * @param {() => void} [parts.leave]
 * @param {string | null} [parts.fault]
 * @param {string} [parts.faultId] where several fields share a sentence
 * @param {string} [parts.label] for ears
 * @param {"numeric" | "decimal" | null} [parts.keys] what a phone's keyboard offers; null for words
 * @param {string} [parts.placeholder]
 * @param {boolean} [parts.disabled]
 */
export function typedField({ id, value, type, leave, fault = null, faultId, label, keys = "numeric", placeholder, disabled = false }) {
  return html`<input
    type="text"
    inputmode=${keys ?? nothing}
    autocomplete="off"
    autocapitalize="off"
    spellcheck="false"
    class="field numbers"
    id=${id}
    aria-label=${label ?? nothing}
    placeholder=${placeholder ?? nothing}
    aria-invalid=${fault === null ? nothing : "true"}
    aria-describedby=${fault === null ? nothing : (faultId ?? `${id}-fault`)}
    ?disabled=${disabled}
    .value=${live(value)}
    @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => type(target.value)}
    @blur=${leave ?? nothing}
  />`;
}

/** @param {string} id of the field @param {string | null | undefined} fault */
export const fieldFault = (id, fault) =>
  fault ? html`<span class="fault" id=${`${id}-fault`}>${fault}</span>` : nothing;

/**
 * @param {object} parts
 * @param {string} parts.id
 * @param {{ value: string, label: string }[]} parts.options
 * @param {string} parts.value
 * @param {(value: string) => void} parts.choose
 * @param {string} [parts.label] for ears, where none stands beside it
 * @param {boolean} [parts.disabled]
 */
export function choiceField({ id, options, value, choose, label, disabled = false }) {
  return html`<select
    id=${id}
    aria-label=${label ?? nothing}
    ?disabled=${disabled}
    @change=${(/** @type {Event & { target: HTMLSelectElement }} */ { target }) => choose(target.value)}
  >
    ${options.map((option) => html`<option value=${option.value} .selected=${live(option.value === value)}>${option.label}</option>`)}
  </select>`;
}
