/**
 * The lab panels, which stand below the main loop, in the order of their buttons. The code of a panel is loaded when it is
 * first opened: its module exports `createPanel(parts)`, which returns its view. Which are open stands in panel-state.js.
 */

import { BENCH, SHEETS } from "./panel-state.js";
import { words } from "./words/panels.js";

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
  { name: "ab", label: words.names.ab, load: () => import("./views/ab.js") },
  { name: "example", label: words.names.example, load: () => import("./views/example.js") },
  { name: "tree", label: words.names.tree, load: () => import("./views/tree.js") },
  { name: "timing", label: words.names.timing, load: () => import("./views/timing.js") },
  { name: "cache", label: words.names.cache, load: () => import("./views/cache.js") },
  { name: "precision", label: words.names.precision, load: () => import("./views/precision.js") },
  { name: "memory", label: words.names.memory, load: () => import("./views/memory.js") },
  { name: "batch", label: words.names.batch, load: () => import("./views/batch.js") },
  { name: "scores", label: words.names.scores, load: () => import("./views/scores.js") },
  { name: "records", label: words.names.records, load: () => import("./views/records.js") },
];

/** What "Look closer" opens below the bars: its code comes in the same way. @type {LabPanel} */
export const benchPanel = { name: BENCH, label: words.names.bench, load: () => import("./views/bench.js") };

/** The lab sheets, which open beside the main loop. @type {LabPanel} */
export const sheetsPanel = { name: SHEETS, label: words.names.sheets, load: () => import("./views/sheets.js") };

/** @param {string} name */
export const panelLabel = (name) => [...labPanels, benchPanel, sheetsPanel].find((panel) => panel.name === name)?.label ?? name;
