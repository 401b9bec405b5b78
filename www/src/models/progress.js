/** @import { Origin, WorkerEvent } from "../messages.js" */
/** @typedef {Omit<Extract<WorkerEvent, { type: "loadProgress" }>, "type" | "loadId">} ProgressReport */

/** At most ten reports a second: more cannot be read, and each one redraws the page. */
const REPORT_EVERY_MS = 100;
/** The rate is that of about the last second. */
const RATE_WINDOW_MS = 1000;
const RATE_AFTER_MS = 250;

/** Counts the bytes of one load over all its files. */
export class Progress {
  loadedBytes = 0;
  /** @type {number | null} */
  totalBytes = null;
  /** @type {ProgressReport["phase"] | null} */
  #phase = null;
  #file = "";
  /** @type {Origin} */
  #origin = "host";
  #lastReportMs = -Infinity;
  /** @type {{ atMs: number, bytes: number }[]} */
  #samples = [];
  /** @type {number | null} */
  #retryInMs = null;

  /**
   * @param {(report: ProgressReport) => void} report
   * @param {() => number} nowMs
   */
  constructor(report, nowMs) {
    this.report = report;
    this.nowMs = nowMs;
  }

  /**
   * @param {Origin} origin
   * @param {number | null} totalBytes
   */
  begin(origin, totalBytes) {
    this.#origin = origin;
    this.#phase = null;
    this.#samples = [];
    this.loadedBytes = 0;
    this.totalBytes = totalBytes;
  }

  /**
   * @param {ProgressReport["phase"]} phase
   * @param {string} file
   */
  at(phase, file) {
    const changed = phase !== this.#phase;
    this.#phase = phase;
    this.#file = file;
    this.#tell(changed);
  }

  /** @param {number} bytes */
  add(bytes) {
    this.loadedBytes += bytes;
    this.#tell(false);
  }

  /** @param {number | null} leftMs until the host is asked again; null: it is being asked */
  waiting(leftMs) {
    this.#retryInMs = leftMs;
    // The rate is that of a connection, and this one has ended.
    this.#samples = [];
    this.#tell(true);
  }

  /** @param {boolean} always */
  #tell(always) {
    const now = this.nowMs();
    if (this.#phase === null || (!always && now - this.#lastReportMs < REPORT_EVERY_MS)) return;
    this.#lastReportMs = now;
    this.report({
      phase: this.#phase,
      origin: this.#origin,
      file: this.#file,
      loadedBytes: this.loadedBytes,
      totalBytes: this.totalBytes,
      bytesPerSecond: this.#phase === "downloading" ? this.#rate(now) : null,
      retryInMs: this.#retryInMs,
    });
  }

  /** @param {number} now */
  #rate(now) {
    this.#samples.push({ atMs: now, bytes: this.loadedBytes });
    while (this.#samples.length > 2 && now - this.#samples[1].atMs >= RATE_WINDOW_MS) this.#samples.shift();
    const oldest = this.#samples[0];
    const elapsedMs = now - oldest.atMs;
    return elapsedMs < RATE_AFTER_MS ? null : ((this.loadedBytes - oldest.bytes) * 1000) / elapsedMs;
  }
}
