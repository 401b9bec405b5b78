/** Stand-ins for what the loading side needs of a browser. */
import { createHash } from "node:crypto";

/** The crate's class, with the same interface. */
export class Sha256 {
  #hash = createHash("sha256");

  /** @param {Uint8Array} bytes */
  update(bytes) {
    this.#hash.update(bytes);
  }

  finish() {
    return this.#hash.digest("hex");
  }
}

/** @param {Uint8Array} bytes */
export function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * A host by address: what is not listed is a 404. A function answers for itself.
 *
 * @param {Record<string, BodyInit | (() => Response)>} files
 */
export function fakeHost(files) {
  /** @type {string[]} */
  const asked = [];
  /** @type {typeof globalThis.fetch} */
  const fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const url = String(input);
    asked.push(url);
    const file = files[url];
    if (file === undefined) return new Response("no", { status: 404, statusText: "Not Found" });
    return typeof file === "function" ? file() : new Response(file);
  };
  return { fetch, asked };
}

/** The Cache API in memory; `room` is how many entries fit. */
export function fakeCaches(room = Infinity) {
  /** @type {Map<string, ArrayBuffer>} */
  const entries = new Map();
  const cache = {
    /** @param {string} key */
    match: async (key) => (entries.has(key) ? new Response(entries.get(key)) : undefined),
    /** @param {string} key @param {Response} response */
    async put(key, response) {
      if (!entries.has(key) && entries.size >= room) throw new DOMException("full", "QuotaExceededError");
      entries.set(key, await response.arrayBuffer());
    },
    /** @param {string} key */
    delete: async (key) => entries.delete(key),
    keys: async () => [...entries.keys()].map((url) => ({ url })),
  };
  return { entries, caches: /** @type {CacheStorage} */ (/** @type {unknown} */ ({ open: async () => cache })) };
}

/**
 * An engine that loads anything but weights that begin with "unsound", and tells what it was given: a row for each load
 * that was finished, `[config, tokenizer, weights, index, options]`.
 */
export function fakeEngine() {
  /** @type {any[]} */
  const given = [];
  /** @type {{ small: any[], files: { name: string, announced?: number, pieces: Uint8Array[] }[] } | null} */
  let load = null;
  let abandoned = 0;
  const fileBytes = (/** @type {{ pieces: Uint8Array[] }} */ { pieces }) => new Uint8Array(Buffer.concat(pieces));
  const isSound = () => !load?.files.some((file) => Buffer.from(fileBytes(file)).toString().startsWith("unsound"));
  const open = () => {
    const file = load?.files.at(-1);
    if (!file) throw new Error("no file was begun");
    return file;
  };
  const engine = {
    /** @param {any[]} small */
    beginLoad(...small) {
      load = { small, files: [] };
    },
    /** @param {string} name @param {number} [announced] */
    beginFile(name, announced) {
      load?.files.push({ name, announced, pieces: [] });
      return isSound();
    },
    /** @param {Uint8Array} bytes */
    push(bytes) {
      open().pieces.push(bytes.slice());
      return isSound();
    },
    finishFile: () => sha256(fileBytes(open())),
    finishLoad() {
      if (load === null) throw new Error("no load was begun");
      const sound = isSound();
      const { small, files } = load;
      load = null;
      if (!sound) throw { code: "checkpoint", message: "The weights are unsound.", details: {} };
      const [config, tokenizer, index, options] = small;
      const weights = files.map((file) => ({ name: file.name, bytes: fileBytes(file) }));
      given.push([config, tokenizer, weights, index, options]);
      return { tokenizerEntries: tokenizer ? 10 : null };
    },
    abandonLoad() {
      if (load !== null) abandoned += 1;
      load = null;
    },
    command() {},
    slice: () => [],
    busy: () => false,
  };
  return {
    given,
    /** Loads that were given up before they were finished. */
    abandoned: () => abandoned,
    /** Whether a load is going on. */
    isLoading: () => load !== null,
    engine: /** @type {import("../../www/src/messages.js").EngineHandle} */ (/** @type {unknown} */ (engine)),
  };
}
