/**
 * Gets the files of a model from a catalogue entry, a folder by address, or files that the student chose, and hands
 * them to an intake: the small ones whole and first, then the weights as they arrive.
 */
/** @import { CatalogueEntry } from "../messages.js" */
/** @import { DownloadOptions } from "./download.js" */
/** @import { Progress } from "./progress.js" */
/** @import { Retries } from "./retry.js" */
import { Fault } from "../fault.js";
import { download, isMissing, readChunks, stream } from "./download.js";
import { CONFIG, INDEX, isWeights, smallFirst, TOKENIZER, WEIGHTS } from "./file-names.js";

/**
 * @typedef {object} Intake
 * @property {(name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>} takeWhole
 * @property {(name: string, bytes: number | null) => Promise<void>} beginFile a file of weights, with its length
 * @property {(chunk: Uint8Array<ArrayBuffer>) => Promise<void>} push
 * @property {() => Promise<void>} finishFile
 */
/**
 * @typedef {object} SourceContext
 * @property {AbortSignal} signal
 * @property {typeof fetch} [fetch]
 * @property {Retries} [retries]
 * @property {RequestCache} [cache] in place of the usual one
 */

/**
 * @param {CatalogueEntry} entry
 * @param {string} base
 * @param {"host" | "hub"} origin
 * @param {SourceContext} context
 * @param {Progress} progress
 * @param {Intake} intake
 */
export async function fetchEntry(entry, base, origin, context, progress, intake) {
  const names = smallFirst(Object.keys(entry.files));
  progress.begin(
    origin,
    names.reduce((total, name) => total + entry.files[name].bytes, 0),
  );
  for (const name of names) {
    progress.at("downloading", name);
    await fetchFile(name, base, intake, {
      // The store keeps what is good; the browser's cache would only keep it twice, or serve a bad copy again.
      cache: origin === "hub" ? "no-store" : "no-cache",
      ...context,
      expectedBytes: entry.files[name].bytes,
      exact: isWeights(name),
      onBytes: (count) => progress.add(count),
    });
  }
}

/**
 * @param {string} base
 * @param {SourceContext} context
 * @param {Progress} progress
 * @param {Intake} intake
 */
export async function fetchFolder(base, context, progress, intake) {
  progress.begin("folder", null);
  let announcedBytes = 0;
  /**
   * @param {string} name
   * @param {boolean} isLast whether the total is known once this file's length is
   */
  function get(name, isLast = false) {
    progress.at("downloading", name);
    return fetchFile(name, base, intake, {
      cache: "no-cache",
      ...context,
      expectedBytes: null,
      exact: false,
      onBytes: (count) => progress.add(count),
      onLength(length) {
        announcedBytes += length ?? NaN;
        if (isLast && !Number.isNaN(announcedBytes)) progress.totalBytes = announcedBytes;
      },
    });
  }

  await orNull(get(TOKENIZER));
  await get(CONFIG);
  if ((await orNull(get(WEIGHTS, true))) !== null) return;
  const index = await orNull(get(INDEX));
  if (index === null) {
    throw new Fault("checkpoint", `The folder ${base} has neither ${WEIGHTS} nor ${INDEX}.`, {
      subject: WEIGHTS,
      url: base,
    });
  }
  const names = shardNames(index);
  for (const name of names) await get(name, name === names.at(-1));
}

/**
 * @param {File[]} chosen
 * @param {SourceContext} context
 * @param {Progress} progress
 * @param {Intake} intake
 */
export async function readFiles(chosen, context, progress, intake) {
  const wanted = chooseFiles(chosen);
  progress.begin(
    "files",
    wanted.reduce((total, file) => total + file.size, 0),
  );
  for (const file of wanted) {
    context.signal.throwIfAborted();
    progress.at("downloading", file.name);
    if (isWeights(file.name)) {
      await intake.beginFile(file.name, file.size);
      await readChunks(
        file.stream(),
        () => unreadable(file),
        async (chunk) => {
          await intake.push(chunk);
          progress.add(chunk.length);
        },
      );
      await intake.finishFile();
      continue;
    }
    const bytes = await readFile(file);
    if (file.name === INDEX) {
      const missing = shardNames(bytes).filter((name) => !wanted.some((other) => other.name === name));
      if (missing.length > 0) throw notChosen("checkpoint", missing.join(", "), `which ${INDEX} names`);
    }
    await intake.takeWhole(file.name, bytes);
    progress.add(file.size);
  }
}

/**
 * @param {string} name
 * @param {string} base
 * @param {Intake} intake
 * @param {DownloadOptions} options
 * @returns {Promise<Uint8Array<ArrayBuffer>>} a small file's bytes; of weights none are left
 */
async function fetchFile(name, base, intake, options) {
  const url = new URL(name, base).href;
  if (!isWeights(name)) {
    const bytes = await download(url, options);
    await intake.takeWhole(name, bytes);
    return bytes;
  }
  // Begun with the first bytes that are no stand-in for a file: until then the folder may turn out to have shards. A
  // length that is only announced may be that of a compressed answer, so the engine is not held to it.
  let begun = false;
  async function begin() {
    if (!begun) await intake.beginFile(name, options.exact ? options.expectedBytes : null);
    begun = true;
  }
  await stream(url, options, async (chunk) => {
    await begin();
    await intake.push(chunk);
  });
  await begin();
  await intake.finishFile();
  return new Uint8Array(0);
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
    throw unreadable(file);
  }
}

/** @param {File} file */
function unreadable({ name }) {
  return new Fault("checkpoint", `${name} could not be read from this device.`, { subject: name });
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
