/**
 * The state in the page's address: written for "Copy link" and the address bar, read strictly when the page opens. The
 * model stands in the query; all the rest is in the fragment, which a browser sends to no server.
 */

import { chainKinds, defaultControls, parseControl, ranges } from "./controls.js";
import { engineChoices } from "./engine-choices.js";
import { folderSource } from "./models/catalogue.js";
import { pack, unpack } from "./packed-text.js";
import { panelNames } from "./panel-state.js";
import { sameSetting } from "./presets.js";
import { sheetNames } from "./sheets/names.js";

/** @import { LoadOptions } from "./messages.js" */
/** @import { Controls, Link, NumberControl, State } from "./page-types.js" */
/** @import { ChainKind } from "./protocol.js" */

/** Not the build: another device may lack relaxed SIMD, and then a link would open a page without a model. */
const linkedChoices = engineChoices.filter(({ name }) => name !== "simd");
const switches = /** @type {const} */ (["greedy", "ignoreEos"]);
const lists = /** @type {const} */ (["order", "bypassed", "suppress"]);
/** The two configurations of the A/B panel, which reads them itself. */
const sides = /** @type {const} */ (["a", "b"]);
const longestText = 200_000;
/** In UTF-8 a UTF-16 unit takes at most three bytes. */
const longestTextBytes = 3 * longestText;
const mostBans = 1000;
/** Below it, packing is not worth a link that nobody can read. */
const packFromLength = 200;

/**
 * The address that reopens this state.
 * @param {Pick<State, "prompt" | "controls" | "options" | "linkPanel" | "model"> &
 *   Partial<Pick<State, "abLink" | "uncached" | "sheet">>} state
 * @param {string} pageAddress
 */
export async function toAddress(state, pageAddress) {
  const address = new URL(pageAddress);
  const name = modelName(state.model, address);
  if (name !== null) address.searchParams.set("model", name);
  address.hash = await toFragment(state);
  return address.href;
}

/** Whether a link can name the model: files of this device have no address. @param {State["model"]} model */
export const hasAddress = (model) => model === null || model.id !== null || model.base !== null;

/** How the query names a model; null if it cannot, or already does.
 * @param {State["model"]} model @param {URL} address
 */
function modelName(model, address) {
  if (!model) return null;
  if (model.id !== null || model.base === null) return model.id;
  return isFolder(address.searchParams.get("model"), model.base, address) ? null : model.base;
}

/** @param {string | null} name @param {string} base @param {URL} address */
function isFolder(name, base, address) {
  try {
    const source = name === null ? null : folderSource(name, address);
    return source?.kind === "folder" && source.base === base;
  } catch {
    return false;
  }
}

/**
 * Only what differs from a fresh page, so that a link stays short.
 * @param {Pick<State, "prompt" | "controls" | "options" | "linkPanel"> &
 *   Partial<Pick<State, "abLink" | "uncached" | "sheet">>} state
 */
export async function toFragment({ prompt, controls, options, uncached, linkPanel, abLink, sheet }) {
  const fields = new URLSearchParams({ prompt });
  const plainLength = String(fields).length;
  const packed = plainLength > packFromLength ? await pack(prompt) : null;
  if (packed !== null && `promptPacked=${packed}`.length < plainLength) {
    fields.delete("prompt");
    fields.set("promptPacked", packed);
  }
  for (const name of /** @type {(keyof Controls)[]} */ ([...Object.keys(ranges), ...lists])) {
    // The seed decides the text: a link without it would not repeat the run if the default ever changed.
    if (name === "seed" || !sameSetting(controls[name], defaultControls[name])) fields.set(name, String(controls[name]));
  }
  if (controls.boundary !== defaultControls.boundary) fields.set("boundary", controls.boundary);
  for (const name of switches) if (controls[name]) fields.set(name, "1");
  if (controls.stop !== "") fields.set("stop", controls.stop);
  for (const { name, values } of linkedChoices) {
    const value = options[name];
    if (value !== undefined && value !== values[0].value) fields.set(name, value);
  }
  if (uncached) fields.set("cache", "off");
  if (linkPanel !== null) fields.set("panel", linkPanel);
  if (linkPanel === "ab" && abLink) sides.forEach((side, n) => fields.set(side, abLink[n]));
  if (sheet) fields.set("sheet", sheet);
  return `#${fields}`;
}

