/** @import { CatalogueEntry, EngineHandle, LoadedFile, LoadOptions } from "../messages.js" */
/** @import { StoreCopy } from "./copy.js" */
/** @import { Sha256Class } from "./verify.js" */
import { Fault } from "../fault.js";
import { CONFIG, INDEX, isWeights, TOKENIZER } from "./file-names.js";
import { sha256Of } from "./verify.js";

/** What is copied into the engine's memory at a time, beside the tensors. */
const PIECE_BYTES = 256 * 1024;
/** The largest tokenizers in use have half of this; beyond it, copying the file alone could exhaust the engine. */
const MOST_SMALL_BYTES = 64 * 1024 * 1024;
/** A few milliseconds of work: messages get in between. */
const TURN_BYTES = 1024 * 1024;

/**
 * @typedef {object} IntakeContext
 * @property {EngineHandle} engine
 * @property {Sha256Class} Sha256
 * @property {AbortSignal} signal
 * @property {() => Promise<void>} pause lets waiting messages in
 * @property {() => number} nowMs
 */

/**
 * Takes the files of one load: the small ones whole; the weights chunk by chunk into the engine, which decodes and
 * hashes them in one pass, and into the browser's copy. What has a wrong digest is an error before it is used.
 */
export class EngineIntake {
  /** Complete files in the order in which they came. @type {LoadedFile[]} */
  files = [];
  /** @type {{ name: string, bytes: Uint8Array<ArrayBuffer>, sha256: string }[]} */
  small = [];
  /** Hashing, and decoding in the same pass. */
  digestMs = 0;
  /** The engine's own work before and after the weights. */
  loadMs = 0;
  #begun = false;
  #name = "";
  #bytes = 0;
  #sinceTurn = 0;

  /**
   * @param {IntakeContext} context
   * @param {LoadOptions} options
   * @param {CatalogueEntry | null} entry
   * @param {(name: string) => string | undefined} mustBe the digest without which a file is not used
   * @param {StoreCopy | null} copy
   */
  constructor(context, options, entry, mustBe, copy) {
    this.context = context;
    this.options = options;
    this.entry = entry;
    this.mustBe = mustBe;
    this.copy = copy;
  }

  /**
   * @param {string} name
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  async takeWhole(name, bytes) {
    if (bytes.length > MOST_SMALL_BYTES) {
      throw new Fault(name === TOKENIZER ? "tokenizer" : "config", `${name} is far longer than any such file.`, {
        subject: name,
        expected: `at most ${MOST_SMALL_BYTES} bytes`,
        found: `${bytes.length} bytes`,
      });
    }
    const startMs = this.context.nowMs();
    const sha256 = await sha256Of(bytes, this.context);
    this.digestMs += this.context.nowMs() - startMs;
    this.small.push({ name, bytes, sha256 });
    this.#check(name, bytes.length, sha256);
  }

  /**
   * @param {string} name
   * @param {number | null} bytes
   */
  async beginFile(name, bytes) {
    this.#begin();
    this.#name = name;
    this.#bytes = 0;
    const sha256 = this.mustBe(name);
    if (sha256 !== undefined) await this.copy?.begin(sha256, bytes ?? 0);
    this.#heed(this.context.engine.beginFile(name, bytes ?? undefined));
  }

  /** @param {Uint8Array} chunk */
  async push(chunk) {
    const { engine, signal, pause, nowMs } = this.context;
    signal.throwIfAborted();
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const piece = chunk.subarray(start, start + PIECE_BYTES);
      const startMs = nowMs();
      const isSound = engine.push(piece);
      this.digestMs += nowMs() - startMs;
      this.#heed(isSound);
      this.#sinceTurn += piece.length;
      if (this.#sinceTurn < TURN_BYTES) continue;
      this.#sinceTurn = 0;
      await pause();
      signal.throwIfAborted();
    }
    this.#bytes += chunk.length;
    await this.copy?.write(chunk);
  }

  async finishFile() {
    const sha256 = this.context.engine.finishFile();
    const wanted = this.mustBe(this.#name);
    await this.copy?.end(wanted === sha256);
    this.#check(this.#name, this.#bytes, sha256);
  }

  /** Builds the model. */
  finish() {
    this.#begin();
    const startMs = this.context.nowMs();
    const card = this.context.engine.finishLoad();
    this.loadMs += this.context.nowMs() - startMs;
    return card;
  }

  /** Leaves nothing behind in engine and store. */
  async abandon() {
    try {
      this.context.engine.abandonLoad();
    } catch {
      // An engine that crashed has nothing left to abandon.
    }
    await this.copy?.discard();
  }

  /** With the first weights: by then the small files are here, and the index has shown whether there is one. */
  #begin() {
    if (this.#begun) return;
    const bytesOf = (/** @type {string} */ name) => this.small.find((file) => file.name === name)?.bytes;
    const config = bytesOf(CONFIG);
    if (config === undefined) throw new Fault("config", `The model has no ${CONFIG}.`, { subject: CONFIG });
    const startMs = this.context.nowMs();
    this.context.engine.beginLoad(config, bytesOf(TOKENIZER), bytesOf(INDEX), this.options);
    this.loadMs += this.context.nowMs() - startMs;
    this.#begun = true;
  }

  /**
   * Weights that cannot be used are an error at once, unless their digest is to say first whether they are the
   * published ones.
   *
   * @param {boolean} isSound
   */
  #heed(isSound) {
    if (!isSound && this.mustBe(this.#name) === undefined) this.context.engine.finishLoad();
  }

  /**
   * @param {string} name
   * @param {number} bytes
   * @param {string} sha256
   */
  #check(name, bytes, sha256) {
    const expected = this.mustBe(name);
    if (expected !== undefined && expected !== sha256) {
      const model = this.entry?.title ?? "the model";
      const message = `The SHA-256 of ${name} is not that of ${model} in the catalogue, so it was not used.`;
      throw new Fault("wrongDigest", message, { subject: name, expected, found: sha256 });
    }
    const wanted = this.entry?.files[name]?.sha256;
    const check = wanted === undefined ? "unknown" : wanted === sha256 ? "equal" : "different";
    this.files.push({ name, bytes, sha256, check });
  }
}
