/** One number in every format, the two kinds of 4-bit codes, and a number saved as FP16 and loaded as FP32. */

import { html, nothing } from "../../vendor/lit-html.js";
import { allDigits, atMost } from "../format.js";
import { words } from "../words/number-formats.js";
import { typedField } from "./fields.js";
import { bitsView, errorText, exact, facts } from "./stored-number.js";

/** @import { PrecisionActions } from "../precision/actions.js" */
/** @import { PrecisionLab } from "../lab-types.js" */
/** @import { NumberDescription } from "../protocol.js" */

/** What each button types. @type {[keyof typeof words.number.tries, string][]} */
const tries = [
  ["tenth", allDigits(0.1)],
  ["fraction", "1025/1024"],
  ["third", "1/3"],
  ["hundreds", "300"],
  ["thousands", "70000"],
  ["tiny", "1e-5"],
  ["negative", allDigits(-0.3)],
];

/** @param {PrecisionLab["number"]} number @param {PrecisionActions} actions */
export function numberView({ typed, largest, result, fault }, actions) {
  return html`<div class="precision-input">
      ${textField("precision-value", words.number.value, typed, fault, "precision-number-fault", (text) => actions.changeNumber({ typed: text }))}
      ${textField("precision-largest", words.number.largest, largest, fault, "precision-number-fault", (text) =>
        actions.changeNumber({ largest: text }),
      )}
    </div>
    <div class="precision-input">
      <span class="label">${words.number.try}</span>
      ${tries.map(
        ([name, text]) => html`<button
          type="button"
          class="quiet small"
          @click=${() => actions.changeNumber({ typed: text })}
        >
          ${words.number.tries[name]}
        </button>`,
      )}
    </div>
    ${fault === null ? nothing : html`<p class="fault" id="precision-number-fault">${fault}</p>`}
    ${
      // The last number that was one stays, and says which it is: what is below would jump else.
      result === null ? nothing : described(result)
    }`;
}

/** @param {NumberDescription} result */
function described(result) {
  const { formats, value } = result;
  return html`<p class="muted">${words.number.read(exact(value))}</p>
    <ul class="format-cards" id="precision-formats">
      ${formats.map(
        (stored) => html`<li class="format-card" data-format=${stored.format}>
          <h4>${stored.format}</h4>
          ${bitsView(stored)}
          <dl class="format-facts numbers">
            ${facts(stored).map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}
          </dl>
        </li>`,
      )}
    </ul>
    <p class="muted">${words.number.fp8}</p>
    ${codeBooks(result)} ${roundTrip(result)}`;
}

/** @param {NumberDescription} result */
function codeBooks({ int4Codes, nf4Codes }) {
  const books = /** @type {const} */ ([
    ["INT4", int4Codes],
    ["NF4", nf4Codes],
  ]);
  return html`<section id="precision-code-books">
    <h4>${words.codeBooks.heading}</h4>
    <p class="muted">${words.codeBooks.note}</p>
    ${books.map(
      ([name, codes]) => html`<div class="code-book">
        <span>${words.codeBooks.values(name, codes.length)}</span>
        <div class="code-line" aria-hidden="true">
          ${[...codes].map((code) => html`<i style=${`left: ${((code + 1) / 2) * 100}%`}></i>`)}
        </div>
      </div>`,
    )}
    <details>
      <summary>${words.codeBooks.list}</summary>
      ${books.map(
        ([name, codes]) => html`<p class="numbers">${words.codeBooks.all(name, [...codes].map((code) => atMost(code, 4)))}</p>`,
      )}
    </details>
  </section>`;
}

/** @param {NumberDescription} result */
function roundTrip({ value, direct, saved, widened, narrowsBack }) {
  const { roundTrip: texts } = words;
  const steps = /** @type {const} */ ([
    [texts.saved, saved],
    [texts.loaded, widened],
    [texts.direct, direct],
  ]);
  return html`<section id="precision-round-trip">
    <h4>${texts.heading}</h4>
    ${steps.map(
      ([name, stored]) => html`<div class="round-trip">
        <span>${texts.step(name, html`<b class="numbers">${exact(stored.value)}</b>`, errorText(stored.error, null))}</span>
        ${bitsView(stored)}
      </div>`,
    )}
    <p>
      ${widened.error === 0 ? texts.exact(exact(value)) : texts.lost} ${narrowsBack ? texts.back : nothing}
    </p>
  </section>`;
}

/**
 * @param {string} id @param {string} label @param {string} value @param {string | null} fault shared by fields that stand together
 * @param {string} faultId @param {(text: string) => void} type
 */
export const textField = (id, label, value, fault, faultId, type) =>
  html`<label class="lab-field">${label} ${typedField({ id, value, fault, faultId, type, keys: null })}</label>`;
