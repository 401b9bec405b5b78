/** Wiring only: store, engine client, actions and views are made here and know nothing of each other. */

import { createActions } from "./actions.js";
import { measureClockStep } from "./clock.js";
import { createEngineClient } from "./engine-client.js";
import { pageErrorOf } from "./fault.js";
import { createLabs } from "./labs.js";
import { createModelChoice } from "./model-choice.js";
import { loadCatalogue } from "./models/catalogue.js";
import { filesOfDrop } from "./models/own-files.js";
import { holdDeployment, keepOffline, pageFolder } from "./offline.js";
import { createPacer } from "./pace.js";
import { keepOpen } from "./panel-keeping.js";
import { createSavedModels } from "./saved-models.js";
import { installScripting } from "./scripting.js";
import { initialState, update } from "./state.js";
import { createSpeaking } from "./speaking.js";
import { createStore } from "./store.js";
import { fromFragment, toAddress } from "./url-state.js";
import { mountViews } from "./views/mount.js";
import { keepSlidersFromScrolling } from "./views/slider-touch.js";
import { undoMove } from "./views/undo-keys.js";
import { language } from "./words/language.js";

holdDeployment();
// Some hosts serve a folder's page without the slash at the end of its address; beyond that slash all is kept offline.
if (`${location.pathname}/` === pageFolder.pathname)
  history.replaceState(null, "", pageFolder.pathname + location.search + location.hash);

const pageUrl = new URL(location.search, pageFolder);
const addressPauseMs = 500;
/** After the first model, so that its first tokens have the machine and the network to themselves. */
const settlingMs = 1000;

const { getState, dispatch, eachFrame, eachChange } = createStore(initialState, update);
const client = createEngineClient();
const models = createModelChoice({ getState, dispatch, client, pageUrl });
const saved = createSavedModels({ getState, dispatch, locate: models.locate });
const actions = createActions({ getState, dispatch, client, models, saved });
const pace = createPacer({ dispatch, advance: actions.advance });
createSpeaking({ eachChange, dispatch });

client.listen((message) => {
  const { workerId, event } = message;
  const before = getState();
  const wasActive = workerId === before.activeWorkerId;
  dispatch(message);
  if (event.type === "loadFailed") {
    client.terminate(workerId);
    models.onLoadFailed(
      before.loads.find((load) => load.workerId === workerId),
      event.error,
    );
  }
  if (event.type === "loaded") void saved.refreshSaved();
  if (event.type === "crashed" && wasActive) models.onCrash(event.error, performance.now());
});

eachChange((state, before) => {
  if (state.activeWorkerId !== before.activeWorkerId && state.activeWorkerId !== null) {
    client.activate(state.activeWorkerId);
    if (before.model === null) {
      void saved.sweepSaved();
      void models.openOthers();
      setTimeout(settle, settlingMs);
    }
    // Not inside the change itself: preparing is a change of its own.
    queueMicrotask(actions.prepare);
  }
  // Before the prompt is prepared: a new worker does not know it yet.
  if (state.activeWorkerId !== null && (state.activeWorkerId !== before.activeWorkerId || state.uncached !== before.uncached))
    client.send({ type: "useCache", cache: !state.uncached });
  if (state.run !== before.run || state.slowStep !== before.slowStep || state.pace !== before.pace)
    pace(state);
  actions.followBars(state, before);
  const kept = /** @type {const} */ (["prompt", "controls", "model", "linkPanel", "abLink", "uncached", "sheet"]);
  if (kept.some((name) => state[name] !== before[name])) keepAddress();
});

/** What can wait until the page works. */
function settle() {
  dispatch({ type: "clockMeasured", stepMs: measureClockStep(), isolated: crossOriginIsolated });
  void keepOffline(dispatch);
  // What an earlier visit wrote, for the panels that show or export it.
  void import("./notebook-keeping.js").then(({ keepNotebook }) => keepNotebook({ getState, dispatch, eachChange }));
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let addressTimer;

/** The address follows what the student does, once it rests: browsers limit how often it may change. */
function keepAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(async () => {
    const state = getState();
    if (!state.touched) return;
    const address = await toAddress(state, location.href);
    if (getState().controls === state.controls && getState().prompt === state.prompt)
      history.replaceState(null, "", address);
  }, addressPauseMs);
}

async function openLink() {
  if (location.hash.length > 1) dispatch({ type: "linkOpened", ...(await fromFragment(location.hash)) });
}

addEventListener("hashchange", async () => {
  const { options } = getState();
  await openLink();
  // Another engine means loading the model again, which prepares the prompt when it is there.
  if (!models.chooseLinkedEngine(options)) actions.prepare();
});

// A model that arrives later must not replace the one that somebody has begun to use. (Loading a model, in the header or
// among the problems, is not use.)
for (const id of ["lab", "labs", "sheets"]) {
  for (const type of /** @type {const} */ (["pointerdown", "keydown"])) {
    document.getElementById(id)?.addEventListener(type, () => dispatch({ type: "touched" }), { once: true });
  }
}

// Files may be dropped anywhere; without this the browser would leave the page and show them.
document.addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", async (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  actions.loadFiles(await filesOfDrop(event.dataTransfer));
});

document.addEventListener("keydown", (event) => {
  const move = undoMove(event);
  if (move === null) return;
  event.preventDefault();
  actions[move]();
});

document.addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyB") return;
  event.preventDefault();
  actions.readTopFive();
});

// Only the offer of the faster engine hangs on it: a page that cannot find out does without.
import("../vendor/wasm-feature-detect.js")
  .then(({ relaxedSimd }) => relaxedSimd())
  .then((has) => dispatch({ type: "browserProbed", relaxedSimd: has }))
  .catch(() => {});

if (language !== "en") (await import("./static-words.js")).translatePage();
await openLink();
const unfolded = keepOpen({ getState, dispatch, eachChange }, (listener) => {
  const open = () => [...document.querySelectorAll(":is(#lab,#foot) details[open][id]")].map(({ id }) => id);
  // This event stays with its element; it can only be caught on its way down.
  document.addEventListener("toggle", ({ target }) => target instanceof HTMLDetailsElement && listener(open()), { capture: true });
});
const labs = createLabs({ getState, dispatch, eachChange, eachFrame, client, actions });
mountViews({ eachFrame, getState, actions, labs });
keepSlidersFromScrolling();
for (const id of unfolded) document.getElementById(id)?.toggleAttribute("open", true);

const loading = loadCatalogue(pageUrl);
installScripting({ client, dispatch, getState, eachChange, pageUrl, catalogue: loading });
try {
  const catalogue = await loading;
  dispatch({ type: "catalogueLoaded", catalogue, only: pageUrl.searchParams.get("model") });
  await models.open(catalogue.models);
} catch (error) {
  const known = pageErrorOf(error);
  if (known === null) throw error;
  dispatch({ type: "problemFound", error: known, retry: null });
}
