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
  };
  return { entries, caches: /** @type {CacheStorage} */ (/** @type {unknown} */ ({ open: async () => cache })) };
}

/** An engine that loads anything and tells what it was given. */
export function fakeEngine() {
  /** @type {any[]} */
  const given = [];
  const engine = {
    /** @param {any[]} args */
    load(...args) {
      given.push(args);
      return { tokenizerEntries: args[1] ? 10 : null };
    },
    command() {},
    slice: () => [],
    busy: () => false,
  };
  return {
    given,
    engine: /** @type {import("../../www/src/messages.js").EngineHandle} */ (/** @type {unknown} */ (engine)),
  };
}
