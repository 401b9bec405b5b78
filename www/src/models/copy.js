/** @import { CatalogueEntry, StoreTrouble } from "../messages.js" */
/** @import { FileRecord, ModelStore } from "./store.js" */

/**
 * The browser's copy of one model, written while its files are on their way into the engine. Each chunk waits until
 * the store has taken the one before, so that no file is ever whole in this worker's memory; and a file of weights
 * ends, and so counts for the store, only when its digest is known to be right. A store that fails or is missing is no
 * fault of the load: there is no copy then, and `trouble` says why.
 */
export class StoreCopy {
  /** @type {StoreTrouble | null} */
  trouble = null;
  /** Names in the store by digest. @type {Map<string, string>} */
  #keys = new Map();
  /** @type {Promise<() => void> | null} */
  #lock = null;
  /** @type {WritableStreamDefaultWriter<Uint8Array> | null} */
  #writer = null;
  #put = Promise.resolve(false);
  #sha256 = "";
  #key = "";

  /**
   * @param {ModelStore} store
   * @param {CatalogueEntry} entry
   */
  constructor(store, entry) {
    this.store = store;
    this.entry = entry;
  }

  /**
   * @param {string} sha256 that the file must have
   * @param {number} bytes
   */
  async begin(sha256, bytes) {
    await (this.#lock ??= this.store.writing());
    if (this.trouble) return;
    /** @type {TransformStream<Uint8Array, Uint8Array>} */
    const { readable, writable } = new TransformStream();
    this.#writer = writable.getWriter();
    this.#sha256 = sha256;
    this.#key = this.store.newKey(sha256);
    this.#put = this.store.put(this.#key, readable, bytes);
  }

  /** @param {Uint8Array} chunk */
  async write(chunk) {
    const writer = this.#writer;
    // A store that has given up reads no more: waiting for it alone could be for ever.
    if (writer) await this.#unlessGivenUp(writer.write(chunk));
  }

  /** @param {boolean} isRight whether the digest is that under which the file was begun */
  async end(isRight) {
    const writer = this.#writer;
    if (!writer) return;
    if (isRight) await this.#unlessGivenUp(writer.close());
    else writer.abort().catch(() => {});
    this.#writer = null;
    if (await this.#put) this.#keys.set(this.#sha256, this.#key);
    else this.#giveUp();
  }

  /**
   * Adds the small files, and makes it count.
   *
   * @param {{ bytes: Uint8Array<ArrayBuffer>, sha256: string }[]} small
   * @param {{ name: string, bytes: number, sha256: string }[]} all
   * @param {number} savedMs since 1970
   * @returns {Promise<boolean>} whether the model is kept
   */
  async publish(small, all, savedMs) {
    for (const { bytes, sha256 } of small) {
      if (this.trouble) break;
      const key = this.store.newKey(sha256);
      this.#keys.set(sha256, key);
      if (!(await this.store.put(key, bytes, bytes.length))) this.#giveUp();
    }
    /** @type {[string, FileRecord][]} */
    const files = all.map(({ name, bytes, sha256 }) => [name, { bytes, sha256, key: this.#keys.get(sha256) ?? "" }]);
    const { id, title } = this.entry;
    if (!this.trouble && !(await this.store.publish({ id, title, savedMs, files: Object.fromEntries(files) })))
      this.#giveUp();
    if (this.trouble) await this.discard();
    else await this.#unlock();
    return this.trouble === null;
  }

  /** Gives up, whatever has been written. */
  async discard() {
    await this.end(false);
    this.trouble ??= "failed";
    await this.store.forget([...this.#keys.values()]);
    this.#keys.clear();
    await this.#unlock();
  }

  #giveUp() {
    this.trouble ??= this.store.trouble ?? "failed";
  }

  async #unlock() {
    const lock = this.#lock;
    this.#lock = null;
    (await lock)?.();
  }

  /** @param {Promise<void>} writing */
  async #unlessGivenUp(writing) {
    const ended = this.#put.then(() => true);
    const givenUp = await Promise.race([writing.then(() => false).catch(() => true), ended]);
    // The put ends of itself only after the last byte, which close() reports first or never.
    if (givenUp && !(await this.#put)) this.#giveUp();
    if (this.trouble) this.#writer = null;
  }
}
