/**
 * Which lab panels there are and which are open: all that can be told of them without their code, which panels.js loads. A link
 * may open one alone: `#panel=NAME`.
 */

/** @import { PageEvent, State } from "./page-types.js" */

/** In the order of their buttons. */
export const panelNames = ["ab", "example", "tree", "timing", "cache", "precision", "memory", "batch", "scores", "records"];
/** "Look closer", below the bars. */
export const BENCH = "bench";
/** The lab sheets, beside the main loop. */
export const SHEETS = "sheets";

/** The element that a panel is drawn into. @param {string} name */
export const panelId = (name) => `lab-panel-${name}`;

/** The panels that are to be seen: those that are open, or the one that a link has opened alone.
 * @param {Pick<State, "openPanels" | "linkPanel" | "benchOpen" | "sheet">} state
 */
export function isShown({ openPanels, linkPanel, benchOpen, sheet }, /** @type {string} */ name) {
  if (name === BENCH) return benchOpen;
  if (name === SHEETS) return sheet !== null;
  return openPanels.includes(name) && (linkPanel === null || linkPanel === name);
}

/**
 * Their part of update().
 * @param {State} state
 * @param {Extract<PageEvent, { type: "panelToggled" | "panelCodeChanged" | "panelsKept" | "allPanelsShown" | "sheetShown" }>} event
 * @returns {State}
 */
export function updatePanels(state, event) {
  if (event.type === "allPanelsShown") return { ...state, linkPanel: null };
  if (event.type === "sheetShown") {
    const { [SHEETS]: code, ...others } = state.panelCode;
    return { ...state, sheet: event.name, panelCode: code === "failed" ? others : state.panelCode, touched: true };
  }
  if (event.type === "panelsKept") return { ...state, openPanels: [...new Set([...state.openPanels, ...event.names])] };
  const { name } = event;
  const { [name]: code, ...others } = state.panelCode;
  if (event.type === "panelCodeChanged") return { ...state, panelCode: { ...others, [name]: event.code } };
  if (!state.openPanels.includes(name)) return { ...state, openPanels: [...state.openPanels, name], touched: true };
  const openPanels = state.openPanels.filter((other) => other !== name);
  // Code that did not come is asked for again when the panel is opened again.
  return { ...state, openPanels, panelCode: code === "failed" ? others : state.panelCode };
}
