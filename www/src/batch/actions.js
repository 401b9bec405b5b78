/** What the batch panel can be asked for. */

import { candleHolding } from "../candle-place.js";
import { createLabWork, workEventsOf } from "../lab-work.js";
import { words } from "../words/batch.js";
import { batchOf, callOf, mostPadded, withOneMore, withRequest, withoutRequest } from "./state.js";
import { equalitySentence, throughputSentence } from "./words.js";

/** @import { LabParts } from "../panels.js" */
/** @import { BatchLab, BatchSetup, RequestFields } from "./types.js" */

/** @typedef {ReturnType<typeof createBatchActions>} BatchActions */

/** @param {LabParts} parts */
export function createBatchActions(parts) {
  const { getState, dispatch } = parts;
  const get = () => batchOf(getState());
  /** @param {BatchLab} value */
  const set = (value) => dispatch({ type: "labChanged", name: "batchLab", value });
  /** @param {BatchSetup} setup */
  const setUp = (setup) => set({ ...get(), setup });
  const { run, stop } = createLabWork(parts, workEventsOf(get, set));

  function prompts() {
    const { catalogue, model } = getState();
    return (catalogue?.models.find(({ id }) => id === model?.id) ?? catalogue?.models[0])?.prompts ?? [];
  }

  return {
    /** @param {number} index @param {Partial<RequestFields>} fields */
    type: (index, fields) => setUp(withRequest(get().setup, index, fields)),
    add: () => setUp(withOneMore(get().setup, prompts())),
    /** @param {number} index */
    remove: (index) => setUp(withoutRequest(get().setup, index)),
    /** @param {Partial<Omit<BatchSetup, "requests">>} options */
    choose: (options) => setUp({ ...get().setup, ...options }),
    /** @param {number} layout */
    showLayout: (layout) => set({ ...get(), layout, maskRow: mostPadded(get().made?.result.layouts ?? [], layout) }),
    /** @param {number} maskRow */
    showMask: (maskRow) => set({ ...get(), maskRow }),

    run: () =>
      run("batch", async ({ calls, placeOf, report, signal }) => {
        const { setup } = get();
        const { controls, model } = getState();
        const secondWorker = model === null ? null : candleHolding(model.card);
        const { workerId } = await placeOf(secondWorker === null ? {} : { ...secondWorker, kernel: "candle" });
        report(words.starting);
        const { result } = await calls.ask(workerId, callOf(setup, controls), {
          signal,
          onProgress: (done, total) => report(words.runningAt(done, total)),
        });
        const made = { of: setup, greedy: controls.greedy, stopped: signal.aborted, secondWorker, result };
        set({ ...get(), made, layout: 0, maskRow: mostPadded(result.layouts, 0) });
        return signal.aborted ? words.stopped : `${equalitySentence(result)} ${throughputSentence(result)}`;
      }),

    stop,
  };
}
