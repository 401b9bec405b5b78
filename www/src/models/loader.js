/** Loads a model in its worker: bytes from their source, digests, the browser's copy, the engine; in this order. */
/** @import { CatalogueEntry, EngineHandle, LoadOptions, ModelSource, Origin } from "../messages.js" */
/** @import { LoadedFile, LoadedModel } from "../messages.js" */
/** @import { ModelFile } from "./sources.js" */
/** @import { ProgressReport } from "./progress.js" */
/** @import { Sha256Class } from "./verify.js" */
import { Fault } from "../fault.js";
import { fetchOrigin } from "./catalogue.js";
import { Progress } from "./progress.js";
import { CONFIG, fetchEntry, fetchFolder, INDEX, isWeights, readFiles, TOKENIZER } from "./sources.js";
import { ModelStore } from "./store.js";
import { sha256Of } from "./verify.js";

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
 */
/** @typedef {ModelFile & { sha256: string }} DigestedFile */
/** @typedef {{ origin: Origin, files: DigestedFile[], downloadMs: number, digestMs: number }} Obtained */

/**
 * @param {ModelSource} source
 * @param {LoadOptions} options
 * @param {LoadContext} context
 * @returns {Promise<LoadedModel>}
 */
export async function loadModel(source, options, context) {
  const nowMs = context.nowMs ?? (() => performance.now());
  const store = context.store ?? new ModelStore();
  const progress = new Progress(context.report, nowMs);
  const entry = source.kind === "catalogue" ? source.entry : null;

  const obtained =
    (await obtainKept(source, store, context, progress, nowMs)) ?? (await obtain(source, context, progress, nowMs));
  const { origin, files } = obtained;
  const checked = files.map((file) => check(file, entry));
  if (entry) refuseOtherWeights(entry, checked);
  const kept = origin === "store" || (entry !== null && (await store.keep(entry, files)));

  context.signal.throwIfAborted();
  progress.at("starting", "");
  await context.pause();
  const startMs = nowMs();
  const bytesOf = (/** @type {string} */ name) => files.find((file) => file.name === name)?.bytes;
  const config = bytesOf(CONFIG);
  if (config === undefined) throw new Fault("config", `The model has no ${CONFIG}.`, { subject: CONFIG });
  const weights = files.filter((file) => isWeights(file.name)).map(({ name, bytes }) => ({ name, bytes }));
  const card = context.engine.load(config, bytesOf(TOKENIZER), weights, bytesOf(INDEX), options);
  return {
    ...description(source),
    origin,
    files: checked,
    warnings: checked.filter((file) => file.check === "different").map(warning),
    kept,
    hasTokenizer: card.tokenizerEntries !== null,
    card,
    timingsMs: { download: obtained.downloadMs, digest: obtained.digestMs, load: nowMs() - startMs },
  };
}

/**
 * The browser's own copy, verified again: a disk can lose bits. A bad copy is dropped, and null sends us to the source.
 *
 * @param {ModelSource} source
 * @param {ModelStore} store
 * @param {LoadContext} context
 * @param {Progress} progress
 * @param {() => number} nowMs
 * @returns {Promise<Obtained | null>}
 */
async function obtainKept(source, store, context, progress, nowMs) {
  if (source.kind !== "catalogue" || source.from !== "store") return null;
  progress.begin("store", null);
  const startMs = nowMs();
  const kept = await store.read(source.entry);
  if (kept === null) return null;
  progress.totalBytes = kept.reduce((total, file) => total + file.bytes.length, 0);
  progress.add(progress.totalBytes);
  const readMs = nowMs();
  const files = await digest(kept, context, progress);
  if (files.every((file, n) => file.sha256 === kept[n].sha256)) {
    return { origin: "store", files, downloadMs: readMs - startMs, digestMs: nowMs() - readMs };
  }
  await store.drop(source.entry);
  return null;
}

/**
 * @param {ModelSource} source
 * @param {LoadContext} context
 * @param {Progress} progress
 * @param {() => number} nowMs
 * @returns {Promise<Obtained>}
 */
async function obtain(source, context, progress, nowMs) {
  const startMs = nowMs();
  let found;
  if (source.kind === "catalogue") {
    const origin = source.from === "store" ? fetchOrigin(source.entry) : source.from;
    found = { origin, files: await fetchEntry(source.entry, source.base, origin, context, progress) };
  } else if (source.kind === "folder") {
    found = { origin: /** @type {const} */ ("folder"), files: await fetchFolder(source.base, context, progress) };
  } else {
    found = { origin: /** @type {const} */ ("files"), files: await readFiles(source.files, context, progress) };
  }
  const fetchedMs = nowMs();
  const files = await digest(found.files, context, progress);
  return { origin: found.origin, files, downloadMs: fetchedMs - startMs, digestMs: nowMs() - fetchedMs };
}

/**
 * @param {ModelFile[]} files
 * @param {LoadContext} context
 * @param {Progress} progress
 */
async function digest(files, context, progress) {
  /** @type {DigestedFile[]} */
  const digested = [];
  for (const { name, bytes } of files) {
    progress.at("checking", name);
    digested.push({ name, bytes, sha256: await sha256Of(bytes, context) });
  }
  return digested;
}

/**
 * @param {DigestedFile} file
 * @param {CatalogueEntry | null} entry
 * @returns {LoadedFile}
 */
function check({ name, bytes, sha256 }, entry) {
  const wanted = entry?.files[name]?.sha256;
  const result = wanted === undefined ? "unknown" : wanted === sha256 ? "equal" : "different";
  return { name, bytes: bytes.length, sha256, check: result };
}

/**
 * @param {CatalogueEntry} entry
 * @param {LoadedFile[]} files
 */
function refuseOtherWeights(entry, files) {
  const other = files.find((file) => isWeights(file.name) && file.check === "different");
  if (other === undefined) return;
  const message = `The SHA-256 of ${other.name} is not that of ${entry.title} in the catalogue, so it was not used.`;
  const expected = entry.files[other.name].sha256;
  throw new Fault("wrongDigest", message, { subject: other.name, expected, found: other.sha256 });
}

/** @param {LoadedFile} file */
function warning({ name }) {
  return name === TOKENIZER
    ? `${name} differs from the catalogue's: the same text may become other tokens than it should.`
    : `${name} differs from the catalogue's: the model may not be what its name says.`;
}

/**
 * @param {ModelSource} source
 * @returns {Pick<LoadedModel, "id" | "title" | "base" | "revision" | "licence">}
 */
function description(source) {
  if (source.kind === "catalogue") {
    const { id, title, licence, hub } = source.entry;
    return { id, title, base: source.base, revision: hub?.revision ?? null, licence };
  }
  if (source.kind === "files")
    return { id: null, title: "Files of this device", base: null, revision: null, licence: null };
  const folder = decodeURIComponent(new URL(source.base).pathname).split("/").filter(Boolean).at(-1);
  return { id: null, title: folder ?? new URL(source.base).host, base: source.base, revision: null, licence: null };
}
