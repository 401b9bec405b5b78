/**
 * Keeps the notebook in the browser (localStorage): read once, written with every change. A browser that keeps nothing costs
 * the keeping, never the page, and is told of in one sentence.
 *
 * Two tabs: before each write, and when another tab has written, what is kept is merged with what this tab holds, so that
 * nothing typed in either is lost (`merged` in notebook.js). Erasing in one tab erases what the other has not changed since.
 */

import { emptyNotebook, fromKept, isEmpty, merged, toKept } from "./notebook.js";
import { words } from "./words/notebook.js";

/** @import { LabParts } from "./panels.js" */

export const notebookItem = "logit-lab.notebook";
/** What could not be read is put here, in case somebody can. */
export const unreadableItem = "logit-lab.notebook.unreadable";

export const troubles = words;

/** Pages that keep their notebook already: whoever needs it may ask. @type {WeakSet<LabParts["getState"]>} */
const keeping = new WeakSet();

/** What is used of the browser; tests bring their own.
 * @typedef {object} Browser
 * @property {() => Pick<Storage, "getItem" | "setItem" | "removeItem">} storage may throw, as browsers do that forbid it
 * @property {(listener: (key: string | null) => void) => void} onChangeElsewhere another tab has written; null is everything
 */

/** @type {Browser} */
const thisBrowser = {
  storage: () => localStorage,
  onChangeElsewhere(listener) {
    addEventListener("storage", ({ key }) => listener(key));
    // A page that slept has heard nothing.
    addEventListener("pageshow", ({ persisted }) => persisted && listener(null));
  },
};

/**
 * From now on the state's notebook is the kept one, and the other way round.
 * @param {Pick<LabParts, "getState" | "dispatch" | "eachChange">} parts
 * @param {Browser} [browser]
 */
export function keepNotebook({ getState, dispatch, eachChange }, browser = thisBrowser) {
  if (keeping.has(getState)) return;
  keeping.add(getState);
  /** The notebook as it was kept when this tab last looked, and its text. */
  let base = emptyNotebook;
  /** @type {string | null} */
  let baseText = null;
  let reading = false;

  /** @param {string | null} trouble */
  function tell(trouble) {
    if (getState().notebookTrouble === trouble) return;
    dispatch({ type: "labChanged", name: "notebookTrouble", value: trouble });
    if (trouble !== null) dispatch({ type: "announced", text: trouble });
  }

  /** Takes in what another tab has written. It may throw. @returns {boolean} whether it could be read */
  function look() {
    const text = browser.storage().getItem(notebookItem);
    if (text === baseText) return true;
    const theirs = text === null ? emptyNotebook : fromKept(text);
    if (theirs === null) {
      // First, as there may be no room for it twice.
      browser.storage().removeItem(notebookItem);
      browser.storage().setItem(unreadableItem, /** @type {string} */ (text));
      baseText = null;
      base = emptyNotebook;
      return false;
    }
    const ours = getState().notebook;
    const both = merged(base, ours, theirs);
    baseText = text;
    base = theirs;
    if (toKept(both) === toKept(ours)) return true;
    reading = true;
    dispatch({ type: "labChanged", name: "notebook", value: both });
    reading = false;
    return true;
  }

  /** Merging in what another tab wrote changes the state too; this writes what came of both. */
  function write() {
    const { notebook } = getState();
    const text = toKept(notebook);
    if (text === baseText) return;
    browser.storage().setItem(notebookItem, text);
    baseText = text;
    base = notebook;
  }

  /** @param {() => void} work @param {keyof typeof troubles} trouble where it throws */
  function trying(work, trouble) {
    try {
      work();
    } catch {
      tell(troubles[trouble]);
    }
  }

  function lookAndWrite() {
    const known = getState().notebookTrouble;
    const read = look();
    if (baseText !== null || !isEmpty(getState().notebook)) write();
    if (!read) tell(troubles.unreadable);
    else if (known !== troubles.unreadable) tell(null);
  }

  trying(lookAndWrite, "none");
  browser.onChangeElsewhere((key) => {
    if (key === null || key === notebookItem) trying(lookAndWrite, "none");
  });
  eachChange((state, before) => {
    if (state.notebook === before.notebook || reading) return;
    trying(lookAndWrite, getState().notebookTrouble === troubles.none ? "none" : "full");
  });
}

/** Empties the notebook, and with it what was put aside. @param {Pick<LabParts, "dispatch">} parts @param {Browser} [browser] */
export function eraseNotebook({ dispatch }, browser = thisBrowser) {
  dispatch({ type: "labChanged", name: "notebook", value: emptyNotebook });
  try {
    browser.storage().removeItem(unreadableItem);
    browser.storage().removeItem(notebookItem);
  } catch {
    // What is not kept need not be erased.
  }
}
