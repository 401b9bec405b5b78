/** @import { CatalogueEntry } from "../messages.js" */
/** @typedef {{ name: string, bytes: number, sha256: string, response: Response }} KeptFile */
/** @typedef {Record<string, { bytes: number, sha256: string }>} FileRecord */

const CACHE_NAME = "logit-lab-models";
/** Not addresses that anyone fetches: the Cache API wants its keys in this form. */
const KEY_FOLDER = "/logit-lab-models/";

/**
 * Verified copies of model files, kept by the browser under their SHA-256. The Cache API is the one store that all
 * engines have; where it is missing (plain http), refused or full, the methods say "not kept" and nothing breaks.
 */
export class ModelStore {
  /**
   * @param {CacheStorage | undefined} storage
   * @param {string} origin
   */
  constructor(storage = globalThis.caches, origin = globalThis.location?.origin ?? "") {
    this.storage = storage;
    this.origin = origin;
  }

  /**
   * Whether every file of the entry is here. Looks at the records only; the content is verified when it is loaded.
   *
   * @param {CatalogueEntry} entry
   */
  async has(entry) {
    return this.#attempt(false, async (cache) => {
      const record = await this.#recordOf(cache, entry);
      if (record === null) return false;
      const found = await Promise.all(Object.values(record).map((file) => cache.match(this.#fileKey(file.sha256))));
      return found.every((response) => response !== undefined);
    });
  }

  /**
   * The kept files with the digests under which they were kept, not yet read, or null.
   *
   * @param {CatalogueEntry} entry
   * @returns {Promise<KeptFile[] | null>}
   */
  async open(entry) {
    return this.#attempt(null, async (cache) => {
      const record = await this.#recordOf(cache, entry);
      if (record === null) return null;
      /** @type {KeptFile[]} */
      const files = [];
      for (const [name, { bytes, sha256 }] of Object.entries(record)) {
        const response = await cache.match(this.#fileKey(sha256));
        if (response === undefined) return null;
        files.push({ name, bytes, sha256, response });
      }
      return files;
    });
  }

  /**
   * Writes a file under the digest that it must have. A body that ends in an error leaves nothing behind.
   *
   * @param {string} sha256
   * @param {BodyInit} body
   * @param {number} bytes
   * @returns {Promise<boolean>} whether it is kept
   */
  async put(sha256, body, bytes) {
    return this.#attempt(false, async (cache) => {
      await cache.put(this.#fileKey(sha256), new Response(body, { headers: { "content-length": `${bytes}` } }));
      return true;
    });
  }

  /**
   * Makes files that were put the kept copy of an entry. The last step: a copy that was interrupted does not count.
   *
   * @param {CatalogueEntry} entry
   * @param {FileRecord} record
   * @returns {Promise<boolean>}
   */
  async publish(entry, record) {
    return this.#attempt(false, async (cache) => {
      await cache.put(this.#recordKey(entry), Response.json(record));
      return true;
    });
  }

  /**
   * Half a model only takes room.
   *
   * @param {{ sha256: string }[]} files
   */
  async forget(files) {
    await this.#attempt(false, (cache) => this.#deleteFiles(cache, files));
  }

  /**
   * @param {CatalogueEntry} entry
   */
  async drop(entry) {
    await this.#attempt(false, async (cache) => {
      const response = await cache.match(this.#recordKey(entry));
      await cache.delete(this.#recordKey(entry));
      return this.#deleteFiles(cache, response === undefined ? [] : Object.values(await response.json()));
    });
  }

  /**
   * @param {Cache} cache
   * @param {{ sha256: string }[]} files
   */
  async #deleteFiles(cache, files) {
    for (const { sha256 } of files) await cache.delete(this.#fileKey(sha256));
    return true;
  }

  /**
   * The record, if it is of the same weights as the entry and misses none of the entry's files.
   *
   * @param {Cache} cache
   * @param {CatalogueEntry} entry
   * @returns {Promise<FileRecord | null>}
   */
  async #recordOf(cache, entry) {
    const response = await cache.match(this.#recordKey(entry));
    if (response === undefined) return null;
    /** @type {FileRecord} */
    const record = await response.json();
    const fits = Object.entries(entry.files).every(
      ([name, { sha256 }]) => name in record && (!name.endsWith(".safetensors") || record[name].sha256 === sha256),
    );
    return fits ? record : null;
  }

  /** @param {string} sha256 */
  #fileKey(sha256) {
    return `${this.origin}${KEY_FOLDER}sha256/${sha256}`;
  }

  /** @param {CatalogueEntry} entry */
  #recordKey(entry) {
    return `${this.origin}${KEY_FOLDER}record/${encodeURIComponent(entry.id)}`;
  }

  /**
   * @template T
   * @param {T} otherwise the answer where there is no store or it fails
   * @param {(cache: Cache) => Promise<T>} work
   */
  async #attempt(otherwise, work) {
    if (this.storage === undefined) return otherwise;
    try {
      return await work(await this.storage.open(CACHE_NAME));
    } catch {
      // Refused by the browser's settings, out of room, or a damaged record: all mean that nothing is kept.
      return otherwise;
    }
  }
}
