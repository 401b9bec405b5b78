/** window.logitLab: the console interface that docs/scripting.md describes. */
/** @import { Catalogue, EngineClient, LoadedModel, LoadOptions, ModelSource } from "./messages.js" */
/** @import { PageEvent, State } from "./page-types.js" */
import { createCalls } from "./engine-calls.js";
import { Fault, pageErrorOf } from "./fault.js";
import { entrySource, findEntry, folderSource } from "./models/catalogue.js";
import { entryOfFiles } from "./models/own-files.js";
import { exportReport, repeatRecord } from "./scripting-report.js";

/**
 * @typedef {object} ScriptingParts
 * @property {EngineClient} client
 * @property {(event: PageEvent) => void} dispatch
 * @property {() => Partial<State>} getState
 * @property {(listener: (state: Pick<State, "activeWorkerId">) => void) => void} eachChange
 * @property {URL} pageUrl
 * @property {Catalogue | Promise<Catalogue>} catalogue
 */
/** @typedef {Record<string, any>} Arguments what a script passes; the engine checks the rest */

const DEFAULT_NEW_TOKENS = 64;
const DEFAULT_BEAMS = 4;
const DEFAULT_STEPS = 16;

/** @param {ScriptingParts} parts */
export function installScripting(parts) {
  const api = createScripting(parts);
  Object.assign(globalThis, { logitLab: api });
  return api;
}

