/** @import { CatalogueEntry } from "../messages.js" */
/** @import { ModelStore } from "./store.js" */

/**
 * The browser's copy of one model, written while its files are on their way into the engine. Each chunk waits until
 * the store has taken the one before, so that no file is ever whole in this worker's memory; and a file of weights
 * ends, and so counts for the store, only when its digest is known to be right. A store that fails or is missing is no
 * fault of the load: there is no copy then.
 */
export class StoreCopy {
  /** What is in the store so far. @type {{ sha256: string }[]} */
  #written = [];
  #failed = false;
  /** @type {WritableStreamDefaultWriter<Uint8Array> | null} */
  #writer = null;
  #put = Promise.resolve(false);
  #sha256 = "";

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
  begin(sha256, bytes) {
    if (this.#failed) return;
    /** @type {TransformStream<Uint8Array, Uint8Array>} */
    const { readable, writable } = new TransformStream();
    this.#writer = writable.getWriter();
    this.#sha256 = sha256;
    this.#put = this.store.put(sha256, readable, bytes);
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
    if (await this.#put) this.#written.push({ sha256: this.#sha256 });
    else this.#failed = true;
  }

  /**
   * Adds the small files, and makes it count.
   *
   * @param {{ bytes: Uint8Array<ArrayBuffer>, sha256: string }[]} small
   * @param {{ name: string, bytes: number, sha256: string }[]} all
   * @returns {Promise<boolean>} whether the model is kept
   */
  async publish(small, all) {
    for (const { bytes, sha256 } of small) {
      if (this.#failed) break;
      if (await this.store.put(sha256, bytes, bytes.length)) this.#written.push({ sha256 });
      else this.#failed = true;
    }
    const record = Object.fromEntries(all.map(({ name, bytes, sha256 }) => [name, { bytes, sha256 }]));
    const kept = !this.#failed && (await this.store.publish(this.entry, record));
    if (!kept) await this.discard();
    return kept;
  }

  /** Gives up, whatever has been written. */
  async discard() {
    await this.end(false);
    this.#failed = true;
    await this.store.forget(this.#written.splice(0));
  }

  /** @param {Promise<void>} writing */
  async #unlessGivenUp(writing) {
    const ended = this.#put.then(() => true);
    const givenUp = await Promise.race([writing.then(() => false).catch(() => true), ended]);
    // The put ends of itself only after the last byte, which close() reports first or never.
    if (givenUp) this.#failed ||= !(await this.#put);
    if (this.#failed) this.#writer = null;
  }
}
