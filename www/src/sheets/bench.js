/**
 * What a step of a lab sheet may ask of the engine: calls to the page's worker, to workers beside it that hold other weights,
 * and to such that load a changed bundle. The page's own model, text and run stay as they are.
 */

import { toSettings } from "../controls.js";
import { Fault } from "../fault.js";
import { startLabWorker } from "../lab-workers.js";
import { words } from "../words/sheets.js";
import { filesOfSource } from "./bundle-files.js";
import { story } from "./content/parts.js";

/** @import { LabCalls } from "../lab-calls.js" */
/** @import { Holding } from "../lab-places.js" */
/** @import { WorkTools } from "../lab-work.js" */
/** @import { LoadedModel } from "../messages.js" */
/** @import { LabParts } from "../panels.js" */
/** @import { Generated, Positions, Settings } from "../protocol.js" */

/** @typedef {Awaited<ReturnType<typeof createBench>>} Bench */
/** @typedef {ReturnType<typeof handleOf>} Handle calls to one worker */

/**
 * @typedef {object} RunOptions
 * @property {string} [prompt]
 * @property {number[]} [ids]
 * @property {Settings} [settings] greedy if absent
 * @property {number} [seed]
 * @property {number} [maxNewTokens]
 * @property {string[]} [stop]
 * @property {boolean} [ignoreEos] true if absent, so that lengths are as asked for
 * @property {number | null} [eosId]
 * @property {boolean} [cache]
 * @property {string} [kernel]
 */

/** @param {LabParts} parts @param {WorkTools} tools */
export async function createBench(parts, { calls, placeOf, report, signal }) {
  const { getState, client, actions } = parts;
  const page = await placeOf({});
  const { model } = getState();
  if (model === null || !model.hasTokenizer) throw new Fault("noModel", words.engine.noModel);
  return {
    ...handleOf(calls, page.workerId, model, signal),
    report,
    /** The page's own settings, for blocks that use them. */
    pageSettings: () => ({ settings: toSettings(getState().controls), seed: getState().controls.seed }),
    pagePrompt: () => getState().prompt,

    /** The page's model with other weights or another kernel. @param {Holding} holding */
    async holding(holding) {
      return handleOf(calls, (await placeOf(holding)).workerId, model, signal);
    },

    /**
     * Loads a changed bundle in a worker of its own, which is gone after the work.
     * @template T
     * @param {(files: File[]) => Promise<File[]>} change
     * @param {(handle: Handle) => Promise<T>} work
     */
    async withBundle(change, work) {
      report(words.engine.reading);
      const source = await actions.sourceFor(null);
      if (source === null) throw new Fault("unknownModel", words.engine.noFiles);
      const files = await change(await filesOfSource(source, signal));
      report(words.engine.loading);
      const worker = await startLabWorker(client, { kind: "files", files }, getState().options, { signal });
      try {
        return await work(handleOf(calls, worker.workerId, worker.model, signal));
      } finally {
        worker.end();
      }
    },
  };
}

/** @param {LabCalls} calls @param {number} workerId @param {LoadedModel} model @param {AbortSignal} signal */
function handleOf(calls, workerId, model, signal) {
  const vocabulary = model.card.vocabSize;

  /** @param {string} text */
  async function tokenize(text) {
    const { tokens } = await calls.ask(workerId, { method: "tokenize", text }, { signal });
    return { ids: Array.from(tokens.ids), pieces: tokens.text };
  }

  return {
    model,
    vocabulary,
    tokenize,

    /** @param {RunOptions} options @returns {Promise<Generated>} */
    async generate({ prompt = story, ids, settings = { greedy: true }, seed = 42, ...rest }) {
      const { maxNewTokens = 16, stop, ignoreEos = true, eosId, cache, kernel } = rest;
      const limits = { maxNewTokens, stop: stop ?? [], ignoreEos, ...(eosId === undefined ? {} : { eosId }) };
      const { result } = await calls.ask(
        workerId,
        {
          method: "generate",
          prompt: ids ? { ids } : { text: prompt },
          settings,
          seed,
          limits,
          ...(cache === undefined ? {} : { cache }),
          ...(kernel === undefined ? {} : { kernel }),
        },
        { signal },
      );
      // A run that was stopped, or that found no room, is none of this length.
      signal.throwIfAborted();
      if (result.stopReason === "contextFull") {
        throw new Fault("context", words.engine.noRoom(maxNewTokens));
      }
      return result;
    },

    /** @param {number[]} ids @param {{ positions?: Positions, cache?: boolean, kernel?: string, promptLength?: number }} [options] */
    async logits(ids, options = {}) {
      return (await calls.ask(workerId, { method: "logits", ids, ...options }, { signal })).logits;
    },

    /** @param {ArrayLike<number>} logits @param {Settings} settings @param {{ uniform?: number, seed?: number,
     *   history?: number[], promptLength?: number }} [options] */
    async step(logits, settings, options = { uniform: 0 }) {
      const call = { method: /** @type {const} */ ("sampleStep"), logits: Array.from(logits), settings, ...options };
      return (await calls.ask(workerId, call, { signal })).step;
    },

    /** Texts of several seeds. @param {{ settings: Settings, seed?: number, count: number, maxNewTokens?: number }} options */
    async samples({ settings, seed = 1, count, maxNewTokens = 16 }) {
      const limits = { maxNewTokens, stop: [], ignoreEos: true };
      const prompt = { text: story };
      return calls.ask(workerId, { method: "samples", prompt, settings, seed, count, limits }, { signal });
    },

    /** The text of ids, and what each is called. @param {number[]} ids */
    async detokenize(ids) {
      const { text, tokens } = await calls.ask(workerId, { method: "detokenize", ids }, { signal });
      return { text, pieces: tokens.text };
    },
  };
}

/** Of one row of scores. @param {ArrayLike<number>} row */
export function argmax(row) {
  let best = 0;
  for (let n = 1; n < row.length; n++) if (row[n] > row[best]) best = n;
  return best;
}

/** The row of a position. @param {Float32Array} logits @param {number} position @param {number} vocabulary */
export const rowOf = (logits, position, vocabulary) => logits.subarray(position * vocabulary, (position + 1) * vocabulary);

/** @param {Float32Array} one @param {Float32Array} other */
export function largestDifference(one, other) {
  let largest = 0;
  for (let n = 0; n < one.length; n++) largest = Math.max(largest, Math.abs(one[n] - other[n]));
  return largest;
}

/** Where two lists part, counted from 1; null where they do not. @param {ArrayLike<number>} one @param {ArrayLike<number>} other */
export function firstDifference(one, other) {
  for (let n = 0; n < Math.max(one.length, other.length); n++) if (one[n] !== other[n]) return n + 1;
  return null;
}

/** The perplexity of what follows the prompt, by these scores of all positions.
 * @param {number[]} ids @param {number} promptLength @param {Float32Array} logits @param {number} vocabulary
 */
export function perplexity(ids, promptLength, logits, vocabulary) {
  let surprise = 0;
  for (let at = promptLength; at < ids.length; at++) {
    const row = rowOf(logits, at - 1, vocabulary);
    const top = row[argmax(row)];
    let sum = 0;
    for (const logit of row) sum += Math.exp(logit - top);
    surprise += Math.log(sum) + top - row[ids[at]];
  }
  return Math.exp(surprise / Math.max(1, ids.length - promptLength));
}
