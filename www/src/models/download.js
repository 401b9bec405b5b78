/**
 * Fetches one file, whole or as it arrives. A connection that breaks is taken up where it broke, where the host can do
 * that and still has the same file; else the file begins again.
 */
/** @import { Retries } from "./retry.js" */
import {
  announcedBytes,
  blockedFault,
  brokenOffFault,
  isMissing,
  lengthFault,
  refuseStandIns,
  refuseStatus,
  refuseWrongLength,
  silentFault,
  spell,
  tooLargeFault,
} from "./answer.js";
import { isBlocked } from "./policy.js";
import { retryAfterMs } from "./retry.js";

export { isMissing };

/** More than WebAssembly's memory can hold beside anything else. */
const MAX_BYTES = 2 ** 31;
const FIRST_GUESS_BYTES = 64 * 1024;

/**
 * @typedef {object} DownloadOptions
 * @property {AbortSignal} signal
 * @property {number | null} expectedBytes null: any length will do
 * @property {boolean} exact whether another length than expected is an error; the digest is checked then too
 * @property {RequestCache} cache
 * @property {(bytes: number) => void} onBytes told how many bytes came since the last call; fewer than none, where they
 *   will come again
 * @property {(bytes: number | null) => void} [onLength] told the length of the answer before its first byte
 * @property {typeof fetch} [fetch]
 * @property {Retries} [retries] absent: one attempt
 */
/** @typedef {(chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>} Take */

/** What has been handed on of a file is of no use: the host has no other part of it to go with it. */
export class StartOver extends Error {
  /** @param {unknown} cause why the first attempt ended */
  constructor(cause) {
    super("A download has to start over.", { cause });
    this.name = "StartOver";
  }
}

/**
 * The file as a whole, for the small ones.
 *
 * @param {string} url
 * @param {DownloadOptions} options
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function download(url, options) {
  const sink = new ByteSink(url);
  const onLength = (/** @type {number | null} */ length) => {
    options.onLength?.(length);
    sink.reserve(length ?? FIRST_GUESS_BYTES);
  };
  await stream(
    url,
    { ...options, onLength },
    (chunk) => sink.push(chunk),
    () => void (sink.length = 0),
  );
  return sink.finish();
}

/**
 * Hands the file on as it arrives. The next chunk is read when the last has been taken.
 *
 * @param {string} url
 * @param {DownloadOptions} options
 * @param {Take} take
 * @param {(cause: unknown) => void} [restart] forgets what was taken; where that cannot be, the caller has to StartOver
 */
export async function stream(url, options, take, restart = startOver) {
  const transfer = new Transfer(url, options, take);
  for (;;) {
    try {
      await transfer.attempt();
      return;
    } catch (error) {
      options.signal.throwIfAborted();
      if (!options.retries) throw error;
      if (error === NOT_THE_REST) transfer.forget(restart);
      else await options.retries.pause((transfer.failure = error), options.signal);
    }
  }
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>> | null} body
 * @param {() => unknown} brokenOff what to throw when the body ends in an error
 * @param {(chunk: Uint8Array<ArrayBuffer>) => Promise<void>} take
 * @param {Retries} [retries] whose patience ends where the body says nothing any more
 */
export async function readChunks(body, brokenOff, take, retries) {
  const reader = body?.getReader();
  if (!reader) return;
  for (;;) {
    let part;
    try {
      part = await (retries ? retries.patiently(reader.read()) : reader.read());
    } catch {
      reader.cancel().catch(() => {});
      throw brokenOff();
    }
    if (part.done) return;
    try {
      await take(part.value);
    } catch (error) {
      reader.cancel().catch(() => {});
      throw error;
    }
  }
}

/** Thrown where a host was asked for the rest of a file and has answered with something else. */
const NOT_THE_REST = new Error("not the rest of the file");

/** One file on its way, in as many attempts as it takes. */
class Transfer {
  /** Why the last attempt ended. @type {unknown} */
  failure = null;
  #received = 0;
  /** Bytes that come a second time are no progress. */
  #furthest = 0;
  #lengthTold = false;
  /** The file of which bytes have been taken. @type {{ bytes: number | null, etag: string | null, date: string | null }} */
  #version = { bytes: null, etag: null, date: null };

  /**
   * @param {string} url
   * @param {DownloadOptions} options
   * @param {Take} take
   */
  constructor(url, options, take) {
    this.url = url;
    this.options = options;
    this.take = take;
    this.expected = options.exact ? options.expectedBytes : null;
  }

