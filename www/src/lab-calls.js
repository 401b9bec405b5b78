/** Calls of the lab panels: to any worker, several at a time, each a promise. The page's own run goes before them. */

import { Fault } from "./fault.js";

/** @import { EngineClient, WorkerEvent } from "./messages.js" */
/** @import { Answer, Call, Step } from "./protocol.js" */

/** The page's run ids and those of the console stay below. One count for all panels. */
let lastRunId = 2_000_000_000;

/** @typedef {ReturnType<typeof createLabCalls>} LabCalls */

/** @param {EngineClient} client */
export function createLabCalls(client) {
  /**
   * @type {Map<number, { workerId: number, resolve: (answer: Answer) => void, reject: (reason: Fault) => void,
   *   onStep?: (step: Step) => void, onProgress?: (done: number, total: number) => void }>}
   */
  const pending = new Map();

  client.listen(({ workerId, event }) => {
    if (event.type === "crashed") lose(workerId, Fault.from(event.error));
    const call = "runId" in event && event.runId !== null ? pending.get(event.runId) : undefined;
    if (call?.workerId === workerId) hear(call, event);
  });

  /** @param {NonNullable<ReturnType<typeof pending.get>>} call @param {WorkerEvent} event */
  function hear(call, event) {
    if (event.type === "callStepped") call.onStep?.(event.step);
    if (event.type === "callProgressed") call.onProgress?.(event.done, event.total);
    if (event.type === "answered") call.resolve(event.answer);
    if (event.type === "failed") call.reject(Fault.from(event.error));
  }

  /** A worker that is gone answers nothing more. @param {number} workerId @param {Fault} fault */
  function lose(workerId, fault) {
    for (const call of pending.values()) if (call.workerId === workerId) call.reject(fault);
  }

  return {
    lose,

    /**
     * A call that is stopped answers with what there is, or fails if it had not begun.
     *
     * @template {Call["method"]} M
     * @param {number} workerId
     * @param {Extract<Call, { method: M }>} call
     * @param {{ onStep?: (step: Step) => void, onProgress?: (done: number, total: number) => void,
     *   signal?: AbortSignal }} [options]
     * @returns {Promise<Extract<Answer, { method: M }>>}
     */
    async ask(workerId, call, { onStep, onProgress, signal } = {}) {
      signal?.throwIfAborted();
      const runId = ++lastRunId;
      const stop = () => client.send({ type: "stop", runId }, workerId);
      signal?.addEventListener("abort", stop);
      try {
        return await new Promise((resolve, reject) => {
          pending.set(runId, {
            workerId,
            resolve: /** @type {(answer: Answer) => void} */ (resolve),
            reject,
            onStep,
            onProgress,
          });
          client.send({ type: "call", runId, call }, workerId);
        });
      } finally {
        pending.delete(runId);
        signal?.removeEventListener("abort", stop);
      }
    },
  };
}
