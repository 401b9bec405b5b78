/** The one live region: starts, ends, errors, and what a slider did. Never each token. */

/** @import { State } from "../page-types.js" */

/** @param {State} state */
export function announcerView({ announcement: { count, text } }) {
  // A repeated sentence is spoken again only if the text differs, so every other one ends in a no-break space.
  return text === "" ? "" : `${text}${count % 2 === 0 ? "\u00a0" : ""}`;
}
