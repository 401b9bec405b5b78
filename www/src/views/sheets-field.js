/** The fields of predictions and answers: a choice, a number, or a few words. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { arranged } from "../sheets/checks.js";

/** @import { SheetActions } from "../sheets/actions.js" */
/** @import { Field, Sheets } from "../sheets/types.js" */

/** @param {string} key @param {string} question @param {Field} field @param {Sheets} sheets @param {SheetActions} actions */
export function fieldView(key, question, field, { typed, verdicts }, actions) {
  const id = `field-${key.replaceAll("/", "-")}`;
  const value = typed[key] ?? "";
  const type = (/** @type {Event} */ { target }) =>
    actions.type(key, /** @type {HTMLInputElement | HTMLTextAreaElement} */ (target).value);
  // Of a prediction the only verdict is that it cannot be read.
  const fault = key.endsWith("/predicted") ? verdicts[key] : undefined;
  const sentence = fault ? html`<p class="fault" id=${`${id}-fault`}>${fault.words}</p>` : nothing;
  if (field.kind === "choice") {
    return html`<fieldset class="sheet-choice">
      <legend>${question}</legend>
      ${arranged(field, key).map(
        ([choice, label]) => html`<label>
          <input
            type="radio"
            name=${id}
            value=${choice}
            .checked=${live(value === choice)}
            @change=${type}
          />
          <span>${label}</span>
        </label>`,
      )}
      ${sentence}
    </fieldset>`;
  }
  if (field.kind === "text") {
    return html`<label for=${id}>${question}</label>
      <textarea id=${id} rows="3" .value=${live(value)} @input=${type}></textarea>
      ${sentence}`;
  }
  return html`<label for=${id}>${question}</label>
    <span class="sheet-number">
      <input
        type="text"
        inputmode="decimal"
        autocomplete="off"
        class="field"
        id=${id}
        .value=${live(value)}
        aria-invalid=${fault !== undefined}
        aria-describedby=${[field.unit && `${id}-unit`, fault && `${id}-fault`].filter(Boolean).join(" ") || nothing}
        @input=${type}
      />
      ${field.unit ? html`<span id=${`${id}-unit`}>${field.unit.other}</span>` : nothing}
    </span>
    ${sentence}`;
}
