/** Which module imports which, for the tests of arrows and of sizes. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const withoutComments = (/** @type {string} */ text) => text.replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");

/**
 * What a module imports of the page's own, as the addresses stand there: at once, and when something asks for it. Imports of
 * types alone stand in comments and do not count.
 *
 * @param {string} text
 */
export function importsOf(text) {
  const code = withoutComments(text);
  const addresses = (/** @type {RegExp} */ way) => [...code.matchAll(way)].map(([, address]) => address);
  return {
    atOnce: addresses(/(?:\bfrom|\bimport)\s*"(\.[^"]+)"/g),
    later: addresses(/\bimport\(\s*"(\.[^"]+)"/g),
  };
}

/**
 * All modules below a folder, by path: their texts without comments, and what each imports, paths below that folder too.
 *
 * @param {string} folder
 * @param {{ atOnceOnly?: boolean }} [choice]
 */
export async function readModules(folder, { atOnceOnly = false } = {}) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  /** @type {Map<string, string[]>} */
  const graph = new Map();
  for (const entry of await readdir(folder, { recursive: true })) {
    if (!entry.endsWith(".js")) continue;
    const text = await readFile(path.join(folder, entry), "utf8");
    const { atOnce, later } = importsOf(text);
    const targets = (atOnceOnly ? atOnce : [...atOnce, ...later]).map((address) => path.join(path.dirname(entry), address));
    texts.set(entry, withoutComments(text));
    graph.set(entry, targets.filter((target) => !target.startsWith("..")));
  }
  return { texts, graph };
}

/** @param {Map<string, string[]>} graph @param {string[]} entries @returns {Set<string>} they and all that they bring */
export function reachedFrom(graph, entries) {
  const reached = new Set(entries);
  for (const name of reached) for (const next of graph.get(name) ?? []) reached.add(next);
  return reached;
}
