/** Which model is loaded, from where, and what happens when one is chosen, given up or lost. */

import { engineChoices } from "./engine-choices.js";
import { pageErrorOf } from "./fault.js";
import { entrySource, findEntry, folderSource } from "./models/catalogue.js";
import { entryOfFiles } from "./models/own-files.js";
import { words as errors } from "./words/errors.js";
import { words } from "./words/models.js";
import { words as spoken } from "./words/spoken.js";

/** @import { CatalogueEntry, EngineClient, LoadOptions, ModelSource, PageError } from "./messages.js" */
/** @import { Load, PageEvent, Problem, State } from "./page-types.js" */

const crashWindowMs = 10_000;

/** @typedef {Omit<ReturnType<typeof createModelChoice>, "open" | "onCrash" | "onLoadFailed">} ModelActions */

/**
 * @param {{ getState: () => State, dispatch: (event: PageEvent) => void, client: EngineClient, pageUrl: URL }} deps
 */
export function createModelChoice({ getState, dispatch, client, pageUrl }) {
  /** @type {number[]} */
  let crashTimes = [];
  /** The load of the newest engine choice. @type {number | null} */
  let choosing = null;

  /** @param {ModelSource} source @param {Load["activate"]} activate @param {LoadOptions} [options] */
  function load(source, activate, options = getState().options) {
    const workerId = client.start(source, options);
    const entry = source.kind === "folder" ? null : (source.entry ?? null);
    const title = entry?.title ?? words.ownTitle;
    dispatch({ type: "loadStarted", workerId, entryId: entry?.id ?? null, title, source, options, activate });
    return workerId;
  }

  /** The model in use once more: from the copy that the browser has kept, where it has one. */
  function sourceAgain() {
    const { source, model } = getState();
    const kept = source?.kind === "catalogue" && source.from === "hub" && model?.kept;
    return kept ? { ...source, from: /** @type {const} */ ("store") } : source;
  }

  /** Where a worker beside the page's finds a model of the catalogue, or with null the page's own; null if nowhere.
   * @param {string | null} id @returns {Promise<ModelSource | null>}
   */
  async function sourceFor(id) {
    const { catalogue, model } = getState();
    if (id === null || id === model?.id) return sourceAgain();
    const entry = catalogue?.models.find((candidate) => candidate.id === id);
    const from = entry ? await locate(entry) : null;
    return catalogue && entry && from ? entrySource(catalogue, entry, from, pageUrl) : null;
  }

  /** @param {CatalogueEntry} entry @param {"host" | "store" | "hub"} from @param {Load["activate"]} activate */
  function loadEntry(entry, from, activate) {
    const { catalogue } = getState();
    if (catalogue) load(entrySource(catalogue, entry, from, pageUrl), activate);
  }

  /** @param {CatalogueEntry} entry */
  async function locate(entry) {
    const origin = await findEntry(entry, pageUrl);
    dispatch({ type: "originFound", id: entry.id, origin });
    return origin;
  }

  /** @param {CatalogueEntry} entry @param {PageError["code"]} code @param {string} message */
  function refuse(entry, code, message) {
    const error = { code, message, details: { subject: entry.id } };
    dispatch({ type: "problemFound", error, retry: null });
  }

  /** The student's own choice. What is there in a moment is used at once; what takes long is offered.
   * @param {CatalogueEntry} entry
   */
  async function choose(entry) {
    const origin = await locate(entry);
    if (origin === null) refuse(entry, "unreachable", errors.messages.notFound(entry.title));
    else loadEntry(entry, origin, entry.bundled || origin === "store" ? "always" : "untouched");
    if (!entry.bundled) void askToPersist();
  }

  /** What the page loads by itself when it opens. @param {CatalogueEntry[]} entries */
  async function open(entries) {
    const only = getState().only;
    if (only !== null) {
      const entry = entries.find(({ id }) => id === only);
      if (entry) {
        const origin = entry.bundled ? "host" : await locate(entry);
        if (origin === null) refuse(entry, "unreachable", errors.messages.notFound(entry.title));
        else loadEntry(entry, origin, "always");
        return;
      }
      if (/[/.]/.test(only)) {
        load(folderSource(only, pageUrl), "always");
        return;
      }
      const message = errors.messages.noSuchModel(only);
      dispatch({ type: "problemFound", error: { code: "unknownModel", message, details: {} }, retry: null });
    }
    for (const entry of entries.filter(({ bundled }) => bundled)) loadEntry(entry, "host", "always");
  }

  /** Loads beside the bundled model what costs no network beyond the page's own host. */
  async function openOthers() {
    const { catalogue, only } = getState();
    if (catalogue === null || only !== null) return;
    const connection = /** @type {{ saveData?: boolean } | undefined} */ (
      Reflect.get(navigator, "connection")
    );
    for (const entry of catalogue.models.filter(({ bundled }) => !bundled)) {
      const origin = await locate(entry);
      const cheap = origin === "store" || (origin === "host" && !connection?.saveData);
      if (cheap && origin) loadEntry(entry, origin, "untouched");
    }
  }

  /**
   * Replaces the worker that was in use. Twice within ten seconds is a loop, and the student decides.
   * @param {PageError} error
   * @param {number} nowMs
   */
  function onCrash(error, nowMs) {
    const source = sourceAgain();
    if (!source) return;
    crashTimes = [...crashTimes.filter((time) => nowMs - time < crashWindowMs), nowMs];
    const loop = crashTimes.length >= 2;
    dispatch({ type: "problemFound", error, retry: loop ? source : null });
    if (!loop) load(source, "always");
  }

  /**
   * A link can name an engine that does not exist, and the page would be left without a model: it loads the usual one.
   * @param {Load | undefined} failed
   * @param {PageError} error
   */
  function onLoadFailed(failed, error) {
    const refused = error.code === "settings" && getState().activeWorkerId === null;
    if (failed && refused && Object.keys(failed.options).length > 0) load(failed.source, failed.activate, {});
  }

  /** @param {number} workerId @param {boolean} [silently] for another load in its place */
  function giveUpLoad(workerId, silently = false) {
    client.terminate(workerId);
    const load = getState().loads.find((candidate) => candidate.workerId === workerId);
    if (load && !silently) dispatch({ type: "announced", text: spoken.loadGivenUp(load.title) });
    dispatch({ type: "loadGivenUp", workerId });
  }

  /** The model in use with another engine: a switch like any other, and until it is ready the present one stays.
   * @param {LoadOptions} change
   */
  function chooseEngine(change) {
    const { loads, options } = getState();
    const coming = loads.find(({ workerId }) => workerId === choosing)?.options;
    loadAgain({ ...options, ...coming, ...change });
  }

  /** A link was opened in a page that runs: its engine is loaded if it is not the one before.
   * @param {LoadOptions} before
   * @returns {boolean} whether the model is loaded again
   */
  function chooseLinkedEngine(before) {
    const { options } = getState();
    const same = engineChoices.every(
      ({ name, values: [usual] }) => (options[name] ?? usual.value) === (before[name] ?? usual.value),
    );
    return !same && loadAgain(options);
  }

  /** @param {LoadOptions} options */
  function loadAgain(options) {
    const source = sourceAgain();
    const { loads, model } = getState();
    if (!source || !model) return false;
    const before = loads.find(({ workerId }) => workerId === choosing);
    if (before) giveUpLoad(before.workerId, true);
    choosing = load(source, "always", options);
    dispatch({ type: "announced", text: words.loadingAgain(model.title) });
    return true;
  }

  return {
    choose,
    locate,
    sourceFor,
    open,
    openOthers,
    onCrash,
    onLoadFailed,
    giveUpLoad,
    chooseEngine,
    chooseLinkedEngine,

    /** Files that the student chose or dropped. @param {File[]} files */
    loadFiles(files) {
      if (files.length === 0) return;
      const entry = entryOfFiles(files, getState().catalogue) ?? undefined;
      load({ kind: "files", files, entry }, "always");
    },

    /** A folder by its address. @param {string} address */
    loadFolder(address) {
      try {
        load(folderSource(address.trim(), pageUrl), "always");
      } catch (error) {
        const known = pageErrorOf(error);
        if (known === null) throw error;
        dispatch({ type: "problemFound", error: known, retry: null });
      }
    },

    /** A model that failed its self-test. @param {Problem} problem */
    useAnyway({ id, workerId }) {
      dispatch({ type: "problemDismissed", id });
      if (workerId !== null) dispatch({ type: "modelActivated", workerId });
    },

    /** @param {number} workerId */
    switchTo: (workerId) => dispatch({ type: "modelActivated", workerId }),

    /** @param {Problem} problem */
    retry({ id, retry, options }) {
      crashTimes = [];
      dispatch({ type: "problemDismissed", id });
      if (retry) load(retry, getState().activeWorkerId === null ? "always" : "untouched", options);
    },
  };
}

/** What a student fetched is not to be cleared when the disk fills. Some browsers ask the student; nothing waits for it. */
async function askToPersist() {
  try {
    await navigator.storage?.persist?.();
  } catch {
    // It is kept as long as the browser likes.
  }
}
