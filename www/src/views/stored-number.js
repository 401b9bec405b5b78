/** A number as a format stores it: its bits by what they mean, what they stand for, and what lies beside it. */

import { html } from "../../vendor/lit-html.js";
import { figure } from "../format.js";

/** @import { NumberKind, StoredNumber } from "../protocol.js" */

/** @type {Record<NumberKind, string>} */
const kinds = {
  normal: "normal: a leading 1 before the fraction",
  subnormal: "subnormal: no leading 1, so fewer digits",
  zero: "zero",
  infinite: "infinity",
  notANumber: "no number (NaN)",
  code: "a code, times the scale",
  clipped: "beyond the scale: cut to the last code",
};

/** Names and values. @param {StoredNumber} stored @returns {[string, unknown][]} */
export function facts({ kind, value, error, relativeError, spacing, spacingExponent, largest, overflow, float, scale }) {
  /** @type {[string, unknown][]} */
  const found = [
    ["Stored value", html`<b>${exact(value)}</b>`],
    ["Kind", kinds[kind]],
    ["Error", errorText(error, relativeError)],
    ["Spacing here", spacingText(spacing, spacingExponent)],
  ];
  if (float !== null) {
    found.splice(2, 0, ["Exponent", `${float.exponentField} stored, bias ${float.bias}`]);
    found.push(
      ["Spacing in [1, 2)", power(float.spacingFromOneExponent)],
      ["Largest", exact(largest)],
      ["Larger becomes", overflow],
      ["Smallest normal", power(float.smallestNormalExponent)],
      ["Smallest subnormal", power(float.smallestSubnormalExponent)],
    );
  } else {
    found.push(
      ["Scale", scale === null ? "none" : figure(scale)],
      ["Largest", figure(largest)],
      ["Larger becomes", overflow],
    );
  }
  return found;
}

/** @param {StoredNumber} stored */
export function bitsView({ fields }) {
  return html`<div class="bits">
    ${fields.map(
      ({ name, bits }) => html`<span class="bit-field" data-field=${name}>
        <span class="bit-cells" role="img" aria-label=${`${name}: ${[...bits].join(" ")}`}
          >${[...bits].map((bit) => html`<span class="bit">${bit}</span>`)}</span
        >
        <span class="bit-name">${name}, ${bits.length} ${bits.length === 1 ? "bit" : "bits"}</span>
      </span>`,
    )}
  </div>`;
}

/** All digits of a value. @param {number} value */
export function exact(value) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "−infinity" : "infinity";
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.replace(/e\+?/, " × 10^").replaceAll("-", "−");
}

/** @param {number} error @param {number | null} relative */
export function errorText(error, relative) {
  if (Number.isNaN(error)) return "no number";
  if (!Number.isFinite(error)) return "infinite";
  if (error === 0) return "0, exact";
  const share = relative === null || !Number.isFinite(relative) ? "" : `, ${figure(relative * 100)} % of the number`;
  return `${figure(error)}${share}`;
}

/** @param {number | null} spacing @param {number | null} exponent */
function spacingText(spacing, exponent) {
  if (spacing === null) return "none";
  return exponent === null ? figure(spacing) : `${power(exponent)} = ${figure(spacing)}`;
}

/** @param {number} exponent */
const power = (exponent) => `2^${exponent}`.replace("-", "−");
