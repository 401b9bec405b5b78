/** What the page says to ears: the newest sentence, and a count that makes a repeated one new. */

/** @import { State } from "./page-types.js" */

/** @param {State} state @param {string} text @returns {State} */
export function announce(state, text) {
  return { ...state, announcement: { count: state.announcement.count + 1, text } };
}
