/** A number as a format stores it: its bits by what they mean, what they stand for, and what lies beside it. */

import { html } from "../../vendor/lit-html.js";
import { allDigits, figure } from "../format.js";
import { words } from "../words/number-formats.js";

/** @import { StoredNumber } from "../protocol.js" */

/** Names and values. @param {StoredNumber} stored @returns {[string, unknown][]} */
export function facts({ kind, value, error, relativeError, spacing, spacingExponent, largest, overflow, float, scale }) {
  const { facts: names } = words;
  /** @type {[string, unknown][]} */
  const found = [
    [names.value, html`<b>${exact(value)}</b>`],
    [names.kind, words.kinds[kind]],
    [names.error, errorText(error, relativeError)],
    [names.spacing, spacingText(spacing, spacingExponent)],
  ];
  if (float !== null) {
    found.splice(2, 0, [names.exponent, words.exponent(float.exponentField, float.bias)]);
    found.push(
      [names.spacingFromOne, power(float.spacingFromOneExponent)],
      [names.largest, exact(largest)],
      [names.overflow, overflow],
      [names.smallestNormal, power(float.smallestNormalExponent)],
      [names.smallestSubnormal, power(float.smallestSubnormalExponent)],
    );
  } else {
    found.push(
      [names.scale, scale === null ? words.none : figure(scale)],
      [names.largest, figure(largest)],
      [names.overflow, overflow],
    );
  }
  return found;
}

/** @param {StoredNumber} stored */
export function bitsView({ fields }) {
  return html`<div class="bits">
    ${fields.map(
      ({ name, bits }) => html`<span class="bit-field" data-field=${name}>
        <span class="bit-cells" role="img" aria-label=${words.spokenBits(name, [...bits].join(" "))}
          >${[...bits].map((bit) => html`<span class="bit">${bit}</span>`)}</span
        >
        <span class="bit-name">${words.bits(name, bits.length)}</span>
      </span>`,
    )}
  </div>`;
}

/** All digits of a value. @param {number} value */
export function exact(value) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? words.minusInfinity : words.infinity;
  return allDigits(value);
}

/** @param {number} error @param {number | null} relative */
export function errorText(error, relative) {
  if (Number.isNaN(error)) return words.errors.noNumber;
  if (!Number.isFinite(error)) return words.errors.infinite;
  if (error === 0) return words.errors.exact;
  if (relative === null || !Number.isFinite(relative)) return figure(error);
  return words.errors.relative(figure(error), figure(relative * 100));
}

/** @param {number | null} spacing @param {number | null} exponent */
function spacingText(spacing, exponent) {
  if (spacing === null) return words.none;
  return exponent === null ? figure(spacing) : words.spacing(power(exponent), figure(spacing));
}

/** @param {number} exponent */
const power = (exponent) => `2^${exponent}`.replace("-", "−");
