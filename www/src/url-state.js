/** Settings in the fragment of the page's address: written for "Copy link", read strictly when the page opens. */

import { defaultControls, parseControl, ranges } from "./controls.js";

/** @import { Controls, NumberControl, State } from "./page-types.js" */

const switches = /** @type {const} */ (["greedy", "ignoreEos"]);
const longestText = 20_000;

/**
 * Only what differs from a fresh page, so that a link stays short.
 * @param {Pick<State, "prompt" | "controls">} state
 */
export function toFragment({ prompt, controls }) {
  const fields = new URLSearchParams({ prompt });
  for (const name of /** @type {NumberControl[]} */ (Object.keys(ranges))) {
    // The seed decides the text: a link without it would not repeat the run if the default ever changed.
    if (name === "seed" || controls[name] !== defaultControls[name]) fields.set(name, String(controls[name]));
  }
  for (const name of switches) if (controls[name]) fields.set(name, "1");
  if (controls.stop !== "") fields.set("stop", controls.stop);
  return `#${fields}`;
}

/**
 * What is unknown or out of range is not taken and is named in `ignored`.
 * @param {string} fragment
 * @returns {{ prompt: string | null, values: Partial<Controls>, ignored: string[] }}
 */
export function fromFragment(fragment) {
  /** @type {string | null} */
  let prompt = null;
  /** @type {Partial<Controls>} */
  const values = {};
  /** @type {string[]} */
  const ignored = [];
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    if (Object.hasOwn(ranges, name)) {
      const control = /** @type {NumberControl} */ (name);
      const parsed = parseControl(control, text);
      if ("value" in parsed) values[control] = parsed.value;
      else ignored.push(`${name}=${text}`);
    } else if (name === "prompt" && text.length <= longestText) {
      prompt = text;
    } else if (name === "stop" && text.length <= longestText) {
      values.stop = text;
    } else if (isSwitch(name) && (text === "0" || text === "1")) {
      values[name] = text === "1";
    } else {
      ignored.push(`${name}=${text.slice(0, 40)}`);
    }
  }
  return { prompt, values, ignored };
}

/** @param {string} name @returns {name is (typeof switches)[number]} */
function isSwitch(name) {
  return /** @type {readonly string[]} */ (switches).includes(name);
}
