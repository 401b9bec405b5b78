/** Rounds of what a long lesson does to one tab, and its memory between them: for soak.mjs and tests/browser/soak.test.mjs. */

/** @import { Browser } from "../../tests/browser/driver.mjs" */

/**
 * @typedef {object} SoakFigures after some rounds, with the rubbish collected
 * @property {number} wasmBytes of the one engine that is left
 * @property {number} heapBytes JavaScript of the page
 * @property {number | null} agentBytes the browser's figure for page and workers together; null if the page is not isolated
 * @property {number} workers that run
 * @property {number} keptWorkers objects of workers that are still reachable, and with them what those workers sent
 * @property {number} keptMessages
 * @property {number} nodes of the document
 */

/** To be evaluated before the page's own code: knows, without holding them, the workers and what they sent. */
export const WATCH_WORKERS = `
  globalThis.watched = { workers: [], messages: [] };
  globalThis.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      watched.workers.push(new WeakRef(this));
      this.addEventListener("message", ({ data }) => watched.messages.push(new WeakRef(data)));
    }
  };
`;

/** Flags with which the browser measures at once and not when it pleases. */
export const SOAK_FLAGS = ["--enable-blink-features=ForceEagerMeasureMemory"];

/** In the page: rounds in one script, for each script that a driver brings takes room of its own in the page's heap. */
const ROUNDS = `
  const { models, tokens } = args[0];
  const until = async (done) => { while (!done()) await new Promise((resolve) => setTimeout(resolve, 20)); };
  const settings = { chain: [{ kind: "topK", value: 40 }] };
  for (const model of models) {
    await logitLab.loadModel({ model });
    const wanted = { prompt: "The old man looked at the", maxNewTokens: tokens, ignoreEos: true, settings, seed: 7 };
    const { newIds } = await logitLab.generate(wanted);
    if (newIds.length !== tokens) throw new Error(model + " made " + newIds.length + " tokens");
    await logitLab.logits({ ids: newIds });
    // And by the page's own buttons, drawn as for a student.
    const generate = document.getElementById("generate");
    const bars = () => document.querySelector("#bars tr[data-id]");
    await until(() => bars() && generate.ariaDisabled !== "true" && !generate.disabled);
    generate.click();
    await until(() => document.getElementById("text-note")?.textContent.includes("tokens;"));
    document.getElementById("clear-text").click();
  }
  const { memoryBytes } = await logitLab.generate({ prompt: "A", maxNewTokens: 1 });
  return memoryBytes.wasmBytes;
`;

/**
 * Goes through the models again and again, and measures each time.
 *
 * @param {Browser} browser with the page open
 * @param {{ times: number, models: string[], tokens?: number, onFigures?: (figures: SoakFigures) => void }} plan the models
 *   of the rounds between two measurements
 * @returns {Promise<SoakFigures[]>}
 */
export async function soak(browser, { times, models, tokens = 64, onFigures }) {
  const all = [];
  for (let time = 0; time < times; time += 1) {
    const wasmBytes = await browser.run(ROUNDS, { models, tokens });
    const figures = { wasmBytes, ...(await measure(browser)) };
    onFigures?.(figures);
    all.push(figures);
  }
  return all;
}

/** @param {Browser} browser @returns {Promise<Omit<SoakFigures, "wasmBytes">>} */
async function measure(browser) {
  const agentBytes = await browser.run(
    "return crossOriginIsolated ? (await performance.measureUserAgentSpecificMemory()).bytes : null;",
  );
  await browser.devTools("HeapProfiler.collectGarbage");
  const kept = await browser.run(
    `const alive = (refs) => refs.filter((ref) => ref.deref() !== undefined).length;
     return { keptWorkers: alive(watched.workers), keptMessages: alive(watched.messages) };`,
  );
  const { usedSize: heapBytes } = await browser.devTools("Runtime.getHeapUsage");
  const { nodes } = await browser.devTools("Memory.getDOMCounters");
  const { targetInfos } = await browser.devTools("Target.getTargets", { filter: [{}] });
  const workers = targetInfos.filter((/** @type {{ type: string }} */ { type }) => type === "worker").length;
  return { heapBytes, agentBytes, workers, nodes, ...kept };
}
