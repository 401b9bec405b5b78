/** One number in every format, the two kinds of 4-bit codes, and a number saved as FP16 and loaded as FP32. */

import { html, nothing } from "../../vendor/lit-html.js";
import { typedField } from "./fields.js";
import { bitsView, errorText, exact, facts } from "./stored-number.js";

/** @import { PrecisionActions } from "../precision/actions.js" */
/** @import { PrecisionLab } from "../lab-types.js" */
/** @import { NumberDescription } from "../protocol.js" */

/** @type {[string, string][]} */
const tries = [
  ["0.1", "0.1"],
  ["1 + 1/1024", "1025/1024"],
  ["1/3", "1/3"],
  ["300", "300"],
  ["70,000", "70000"],
  ["10^−5", "1e-5"],
  ["−0.3", "-0.3"],
];

/** @param {PrecisionLab["number"]} number @param {PrecisionActions} actions */
export function numberView({ typed, largest, result, fault }, actions) {
  return html`<div class="precision-input">
      ${textField("precision-value", "Number", typed, fault, "precision-number-fault", (text) => actions.changeNumber({ typed: text }))}
      ${textField("precision-largest", "Largest number under its scale (INT8, INT4, NF4)", largest, fault, "precision-number-fault", (text) =>
        actions.changeNumber({ largest: text }),
      )}
    </div>
    <div class="precision-input">
      <span class="label">Try</span>
      ${tries.map(
        ([label, text]) => html`<button
          type="button"
          class="quiet small"
          @click=${() => actions.changeNumber({ typed: text })}
        >
          ${label}
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
  return html`<p class="muted">
      ${exact(value)} is read as a 64-bit number and rounded to the nearest value of each format, ties to the even pattern. Spacing
      is the distance to the next larger value in size; the larger the number, the wider it is.
    </p>
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
    <p class="muted">
      The two FP8 formats are those of the OCP 8-bit specification: E4M3 spends no pattern on infinity and one on NaN, so it
      reaches 448; E5M2 is built like FP16. “FP8” alone says neither which of them is meant nor what scales go with it.
    </p>
    ${codeBooks(result)} ${roundTrip(result)}`;
}

/** @param {NumberDescription} result */
function codeBooks({ int4Codes, nf4Codes }) {
  const books = /** @type {const} */ ([
    ["INT4", int4Codes],
    ["NF4", nf4Codes],
  ]);
  return html`<section id="precision-code-books">
    <h4>Four bits twice: equal steps, or a code book</h4>
    <p class="muted">
      All values that a code of 4 bits names, from −1 to 1 times the largest number under the scale. INT4 has equal steps. NF4 is
      the code book of QLoRA (Dettmers et al., 2023): quantiles of a normal distribution, so its steps are fine near 0, where most
      weights are, and coarse at the ends.
    </p>
    ${books.map(
      ([name, codes]) => html`<div class="code-book">
        <span>${name}, ${codes.length} values</span>
        <div class="code-line" aria-hidden="true">
          ${[...codes].map((code) => html`<i style=${`left: ${((code + 1) / 2) * 100}%`}></i>`)}
        </div>
      </div>`,
    )}
    <details>
      <summary>The values</summary>
      ${books.map(
        ([name, codes]) => html`<p class="numbers">${name}: ${[...codes].map((code) => plainCode(code)).join(", ")}</p>`,
      )}
    </details>
  </section>`;
}

/** @param {number} code */
const plainCode = (code) => String(Number(code.toFixed(4))).replace("-", "−");

/** @param {NumberDescription} result */
function roundTrip({ value, direct, saved, widened, narrowsBack }) {
  const steps = /** @type {const} */ ([
    ["Saved as FP16", saved],
    ["Loaded into FP32", widened],
    ["For comparison: straight to FP32", direct],
  ]);
  return html`<section id="precision-round-trip">
    <h4>Saved as FP16, loaded as FP32</h4>
    ${steps.map(
      ([name, stored]) => html`<div class="round-trip">
        <span>${name}: <b class="numbers">${exact(stored.value)}</b>, error ${errorText(stored.error, null)}</span>
        ${bitsView(stored)}
      </div>`,
    )}
    <p>
      ${
        widened.error === 0
          ? `FP16 holds ${exact(value)} exactly, so nothing was lost before saving.`
          : "FP32 stores exactly what FP16 had. What was lost before saving does not come back: the fraction is filled up with zeros, and the error stays."
      }
      ${narrowsBack ? "Narrowed to FP16 again, it has the bits that were saved." : nothing}
    </p>
  </section>`;
}

/**
 * @param {string} id @param {string} label @param {string} value @param {string | null} fault shared by fields that stand together
 * @param {string} faultId @param {(text: string) => void} type
 */
export const textField = (id, label, value, fault, faultId, type) =>
  html`<label class="lab-field">${label} ${typedField({ id, value, fault, faultId, type, keys: null })}</label>`;
