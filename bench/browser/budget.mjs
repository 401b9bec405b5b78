/**
 * The page's budget: time and bytes from the address to the first token, and whether the page stays free while it
 * generates at full speed.
 *
 *   LOGIT_LAB_DIST=dist LOGIT_LAB_STAND_IN=FILE node bench/browser/budget.mjs [--repeats 5] [--tokens 400] [--out FILE.json]
 *
 * Without a stand-in only Tales-2M is measured. See bench/README.md for what the figures mean.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { dist, noStandIn, openLab, openLabWithHub, openPage } from "../../tests/browser/harness.mjs";
import { openToFirstToken, WIRE_BUDGET_BYTES, wireFiles } from "./first-token.mjs";
import { markdownTable, spread } from "./table.mjs";
import { tasksDuring } from "./tasks.mjs";

/** @import { Browser } from "../../tests/browser/driver.mjs" */

const { values: options } = parseArgs({
  options: {
    repeats: { type: "string", default: "5" },
    tokens: { type: "string", default: "400" },
    out: { type: "string" },
  },
});
const repeats = Number(options.repeats);
const tokens = Number(options.tokens);
const LONG_TASK_MS = 50;

/** In the page: counts pictures, and those with new bars, until `stop` is called. */
const WATCH_FRAMES = `
  const watch = { longTasks: [], frames: 0, framesWithNewBars: 0, startMs: performance.now(), endMs: null };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watch.longTasks.push(duration);
  }).observe({ type: "longtask" });
  let changed = false;
  const everything = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(() => (changed = true)).observe(document.getElementById("bars"), everything);
  const note = document.getElementById("text-note");
  requestAnimationFrame(function frame() {
    watch.frames += 1;
    if (changed) watch.framesWithNewBars += 1;
    changed = false;
    // "400 tokens; the limit of new tokens is reached", or fewer, if the context was full before.
    if (note.textContent.includes(";")) {
      watch.endMs = performance.now();
      watch.tokens = parseInt(note.textContent.replace(",", ""), 10);
    } else requestAnimationFrame(frame);
  });
  globalThis.watch = watch;
`;

const WORK = /** @type {const} */ (["TaskDuration", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration"]);

/** @param {Browser} browser @returns {Promise<Record<string, number>>} */
async function threadSeconds(browser) {
  const { metrics } = await browser.devTools("Performance.getMetrics");
  return Object.fromEntries(
    metrics.map((/** @type {{ name: string, value: number }} */ { name, value }) => [name, value]),
  );
}

/**
 * Generates at full speed, as a student does.
 *
 * @param {Browser} browser
 * @param {string} url
 */
async function generateAtFullSpeed(browser, url) {
  await browser.open("about:blank");
  await openPage(browser, `${url}#prompt=Once+upon+a+time&maxNewTokens=${tokens}&ignoreEos=1&seed=1`);
  await browser.waitFor("the bars", () => browser.run("return Boolean(document.querySelector('#bars tr[data-id]'));"));
  // In processor time of the page's own thread: what other work on the machine does not change.
  await browser.devTools("Performance.enable", { timeDomain: "threadTicks" });
  await browser.run(WATCH_FRAMES);
  const before = await threadSeconds(browser);
  const end = () => browser.run("return globalThis.watch.endMs === null ? null : globalThis.watch;");
  const { result, tasks } = await tasksDuring(browser, async () => {
    await browser.click("button", "Generate");
    return browser.waitFor("the end of the run", end, 120_000);
  });
  const { longTasks, frames, framesWithNewBars, startMs, endMs, tokens: made } = result;
  const after = await threadSeconds(browser);
  await browser.devTools("Performance.disable");
  const seconds = (endMs - startMs) / 1000;
  const workMs = Object.fromEntries(WORK.map((name) => [name, (1000 * (after[name] - before[name])) / frames]));
  const longestAtWorkMs = Math.max(...tasks.map(({ processorMs }) => processorMs));
  return { workMs, longTasks, longestAtWorkMs, framesPerS: frames / seconds, newBarsPerS: framesWithNewBars / seconds, tokensPerS: made / seconds };
}

/**
 * @param {string} title
 * @param {string} id
 * @param {Awaited<ReturnType<typeof openLab>>} lab
 */
async function measure(title, id, { browser, server }) {
  const url = `${server.url}?model=${id}`;
  // The first visit fills the browser's store; it is not counted.
  await openToFirstToken(browser, url);
  const firstTokenMs = [];
  const loadLongTasks = [];
  /** @type {Awaited<ReturnType<typeof wireFiles>>} */
  let files = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    server.requests.length = 0;
    const seen = await openToFirstToken(browser, url);
    firstTokenMs.push(seen.firstTokenMs);
    loadLongTasks.push(...seen.longTasks.map(({ ms }) => ms));
    files = await wireFiles(server.requests, dist);
  }
  const runs = [];
  for (let repeat = 0; repeat < repeats; repeat++) runs.push(await generateAtFullSpeed(browser, url));
  return { title, firstTokenMs, files, loadLongTasks, runs };
}

/** @param {number[]} tasks @param {number} runs */
function longTasksOf(tasks, runs) {
  const long = tasks.filter((ms) => ms > LONG_TASK_MS);
  return long.length === 0 ? "none" : `${long.length} in ${runs}, longest ${Math.round(Math.max(...long))} ms`;
}

/** @type {Awaited<ReturnType<typeof measure>>[]} */
const results = [];
const lab = await openLab();
try {
  results.push(await measure("Tales-2M", "tales-2m", lab));
} finally {
  await lab.close();
}
if (noStandIn) {
  process.stderr.write(`skipped: Pythia-14M's shape: ${noStandIn}\n`);
} else {
  const hub = await openLabWithHub();
  try {
    results.push(await measure("Pythia-14M's shape", "pythia-14m", hub));
  } finally {
    await hub.close();
  }
}

const wire = (/** @type {(typeof results)[number]} */ { files }) =>
  files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
const head = [
  "model",
  "navigation to first token, ms",
  "page over the wire, gzip bytes",
  `of ${WIRE_BUDGET_BYTES.toLocaleString("en-GB")}`,
  `long tasks, loading`,
  `long tasks, ${tokens} tokens`,
  "longest task, ms at work",
  "work of the page a picture, ms",
  "pictures/s",
  "new bars/s",
  "tokens/s, page and all",
];
const rows = results.map((result) => [
  result.title,
  spread(result.firstTokenMs),
  wire(result).toLocaleString("en-GB"),
  `${Math.round((100 * wire(result)) / WIRE_BUDGET_BYTES)} %`,
  longTasksOf(result.loadLongTasks, repeats),
  longTasksOf(
    result.runs.flatMap(({ longTasks }) => longTasks),
    repeats,
  ),
  spread(result.runs.map(({ longestAtWorkMs }) => longestAtWorkMs)),
  spread(result.runs.map(({ workMs }) => workMs.TaskDuration)),
  spread(result.runs.map(({ framesPerS }) => framesPerS)),
  spread(result.runs.map(({ newBarsPerS }) => newBarsPerS)),
  spread(result.runs.map(({ tokensPerS }) => tokensPerS)),
]);
process.stdout.write(`${markdownTable(head, rows)}\n`);
if (options.out !== undefined) await writeFile(options.out, `${JSON.stringify(results, null, 2)}\n`);
