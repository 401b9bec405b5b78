/** Workers beside the page's own, for what its model cannot do: other weights. They are ended when the work is done. */

import { Fault } from "./fault.js";
import { selfTestFault } from "./models/checks.js";

/** @import { EngineClient, LoadedModel, LoadOptions, ModelSource, WorkerEvent } from "./messages.js" */

/**
 * @param {EngineClient} client
 * @param {ModelSource} source
 * @param {LoadOptions} options
 * @param {{ onProgress?: (share: number | null) => void, signal?: AbortSignal }} [watch]
 * @returns {Promise<{ workerId: number, model: LoadedModel, end: () => void }>}
 */
export async function startLabWorker(client, source, options, { onProgress, signal } = {}) {
  signal?.throwIfAborted();
  const workerId = client.start(source, options);
  const end = () => client.terminate(workerId);
  /** @type {() => void} */
  let unlisten = () => {};
  let onAbort = () => {};
  try {
    const model = await new Promise((resolve, reject) => {
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort);
      unlisten = client.listen((message) => {
        if (message.workerId === workerId) settle(message.event, resolve, reject, onProgress);
      });
    });
    return { workerId, model, end };
  } catch (error) {
    end();
    throw error;
  } finally {
    unlisten();
    signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * @param {WorkerEvent} event
 * @param {(model: LoadedModel) => void} resolve
 * @param {(reason: Fault) => void} reject
 * @param {((share: number | null) => void) | undefined} onProgress
 */
function settle(event, resolve, reject, onProgress) {
  if (event.type === "loaded") {
    if (event.model.selfTest?.passed === false) reject(Fault.from(selfTestFault(event.model)));
    else resolve(event.model);
  }
  if (event.type === "loadFailed" || event.type === "crashed") reject(Fault.from(event.error));
  if (event.type === "loadProgress") onProgress?.(event.totalBytes ? event.loadedBytes / event.totalBytes : null);
}
