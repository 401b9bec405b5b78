/**
 * The lab panels, which stand below the main loop, in the order of their buttons. The code of a panel is loaded when it is
 * first opened: its module exports `createPanel(parts)`, which returns its view. A link may open one alone: `#panel=NAME`.
 */

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
export const benchPanel = { name: "bench", label: words.names.bench, load: () => import("./views/bench.js") };

/** The lab sheets, which open beside the main loop. @type {LabPanel} */
export const sheetsPanel = { name: "sheets", label: words.names.sheets, load: () => import("./views/sheets.js") };

export const panelNames = labPanels.map(({ name }) => name);

/** @param {string} name */
export const panelLabel = (name) => [...labPanels, benchPanel, sheetsPanel].find((panel) => panel.name === name)?.label ?? name;

/** The element that a panel is drawn into. @param {string} name */
export const panelId = (name) => `lab-panel-${name}`;

/** The panels that are to be seen: those that are open, or the one that a link has opened alone.
 * @param {Pick<State, "openPanels" | "linkPanel" | "benchOpen" | "sheet">} state
 */
export function isShown({ openPanels, linkPanel, benchOpen, sheet }, /** @type {string} */ name) {
  if (name === benchPanel.name) return benchOpen;
  if (name === sheetsPanel.name) return sheet !== null;
  return openPanels.includes(name) && (linkPanel === null || linkPanel === name);
}

/**
 * Their part of update().
 * @param {State} state
 * @param {Extract<PageEvent, { type: "panelToggled" | "panelCodeChanged" | "allPanelsShown" | "sheetShown" }>} event
 * @returns {State}
 */
export function updatePanels(state, event) {
  if (event.type === "allPanelsShown") return { ...state, linkPanel: null };
  if (event.type === "sheetShown") {
    const { [sheetsPanel.name]: code, ...others } = state.panelCode;
    return { ...state, sheet: event.name, panelCode: code === "failed" ? others : state.panelCode, touched: true };
  }
  const { name } = event;
  const { [name]: code, ...others } = state.panelCode;
  if (event.type === "panelCodeChanged") return { ...state, panelCode: { ...others, [name]: event.code } };
  if (!state.openPanels.includes(name)) return { ...state, openPanels: [...state.openPanels, name], touched: true };
  const openPanels = state.openPanels.filter((other) => other !== name);
  // Code that did not come is asked for again when the panel is opened again.
  return { ...state, openPanels, panelCode: code === "failed" ? others : state.panelCode };
}
