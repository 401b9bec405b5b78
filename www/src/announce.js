/** What the page says to ears: the newest sentences, and a count of all, which makes a repeated one new. */

/** @import { State } from "./page-types.js" */

/** More are not said within one picture. */
const most = 4;

/** @param {State} state @param {string} text @returns {State} */
export function announce(state, text) {
  const { count, recent } = state.announcement;
  return { ...state, announcement: { count: count + 1, text, recent: [...recent.slice(1 - most), text] } };
}
