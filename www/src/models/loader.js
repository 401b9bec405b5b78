/**
 * Loads a model in its worker: from its source through digests into the engine and the browser's copy. Weights pass by
 * in chunks and are never whole in this worker's memory; the small files come first, and with them the tokenizer, so
 * that what reading it needs for a moment is free again for the weights.
 */
/** @import { CatalogueEntry, EngineHandle, LoadedFile, LoadedModel, LoadOptions } from "../messages.js" */
/** @import { ModelSource, Origin } from "../messages.js" */
/** @import { IntakeContext } from "./intake.js" */
/** @import { ProgressReport } from "./progress.js" */
/** @import { Clock } from "./retry.js" */
/** @import { Sha256Class } from "./verify.js" */
import { Fault } from "../fault.js";
import { fetchOrigin } from "./catalogue.js";
import { StoreCopy } from "./copy.js";
import { readChunks, StartOver } from "./download.js";
import { CONFIG, isWeights, smallFirst, TOKENIZER } from "./file-names.js";
import { EngineIntake } from "./intake.js";
import { Progress } from "./progress.js";
import { realClock, Retries } from "./retry.js";
import { fetchEntry, fetchFolder, readFiles } from "./sources.js";
import { ModelStore } from "./store.js";

/** Each of them takes the whole download again. */
const MAX_STARTS_OVER = 2;

/**
 * @typedef {object} LoadContext
 * @property {EngineHandle} engine
 * @property {Sha256Class} Sha256
 * @property {AbortSignal} signal
 * @property {(report: ProgressReport) => void} report
 * @property {() => Promise<void>} pause lets waiting messages in
 * @property {typeof fetch} [fetch]
 * @property {ModelStore} [store]
 * @property {() => number} [nowMs]
 * @property {Clock} [clock]
 */
/**
 * @typedef {object} Obtained
 * @property {Origin} origin
 * @property {EngineIntake} intake
 * @property {number} startMs
 * @property {CatalogueEntry} [disowned] the one that the files have the names and lengths of, and nothing else
 */
/**
 * @typedef {object} Load
 * @property {ModelSource} source
 * @property {LoadOptions} options
 * @property {LoadContext & IntakeContext & { retries: Retries, cache?: RequestCache }} context
 * @property {ModelStore} store
 * @property {Progress} progress
 */

/**
 * @param {ModelSource} source
 * @param {LoadOptions} options
 * @param {LoadContext} context
 * @returns {Promise<LoadedModel>}
 */
export async function loadModel(source, options, context) {
  const nowMs = context.nowMs ?? (() => performance.now());
  const { clock = realClock } = context;
  const progress = new Progress(context.report, nowMs);
  const store = context.store ?? new ModelStore();
  const retries = new Retries((leftMs) => progress.waiting(leftMs), clock);
  /** @type {Load} */
  const load = { source, options, context: { ...context, nowMs, retries }, store, progress };
  const obtained = (await obtainKept(load)) ?? (await obtain(load).catch((error) => obtainAsOwn(load, error)));
  const { origin, intake, startMs, disowned } = obtained;
  const { files } = intake;
  // Between the two lies the reading of the tokenizer, which counts as loading.
  const downloadMs = nowMs() - startMs - intake.digestMs - intake.loadMs;
  return abandoning(intake, async () => {
    const kept = origin === "store" || ((await intake.copy?.publish(intake.small, files, clock.dateMs())) ?? false);
    context.signal.throwIfAborted();
    progress.at("starting", "");
    await context.pause();
    const card = intake.finish();
    const testedAtMs = nowMs();
    const tested = selfTest(intake);
    return {
      ...description(disowned ? { kind: "files", files: [] } : source),
      origin,
      files,
      warnings: [
        ...files.filter((file) => file.check === "different").map(warning),
        ...(disowned ? [disownedWarning(disowned)] : []),
      ],
      kept,
      notKept: intake.copy?.trouble ?? null,
      hasTokenizer: card.tokenizerEntries !== null,
      card,
      selfTest: tested,
      timingsMs: {
        download: downloadMs,
        digest: intake.digestMs,
        load: intake.loadMs,
        selfTest: tested && nowMs() - testedAtMs,
      },
    };
  });
}

/**
 * The browser's own copy, verified again: a disk can lose bits. A bad copy is dropped, and null sends us to the source.
 *
 * @param {Load} load
 * @returns {Promise<Obtained | null>}
 */
async function obtainKept({ source, options, context, store, progress }) {
  if (source.kind !== "catalogue" || source.from !== "store") return null;
  const { entry } = source;
  const startMs = context.nowMs();
  progress.begin("store", null);
  const kept = await store.open(entry.id, entry);
  if (kept === null) return null;
  progress.totalBytes = kept.reduce((total, file) => total + file.bytes, 0);
  const fileOf = (/** @type {string} */ name) => kept.find((file) => file.name === name);
  const intake = new EngineIntake(context, options, entry, (name) => fileOf(name)?.sha256, null);
  const damaged = new Fault("wrongDigest", "The browser's copy could not be read.");
  try {
    for (const name of smallFirst(kept.map((file) => file.name))) {
      const response = fileOf(name)?.response;
      progress.at("checking", name);
      if (isWeights(name)) {
        await intake.beginFile(name, null);
        await readChunks(
          response?.body ?? null,
          () => damaged,
          async (chunk) => {
            await intake.push(chunk);
            progress.add(chunk.length);
          },
        );
        await intake.finishFile();
      } else {
        const bytes = await response?.arrayBuffer().catch(() => Promise.reject(damaged));
        await intake.takeWhole(name, new Uint8Array(bytes ?? new ArrayBuffer(0)));
        progress.add(bytes?.byteLength ?? 0);
      }
    }
    return { origin: "store", intake, startMs };
  } catch (error) {
    await intake.abandon();
    if (!(error instanceof Fault && error.code === "wrongDigest")) throw error;
    await store.drop(entry.id);
    return null;
  }
}

