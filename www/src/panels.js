/**
 * The lab panels, which stand below the main loop, in the order of their buttons. The code of a panel is loaded when it is
 * first opened: its module exports `createPanel(parts)`, which returns its view. Which are open stands in panel-state.js.
 */

import { BENCH, SHEETS } from "./panel-state.js";

/** @import { Actions } from "./actions.js" */
/** @import { EngineClient } from "./messages.js" */
/** @import { PageEvent, State } from "./page-types.js" */

/**
 * What a panel can use. It makes its own actions of them; `actions` are those of the page.
 * @typedef {object} LabParts
 * @property {() => State} getState
 * @property {(event: PageEvent) => void} dispatch
 * @property {(listener: (state: State, before: State) => void) => void} eachChange
 * @property {(listener: (state: State) => void) => void} eachFrame with each frame that is painted anew
 * @property {EngineClient} client
 * @property {Actions} actions
 */

/** Like any view, a function of the state, drawn again when something has changed that it read.
 * @typedef {(state: State) => unknown} PanelView
 */

/**
 * @typedef {object} LabPanel
 * @property {string} name
 * @property {string} label
 * @property {() => Promise<{ createPanel: (parts: LabParts) => PanelView }>} load
 */

/** @type {LabPanel[]} */
export const labPanels = [
  { name: "ab", label: "A/B", load: () => import("./views/ab.js") },
  { name: "example", label: "Worked example", load: () => import("./views/example.js") },
  { name: "tree", label: "Branches and beams", load: () => import("./views/tree.js") },
  { name: "timing", label: "Timing", load: () => import("./views/timing.js") },
  { name: "cache", label: "KV cache", load: () => import("./views/cache.js") },
  { name: "precision", label: "Precision", load: () => import("./views/precision.js") },
  { name: "memory", label: "Memory", load: () => import("./views/memory.js") },
  { name: "batch", label: "Batch", load: () => import("./views/batch.js") },
  { name: "scores", label: "Text scores", load: () => import("./views/scores.js") },
  { name: "records", label: "Records and report", load: () => import("./views/records.js") },
];

/** What "Look closer" opens below the bars: its code comes in the same way. @type {LabPanel} */
export const benchPanel = { name: BENCH, label: "Look closer", load: () => import("./views/bench.js") };

/** The lab sheets, which open beside the main loop. @type {LabPanel} */
export const sheetsPanel = { name: SHEETS, label: "Lab sheets", load: () => import("./views/sheets.js") };
