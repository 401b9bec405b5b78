/** What a host's answer says of itself, and in a sentence what is wrong with it. */
import { Fault } from "../fault.js";

/** What `details.found` says of a web page that came in place of a file. */
const WEB_PAGE = "a web page";

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
 * The length of the body as the page will see it; null where the host does not say, or compresses on the way.
 *
 * @param {Response} response
 */
export function announcedBytes(response) {
  if (response.headers.has("content-encoding")) return null;
  const header = response.headers.get("content-length");
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

/**
 * Refuses an answer that announces another length than the file's.
 *
 * @param {string} url
 * @param {Response} response
 * @param {number} expected
 */
export async function refuseWrongLength(url, response, expected) {
  const announced = announcedBytes(response);
  if (announced === null || announced === expected) return;
  // A pointer of Git LFS is short enough to look at before complaining about its length.
  if (announced < 1024) refuseStandIns(url, new Uint8Array(await response.arrayBuffer()));
  // Another host may compress without letting the page see that it does. The count of the bytes will tell.
  else if (response.type === "cors" && announced < expected) return;
  throw lengthFault(url, expected, `${spell(announced)} bytes`);
}

/**
 * @param {string} url
 * @param {Uint8Array} start the first bytes of the body
 */
export function refuseStandIns(url, start) {
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

/**
 * @param {string} url
 * @param {Response} response
 * @param {number | null} retryAfterMs
 */
export function refuseStatus(url, response, retryAfterMs) {
  if (response.headers.get("content-type")?.startsWith("text/html") && response.ok) throw webPageFault(url);
  if (response.ok) return;
  const status = response.statusText ? `${response.status} (${response.statusText})` : `${response.status}`;
  const asks = retryAfterMs === null ? "" : ` It asks to be left alone for ${spell(Math.ceil(retryAfterMs / 1000))} s.`;
  const message = `${hostOf(url)} answered ${status} when asked for ${nameOf(url)}.${asks}`;
  const details = { subject: nameOf(url), found: status, url, status: response.status };
  throw new Fault("httpStatus", message, retryAfterMs === null ? details : { ...details, retryAfterMs });
}

/** @param {string} url */
export function silentFault(url) {
  const message = `${hostOf(url)} did not answer when asked for ${nameOf(url)}.`;
  return new Fault("unreachable", message, { subject: nameOf(url), url });
}

/** @param {string} url */
export function blockedFault(url) {
  const message = `This page is not allowed to fetch ${nameOf(url)} from ${hostOf(url)}.`;
  return new Fault("blocked", message, { subject: nameOf(url), url });
}

/**
 * @param {string} url
 * @param {number} received
 */
export function brokenOffFault(url, received) {
  const message = `The connection to ${hostOf(url)} broke off after ${spell(received)} bytes of ${nameOf(url)}.`;
  return new Fault("unreachable", message, { subject: nameOf(url), found: `${spell(received)} bytes`, url });
}

/**
 * @param {string} url
 * @param {number} expected
 * @param {number | string} found
 */
export function lengthFault(url, expected, found) {
  const has = typeof found === "number" ? `${spell(found)} bytes` : found;
  const message = `${nameOf(url)} from ${hostOf(url)} should have ${spell(expected)} bytes and has ${has}.`;
  return new Fault("wrongBody", message, { subject: nameOf(url), expected: `${spell(expected)} bytes`, found: has, url });
}

/**
 * @param {string} url
 * @param {number} bytes
 */
export function tooLargeFault(url, bytes) {
  const found = `${spell(bytes)} bytes`;
  const message = `${nameOf(url)} has ${found}: too much for this page.`;
  return new Fault("wrongBody", message, { subject: nameOf(url), found, url });
}

/** @param {string} url */
function webPageFault(url) {
  const message = `${hostOf(url)} answered with a web page in place of ${nameOf(url)}.`;
  return new Fault("wrongBody", message, { subject: nameOf(url), expected: "the file", found: WEB_PAGE, url });
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
export function spell(count) {
  return count.toLocaleString("en-GB");
}
