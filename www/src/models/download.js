/** Fetches one file, and says in a sentence what is wrong with the answer where something is. */
import { Fault } from "../fault.js";

/** What `details.found` says of a web page that came in place of a file. */
export const WEB_PAGE = "a web page";

/** More than WebAssembly's memory can hold beside anything else. */
const MAX_BYTES = 2 ** 31;
const FIRST_GUESS_BYTES = 64 * 1024;

/**
 * @typedef {object} DownloadOptions
 * @property {AbortSignal} signal
 * @property {number | null} expectedBytes null: any length will do
 * @property {boolean} exact whether another length than expected is an error
 * @property {RequestCache} cache
 * @property {(bytes: number) => void} onBytes told how many bytes came since the last call
 * @property {(bytes: number | null) => void} [onLength] told the length of the answer before its first byte
 * @property {typeof fetch} [fetch]
 */

/**
 * @param {string} url
 * @param {DownloadOptions} options
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function download(url, options) {
  const response = await request(url, options);
  const announced = announcedBytes(response);
  const expected = options.exact ? options.expectedBytes : null;
  if (expected !== null && announced !== null && announced !== expected) {
    throw await wrongLength(url, response, expected, announced);
  }
  options.onLength?.(announced ?? options.expectedBytes);
  const capacity = expected ?? announced ?? options.expectedBytes ?? FIRST_GUESS_BYTES;
  const sink = new ByteSink(url, capacity);
  await readBody(url, response, options, (chunk) => {
    if (sink.length === 0) refuseStandIns(url, chunk);
    sink.push(chunk);
    if (expected !== null && sink.length > expected)
      throw lengthFault(url, expected, `more than ${spell(expected)} bytes`);
    options.onBytes(chunk.length);
  });
  if (expected !== null && sink.length !== expected) throw lengthFault(url, expected, `${spell(sink.length)} bytes`);
  // Longer than announced is no fault here: another host may compress without letting the page see that it does.
  if (announced !== null && sink.length < announced) throw lengthFault(url, announced, `${spell(sink.length)} bytes`);
  return sink.finish();
}

/**
 * Whether the fault means that the host has no such file. A host for single-page sites answers with a web page then.
 *
 * @param {unknown} error
 */
export function isMissing(error) {
  if (!(error instanceof Fault)) return false;
  if (error.code === "httpStatus") return error.details.status === 404 || error.details.status === 410;
  return error.code === "wrongBody" && error.details.found === WEB_PAGE;
}

/**
 * @param {string} url
 * @param {DownloadOptions} options
 */
async function request(url, options) {
  let response;
  try {
    response = await (options.fetch ?? fetch)(url, { signal: options.signal, cache: options.cache });
  } catch (error) {
    options.signal.throwIfAborted();
    throw new Fault("unreachable", `${hostOf(url)} did not answer when asked for ${nameOf(url)}.`, {
      subject: nameOf(url),
      url,
    });
  }
  if (!response.ok) {
    void response.body?.cancel();
    const status = response.statusText ? `${response.status} (${response.statusText})` : `${response.status}`;
    const message = `${hostOf(url)} answered ${status} when asked for ${nameOf(url)}.`;
    throw new Fault("httpStatus", message, { subject: nameOf(url), found: status, url, status: response.status });
  }
  if (response.headers.get("content-type")?.startsWith("text/html")) {
    void response.body?.cancel();
    throw webPageFault(url);
  }
  return response;
}

/**
 * @param {string} url
 * @param {Response} response
 * @param {DownloadOptions} options
 * @param {(chunk: Uint8Array) => void} take
 */
async function readBody(url, response, options, take) {
  const reader = response.body?.getReader();
  if (!reader) return;
  let received = 0;
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      options.signal.throwIfAborted();
      const message = `The connection to ${hostOf(url)} broke off after ${spell(received)} bytes of ${nameOf(url)}.`;
      throw new Fault("unreachable", message, { subject: nameOf(url), found: `${spell(received)} bytes`, url });
    }
    if (part.done) return;
    received += part.value.length;
    try {
      take(part.value);
    } catch (error) {
      void reader.cancel();
      throw error;
    }
  }
}

/**
 * The length of the body as the page will see it; null where the host does not say, or compresses on the way.
 *
 * @param {Response} response
 */
function announcedBytes(response) {
  if (response.headers.has("content-encoding")) return null;
  const header = response.headers.get("content-length");
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

/**
 * A pointer of Git LFS is short enough to look at before complaining about its length.
 *
 * @param {string} url
 * @param {Response} response
 * @param {number} expected
 * @param {number} announced
 */
async function wrongLength(url, response, expected, announced) {
  if (announced < 1024) {
    try {
      refuseStandIns(url, new Uint8Array(await response.arrayBuffer()));
    } catch (error) {
      if (error instanceof Fault) return error;
    }
  } else {
    void response.body?.cancel();
  }
  return lengthFault(url, expected, `${spell(announced)} bytes`);
}

/**
 * @param {string} url
 * @param {Uint8Array} start the first bytes of the body
 */
function refuseStandIns(url, start) {
  const text = new TextDecoder().decode(start.subarray(0, 64)).trimStart().toLowerCase();
  if (text.startsWith("<!doctype html") || text.startsWith("<html")) throw webPageFault(url);
  if (text.startsWith("version https://git-lfs.github.com/spec/")) {
    const message = `${hostOf(url)} has a Git LFS pointer in place of ${nameOf(url)}: the file was never uploaded.`;
    throw new Fault("wrongBody", message, {
      subject: nameOf(url),
      expected: "the file",
      found: "a Git LFS pointer",
      url,
    });
  }
}

/** @param {string} url */
function webPageFault(url) {
  const message = `${hostOf(url)} answered with a web page in place of ${nameOf(url)}.`;
  return new Fault("wrongBody", message, { subject: nameOf(url), expected: "the file", found: WEB_PAGE, url });
}

/**
 * @param {string} url
 * @param {number} expected
 * @param {string} found
 */
function lengthFault(url, expected, found) {
  const message = `${nameOf(url)} from ${hostOf(url)} should have ${spell(expected)} bytes and has ${found}.`;
  return new Fault("wrongBody", message, { subject: nameOf(url), expected: `${spell(expected)} bytes`, found, url });
}

/** @param {string} url */
function hostOf(url) {
  return new URL(url).host;
}

/** @param {string} url */
function nameOf(url) {
  return decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? "");
}

/** @param {number} count */
function spell(count) {
  return count.toLocaleString("en-GB");
}

/** Bytes in one buffer: allocated once where the length is known, doubled where it is not. */
class ByteSink {
  length = 0;

  /**
   * @param {string} url
   * @param {number} capacity
   */
  constructor(url, capacity) {
    this.url = url;
    this.bytes = this.allocate(capacity);
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    const needed = this.length + chunk.length;
    if (needed > this.bytes.length) {
      const larger = this.allocate(Math.max(needed, Math.min(2 * this.bytes.length, MAX_BYTES)));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.length);
    this.length = needed;
  }

  finish() {
    return this.length === this.bytes.length ? this.bytes : this.bytes.slice(0, this.length);
  }

  /** @param {number} capacity */
  allocate(capacity) {
    if (capacity <= MAX_BYTES) {
      try {
        return new Uint8Array(capacity);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
    const found = `${spell(capacity)} bytes`;
    const message = `${nameOf(this.url)} has ${found}: too much for this page.`;
    throw new Fault("wrongBody", message, { subject: nameOf(this.url), found, url: this.url });
  }
}
