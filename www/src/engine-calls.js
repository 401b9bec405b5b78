/** Turns the workers' events back into answers of single calls, for the console interface. */
/** @import { EngineClient, FromWorker, LoadedModel, PageError } from "./messages.js" */
/** @import { Answer, Call, Step } from "./protocol.js" */
/** @import { State } from "./page-types.js" */
import { Fault } from "./fault.js";
import { selfTestFault } from "./models/checks.js";
import { words } from "./words/errors.js";

/** The page's own run ids stay below. */
const FIRST_RUN_ID = 1_000_000;

/**
 * @template T
 * @typedef {{ resolve: (value: T) => void, reject: (reason: unknown) => void }} Settle
 */
/** @typedef {(step: Step) => void} OnStep */
/** @typedef {{ runId: number, workerId: number, onStep?: OnStep, thrown?: { reason: unknown } }} PendingFacts */
/** @typedef {Settle<Answer> & PendingFacts} Pending */

/**
 * @param {EngineClient} client
 * @param {() => Partial<State>} getState
 * @param {(listener: (state: Pick<State, "activeWorkerId">) => void) => void} eachChange
 */
export function createCalls(client, getState, eachChange) {
  /** Workers whose code runs, in the order in which they came. @type {Set<number>} */
  const running = new Set();
  /** Those of them that hold a model. @type {Set<number>} */
  const holding = new Set();
  /** Why no worker runs, once the last one is gone. @type {Fault | null} */
  let failure = null;
  /** Resolves when the next worker comes, loads or goes. @type {Deferred<void>} */
  let change = new Deferred();
  /** @type {Deferred<void>} */
  const firstModel = new Deferred();
  /** @type {Map<number, Settle<LoadedModel>>} */
  const loads = new Map();
  /** Calls come one at a time. @type {Pending | null} */
  let pending = null;
  let lastRunId = FIRST_RUN_ID - 1;

  client.listen(({ workerId, event }) => {
    switch (event.type) {
      case "ready":
        running.add(workerId);
        failure = null;
        break;
      case "loaded":
        if (event.model.selfTest?.passed === false) {
          // The page asks the student whether to use it all the same; a script decides by its error.
          loads.get(workerId)?.reject(Fault.from(selfTestFault(event.model)));
          break;
        }
        holding.add(workerId);
        firstModel.resolve();
        loads.get(workerId)?.resolve(event.model);
        break;
      case "loadFailed":
      case "crashed":
        gone(workerId, event.error);
        break;
      case "loadCancelled":
        gone(workerId, { code: "command", message: words.messages.cancelled, details: {} });
        break;
      case "loadProgress":
        return;
      default:
        answer(workerId, event);
        return;
    }
    changed();
  });

  // Also a model that computes wrongly, once the student uses it all the same.
  eachChange(({ activeWorkerId }) => {
    if (activeWorkerId === null || holding.has(activeWorkerId)) return;
    holding.add(activeWorkerId);
    firstModel.resolve();
    changed();
  });

  /** Wakes whoever waits for a worker. */
  function changed() {
    change.resolve();
    change = new Deferred();
  }

  /**
   * @param {number} workerId
   * @param {PageError} error
   */
  function gone(workerId, error) {
    const fault = Fault.from(error);
    running.delete(workerId);
    holding.delete(workerId);
    if (running.size === 0) failure = fault;
    loads.get(workerId)?.reject(fault);
    if (pending?.workerId === workerId) settle(pending).reject(fault);
  }

  /**
   * @param {number} workerId
   * @param {FromWorker["event"]} event
   */
  function answer(workerId, event) {
    const call = pending;
    if (call === null) return;
    if (isRefusal(event) && workerId === call.workerId) {
      settle(call).reject(Fault.from(event.error));
    } else if (!("runId" in event) || event.runId !== call.runId) {
      // The student switched the model: the worker that had the call is gone and will not answer.
      if (call.workerId !== workerId && workerId === getState().activeWorkerId) {
        settle(call).reject(new Fault("crashed", words.messages.switched));
      }
    } else if (event.type === "callStepped") {
      show(call, event.step);
    } else if (event.type === "answered" && call.thrown !== undefined) {
      settle(call).reject(call.thrown.reason);
    } else if (event.type === "answered") {
      settle(call).resolve(event.answer);
    } else if (event.type === "failed") {
      settle(call).reject(Fault.from(event.error));
    }
  }

  /**
   * A callback that throws ends the run, and its exception is what the caller gets.
   *
   * @param {Pending} call
   * @param {Step} step
   */
  function show(call, step) {
    if (call.thrown !== undefined) return;
    try {
      call.onStep?.(step);
    } catch (reason) {
      call.thrown = { reason };
      client.send({ type: "stop", runId: call.runId }, call.workerId);
    }
  }

  /** @param {Pending} call */
  function settle(call) {
    pending = null;
    return call;
  }

  /**
   * The worker in use. Before a model is in use there is none, and any that runs can do what needs no model.
   *
   * @param {boolean} needsModel
   */
  async function workerFor(needsModel) {
    for (;;) {
      const [first] = needsModel ? holding : running;
      const { activeWorkerId, loads = [] } = getState();
      const workerId = activeWorkerId ?? first;
      if (workerId !== undefined) return workerId;
      if (failure !== null && loads.length === 0) throw failure;
      await change.promise;
    }
  }

  return {
    /** Resolves when the first model is loaded. */
    ready: firstModel.promise,

    /**
     * @template {Call["method"]} M
     * @param {Extract<Call, { method: M }>} call
     * @param {{ needsModel?: boolean, onStep?: OnStep }} [options]
     * @returns {Promise<Extract<Answer, { method: M }>>}
     */
    async ask(call, { needsModel = true, onStep } = {}) {
      const workerId = await workerFor(needsModel);
      const runId = ++lastRunId;
      // An absent option must not cross as an undefined one.
      const given = Object.entries(call).filter(([, value]) => value !== undefined);
      const present = /** @type {Call} */ (Object.fromEntries(given));
      return new Promise((resolve, reject) => {
        pending = { runId, workerId, onStep, resolve: /** @type {(answer: Answer) => void} */ (resolve), reject };
        try {
          client.send({ type: "call", runId, call: present }, workerId);
        } catch (error) {
          settle(pending).reject(error);
        }
      });
    },

    /**
     * @param {number} workerId
     * @returns {Promise<LoadedModel>}
     */
    async loaded(workerId) {
      try {
        return await new Promise((resolve, reject) => loads.set(workerId, { resolve, reject }));
      } finally {
        loads.delete(workerId);
      }
    },
  };
}

/**
 * The answer to a message that the engine could not read, so that it knows no id. The page's own are well formed.
 *
 * @param {FromWorker["event"]} event
 * @returns {event is Extract<FromWorker["event"], { type: "failed" }>}
 */
function isRefusal(event) {
  return event.type === "failed" && event.runId === null && event.revision === null && event.error.code === "command";
}

/**
 * A promise that is settled from outside. (Promise.withResolvers is missing in browsers of the last years.)
 *
 * @template T
 */
class Deferred {
  constructor() {
    /** @type {(value: T) => void} */
    this.resolve = () => {};
    /** @type {Promise<T>} */
    this.promise = new Promise((resolve) => (this.resolve = resolve));
  }
}
