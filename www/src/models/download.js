/** Fetches one file, whole or as it arrives; where something is wrong with the answer, says in a sentence what. */
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
  await stream(url, { ...options, onLength }, (chunk) => sink.push(chunk));
  return sink.finish();
}

/**
 * Hands the file on as it arrives. The next chunk is read when the last has been taken.
 *
 * @param {string} url
 * @param {DownloadOptions} options
 * @param {(chunk: Uint8Array<ArrayBuffer>) => void | Promise<void>} take
 */
export async function stream(url, options, take) {
  const response = await request(url, options);
  const announced = announcedBytes(response);
  const expected = options.exact ? options.expectedBytes : null;
  if (expected !== null && announced !== null && announced !== expected) {
    throw await wrongLength(url, response, expected, announced);
  }
  const length = announced ?? options.expectedBytes;
  if (length !== null && length > MAX_BYTES) {
    void response.body?.cancel();
    throw tooLarge(url, length);
  }
  options.onLength?.(length);
  let received = 0;
  function brokenOff() {
    options.signal.throwIfAborted();
    const message = `The connection to ${hostOf(url)} broke off after ${spell(received)} bytes of ${nameOf(url)}.`;
    return new Fault("unreachable", message, { subject: nameOf(url), found: `${spell(received)} bytes`, url });
  }
  await readChunks(response.body, brokenOff, async (chunk) => {
    if (received === 0) refuseStandIns(url, chunk);
    received += chunk.length;
    if (expected !== null && received > expected)
      throw lengthFault(url, expected, `more than ${spell(expected)} bytes`);
    if (received > MAX_BYTES) throw tooLarge(url, received);
    await take(chunk);
    options.onBytes(chunk.length);
  });
  if (expected !== null && received !== expected) throw lengthFault(url, expected, `${spell(received)} bytes`);
  // Longer than announced is no fault here: another host may compress without letting the page see that it does.
  if (announced !== null && received < announced) throw lengthFault(url, announced, `${spell(received)} bytes`);
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>> | null} body
 * @param {() => unknown} brokenOff what to throw when the body ends in an error
 * @param {(chunk: Uint8Array<ArrayBuffer>) => Promise<void>} take
 */
export async function readChunks(body, brokenOff, take) {
  const reader = body?.getReader();
  if (!reader) return;
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch {
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

/**
 * @param {string} url
 * @param {number} bytes
 */
function tooLarge(url, bytes) {
  const found = `${spell(bytes)} bytes`;
  const message = `${nameOf(url)} has ${found}: too much for this page.`;
  return new Fault("wrongBody", message, { subject: nameOf(url), found, url });
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
      throw tooLarge(this.url, capacity);
    }
  }
}
