/** Control and Z, with Shift for redo: in the lab, except where it is for what somebody types. */

const typing = ["textarea", "select", "input:not([type=checkbox], [type=radio], [type=range])"].join(",");

/** @param {KeyboardEvent} event @returns {"undo" | "redo" | null} */
export function undoMove({ code, key, ctrlKey, metaKey, altKey, shiftKey, target }) {
  const isZ = key.toLowerCase() === "z" || (code === "KeyZ" && !/^[a-z]$/i.test(key));
  if (!isZ || altKey || ctrlKey === metaKey) return null;
  const element = target instanceof Element ? target : null;
  if (!element?.closest("#lab, #labs") || element.closest(typing)) return null;
  return shiftKey ? "redo" : "undo";
}
