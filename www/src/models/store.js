/**
 * Verified copies of model files, kept by the browser. The Cache API is the one store that all engines have; where it is
 * missing (plain http), refused or full, the methods say "not kept", `trouble` says why, and nothing breaks.
 *
 * A file is written under a name that nobody else uses, and is nothing but left-over room until a record names it: the
 * record is written last, when all its files are verified. So a tab that is closed at any moment, and two tabs that save
 * the same model, do no harm; what no record names is swept when no tab is writing.
 */
/** @import { CatalogueEntry, StoreTrouble } from "../messages.js" */
/** @typedef {{ name: string, bytes: number, sha256: string, response: Response }} KeptFile */
/** @typedef {{ bytes: number, sha256: string, key: string }} FileRecord */
/** @typedef {{ id: string, title: string, savedMs: number, files: Record<string, FileRecord> }} ModelRecord */

const CACHE_NAME = "logit-lab-models";
/** Not addresses that anyone fetches: the Cache API wants its keys in this form. */
const KEY_FOLDER = "/logit-lab-models/";
/** Held by every tab that writes, and by the one that sweeps. */
const LOCK_NAME = "logit-lab-models";
/** Held while the store is opened. */
const OPENING_LOCK = "logit-lab-models-opening";

export class ModelStore {
  /** Why the last thing asked of the store could not be done. @type {StoreTrouble | null} */
  trouble = null;

  /**
   * @param {CacheStorage | undefined} storage
   * @param {string} origin
   * @param {Pick<LockManager, "request"> | undefined} locks
   */
  constructor(
    storage = globalThis.caches,
    origin = globalThis.location?.origin ?? "",
    locks = globalThis.navigator?.locks,
  ) {
    this.storage = storage;
    this.origin = origin;
    this.locks = locks;
  }

