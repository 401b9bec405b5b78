/**
 * The lab panels, which stand below the main loop, in the order of their buttons. The code of a panel is loaded when it is
 * first opened: its module exports `createPanel(parts)`, which returns its view. A link may open one alone: `#panel=NAME`.
 */

/** @import { Actions } from "./actions.js" */
/** @import { EngineClient } from "./messages.js" */
/** @import { PageEvent, State } from "./page-types.js" */

/**
 * What a panel can use. It makes its own actions of them; `actions` are those of the page.
 * @typedef {object} LabParts
 * @property {() => State} getState
 * @property {(event: PageEvent) => void} dispatch
 * @property {(listener: (state: State, before: State) => void) => void} eachChange
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
];

export const panelNames = labPanels.map(({ name }) => name);

/** The element that a panel is drawn into. @param {string} name */
export const panelId = (name) => `lab-panel-${name}`;

/** The panels that are to be seen: those that are open, or the one that a link has opened alone.
 * @param {Pick<State, "openPanels" | "linkPanel">} state
 */
export function isShown({ openPanels, linkPanel }, /** @type {string} */ name) {
  return openPanels.includes(name) && (linkPanel === null || linkPanel === name);
}
