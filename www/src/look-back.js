/** Looking back: which step of the text the bars show, and what is known of it. Pure. */

import { stepAt } from "./text-blocks.js";

/** @import { State } from "./page-types.js" */
/** @import { Event } from "./protocol.js" */
/** @import { TextEvent, TextStep } from "./text-types.js" */

/** @param {State} state @param {Extract<TextEvent, { type: "stepLookedAt" }>} event @returns {State} */
export function stepLookedAt(state, { index, pinned }) {
  const { look, text } = state;
  if (!text || text.stale || !stepAt(text.blocks, index)) return state;
  if (look?.index === index) return look.pinned || !pinned ? state : { ...state, look: { ...look, pinned } };
  return { ...state, look: { index, pinned, revision: 0, distribution: null } };
}

/** @param {State} state @returns {State} */
export function lookSent(state) {
  const revision = state.revision + 1;
  return state.look ? { ...state, revision, look: { ...state.look, revision } } : state;
}

/** @param {State} state @param {Extract<Event, { type: "shown" }>} event @returns {State} */
export function shown(state, { revision, distribution }) {
  const { look } = state;
  return look && revision === look.revision ? { ...state, look: { ...look, distribution } } : state;
}

/** The step that is looked back at. @param {Pick<State, "look" | "text">} state @returns {TextStep | null} */
export function stepLookedBackAt({ look, text }) {
  return (look && text && stepAt(text.blocks, look.index)) ?? null;
}

/**
 * The state as the bars see it: while an earlier step is looked at, its distribution in the place of the present one, or
 * none until it has come.
 *
 * @param {State} state @returns {State}
 */
export function asLookedAt(state) {
  const { look } = state;
  if (!look) return state;
  // Not a copy: the views would be drawn for all that is copied.
  return Object.create(state, { distribution: { value: look.distribution }, slowStep: { value: null } });
}

/** Index among the new tokens of the one that the bars are about; null while they are about none.
 * @param {Pick<State, "look" | "distribution" | "tokens">} state
 */
export function shownIndex({ look, distribution, tokens }) {
  if (look) return look.index;
  const index = distribution && tokens ? distribution.contextTokens - tokens.ids.length : -1;
  return index >= 0 ? index : null;
}