/**
 * From the source. What came damaged is fetched again by itself, once, past every cache; what broke off and cannot be
 * taken up where it broke begins again, a few times.
 *
 * @param {Load} load
 * @returns {Promise<Obtained>}
 */
async function obtain(load) {
  const startMs = load.context.nowMs();
  const { context } = load;
  let damaged = 0;
  let brokenOff = 0;
  for (;;) {
    try {
      const cache = damaged > 0 ? { cache: /** @type {const} */ ("reload") } : {};
      return { ...(await obtainOnce({ ...load, context: { ...context, ...cache } })), startMs };
    } catch (error) {
      if (error instanceof StartOver) {
        if (++brokenOff > MAX_STARTS_OVER) throw error.cause;
      } else if (load.source.kind === "files" || !isDamage(error) || ++damaged > 1) throw error;
      context.signal.throwIfAborted();
    }
  }
}

/** @param {unknown} error */
function isDamage(error) {
  return error instanceof Fault && (error.code === "wrongDigest" || error.code === "wrongBody");
}

/**
 * @param {Load} load
 * @returns {Promise<Omit<Obtained, "startMs">>}
 */
async function obtainOnce({ source, options, context, store, progress }) {
  const entry = source.kind === "folder" ? null : (source.entry ?? null);
  const mustBe = (/** @type {string} */ name) => (isWeights(name) ? entry?.files[name]?.sha256 : undefined);
  // What ships with the page is at hand wherever the page is.
  const copy = entry === null || entry.bundled ? null : new StoreCopy(store, entry);
  const intake = new EngineIntake(context, options, entry, mustBe, copy);
  return abandoning(intake, async () => {
    if (source.kind === "catalogue") {
      const origin = source.from === "store" ? fetchOrigin(source.entry) : source.from;
      await fetchEntry(source.entry, source.base, origin, context, progress, intake);
      return { origin, intake };
    }
    if (source.kind === "folder") {
      await fetchFolder(source.base, context, progress, intake);
      return { origin: "folder", intake };
    }
    await readFiles(source.files, context, progress, intake);
    return { origin: "files", intake };
  });
}

/**
 * Chosen files that looked like a catalogue's and are others: a model of the student's own.
 *
 * @param {Load} load
 * @param {unknown} error
 * @returns {Promise<Obtained>}
 */
async function obtainAsOwn(load, error) {
  const { source } = load;
  const isOther = source.kind === "files" && error instanceof Fault && error.code === "wrongDigest";
  if (!isOther || source.entry === undefined) throw error;
  const own = await obtain({ ...load, source: { kind: "files", files: source.files } });
  return { ...own, disowned: source.entry };
}

/**
 * A prompt with known logits, where they are known of these weights and this configuration.
 *
 * @param {EngineIntake} intake
 */
function selfTest({ entry, files, context }) {
  const reference = entry?.selfTest;
  const isOf = files.some(({ sha256 }) => sha256 === reference?.weights);
  const isConfigured = files.some(({ name, check }) => name === CONFIG && check === "equal");
  return reference && isOf && isConfigured ? context.engine.selfTest(reference) : null;
}

/**
 * @template T
 * @param {EngineIntake} intake abandoned if the work fails
 * @param {() => Promise<T>} work
 */
async function abandoning(intake, work) {
  try {
    return await work();
  } catch (error) {
    await intake.abandon();
    throw error;
  }
}

/** @param {LoadedFile} file */
function warning({ name }) {
  return name === TOKENIZER
    ? `${name} differs from the catalogue's: the same text may become other tokens than it should.`
    : `${name} differs from the catalogue's: the model may not be what its name says.`;
}

/** @param {CatalogueEntry} entry */
function disownedWarning({ title }) {
  return `These files have the names and lengths of ${title}'s, but their SHA-256 differs: they are another model.`;
}

/**
 * @param {ModelSource} source
 * @returns {Pick<LoadedModel, "id" | "title" | "base" | "revision" | "licence">}
 */
function description(source) {
  if (source.kind !== "folder" && source.entry) {
    const { id, title, licence, hub } = source.entry;
    const base = source.kind === "catalogue" ? source.base : null;
    return { id, title, base, revision: hub?.revision ?? null, licence };
  }
  if (source.kind === "files")
    return { id: null, title: "Files of this device", base: null, revision: null, licence: null };
  const folder = decodeURIComponent(new URL(source.base).pathname).split("/").filter(Boolean).at(-1);
  return { id: null, title: folder ?? new URL(source.base).host, base: source.base, revision: null, licence: null };
}