/** @param {ScriptingParts} parts */
export function createScripting({ client, dispatch, getState, eachChange, pageUrl, catalogue }) {
  const calls = createCalls(client, getState, eachChange);
  /** @type {Promise<unknown>} */
  let tail = Promise.resolve();

  /**
   * One call at a time, in the order in which they were made. The first one ends any automatic switch of the model.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  function queued(work) {
    dispatch({ type: "touched" });
    const result = tail.then(work).catch((error) => {
      throw asFault(error);
    });
    tail = result.catch(() => {});
    return result;
  }

  return {
    ready: calls.ready,

    /** @param {Arguments} source */
    loadModel: (source) => queued(() => load(source ?? {})),

    /** @param {string} text */
    tokenize: (text) =>
      queued(async () => {
        const { tokens } = await calls.ask({ method: "tokenize", text });
        return { ids: tokens.ids, pieces: tokens.text };
      }),

    /** @param {ArrayLike<number>} ids */
    detokenize: (ids) =>
      queued(async () => {
        const { text, tokens } = await calls.ask({ method: "detokenize", ids: list(ids, "ids") });
        return { text, pieces: tokens.text };
      }),

    /** @param {Arguments} options */
    logits: ({ ids, ...options } = {}) =>
      queued(async () => (await calls.ask({ ...options, method: "logits", ids: list(ids, "ids") })).logits),

    /** @param {Arguments} options */
    sampleStep: ({ logits, history = [], uniform, seed, ...options } = {}) =>
      queued(async () => {
        const word = uniform === undefined && seed === undefined ? { seed: randomSeed() } : { uniform, seed };
        const numbers = { logits: list(logits, "logits"), history: list(history, "history") };
        return (await calls.ask({ ...options, ...word, ...numbers, method: "sampleStep" }, { needsModel: false })).step;
      }),

    /** @param {Arguments} options */
    generate: ({ prompt, ids, seed, maxNewTokens, stop, ignoreEos, eosId, onStep, ...options } = {}) =>
      queued(async () => {
        const limits = {
          maxNewTokens: maxNewTokens ?? DEFAULT_NEW_TOKENS,
          stop: strings(stop),
          ignoreEos: ignoreEos ?? false,
        };
        const call = {
          ...options,
          method: /** @type {const} */ ("generate"),
          prompt: promptOf("generate", prompt, ids),
          seed: seed ?? randomSeed(),
          // Absent and null differ: absent is the model's own end token, null is none.
          limits: eosId === undefined ? limits : { ...limits, eosId },
        };
        return (await calls.ask(call, { onStep })).result;
      }),

    /** @param {Arguments} options */
    beam: ({ prompt, ids, beams = DEFAULT_BEAMS, numReturn = beams, maxNewTokens, ...options } = {}) =>
      queued(async () => {
        const call = {
          ...options,
          method: /** @type {const} */ ("beam"),
          prompt: promptOf("beam", prompt, ids),
          beams,
          numReturn,
          maxNewTokens: maxNewTokens ?? DEFAULT_NEW_TOKENS,
        };
        return (await calls.ask(call)).result;
      }),

    /** @param {Arguments} options */
    batch: ({ requests, seed, maxNewTokens, ...options } = {}) =>
      queued(async () => {
        const first = seed ?? randomSeed();
        const call = { ...options, method: /** @type {const} */ ("batch"), requests: batchRequests(requests, first, maxNewTokens) };
        return (await calls.ask(call)).result;
      }),

    /** @param {Arguments} options */
    score: ({ text, ids, startId, kernel } = {}) =>
      queued(async () => {
        const prompt = promptOf("score", text, ids);
        return (await calls.ask({ method: "score", prompt, startId, kernel })).result;
      }),

    weightsDigest: () => queued(async () => (await calls.ask({ method: "weightsDigest" })).result),

    /** @param {Arguments} options */
    precisionReport: ({ prompt, ids, precisions, ...options } = {}) =>
      queued(async () => {
        const call = { ...options, prompt: promptOf("precisionReport", prompt, ids), precisions };
        return (await calls.ask({ ...call, method: "precisionReport" })).result;
      }),

    /** @param {number} value @param {Arguments} [options] */
    describeNumber: (value, options = {}) =>
      queued(
        async () => (await calls.ask({ ...options, value, method: "describeNumber" }, { needsModel: false })).result,
      ),

    /** @param {Arguments} options */
    quantizeBlock: ({ values, blockSize, format } = {}) =>
      queued(async () => {
        const call = { values: list(values, "values"), blockSize, format };
        return (await calls.ask({ ...call, method: "quantizeBlock" }, { needsModel: false })).result;
      }),

    /** @param {Arguments} options */
    cacheCheck: ({ ids, continuation, steps = DEFAULT_STEPS, first = {}, second = { cache: false }, ...options } = {}) =>
      queued(async () => {
        const read = continuation === undefined ? { greedy: steps } : { ids: list(continuation, "continuation") };
        const call = { ...options, ids: list(ids, "ids"), continuation: read, first, second };
        return (await calls.ask({ ...call, method: "cacheCheck" })).result;
      }),

    memory: () => queued(async () => (await calls.ask({ method: "memoryUse" })).result),

    /** @param {Arguments} options */
    headTime: ({ repeats = 64 } = {}) => queued(async () => (await calls.ask({ method: "headTime", repeats })).ms),

    /** @param {Arguments} options */
    benchmark: ({ prompt, ids, stop, ...options } = {}) =>
      queued(async () => {
        const given = promptOf("benchmark", prompt, ids);
        const cut = async (/** @type {string} */ text) => (await calls.ask({ method: "tokenize", text })).tokens.ids;
        const fixed = given.ids ?? list(await cut(String(given.text)), "ids");
        const { benchmark } = await import("./scripting-benchmark.js");
        return benchmark(calls.ask, fixed, { ...options, stop: strings(stop) });
      }),

    report: () => queued(async () => exportReport(getState())),

    /** @param {unknown} record */
    repeat: (record) => queued(async () => repeatRecord(record, getState(), (call) => calls.ask(call))),
  };

  /** @param {Arguments} wanted */
  async function load({ base, files, model, precision, kvCache, kernel, simd }) {
    const source = await sourceOf({ base, files, model });
    const options = withoutAbsent({ precision, kvCache, kernel, simd });
    const workerId = client.start(source, options);
    const entryId = source.kind === "catalogue" ? source.entry.id : null;
    const title =
      source.kind === "catalogue"
        ? source.entry.title
        : source.kind === "folder"
          ? source.base
          : "Files of this device";
    const loaded = calls.loaded(workerId);
    // The page switches to it when it is ready: there is one place where a switch happens.
    dispatch({ type: "loadStarted", workerId, entryId, title, source, options, activate: "always" });
    return loadReport(await loaded);
  }

  /**
   * @param {Arguments} wanted
   * @returns {Promise<ModelSource>}
   */
  async function sourceOf({ base, files, model }) {
    if (files !== undefined) {
      const chosen = [...files];
      return { kind: "files", files: chosen, entry: entryOfFiles(chosen, getState().catalogue ?? null) ?? undefined };
    }
    if (base !== undefined) return folderSource(String(base), pageUrl);
    const known = await catalogue;
    const entry = known.models.find(({ id }) => id === model);
    if (entry === undefined) {
      const ids = known.models.map(({ id }) => `"${id}"`).join(" or ");
      throw new Fault("unknownModel", `loadModel wants a base, files, or a model of the catalogue: ${ids}.`, {
        found: String(model),
      });
    }
    const from = await findEntry(entry, pageUrl);
    if (from === null)
      throw new Fault("unknownModel", `${entry.title} is neither on this host nor on the hub.`, { subject: entry.id });
    return entrySource(known, entry, from, pageUrl);
  }
}

