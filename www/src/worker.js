/** The pump of a model's worker: commands in, events out, no decisions. One worker holds one model. */
/** @import { EngineHandle, WorkerCommand, WorkerEvent } from "./messages.js" */
/** @import { Sha256Class } from "./models/verify.js" */
import { pageErrorOf } from "./fault.js";
import { loadModel } from "./models/loader.js";
import { transferables } from "./transfer.js";
import { createTurns } from "./turns.js";

/**
 * @typedef {object} EngineModule what wasm-bindgen makes of crate/web
 * @property {() => Promise<{ memory: WebAssembly.Memory }>} default
 * @property {new () => EngineHandle} EngineHandle
 * @property {Sha256Class} Sha256
 * @property {() => string} panic_summary
 */

/** The engine's share of a turn. Stop and slider moves get in between two turns. */
const SLICE_MS = 8;

/** The page asks for the faster build by the worker's address. */
const relaxed = new URL(self.location.href).searchParams.get("simd") === "relaxed";

const nextTurn = createTurns();
/** @type {WorkerCommand[]} */
const early = [];
/** @type {Map<number, AbortController>} */
const loads = new Map();
/** One load at a time: the engine takes the files of one. */
let lastLoad = Promise.resolve();
/** @type {EngineModule | null} */
let engineModule = null;
/** @type {EngineHandle | null} */
let engine = null;
/** @type {WebAssembly.Memory | null} */
let memory = null;
let pumping = false;
let dead = false;

// Before the first await: a message that finds no listener is lost.
self.addEventListener("message", ({ data }) => (engine === null ? early.push(data) : receive(data)));
void start();

async function start() {
  try {
    // Under these fixed names in the page's folder, whatever that is; a computed address is also what keeps the
    // type checker from looking for files that only a build makes.
    const { simd, relaxedSimd } = await import(new URL("../vendor/wasm-feature-detect.js", import.meta.url).href);
    if (!(await simd())) {
      die({
        code: "noSimd",
        message: "This browser has no WebAssembly SIMD, which the engine is built on.",
        details: {},
      });
      return;
    }
    if (relaxed && !(await relaxedSimd())) {
      die({
        code: "noRelaxedSimd",
        message: "The faster engine needs WebAssembly's relaxed SIMD, which this browser does not have.",
        details: {},
      });
      return;
    }
    const glue = relaxed ? "../relaxed/logit-lab-web.js" : "../logit-lab-web.js";
    /** @type {EngineModule} */
    const loaded = await import(new URL(glue, import.meta.url).href);
    ({ memory } = await loaded.default());
    engineModule = loaded;
    engine = new loaded.EngineHandle();
  } catch (error) {
    const broken = "its file logit-lab-web_bg.wasm is not WebAssembly, or only a part of it came";
    let reason = sentence(error);
    if (error instanceof WebAssembly.CompileError) reason = `${broken} (${error.message}).`;
    // Firefox says so of a file that ends too soon, too.
    if (error === "out of memory") reason = `${broken}, or the memory does not suffice (${error}).`;
    die({ code: "workerStart", message: `The engine could not be started: ${reason}`, details: {} });
    return;
  }
  post({ type: "ready" });
  for (const command of early.splice(0)) receive(command);
}

/** @param {WorkerCommand | null} command */
function receive(command) {
  if (dead || engine === null) return;
  // What nests too deep for the browser to copy arrives as null.
  if (command === null) {
    const message = "The message could not be read: its values are nested too deep.";
    post(refusal({}, { code: "command", message, details: {} }));
  } else if (command.type === "load") {
    const controller = new AbortController();
    loads.set(command.loadId, controller);
    lastLoad = lastLoad.then(() => load(command, controller));
  } else if (command.type === "cancelLoad") {
    loads.get(command.loadId)?.abort();
  } else if (command.type === "ping") {
    post({ type: "pong" });
  } else {
    try {
      engine.command(command);
    } catch (error) {
      const known = pageErrorOf(error);
      if (known === null) crash(error);
      else post(refusal(command, known));
      return;
    }
    void pump();
  }
}

/**
 * @param {Record<string, any>} command
 * @param {any} error
 * @returns {Extract<WorkerEvent, { type: "failed" }>}
 */
function refusal({ runId = null, revision = null }, error) {
  return { type: "failed", runId, revision, error };
}

async function pump() {
  if (pumping) return;
  pumping = true;
  do {
    await nextTurn();
    if (dead || engine === null) return;
    try {
      for (const event of engine.slice(SLICE_MS)) post(event);
    } catch (error) {
      crash(error);
      return;
    }
  } while (engine.busy());
  pumping = false;
}

/**
 * @param {Extract<WorkerCommand, { type: "load" }>} command
 * @param {AbortController} controller
 */
async function load({ loadId, source, options }, controller) {
  if (engine === null || engineModule === null) return;
  try {
    const { deviceMemory } = /** @type {{ deviceMemory?: number }} */ (navigator);
    const model = await loadModel(source, { ...options, deviceMemory }, {
      engine,
      Sha256: engineModule.Sha256,
      signal: controller.signal,
      report: (progress) => post({ type: "loadProgress", loadId, ...progress }),
      pause: nextTurn,
    });
    post({ type: "loaded", loadId, model });
  } catch (error) {
    const known = pageErrorOf(error);
    if (dead) return;
    if (controller.signal.aborted) post({ type: "loadCancelled", loadId });
    else if (known !== null) post({ type: "loadFailed", loadId, error: known });
    else crash(error);
  } finally {
    loads.delete(loadId);
  }
}

/** @param {unknown} error what the engine threw in place of an answer: its state cannot be trusted any more */
function crash(error) {
  let summary = "";
  try {
    summary = engineModule?.panic_summary() ?? "";
  } catch {
    // An engine that cannot even say what happened: the exception has to do.
  }
  const reason = summary || sentence(error);
  die({
    code: "crashed",
    message: `The engine stopped because of a fault of its own: ${reason}`,
    details: { found: sentence(error) },
  });
}

/** @param {Extract<WorkerEvent, { type: "crashed" }>["error"]} error */
function die(error) {
  if (dead) return;
  dead = true;
  for (const controller of loads.values()) controller.abort();
  post({ type: "crashed", error });
}

/** @param {WorkerEvent} event */
function post(event) {
  self.postMessage(event, { transfer: transferables(event, memory?.buffer ?? null) });
}

/** @param {unknown} error */
function sentence(error) {
  return error instanceof Error ? error.message : String(error);
}
