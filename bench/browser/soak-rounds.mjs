/** Rounds of what a long lesson does to one tab, with its memory after each: for soak.mjs and tests/browser/soak.test.mjs. */

/** @import { Browser } from "../../tests/browser/driver.mjs" */

/**
 * @typedef {object} SoakFigures after one round, with the rubbish collected
 * @property {number} wasmBytes of the one engine that is left
 * @property {number} heapBytes JavaScript of the page
 * @property {number | null} agentBytes the browser's figure for page and workers together; null if not isolated
 * @property {number} workers
 * @property {number} nodes of the document
 */

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
    const figures = await measure(browser);
    onRound?.(figures, round);
    all.push(figures);
  }
  return all;
}

/** @param {Browser} browser @returns {Promise<SoakFigures>} */
async function measure(browser) {
  await browser.devTools("HeapProfiler.collectGarbage");
  const { usedSize: heapBytes } = await browser.devTools("Runtime.getHeapUsage");
  const { nodes } = await browser.devTools("Memory.getDOMCounters");
  const { targetInfos } = await browser.devTools("Target.getTargets", { filter: [{}] });
  const workers = targetInfos.filter((/** @type {{ type: string }} */ { type }) => type === "worker").length;
  const { wasmBytes, agentBytes } = await browser.run(
    `const { memoryBytes } = await logitLab.generate({ prompt: "A", maxNewTokens: 1 });
     const agent = crossOriginIsolated ? await performance.measureUserAgentSpecificMemory() : null;
     return { wasmBytes: memoryBytes.wasmBytes, agentBytes: agent?.bytes ?? null };`,
  );
  return { wasmBytes, heapBytes, agentBytes, workers, nodes };
}