  /**
   * Whether every file of the entry is here. Looks at the records only; the content is verified when it is loaded.
   *
   * @param {CatalogueEntry} entry
   */
  async has(entry) {
    return this.#attempt(false, async (cache) => {
      const record = await this.#recordOf(cache, entry.id);
      return record !== null && isOf(record, entry) && (await isWhole(cache, record));
    });
  }

  /**
   * The kept files of a model with the digests under which they were kept, not yet read, or null.
   *
   * @param {string} id
   * @param {CatalogueEntry | null} [entry] of which it must be
   * @returns {Promise<KeptFile[] | null>}
   */
  async open(id, entry = null) {
    return this.#attempt(null, async (cache) => {
      const record = await this.#recordOf(cache, id);
      if (record === null || (entry !== null && !isOf(record, entry))) return null;
      /** @type {KeptFile[]} */
      const files = [];
      for (const [name, { bytes, sha256, key }] of Object.entries(record.files)) {
        const response = await cache.match(key);
        if (response === undefined) return null;
        files.push({ name, bytes, sha256, response });
      }
      return files;
    });
  }

  /** What is kept. @returns {Promise<ModelRecord[]>} */
  async list() {
    return this.#attempt([], async (cache) => (await this.#records(cache)).map(({ record }) => record));
  }

  /** A name for a file that is to have this digest. @param {string} sha256 */
  newKey(sha256) {
    const own = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    return `${this.origin}${KEY_FOLDER}file/${own}/${sha256}`;
  }

  /**
   * Writes a file. A body that ends in an error leaves nothing behind.
   *
   * @param {string} key
   * @param {BodyInit} body
   * @param {number} bytes
   * @returns {Promise<boolean>} whether it is there
   */
  async put(key, body, bytes) {
    return this.#attempt(false, async (cache) => {
      await cache.put(key, new Response(body, { headers: { "content-length": `${bytes}` } }));
      return true;
    });
  }

  /**
   * Makes files that were put the kept copy of a model. The last step: a copy that was interrupted does not count. One
   * that another tab has made of the same files meanwhile stays, for that tab may be reading it.
   *
   * @param {ModelRecord} record
   * @returns {Promise<boolean>}
   */
  async publish(record) {
    return this.#attempt(false, async (cache) => {
      const before = await this.#recordOf(cache, record.id);
      const stays = before !== null && digestsOf(before) === digestsOf(record) && (await isWhole(cache, before));
      if (!stays) {
        if (!(await isWhole(cache, record))) return false;
        await cache.put(this.#recordKey(record.id), Response.json(record));
      }
      const replaced = stays ? record : before;
      if (replaced !== null) await deleteAll(cache, filesOf(replaced));
      return true;
    });
  }

  /** Half a model only takes room. @param {string[]} keys */
  async forget(keys) {
    await this.#attempt(undefined, (cache) => deleteAll(cache, keys));
  }

  /** @param {string} id */
  async drop(id) {
    await this.#attempt(undefined, async (cache) => {
      const record = await this.#recordOf(cache, id);
      await cache.delete(this.#recordKey(id));
      if (record !== null) await deleteAll(cache, filesOf(record));
    });
  }

  /**
   * Tells other tabs that something is being written, up to the call of the function that comes back.
   *
   * @returns {Promise<() => void>}
   */
  async writing() {
    const { locks } = this;
    if (locks === undefined) return () => {};
    return new Promise((resolve) => {
      const options = { mode: /** @type {const} */ ("shared"), ifAvailable: true };
      const held = locks.request(LOCK_NAME, options, (lock) => {
        // Never waited for: a tab may be suspended while it sweeps. What it sweeps is seen at the end.
        if (lock === null) resolve(() => {});
        else return new Promise((end) => resolve(() => end(null)));
      });
      // Refused, as in some private windows: then nobody can sweep either.
      held.catch(() => resolve(() => {}));
    });
  }

  /** Deletes what no record names, unless a tab is writing or the browser cannot say so. */
  async sweep() {
    if (this.locks === undefined || this.storage === undefined) return;
    const sweepCache = async (/** @type {Cache} */ cache) => {
      const records = await this.#records(cache);
      const wanted = new Set(records.flatMap(({ key, record }) => [key, ...filesOf(record)]));
      const keys = (await cache.keys()).map(({ url }) => url);
      await deleteAll(
        cache,
        keys.filter((key) => !wanted.has(key)),
      );
    };
    const free = { mode: /** @type {const} */ ("exclusive"), ifAvailable: true };
    try {
      await this.locks.request(LOCK_NAME, free, (lock) => lock && this.#attempt(undefined, sweepCache));
    } catch {
      // Refused, as in some private windows: there is nothing to sweep either.
    }
  }

  /** @param {Cache} cache */
  async #records(cache) {
    const found = [];
    for (const { url } of await cache.keys()) {
      const id = url.startsWith(this.#recordKey("")) ? decodeURIComponent(url.slice(this.#recordKey("").length)) : null;
      const record = id === null ? null : await this.#recordOf(cache, id);
      if (record !== null) found.push({ key: url, record });
    }
    return found;
  }

  /**
   * @param {Cache} cache
   * @param {string} id
   * @returns {Promise<ModelRecord | null>}
   */
  async #recordOf(cache, id) {
    const response = await cache.match(this.#recordKey(id));
    const record = await response?.json().catch(() => null);
    return typeof record?.files === "object" && record.id === id ? record : null;
  }

  /** @param {string} id */
  #recordKey(id) {
    return `${this.origin}${KEY_FOLDER}record/${encodeURIComponent(id)}`;
  }

  /**
   * The cache of this store. It is opened by one at a time: in WebKit, a page and a worker that both open a cache which is not
   * there yet make two of the same name, and what is written into the one is not found in the other.
   *
   * @param {CacheStorage} storage
   * @returns {Promise<Cache>}
   */
  async #cache(storage) {
    const open = () => storage.open(CACHE_NAME);
    return this.locks === undefined ? open() : this.locks.request(OPENING_LOCK, open);
  }

  /**
   * @template T
   * @param {T} otherwise the answer where there is no store or it fails
   * @param {(cache: Cache) => Promise<T>} work
   */
  async #attempt(otherwise, work) {
    this.trouble = null;
    if (this.storage === undefined) {
      this.trouble = "missing";
      return otherwise;
    }
    try {
      return await work(await this.#cache(this.storage));
    } catch (error) {
      const name = error instanceof Error || error instanceof DOMException ? error.name : "";
      const known = { QuotaExceededError: "full", SecurityError: "refused", NotAllowedError: "refused" };
      this.trouble = /** @type {Record<string, StoreTrouble>} */ (known)[name] ?? "failed";
      return otherwise;
    }
  }
}

/**
 * Whether the record is of the same weights as the entry and misses none of the entry's files.
 *
 * @param {ModelRecord} record
 * @param {CatalogueEntry} entry
 */
function isOf({ files }, entry) {
  return Object.entries(entry.files).every(
    ([name, { sha256 }]) => name in files && (!name.endsWith(".safetensors") || files[name].sha256 === sha256),
  );
}

/**
 * @param {Cache} cache
 * @param {ModelRecord} record
 */
async function isWhole(cache, record) {
  const found = await Promise.all(filesOf(record).map((key) => cache.match(key)));
  return found.every((response) => response !== undefined);
}

/** @param {ModelRecord} record */
function digestsOf({ files }) {
  return JSON.stringify(Object.entries(files).map(([name, { sha256 }]) => `${name} ${sha256}`).sort());
}

/** @param {ModelRecord} record */
function filesOf({ files }) {
  return Object.values(files).map(({ key }) => key);
}

/**
 * @param {Cache} cache
 * @param {string[]} keys
 */
async function deleteAll(cache, keys) {
  for (const key of keys) await cache.delete(key);
}
