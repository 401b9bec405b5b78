/**
 * Starts workers, sends them commands, and turns everything that comes back, crashes included, into events.
 * One worker holds one model. It decides nothing: what an event means is update()'s business.
 */

import { words } from "./words/errors.js";

/** @import { EngineClient, FromWorker, LoadOptions, ModelSource, WorkerCommand, WorkerEvent } from "./messages.js" */

/** A worker answers between two slices of its work, which last milliseconds. One that has not answered for six of these
 * is dead without a word, as when a browser takes its memory away. Counted in ticks: a suspended tab misses none.
 */
const pingEveryMs = 5000;
const missedPings = 6;

/** What the client needs of a Worker; tests bring their own.
 * @typedef {Pick<Worker, "postMessage" | "terminate" | "addEventListener">} WorkerLike
 */

/** The build of the engine stands in the worker's address: the worker starts with its code, before the first command.
 * @param {LoadOptions} options
 */
function startWorker({ simd }) {
  const address = new URL("./worker.js", import.meta.url);
  if (simd === "relaxed") address.searchParams.set("simd", simd);
  return new Worker(address, { type: "module" });
}

/**
 * @param {(options: LoadOptions) => WorkerLike} [createWorker]
 * @param {(work: () => void, ms: number) => unknown} [every]
 * @returns {EngineClient}
 */
export function createEngineClient(createWorker = startWorker, every = setInterval) {
  /** @type {Map<number, WorkerLike>} */
  const workers = new Map();
  /** @type {Set<(message: FromWorker) => void>} */
  const listeners = new Set();
  /** How many pings each running worker has not answered. @type {Map<number, number>} */
  const unanswered = new Map();
  let lastId = 0;
  /** @type {number | null} */
  let active = null;

  /** @param {number} workerId @param {WorkerEvent} event */
  function emit(workerId, event) {
    for (const listener of listeners) listener({ type: "worker", workerId, event });
  }

  /** @param {number} workerId */
  function terminate(workerId) {
    workers.get(workerId)?.terminate();
    workers.delete(workerId);
    unanswered.delete(workerId);
    if (active === workerId) active = null;
  }

  /** @param {number} workerId @param {"workerStart" | "crashed"} code @param {string} message */
  function crash(workerId, code, message) {
    if (!workers.has(workerId)) return;
    terminate(workerId);
    emit(workerId, { type: "crashed", error: { code, message, details: {} } });
  }

  function pingAll() {
    for (const [workerId, missed] of unanswered) {
      if (missed >= missedPings) {
        crash(workerId, "crashed", words.messages.notAnswering);
        continue;
      }
      unanswered.set(workerId, missed + 1);
      workers.get(workerId)?.postMessage({ type: "ping" });
    }
  }
  every(pingAll, pingEveryMs);

  return {
    start(/** @type {ModelSource} */ source, /** @type {LoadOptions} */ options = {}) {
      const workerId = ++lastId;
      const worker = createWorker(options);
      workers.set(workerId, worker);
      let ready = false;

      worker.addEventListener("message", (/** @type {MessageEvent<WorkerEvent>} */ { data }) => {
        // A message that was on its way when the worker was given up.
        if (!workers.has(workerId)) return;
        unanswered.set(workerId, 0);
        if (data.type === "pong") return;
        if (data.type === "ready") {
          ready = true;
          emit(workerId, data);
          worker.postMessage({ type: "load", loadId: workerId, source, options });
          return;
        }
        if (data.type === "crashed") terminate(workerId);
        emit(workerId, data);
      });
      worker.addEventListener("error", (/** @type {ErrorEvent} */ event) => {
        event.preventDefault?.();
        const message = event.message || words.messages.notStarted;
        crash(workerId, ready ? "crashed" : "workerStart", message);
      });
      worker.addEventListener("messageerror", () =>
        crash(workerId, "crashed", words.messages.unreadable),
      );
      return workerId;
    },

    activate(workerId) {
      if (active === workerId || !workers.has(workerId)) return;
      if (active !== null) terminate(active);
      active = workerId;
    },

    send(
      /** @type {WorkerCommand} */ command,
      /** @type {number | undefined} */ workerId = active ?? undefined,
    ) {
      if (workerId !== undefined) workers.get(workerId)?.postMessage(command);
    },

    terminate,

    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