/** @param {LoadedModel} model */
function loadReport({ card: { report, ...card }, ...model }) {
  return { ...model, ...report, dtype: report.dtypes[0] ?? null, card };
}

/**
 * @param {string} name of the call
 * @param {unknown} prompt
 * @param {unknown} ids
 */
function promptOf(name, prompt, ids) {
  if ((prompt === undefined) === (ids === undefined)) throw argumentFault(`${name} wants either a prompt or ids.`);
  return ids === undefined ? { text: String(prompt) } : { ids: list(ids, "ids") };
}

/**
 * Requests of a batch: a prompt, or an object with what belongs to it. Request n draws with the seed plus n if it names none.
 * @param {unknown} requests
 * @param {number} seed
 * @param {unknown} maxNewTokens for those that name no number
 */
function batchRequests(requests, seed, maxNewTokens) {
  if (!Array.isArray(requests)) throw argumentFault("batch wants requests, a list of prompts or objects.");
  return requests.map((request, index) => {
    const given = typeof request === "string" ? { prompt: request } : (request ?? {});
    return {
      name: String(given.name ?? `request ${index + 1}`),
      prompt: promptOf("a request of batch", given.prompt, given.ids),
      seed: given.seed ?? (seed + index) % 2 ** 32,
      maxNewTokens: given.maxNewTokens ?? maxNewTokens ?? DEFAULT_NEW_TOKENS,
    };
  });
}

/**
 * @param {unknown} values any array or typed array
 * @param {string} name
 * @returns {number[]}
 */
function list(values, name) {
  if (Array.isArray(values)) return values;
  if (ArrayBuffer.isView(values) && !(values instanceof DataView))
    return Array.from(/** @type {Float32Array} */ (values));
  throw argumentFault(`${name} must be an array of numbers.`);
}

/** @param {unknown} stop */
function strings(stop) {
  return stop === undefined ? [] : typeof stop === "string" ? [stop] : [.../** @type {Iterable<string>} */ (stop)];
}

/** @param {string} message */
function argumentFault(message) {
  return new Fault("command", message);
}

/** @param {unknown} error */
function asFault(error) {
  if (error instanceof Fault) return error;
  const known = pageErrorOf(error);
  if (known !== null) return Fault.from(known);
  // A function among the arguments, for one, cannot be sent to the worker.
  return argumentFault(error instanceof Error ? error.message : String(error));
}

function randomSeed() {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  return seed;
}

/**
 * @param {LoadOptions} options
 * @returns {LoadOptions}
 */
function withoutAbsent(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