/**
 * What is unknown or out of range is not taken and is named in `ignored`.
 * @param {string} fragment
 * @param {string[]} [panels] that can be opened
 * @returns {Promise<Link>}
 */
export async function fromFragment(fragment, panels = panelNames) {
  /** @type {Link} */
  const link = { prompt: null, values: {}, options: {}, panel: null, ignored: [] };
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  // First: it decides whether a temperature of 0 is taken.
  const boundary = fields.get("boundary");
  if (boundary === "smallest" || boundary === "listing") link.values.boundary = boundary;
  const [a, b] = sides.map((side) => fields.get(side));
  if (fields.get("panel") === "ab" && a !== null && b !== null) {
    link.abLink = [a, b];
    for (const side of sides) fields.delete(side);
  }
  for (const [name, text] of fields) {
    const taken = takeControl(link.values, name, text) || takeOption(link.options, name, text);
    if (taken) continue;
    if (name === "prompt" && text.length <= longestText) {
      link.prompt = text;
      continue;
    }
    const unpacked = name === "promptPacked" ? await unpack(text, longestTextBytes) : null;
    if (unpacked !== null) link.prompt = unpacked;
    else if (name === "cache" && (text === "off" || text === "on")) link.uncached = text === "off";
    else if (name === "panel" && panels.includes(text)) link.panel = text;
    else if (name === "sheet" && sheetNames.includes(text)) link.sheet = text;
    else link.ignored.push(`${name}=${text.slice(0, 40)}`);
  }
  return link;
}

/** @param {Partial<Controls>} values @param {string} name @param {string} text @returns {boolean} whether it was taken */
export function takeControl(values, name, text) {
  if (Object.hasOwn(ranges, name)) {
    const control = /** @type {NumberControl} */ (name);
    const parsed = parseControl(control, text, values.boundary);
    if ("fault" in parsed) return false;
    values[control] = parsed.value;
    return true;
  }
  if (isSwitch(name) && (text === "0" || text === "1")) {
    values[name] = text === "1";
    return true;
  }
  if (name === "boundary") return text === values.boundary;
  if (name === "stop" && text.length <= longestText) {
    values.stop = text;
    return true;
  }
  const parts = text.split(",");
  if (new Set(parts).size < parts.length) return false;
  if (name === "suppress" && parts.length <= mostBans && parts.every(isId)) {
    values.suppress = parts.map(Number);
    return true;
  }
  const kinds = chainKinds.filter((kind) => parts.includes(kind));
  if (kinds.length < parts.length || !(name === "order" || name === "bypassed")) return false;
  const named = /** @type {ChainKind[]} */ (parts);
  // Steps that the order leaves out come last.
  values[name] = name === "order" ? [...named, ...chainKinds.filter((kind) => !parts.includes(kind))] : named;
  return true;
}

/** @param {LoadOptions} options @param {string} name @param {string} text @returns {boolean} whether it was taken */
function takeOption(options, name, text) {
  const choice = linkedChoices.find((candidate) => candidate.name === name);
  const value = choice?.values.find((candidate) => candidate.value === text)?.value;
  if (choice === undefined || value === undefined) return false;
  Object.assign(options, { [choice.name]: value });
  return true;
}

/** @param {string} text */
const isId = (text) => /^\d{1,9}$/.test(text);

/** @param {string} name @returns {name is (typeof switches)[number]} */
function isSwitch(name) {
  return /** @type {readonly string[]} */ (switches).includes(name);
}
