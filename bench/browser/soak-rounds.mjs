/** Rounds of what a long lesson does to one tab, with its memory after each: for soak.mjs and tests/browser/soak.test.mjs. */

/** @import { Browser } from "../../tests/browser/driver.mjs" */

/**
 * @typedef {object} SoakFigures after one round, with the rubbish collected
 * @property {number} wasmBytes of the one engine that is left
 * @property {number} heapBytes JavaScript of the page
 * @property {number | null} agentBytes the browser's figure for page and workers together, which takes it seconds; null if
 *   not isolated, and in most rounds
 * @property {number} workers that run
 * @property {number} keptWorkers objects of workers that are still reachable, and with them what those workers sent
 * @property {number} keptMessages
 * @property {number} nodes of the document
 */

const AGENT_EVERY_ROUNDS = 10;

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

/** In the page: a model, a text, and the scores of every position in it. */
const ROUND = `
  const { model, tokens } = args[0];
  await logitLab.loadModel({ model });
  const options = { prompt: "The old man looked at the", maxNewTokens: tokens, ignoreEos: true, settings: { chain: [{ kind: "topK", value: 40 }] }, seed: 7 };
  const { newIds } = await logitLab.generate(options);
  await logitLab.logits({ ids: newIds });
  return newIds.length;
`;

/** In the page: a text by its own buttons, drawn as for a student, and cleared. */
const CLICKS = `
  const until = async (done) => { while (!done()) await new Promise((resolve) => setTimeout(resolve, 20)); };
  const note = () => document.getElementById("text-note")?.textContent ?? "";
  const generate = document.getElementById("generate");
  await until(() => document.querySelector("#bars tr[data-id]") && generate.ariaDisabled !== "true" && !generate.disabled);
  generate.click();
  await until(() => note().includes("tokens;"));
  document.getElementById("clear-text").click();
`;

/**
 * Switches between the models in turn.
 *
 * @param {Browser} browser with the page open
 * @param {{ rounds: number, models: string[], tokens?: number, onRound?: (figures: SoakFigures, round: number) => void }} plan
 * @returns {Promise<SoakFigures[]>}
 */
export async function soak(browser, { rounds, models, tokens = 64, onRound }) {
  const all = [];
  for (let round = 0; round < rounds; round += 1) {
    const model = models[round % models.length];
    const made = await browser.run(ROUND, { model, tokens });
    if (made !== tokens) throw new Error(`round ${round} made ${made} tokens`);
    await browser.run(CLICKS);
    const figures = await measure(browser, (round + 1) % AGENT_EVERY_ROUNDS === 0);
    onRound?.(figures, round);
    all.push(figures);
  }
  return all;
}

/** @param {Browser} browser @param {boolean} withAgent @returns {Promise<SoakFigures>} */
async function measure(browser, withAgent) {
  await browser.devTools("HeapProfiler.collectGarbage");
  const { usedSize: heapBytes } = await browser.devTools("Runtime.getHeapUsage");
  const { nodes } = await browser.devTools("Memory.getDOMCounters");
  const { targetInfos } = await browser.devTools("Target.getTargets", { filter: [{}] });
  const workers = targetInfos.filter((/** @type {{ type: string }} */ { type }) => type === "worker").length;
  const rest = await browser.run(
    `const { memoryBytes } = await logitLab.generate({ prompt: "A", maxNewTokens: 1 });
     const agent = args[0] && crossOriginIsolated ? await performance.measureUserAgentSpecificMemory() : null;
     return { wasmBytes: memoryBytes.wasmBytes, agentBytes: agent?.bytes ?? null };`,
    withAgent,
  );
  await browser.devTools("HeapProfiler.collectGarbage");
  const kept = await browser.run(
    `const alive = (refs) => refs.filter((ref) => ref.deref() !== undefined).length;
     return { keptWorkers: alive(watched.workers), keptMessages: alive(watched.messages) };`,
  );
  return { heapBytes, nodes, workers, ...rest, ...kept };
}
