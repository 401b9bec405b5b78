/** The files of the page's model once more, whole, so that a sheet can change one of them. */

import { Fault } from "../fault.js";
import { fetchOrigin } from "../models/catalogue.js";
import { Progress } from "../models/progress.js";
import { realClock, Retries } from "../models/retry.js";
import { fetchEntry, fetchFolder, readFiles } from "../models/sources.js";
import { ModelStore } from "../models/store.js";
import { words } from "../words/sheets.js";

/** @import { ModelSource } from "../messages.js" */
/** @import { Intake } from "../models/sources.js" */

/**
 * @param {ModelSource} source
 * @param {AbortSignal} signal
 * @returns {Promise<File[]>}
 */
export async function filesOfSource(source, signal) {
  if (source.kind === "files") return source.files;
  if (source.kind === "catalogue" && source.from === "store") {
    const kept = await new ModelStore().open(source.entry.id, source.entry);
    if (kept !== null) {
      return Promise.all(kept.map(async ({ name, response }) => new File([await response.blob()], name)));
    }
  }
  const collector = new Collector();
  const context = { signal, retries: new Retries(() => {}, realClock) };
  const progress = new Progress(() => {}, () => performance.now());
  if (source.kind === "folder") {
    await fetchFolder(source.base, context, progress, collector);
  } else {
    const origin = source.from === "store" ? fetchOrigin(source.entry) : source.from;
    await fetchEntry(source.entry, source.base, origin, context, progress, collector);
  }
  return collector.files;
}

/** Takes what comes and keeps it. @implements {Intake} */
class Collector {
  /** @type {File[]} */
  files = [];
  /** @type {{ name: string, chunks: Uint8Array<ArrayBuffer>[] } | null} */
  #open = null;

  /** @param {string} name @param {Uint8Array<ArrayBuffer>} bytes */
  async takeWhole(name, bytes) {
    this.files.push(new File([bytes], name));
  }

  /** @param {string} name */
  async beginFile(name) {
    this.#open = { name, chunks: [] };
  }

  /** @param {Uint8Array<ArrayBuffer>} chunk */
  async push(chunk) {
    // The reader may use its buffer again.
    this.#open?.chunks.push(chunk.slice());
  }

  async finishFile() {
    if (this.#open) this.files.push(new File(this.#open.chunks, this.#open.name));
    this.#open = null;
  }
}

/** @param {File[]} files @param {string} name */
export function fileNamed(files, name) {
  const file = files.find((candidate) => candidate.name === name);
  if (file === undefined) throw new Fault("unknownModel", words.engine.noFile(name));
  return file;
}

/** The same files with some of them replaced. @param {File[]} files @param {File[]} others */
export const withFiles = (files, others) => files.map((file) => others.find(({ name }) => name === file.name) ?? file);
