/** The draw: a strip from 0 to 1 with the intervals of the kept rows, and the number that falls on it, which can be moved. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { words } from "../words/bench.js";
import { words as common } from "../words/common.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { Distribution } from "../protocol.js" */

const places = 10_000;
const step = 1 / places;
/** A uniform number is below 1. */
const largest = 1 - step;

/** @param {State} state @param {Actions} actions */
export function diceView({ distribution, dice, run, controls }, actions) {
  if (!distribution) return nothing;
  const uniform = dice ?? distribution.draw.uniform;
  const reason = controls.greedy || uniform === null
    ? words.greedyDraws
    : run !== null
      ? words.seedDecides
      : null;
  return html`<section class="bench-part" aria-labelledby="dice-title">
    <div class="panel-line">
      <h3 id="dice-title">${words.beTheDice}</h3>
      ${info("dice")}
      <button
        type="button"
        class="quiet small"
        id="dice-back"
        aria-disabled=${dice === null || reason !== null}
        @click=${() => actions.moveDice(null)}
      >
        ${words.backToSeed}
      </button>
    </div>
    <div
      class="strip ${reason === null ? "movable" : ""}"
      id="strip"
      aria-hidden="true"
      @pointerdown=${(/** @type {PointerEvent} */ event) => reason === null && startMove(event, actions)}
    >
      ${Array.from(distribution.tokens.ids, (id, row) => interval(distribution, id, row))}
      <span class="strip-marker" id="strip-marker" style=${`left: ${(uniform ?? 0) * 100}%`} ?hidden=${uniform === null}></span>
    </div>
    <input
      type="range"
      id="dice"
      class="dice"
      aria-label=${words.uniform}
      aria-valuetext=${words.picks(uniform ?? 0, spokenPick(distribution))}
      min="0"
      max=${largest}
      step=${step}
      ?disabled=${reason !== null}
      .value=${live(String(Math.min(largest, uniform ?? 0)))}
      @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) =>
        actions.moveDice(Number(target.value))}
    />
    <p class="muted dice-says" id="dice-says">${reason ?? sentence(distribution, dice)}</p>
  </section>`;
}

/** @param {Distribution} distribution @param {number} id @param {number} row */
function interval({ lows, highs, tokens, draw }, id, row) {
  const [low, high] = [lows[row], highs[row]];
  const width = `left: ${low * 100}%; width: ${(high - low) * 100}%`;
  return html`<span
    class="strip-part ${row % 2 ? "odd" : ""} ${id === draw.id ? "picked" : ""}"
    style=${width}
    ?hidden=${!(low < high)}
    >${high - low > 0.04 ? tokens.text[row] : nothing}</span
  >`;
}

/** @param {Distribution} distribution */
function spokenPick({ draw, tokens }) {
  const row = tokens.ids.indexOf(draw.id);
  return row < 0 ? common.id(draw.id) : tokens.spoken[row];
}

/** @param {Distribution} distribution @param {number | null} dice */
function sentence({ pickedId }, dice) {
  if (dice === null) return words.moveIt;
  return pickedId === null ? words.decidesNext : words.alreadyPicked;
}

/** Follows a mouse, pen or finger along the strip. @param {PointerEvent} event @param {Actions} actions */
function startMove(event, actions) {
  if (event.button !== 0) return;
  const strip = /** @type {HTMLElement} */ (event.currentTarget);
  const moving = new AbortController();
  const move = (/** @type {PointerEvent} */ { clientX }) => {
    const { left, width } = strip.getBoundingClientRect();
    const place = Math.round(((clientX - left) / width) * places) / places;
    actions.moveDice(Math.min(largest, Math.max(0, place)));
  };
  event.preventDefault();
  strip.setPointerCapture(event.pointerId);
  move(event);
  strip.addEventListener("pointermove", move, { signal: moving.signal });
  for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    strip.addEventListener(type, () => moving.abort(), { signal: moving.signal });
  }
}
