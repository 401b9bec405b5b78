/** Collects the files of a model from a catalogue entry, a folder by address, or files that the student chose. */
/** @import { CatalogueEntry } from "../messages.js" */
/** @import { Progress } from "./progress.js" */
import { Fault } from "../fault.js";
import { download, isMissing } from "./download.js";

/** @typedef {{ name: string, bytes: Uint8Array<ArrayBuffer> }} ModelFile */
/** @typedef {{ signal: AbortSignal, fetch?: typeof fetch }} SourceContext */

export const CONFIG = "config.json";
export const TOKENIZER = "tokenizer.json";
export const INDEX = "model.safetensors.index.json";
const WEIGHTS = "model.safetensors";

/** @param {string} name */
export function isWeights(name) {
  return name.endsWith(".safetensors");
}

/**
 * @param {CatalogueEntry} entry
 * @param {string} base
 * @param {"host" | "hub"} origin
 * @param {SourceContext} context
 * @param {Progress} progress
 * @returns {Promise<ModelFile[]>}
 */
export async function fetchEntry(entry, base, origin, context, progress) {
  // The small files first: what is wrong with them shows before the long download.
  const names = Object.keys(entry.files).sort((a, b) => rank(a) - rank(b));
  progress.begin(
    origin,
    names.reduce((total, name) => total + entry.files[name].bytes, 0),
  );
  /** @type {ModelFile[]} */
  const files = [];
  for (const name of names) {
    progress.at("downloading", name);
    const bytes = await download(new URL(name, base).href, {
      ...context,
      expectedBytes: entry.files[name].bytes,
      exact: isWeights(name),
      // The store keeps what is good; the browser's cache would only keep it twice, or serve a bad copy again.
      cache: origin === "hub" ? "no-store" : "no-cache",
      onBytes: (count) => progress.add(count),
    });
    files.push({ name, bytes });
  }
  return files;
}

/**
 * @param {string} base
 * @param {SourceContext} context
 * @param {Progress} progress
 * @returns {Promise<ModelFile[]>}
 */
export async function fetchFolder(base, context, progress) {
  progress.begin("folder", null);
  let announcedBytes = 0;
  /**
   * @param {string} name
   * @param {boolean} isLast whether the total is known once this file's length is
   */
  async function get(name, isLast = false) {
    progress.at("downloading", name);
    const bytes = await download(new URL(name, base).href, {
      ...context,
      expectedBytes: null,
      exact: false,
      cache: "no-cache",
      onBytes: (count) => progress.add(count),
      onLength(length) {
        announcedBytes += length ?? NaN;
        if (isLast && !Number.isNaN(announcedBytes)) progress.totalBytes = announcedBytes;
      },
    });
    return { name, bytes };
  }

  const tokenizer = await orNull(get(TOKENIZER));
  const config = await get(CONFIG);
  const single = await orNull(get(WEIGHTS, true));
  if (single !== null) return tokenizer === null ? [config, single] : [tokenizer, config, single];
  const index = await orNull(get(INDEX));
  if (index === null) {
    throw new Fault("checkpoint", `The folder ${base} has neither ${WEIGHTS} nor ${INDEX}.`, {
      subject: WEIGHTS,
      url: base,
    });
  }
  const shards = [];
  const names = shardNames(index.bytes);
  for (const name of names) shards.push(await get(name, name === names.at(-1)));
  return [...(tokenizer === null ? [] : [tokenizer]), config, index, ...shards];
}

/**
 * @param {File[]} chosen
 * @param {SourceContext} context
 * @param {Progress} progress
 * @returns {Promise<ModelFile[]>}
 */
export async function readFiles(chosen, context, progress) {
  const wanted = chooseFiles(chosen);
  progress.begin(
    "files",
    wanted.reduce((total, file) => total + file.size, 0),
  );
  /** @type {ModelFile[]} */
  const files = [];
  for (const file of wanted) {
    context.signal.throwIfAborted();
    progress.at("downloading", file.name);
    files.push({ name: file.name, bytes: await readFile(file) });
    progress.add(file.size);
  }
  const index = files.find((file) => file.name === INDEX);
  if (index) {
    const missing = shardNames(index.bytes).filter((name) => !files.some((file) => file.name === name));
    if (missing.length > 0) throw notChosen("checkpoint", missing.join(", "), `which ${INDEX} names`);
  }
  return files;
}

/**
 * @param {File[]} chosen
 * @returns {File[]} the files of a model, by their names
 */
function chooseFiles(chosen) {
  const named = (/** @type {string} */ name) => chosen.filter((file) => file.name === name);
  const weights = chosen.filter((file) => isWeights(file.name));
  if (named(CONFIG).length === 0) throw notChosen("config", CONFIG, "which says how the model is built");
  if (weights.length === 0) throw notChosen("checkpoint", WEIGHTS, "which holds the weights");
  const small = [...named(TOKENIZER), ...named(CONFIG)];
  if (weights.length === 1) return [...small, ...weights];
  const single = named(WEIGHTS);
  if (single.length === 1) return [...small, ...single];
  if (named(INDEX).length === 0)
    throw notChosen("checkpoint", INDEX, "which says how the weight files belong together");
  return [...small, ...named(INDEX), ...weights];
}

/** @param {File} file */
async function readFile(file) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Fault("checkpoint", `${file.name} could not be read from this device.`, { subject: file.name });
  }
}

/**
 * The weight files that an index names. Names come from a file, so none may lead out of the folder.
 *
 * @param {Uint8Array} index
 */
function shardNames(index) {
  let map;
  try {
    map = JSON.parse(new TextDecoder().decode(index)).weight_map;
  } catch {
    map = null;
  }
  const names = typeof map === "object" && map !== null ? [...new Set(Object.values(map))].sort() : [];
  const plain = names.every((name) => typeof name === "string" && /^[\w.-]+\.safetensors$/.test(name));
  if (names.length === 0 || !plain) {
    throw new Fault("checkpoint", `${INDEX} has no weight_map from tensors to files of this folder.`, {
      subject: INDEX,
    });
  }
  return names;
}

/**
 * @param {"config" | "checkpoint"} code
 * @param {string} name
 * @param {string} why
 */
function notChosen(code, name, why) {
  return new Fault(code, `Among the chosen files is no ${name}, ${why}.`, { subject: name });
}

/**
 * @template T
 * @param {Promise<T>} file
 * @returns {Promise<T | null>} null where the host has no such file
 */
async function orNull(file) {
  try {
    return await file;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** @param {string} name */
function rank(name) {
  return [TOKENIZER, CONFIG, INDEX].includes(name) ? [TOKENIZER, CONFIG, INDEX].indexOf(name) : 3;
}
