/** @import { CopyCheck } from "../page-types.js" */
/** @import { KeptFile } from "./store.js" */
import { readChunks } from "./download.js";

/** @typedef {new () => { update(bytes: Uint8Array): void, finish(): string }} Sha256Class as the crate exports it */

/** A few milliseconds of hashing: messages get in between. */
const SLICE_BYTES = 1024 * 1024;

/**
 * The SHA-256 of the bytes in hexadecimal. The crate computes it, because crypto.subtle is missing on plain http and
 * takes a file only as a whole.
 *
 * @param {Uint8Array} bytes
 * @param {{ Sha256: Sha256Class, signal: AbortSignal, pause: () => Promise<void> }} context
 */
export async function sha256Of(bytes, { Sha256, signal, pause }) {
  const hash = new Sha256();
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    signal.throwIfAborted();
    hash.update(bytes.subarray(start, start + SLICE_BYTES));
    await pause();
  }
  signal.throwIfAborted();
  return hash.finish();
}

/**
 * Reads a kept copy to its end and compares sizes and digests with those under which it was kept.
 *
 * @param {KeptFile[]} files
 * @param {Sha256Class} Sha256
 * @param {(share: number) => void} report told at each hundredth
 * @returns {Promise<CopyCheck>}
 */
export async function verifyCopy(files, Sha256, report) {
  const totalBytes = files.reduce((total, file) => total + file.bytes, 0);
  let readBytes = 0;
  let reported = 0;
  for (const { name, bytes, sha256, response } of files) {
    const hash = new Sha256();
    let length = 0;
    try {
      await readChunks(
        response.body,
        () => new Error("unreadable"),
        async (chunk) => {
          hash.update(chunk);
          length += chunk.length;
          const share = (readBytes + length) / totalBytes;
          if (share - reported >= 0.01) report((reported = share));
        },
      );
    } catch {
      return { state: "damaged", file: name };
    }
    readBytes += length;
    if (length !== bytes || hash.finish() !== sha256) return { state: "damaged", file: name };
  }
  return { state: "sound" };
}
