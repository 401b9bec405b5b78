/** Names of the panels, and the frame around them. */

import { inLanguage } from "./language.js";

/** @import { Hidden } from "./language.js" */

export const words = inLanguage("panels", {
  names: {
    ab: "A/B",
    example: "Worked example",
    tree: "Branches and beams",
    timing: "Timing",
    cache: "KV cache",
    precision: "Precision",
    memory: "Memory",
    batch: "Batch",
    scores: "Text scores",
    records: "Records and report",
    bench: "Look closer",
    sheets: "Lab sheets",
  },
  panels: "Lab panels",
  showOthers: "Show the other panels",
  /** @param {Hidden} hidden @param {string} panel */
  copyLink: (hidden, panel) => ["Copy a link", hidden(` that opens ${panel} alone`)],
  /** @param {Hidden} hidden @param {string} panel */
  linkCopied: (hidden, panel) => ["Link copied", hidden(` that opens ${panel} alone`)],
  notLoaded: "This panel's code could not be loaded. Close it and open it again to try once more.",
  closeSheets: (/** @type {Hidden} */ hidden) => ["Close", hidden(" the lab sheets")],
  sheetsNotLoaded: "The lab sheets' code could not be loaded. Close them and open them again to try once more.",
});