  async attempt() {
    const { options, url } = this;
    const hanging = new AbortController();
    const abort = () => hanging.abort(options.signal.reason);
    options.signal.addEventListener("abort", abort);
    try {
      const response = await this.#request(hanging);
      try {
        if (this.#received > 0) this.#refuseOtherFile(response);
        else await this.#begin(response);
      } catch (error) {
        void response.body?.cancel().catch(() => {});
        throw error;
      }
      await readChunks(
        response.body,
        () => (options.signal.aborted ? options.signal.reason : brokenOffFault(url, this.#received)),
        (chunk) => this.#push(chunk),
        options.retries,
      );
    } finally {
      options.signal.removeEventListener("abort", abort);
    }
    const announced = this.#version.bytes;
    if (this.expected !== null && this.#received !== this.expected)
      throw lengthFault(url, this.expected, this.#received);
    // Longer than announced is no fault here: another host may compress without letting the page see that it does.
    if (announced !== null && this.#received < announced) throw lengthFault(url, announced, this.#received);
  }

  /** @param {(cause: unknown) => void} restart */
  forget(restart) {
    this.options.onBytes(-this.#received);
    this.#received = 0;
    restart(this.failure);
  }

  /** @param {AbortController} hanging */
  async #request(hanging) {
    const { signal, cache, retries } = this.options;
    const resuming = this.#received > 0;
    if (resuming && this.#version.bytes === null) throw NOT_THE_REST;
    // The browser's own cache may hold the part that came, and would answer with that.
    const init = resuming ? { headers: this.#rangeHeaders(), cache: /** @type {const} */ ("no-store") } : { cache };
    let response;
    try {
      const asked = (this.options.fetch ?? fetch)(this.url, { ...init, signal: hanging.signal });
      response = await (retries ? retries.patiently(asked) : asked);
    } catch {
      signal.throwIfAborted();
      hanging.abort();
      throw (await isBlocked(this.url)) ? blockedFault(this.url) : silentFault(this.url);
    }
    try {
      if (resuming && [412, 416].includes(response.status)) throw NOT_THE_REST;
      refuseStatus(this.url, response, retryAfterMs(response.headers, retries?.clock.dateMs() ?? Date.now()));
      return response;
    } catch (error) {
      void response.body?.cancel().catch(() => {});
      throw error;
    }
  }

  /** @param {Response} response */
  async #begin(response) {
    const { url, expected, options } = this;
    if (expected !== null) await refuseWrongLength(url, response, expected);
    const announced = announcedBytes(response);
    const length = expected ?? announced ?? options.expectedBytes;
    if (length !== null && length > MAX_BYTES) throw tooLargeFault(url, length);
    const { headers } = response;
    const bytes = expected === null || announced === expected ? announced : null;
    this.#version = { bytes, etag: headers.get("etag"), date: headers.get("last-modified") };
    if (!this.#lengthTold) options.onLength?.(length);
    this.#lengthTold = true;
  }

  /** @param {Uint8Array<ArrayBuffer>} chunk */
  async #push(chunk) {
    const { url, expected, options } = this;
    if (this.#received === 0) refuseStandIns(url, chunk);
    const received = this.#received + chunk.length;
    if (expected !== null && received > expected) throw lengthFault(url, expected, `more than ${spell(expected)} bytes`);
    if (received > MAX_BYTES) throw tooLargeFault(url, received);
    await this.take(chunk);
    this.#received = received;
    options.onBytes(chunk.length);
    options.retries?.progressed(Math.max(0, received - this.#furthest));
    this.#furthest = Math.max(received, this.#furthest);
  }

  /** The rest of the very file that was begun. If-Range would make another host's answer hang on a question before it. */
  #rangeHeaders() {
    const { etag, date } = this.#version;
    const version = etag?.startsWith('"') ? etag : date;
    const isOwnHost = globalThis.location === undefined || new URL(this.url).origin === location.origin;
    /** @type {Record<string, string>} */
    const headers = { range: `bytes=${this.#received}-` };
    if (version && isOwnHost) headers["if-range"] = version;
    return headers;
  }

  /** @param {Response} response */
  #refuseOtherFile(response) {
    const { bytes, etag, date } = this.#version;
    const { headers, status } = response;
    const wanted = `bytes ${this.#received}-${Number(bytes) - 1}/${bytes}`;
    const range = headers.get("content-range");
    // Another host may not let the page see the range; then the length has to do.
    const fits = range === null ? announcedBytes(response) === Number(bytes) - this.#received : range === wanted;
    const pairs = [
      [etag, headers.get("etag")],
      [date, headers.get("last-modified")],
    ].filter((pair) => pair.every((value) => value !== null));
    const isSame = pairs.every(([before, now]) => before === now) && (pairs.length > 0 || this.options.exact);
    if (status !== 206 || !fits || !isSame || headers.has("content-encoding")) throw NOT_THE_REST;
  }
}

/** @param {unknown} cause */
function startOver(cause) {
  throw new StartOver(cause);
}

/** Bytes in one buffer: allocated once where the length is known, doubled where it is not. */
class ByteSink {
  length = 0;
  bytes = new Uint8Array(0);

  /** @param {string} url */
  constructor(url) {
    this.url = url;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    const needed = this.length + chunk.length;
    if (needed > this.bytes.length) this.reserve(Math.max(needed, Math.min(2 * this.bytes.length, MAX_BYTES)));
    this.bytes.set(chunk, this.length);
    this.length = needed;
  }

  finish() {
    return this.length === this.bytes.length ? this.bytes : this.bytes.slice(0, this.length);
  }

  /** @param {number} capacity */
  reserve(capacity) {
    try {
      const larger = new Uint8Array(capacity);
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw tooLargeFault(this.url, capacity);
    }
  }
}
