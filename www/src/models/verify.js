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
