/** The one live region: starts, ends, errors, and what a slider did. Never each token. */

/** @import { State } from "../page-types.js" */

/** How many sentences have been put in: those that come within one picture are said together, and none is lost. */
let said = 0;

/** @param {State} state */
export function announcerView({ announcement: { count, recent } }) {
  if (count === 0) return "";
  const text = recent.slice(Math.min(-1, said - count)).join(" ");
  said = count;
  // A repeated sentence is spoken again only if the text differs, so every other one ends in a no-break space.
  return `${text}${count % 2 === 0 ? "\u00a0" : ""}`;
}
