/**
 * Where a lab panel's work can be done: on the page's own worker if that holds the weights, else on a worker beside it, one
 * for each kind of weights, which is ended with the work.
 */

import { engineChoices } from "./engine-choices.js";
import { Fault } from "./fault.js";
import { startLabWorker } from "./lab-workers.js";
import { words } from "./words/lab-work.js";

/** @import { LoadedModel, LoadOptions } from "./messages.js" */
/** @import { LabParts } from "./panels.js" */

/** What a worker has to hold. A null model is the page's; what is absent is as on the page.
 * @typedef {{ model?: string | null } & Pick<LoadOptions, "precision" | "kvCache" | "kernel" | "simd">} Holding
 */

/** @typedef {{ workerId: number, vocabulary: number, own: boolean }} Place `own`: a worker beside the page's */

/**
 * Whether the page's worker can do it: it has those weights and that build, and a call may choose the kernel.
 * @param {Holding} wanted @param {LoadedModel} model the page's
 */
export function isHeldByPage({ model: wanted = null, precision, kvCache, simd }, { id, card }) {
  return (
    (wanted === null || wanted === id) &&
    (precision ?? card.precision) === card.precision &&
    (kvCache ?? card.kvCache) === card.kvCache &&
    (simd ?? card.simd) === card.simd
  );
}

/**
 * @param {Pick<LabParts, "getState" | "client" | "actions">} parts
 * @param {(doing: string) => void} report
 * @param {AbortSignal} signal
 */
export function createPlaces({ getState, client, actions }, report, signal) {
  /** @type {Map<string, { place: Place, end: () => void }>} */
  const workers = new Map();
  return {
    /** A worker that holds this. @param {Holding} holding @returns {Promise<Place>} */
    async placeOf(holding) {
      const { activeWorkerId, model, options, catalogue } = getState();
      if (activeWorkerId === null || model === null) throw new Fault("noModel", words.noModel);
      if (isHeldByPage(holding, model))
        return { workerId: activeWorkerId, vocabulary: model.card.vocabSize, own: false };
      const { model: id = null, kernel = model.card.kernel, simd = model.card.simd } = holding;
      const { precision = model.card.precision, kvCache = model.card.kvCache } = holding;
      const key = [id, precision, kvCache, simd].join();
      const known = workers.get(key);
      if (known) return known.place;
      const title = catalogue?.models.find((entry) => entry.id === id)?.title ?? words.pageModel;
      const loading = words.loading(title, choiceWords("precision", precision));
      report(loading);
      const source = await actions.sourceFor(id);
      if (source === null) throw new Fault("unknownModel", words.modelNotFound);
      const worker = await startLabWorker(
        client,
        source,
        { ...options, precision, kvCache, kernel, simd },
        {
          signal,
          onProgress: (share) => report(share === null ? loading : words.loadingShare(loading, share)),
        },
      );
      const place = { workerId: worker.workerId, vocabulary: worker.model.card.vocabSize, own: true };
      workers.set(key, { place, end: worker.end });
      return place;
    },

    /** Ends the workers beside the page's. */
    end() {
      for (const { end } of workers.values()) end();
      workers.clear();
    },
  };
}

/** @param {string} name of an engine's choice @param {string} value */
function choiceWords(name, value) {
  const choice = engineChoices.find((candidate) => candidate.name === name);
  const label = choice?.values.find((candidate) => candidate.value === value)?.label ?? value;
  return words.withoutDefault(label);
}
