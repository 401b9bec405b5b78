/** What the browser keeps of models: looked at, verified in a worker, and deleted when the student says so. */
import { ModelStore } from "./models/store.js";
import { words } from "./words/spoken.js";

/** @import { CatalogueEntry } from "./messages.js" */
/** @import { CopyCheck, PageEvent, State } from "./page-types.js" */

/** @typedef {ReturnType<typeof createSavedModels>} SavedActions */

/**
 * @param {{
 *   getState: () => State,
 *   dispatch: (event: PageEvent) => void,
 *   locate: (entry: CatalogueEntry) => Promise<unknown>,
 * }} deps
 */
export function createSavedModels({ getState, dispatch, locate }) {
  const store = new ModelStore();

  async function refreshSaved() {
    const models = await store.list();
    const { trouble } = store;
    const before = getState().saved;
    // What was found out about a copy says nothing of a newer one.
    const same = models.filter(({ id, savedMs }) =>
      before.models?.some((record) => record.id === id && record.savedMs === savedMs),
    );
    const checks = Object.fromEntries(same.flatMap(({ id }) => (before.checks[id] ? [[id, before.checks[id]]] : [])));
    const [estimate, persisted] = await Promise.all([
      navigator.storage?.estimate?.().catch(() => null),
      navigator.storage?.persisted?.().catch(() => null),
    ]);
    const [usageBytes, quotaBytes] = [estimate?.usage ?? null, estimate?.quota ?? null];
    const figures = { usageBytes, quotaBytes, persisted: persisted ?? null };
    dispatch({ type: "savedChanged", change: { models, trouble, checks, ...figures } });
  }

  return {
    refreshSaved,

    /** What a closed tab has left half-written. */
    sweepSaved: () => store.sweep(),

    /** Streams the copy through a digest in a worker of its own. @param {string} id @param {string} title */
    async verifySaved(id, title) {
      const say = (/** @type {CopyCheck} */ check) => dispatch({ type: "copyChecked", id, check });
      say({ state: "checking", share: 0 });
      const check = await verifyInWorker(id, say);
      say(check);
      if (check.state !== "checking") dispatch({ type: "announced", text: words.copies[check.state](title) });
    },

    /** @param {string | null} id */
    askToDelete: (id) => dispatch({ type: "savedChanged", change: { confirming: id } }),

    /** @param {string} id @param {string} title */
    async deleteSaved(id, title) {
      await store.drop(id);
      await refreshSaved();
      dispatch({ type: "savedChanged", change: { confirming: null } });
      const entry = getState().catalogue?.models.find((candidate) => candidate.id === id);
      if (entry && !entry.bundled) void locate(entry);
      dispatch({ type: "announced", text: words.copies.deleted(title) });
    },
  };
}

/**
 * @param {string} id
 * @param {(check: CopyCheck) => void} report
 * @returns {Promise<CopyCheck>}
 */
function verifyInWorker(id, report) {
  const worker = new Worker(new URL("./models/verify-worker.js", import.meta.url), { type: "module" });
  return new Promise((/** @type {(check: CopyCheck) => void} */ resolve) => {
    worker.addEventListener("message", ({ data }) => (data.state === "checking" ? report(data) : resolve(data)));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      resolve({ state: "failed" });
    });
    worker.postMessage(id);
  }).finally(() => worker.terminate());
}
