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
 * A model of the catalogue with these files.
 *
 * @param {Record<string, Uint8Array>} files
 * @returns {import("../../www/src/messages.js").CatalogueEntry}
 */
export function catalogueEntry(files) {
  const facts = Object.entries(files).map(([name, bytes]) => [name, { bytes: bytes.length, sha256: sha256(bytes) }]);
  return {
    id: "some-model",
    title: "Some model",
    about: "",
    licence: "MIT",
    card: "",
    host: "models/some-model/",
    bundled: false,
    hub: { repository: "someone/model", revision: "abc" },
    files: Object.fromEntries(facts),
    prompts: [],
  };
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

/** Time that passes at once, and a record of how long was waited. Only silence lasts: its ticks never end. */
export function fakeClock() {
  /** @type {number[]} */
  const waits = [];
  const clock = {
    /** @param {number} ms @param {AbortSignal} signal */
    async wait(ms, signal) {
      if (ms === 5000) await new Promise((_, reject) => signal.addEventListener("abort", reject));
      signal.throwIfAborted();
      waits.push(ms);
    },
    dateMs: () => Date.UTC(2026, 0, 1),
    random: () => 0.5,
  };
  return { clock, waitedMs: () => waits.reduce((sum, ms) => sum + ms, 0) };
}

/**
 * A host of one file that answers one attempt after the other as told; the last answer again and again. It gives parts
 * of the file to who asks for them, as a good host does.
 *
 * @param {Uint8Array} bytes
 * @param {{ cutAfter?: number, status?: number, headers?: Record<string, string>, noRange?: boolean, body?: Uint8Array }[]} attempts
 */
export function brokenHost(bytes, attempts) {
  /** @type {{ range: string | null, ifRange: string | null, cache: string | undefined }[]} */
  const asked = [];
  /** @type {typeof globalThis.fetch} */
  const fetch = async (_, init) => {
    const headers = new Headers(init?.headers);
    asked.push({ range: headers.get("range"), ifRange: headers.get("if-range"), cache: init?.cache });
    const how = attempts[Math.min(asked.length, attempts.length) - 1];
    const { status = 200, cutAfter, noRange, body = bytes } = how;
    if (status >= 400) return new Response("", { status, headers: how.headers });
    const etag = how.headers?.etag ?? '"one"';
    const range = /^bytes=(\d+)-$/.exec(headers.get("range") ?? "");
    const asksForSame = [null, etag].includes(headers.get("if-range"));
    const start = range && !noRange && asksForSame ? Number(range[1]) : 0;
    const part = body.slice(start, start + (cutAfter ?? Infinity));
    /** @type {Record<string, string>} */
    const given = { "content-length": `${body.length - start}`, etag, ...how.headers };
    if (start > 0) given["content-range"] ??= `bytes ${start}-${body.length - 1}/${body.length}`;
    return new Response(brokenStream(part, cutAfter !== undefined), { status: start > 0 ? 206 : 200, headers: given });
  };
  return { fetch, asked };
}

/** @param {Uint8Array} bytes @param {boolean} breaks whether it ends in an error */
function brokenStream(bytes, breaks) {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (!sent && bytes.length > 0) controller.enqueue(bytes);
      else if (breaks) controller.error(new TypeError("network"));
      else controller.close();
      sent = true;
    },
  });
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
  /** @type {any[]} */
  const tested = [];
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
    /** @param {any} reference */
    selfTest(reference) {
      tested.push(reference);
      return { passed: true, tokens: reference.ids.length, largestDifference: 0, tolerance: null };
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
    /** The references of its self-tests. */
    tested,
    /** Loads that were given up before they were finished. */
    abandoned: () => abandoned,
    /** Whether a load is going on. */
    isLoading: () => load !== null,
    engine: /** @type {import("../../www/src/messages.js").EngineHandle} */ (/** @type {unknown} */ (engine)),
  };
}
