/** One setting as a native slider, a field for the exact value, and what it amounts to. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { readNumber, setting } from "../format.js";
import { words as common } from "../words/common.js";
import { words } from "../words/settings.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { NumberControl, State } from "../page-types.js" */
/** @import { Term } from "./info.js" */

/**
 * @typedef {object} Slider
 * @property {NumberControl} name
 * @property {string} label
 * @property {Term} term
 * @property {number} min of the slider; the field takes more
 * @property {number} max
 * @property {number | "any"} step
 * @property {(value: number) => number} [toPosition] where the slider stands for a value
 * @property {(position: number) => number} [toValue]
 * @property {string} [output] what the value amounts to
 * @property {number} [off] the value that is off; the field is empty then
 * @property {boolean} [acting] whether it acts; else, whether its value is another than `off`
 * @property {boolean} [disabled]
 * @property {unknown} [before] more controls in front of it
 * @property {unknown} [after] and behind it
 */

const same = (/** @type {number} */ value) => value;

/**
 * @param {Slider} slider
 * @param {State} state
 * @param {Actions} actions
 */
export function sliderView(slider, state, actions) {
  const { name, label, term, min, max, step, toPosition = same, toValue = same, output, off } = slider;
  const value = state.controls[name];
  const { acting = value !== off, disabled = false, before = nothing, after = nothing } = slider;
  const amount = acting ? setting(value) : common.off;
  return html`<div class="control ${acting ? "" : "off"}" data-control=${name}>
    ${before}
    <span class="control-name"><label for=${name}>${label}</label> ${info(term)}</span>
    <input
      type="range"
      id=${name}
      min=${min}
      max=${max}
      step=${step}
      .value=${live(String(Math.min(max, Math.max(min, toPosition(value)))))}
      aria-valuetext=${amount}
      ?disabled=${disabled}
      @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
        actions.slide(name, toValue(Number(target.value)))}
    />
    ${fieldView({ name, label: words.exactValue(label), off, disabled }, state, actions)}
    <output for=${name} aria-live="off">${output ?? amount}</output>
    ${after}
    ${faultView(name, state, actions)}
  </div>`;
}

/**
 * @param {{ name: NumberControl, label?: string, off?: number, disabled?: boolean }} field
 * @param {State} state
 * @param {Actions} actions
 */
export function fieldView({ name, label, off, disabled = false }, { controls, typed, faults }, actions) {
  const shown = typed[name] ?? (controls[name] === off ? "" : setting(controls[name]));
  const faulty = faults[name] !== undefined;
  return html`<input
    type="text"
    inputmode="decimal"
    autocomplete="off"
    class="field numbers"
    id=${`${name}-field`}
    aria-label=${label ?? nothing}
    placeholder=${off === undefined ? nothing : common.off}
    ?disabled=${disabled}
    aria-invalid=${faulty ? "true" : nothing}
    aria-describedby=${faulty ? `${name}-fault` : nothing}
    .value=${live(shown)}
    @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
      actions.typeControl(name, target.value)}
    @blur=${() => actions.leaveControl(name)}
  />`;
}

/** @param {NumberControl} name @param {State} state @param {Actions} actions */
export function faultView(name, { faults, typed }, actions) {
  const fault = faults[name];
  if (fault === undefined) return nothing;
  const wantsGreedy = name === "temperature" && readNumber(typed[name] ?? "") === 0;
  const useGreedy = () => actions.setControls({ greedy: true, temperature: 1 });
  return html`<p class="fault" id=${`${name}-fault`}>
    ${fault}
    ${
      wantsGreedy
        ? html`<button type="button" class="small" id="use-greedy" @click=${useGreedy}>${words.useGreedy}</button>`
        : nothing
    }
  </p>`;
}

/** @param {NumberControl} name @param {unknown} label @param {State} state @param {Actions} actions */
export function shortField(name, label, state, actions) {
  return html`<label for=${`${name}-field`}>${label}</label> ${fieldView({ name }, state, actions)}`;
}
