/** The chain: its steps as sliders in the order in which they act. Each can be switched off and moved. */

import { html, live, repeat } from "../../vendor/lit-html.js";
import { isOn, listedKinds, topKStops } from "../controls.js";
import { words as common } from "../words/common.js";
import { words } from "../words/settings.js";
import { sliderView } from "./control.js";
import { startDrag } from "./drag.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { ChainKind } from "../protocol.js" */
/** @import { Slider } from "./control.js" */

const usualVocabulary = 50_304;

/** @param {State} state @param {Actions} actions */
export function chainView(state, actions) {
  const kinds = listedKinds(state.controls, state.showMore);
  return html`<ol class="chain" id="chain" aria-label=${words.chain}>
    ${repeat(
      kinds,
      (kind) => kind,
      (kind, place) => html`<li data-kind=${kind}>${stepView(kind, place, kinds.length, state, actions)}</li>`,
    )}
  </ol>`;
}

/** @param {ChainKind} kind @param {number} place @param {number} steps @param {State} state @param {Actions} actions */
function stepView(kind, place, steps, state, actions) {
  const { controls, model } = state;
  const disabled = controls.greedy;
  const before = html`<span
      class="handle"
      aria-hidden="true"
      @pointerdown=${(/** @type {PointerEvent} */ event) => {
        if (!disabled) startDrag(event, (to) => actions.moveStep(kind, to));
      }}
    ></span>
    <label class="hit"><input
      type="checkbox"
      role="switch"
      class="step-switch"
      id=${`${kind}-on`}
      aria-label=${words.useStep(common.chain[kind])}
      .checked=${live(isOn(controls, kind))}
      ?disabled=${disabled}
      @change=${() => actions.switchStep(kind)}
    /></label>`;
  const after = html`<span class="moves">
    ${moveButton(kind, "up", place - 1, disabled || place === 0, actions)}
    ${moveButton(kind, "down", place + 1, disabled || place === steps - 1, actions)}
  </span>`;
  const slider = sliderOf(kind, model?.card.vocabSize ?? usualVocabulary);
  const acting = isOn(controls, kind);
  return sliderView({ ...slider, name: kind, acting, disabled, before, after, output: effect(kind, state) }, state, actions);
}

/** @param {ChainKind} kind @param {"up" | "down"} way @param {number} to @param {boolean} off @param {Actions} actions */
function moveButton(kind, way, to, off, actions) {
  const move = (/** @type {Event} */ { currentTarget }) => {
    if (off) return;
    actions.moveStep(kind, to);
    // The row that moves takes its button out of the page for a moment, and the focus would be lost.
    requestAnimationFrame(() => /** @type {HTMLElement} */ (currentTarget).focus());
  };
  return html`<button
    type="button"
    class="quiet move"
    id=${`${kind}-${way}`}
    aria-label=${(way === "up" ? words.moveUp : words.moveDown)(common.chain[kind])}
    aria-disabled=${off}
    @click=${move}
  >
    <span aria-hidden="true">${way === "up" ? "↑" : "↓"}</span>
  </button>`;
}

/** @param {ChainKind} kind @param {number} vocabulary @returns {Omit<Slider, "name">} */
function sliderOf(kind, vocabulary) {
  const stops = topKStops(vocabulary);
  const last = stops.length - 1;
  return {
    temperature: { label: words.steps.temperature, term: /** @type {const} */ ("temperature"), min: 0.1, max: 2, step: 0.05 },
    topK: {
      label: words.steps.topK,
      term: /** @type {const} */ ("topK"),
      min: 0,
      max: last,
      step: 1,
      off: 0,
      toPosition: (/** @type {number} */ value) => (value === 0 ? last : closest(stops, value)),
      toValue: (/** @type {number} */ position) => stops[position],
    },
    topP: { label: words.steps.topP, term: /** @type {const} */ ("topP"), min: 0.05, max: 1, step: 0.01, off: 1 },
    minP: { label: words.steps.minP, term: /** @type {const} */ ("minP"), min: 0, max: 0.5, step: 0.01, off: 0 },
  }[kind];
}

/** What a step does at its place: of a filter, how many tokens it left, from the engine's own account.
 * @param {ChainKind} kind @param {State} state
 */
function effect(kind, state) {
  const { controls } = state;
  if (!isOn(controls, kind)) return common.off;
  if (kind === "temperature") return heat(controls.temperature);
  // Read only if needed: bars come often, and while no filter is on the settings do not change with them.
  const { distribution } = state;
  const cut = distribution?.cuts.find((candidate) => candidate.kind === kind);
  return cut && !controls.greedy ? words.kept(cut.keptAfter) : "";
}

/** @param {number} temperature */
function heat(temperature) {
  if (temperature === 1) return words.heat.same;
  return temperature < 1 ? words.heat.sharper : words.heat.flatter;
}

/** @param {number[]} stops @param {number} value */
function closest(stops, value) {
  const position = stops.findIndex((stop) => stop >= value);
  return position < 0 ? stops.length - 1 : position;
}
