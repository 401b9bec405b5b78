/**
 * Which panels are open is kept over a reload of the page, for this tab (sessionStorage). A link opens what it names, and a
 * browser that keeps nothing costs the keeping, never the page.
 */

import { panelNames } from "./panel-state.js";

/** @import { LabParts } from "./panels.js" */

export const openItem = "logit-lab.open";

/** What is used of the browser; tests bring their own.
 * @typedef {object} Browser
 * @property {() => Pick<Storage, "getItem" | "setItem">} storage may throw, as browsers do that forbid it
 * @property {boolean} sameVisit whether the page was loaded again, and not opened anew
 */

/** @returns {Browser} */
function thisBrowser() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return { storage: () => sessionStorage, sameVisit: entry?.type === "reload" || entry?.type === "back_forward" };
}

/**
 * From now on. Answers with the details of the page that were open, by id.
 * @param {Pick<LabParts, "getState" | "dispatch" | "eachChange">} parts
 * @param {(listener: (ids: string[]) => void) => void} eachToggle of a part of the page that unfolds: those that are open now
 * @param {Browser} [browser]
 * @returns {string[]}
 */
export function keepOpen({ getState, dispatch, eachChange }, eachToggle, browser = thisBrowser()) {
  const kept = browser.sameVisit ? read(browser) : { panels: [], details: [] };
  const panels = kept.panels.filter((name) => panelNames.includes(name));
  if (panels.length > 0) dispatch({ type: "panelsKept", names: panels });
  let { details } = kept;
  const write = () => {
    try {
      browser.storage().setItem(openItem, JSON.stringify({ panels: getState().openPanels, details }));
    } catch {
      // They are closed after a reload, then.
    }
  };
  eachChange((state, before) => {
    if (state.openPanels !== before.openPanels) write();
  });
  eachToggle((ids) => {
    details = ids;
    write();
  });
  return kept.details;
}

/** @param {Browser} browser @returns {{ panels: string[], details: string[] }} */
function read({ storage }) {
  try {
    const { panels, details } = JSON.parse(storage().getItem(openItem) ?? "{}");
    return { panels: names(panels), details: names(details) };
  } catch {
    return { panels: [], details: [] };
  }
}

/** @param {unknown} list @returns {string[]} */
const names = (list) => (Array.isArray(list) ? list.filter((name) => typeof name === "string") : []);
