/** Words of the line at the foot of the window that tells of work out of sight. */

import { counted } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("under-way", {
  label: "Under way",
  /** @param {number} n */
  generating: (n) => `Generating: ${counted(n, { one: "token", other: "tokens" })}`,
  /** @param {string} title */
  loading: (title) => `Loading ${title}`,
  beams: "Beam search",
  /** @param {string} panel @param {string} how far it is */
  inPanel: (panel, how) => `${panel}: ${how}…`,
  show: "Show",
  stop: "Stop",
});
