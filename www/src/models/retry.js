/** When something is asked for once more, and after how long: the time, the timer and chance are given from outside. */
import { Fault } from "../fault.js";

/**
 * @typedef {object} Clock
 * @property {(ms: number, signal: AbortSignal) => Promise<void>} wait rejects when the signal says so
 * @property {() => number} dateMs since 1970
 * @property {() => number} random from 0 to 1
 */

/** @type {Clock} */
export const realClock = {
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const timer = setTimeout(ended, ms);
      function ended() {
        signal.removeEventListener("abort", aborted);
        resolve();
      }
      function aborted() {
        clearTimeout(timer);
        reject(signal.reason);
      }
      signal.addEventListener("abort", aborted, { once: true });
    }),
  dateMs: () => Date.now(),
  random: () => Math.random(),
};

/** In a row without progress; with the waits below, a host has about a quarter of a minute to come back. */
const MAX_FAILURES = 5;
const FIRST_WAIT_MS = 500;
/** Somebody told to wait for longer than this had better come back later. */
const LONGEST_WAIT_MS = 120_000;
/** A connection that brings this much between two faults is worth going on with. */
const PROGRESS_BYTES = 256 * 1024;
const SILENCE_TICK_MS = 5000;
const SILENT_TICKS = 6;

/** The patience of one load with its hosts. */
export class Retries {
  #failures = 0;
  #bytes = 0;

  /**
   * @param {(leftMs: number | null) => void} [onWait] told every second how long it is until the next attempt; null: now
   * @param {Clock} [clock]
   */
  constructor(onWait = () => {}, clock = realClock) {
    this.onWait = onWait;
    this.clock = clock;
  }

  /** @param {number} bytes */
  progressed(bytes) {
    this.#bytes += bytes;
    if (this.#bytes >= PROGRESS_BYTES) this.#failures = 0;
  }

  /**
   * Waits until it is time for another attempt; throws the fault where none is due.
   *
   * @param {unknown} fault
   * @param {AbortSignal} signal
   */
  async pause(fault, signal) {
    const waitMs = this.#waitMs(fault);
    if (waitMs === null) throw fault;
    this.#failures += 1;
    this.#bytes = 0;
    try {
      for (let leftMs = waitMs; leftMs > 0; leftMs -= 1000) {
        this.onWait(leftMs);
        await this.clock.wait(Math.min(leftMs, 1000), signal);
      }
    } finally {
      this.onWait(null);
    }
  }

  /**
   * The answer to a question to a host, or an error after half a minute of silence. It is counted in ticks: a tab that
   * was suspended meanwhile finds one of them over, not all.
   *
   * @template T
   * @param {Promise<T>} answer
   * @returns {Promise<T>}
   */
  async patiently(answer) {
    const answered = new AbortController();
    const silence = async () => {
      for (let tick = 0; tick < SILENT_TICKS; tick += 1) await this.clock.wait(SILENCE_TICK_MS, answered.signal);
      throw new Error("silence");
    };
    try {
      return await Promise.race([answer, silence()]);
    } finally {
      answered.abort();
    }
  }

  /** @param {unknown} fault */
  #waitMs(fault) {
    if (!isPassing(fault) || this.#failures >= MAX_FAILURES) return null;
    const backoffMs = FIRST_WAIT_MS * 2 ** this.#failures;
    const wantedMs = fault.details.retryAfterMs ?? 0;
    if (wantedMs > LONGEST_WAIT_MS) return null;
    // A class that was turned away together must not come back together.
    return Math.max(wantedMs, backoffMs * 0.75) + this.clock.random() * backoffMs * 0.5;
  }
}

/**
 * How long a host asks to be left alone, or null. By its own clock, where the page may read that.
 *
 * @param {Headers} headers
 * @param {number} dateMs
 */
export function retryAfterMs(headers, dateMs) {
  const header = headers.get("retry-after");
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const hostMs = Date.parse(headers.get("date") ?? "");
  const waitMs = Date.parse(header) - (Number.isNaN(hostMs) ? dateMs : hostMs);
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

/**
 * Whether the same question may have another answer in a moment.
 *
 * @param {unknown} fault
 * @returns {fault is Fault}
 */
function isPassing(fault) {
  if (!(fault instanceof Fault)) return false;
  const { status = 0 } = fault.details;
  return fault.code === "unreachable" || (fault.code === "httpStatus" && (status >= 500 || [408, 429].includes(status)));
}
