/** What the way from an address to the first token costs: time, bytes over the wire, files. For budget.mjs and its test. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";

/** @import { Browser } from "../../tests/browser/driver.mjs" */
/** @import { Logged } from "../../tests/browser/server.mjs" */

/** Everything of the page to the first token, the model apart. */
export const WIRE_BUDGET_BYTES = 1_500_000;

/** Runs before the page's own code: asks for one token as soon as the page can be asked, and notes what blocks it. */
const WATCH = `
  globalThis.budget = { longTasks: [], firstTokenMs: null, fault: null };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) budget.longTasks.push({ startMs: startTime, ms: duration });
  }).observe({ type: "longtask", buffered: true });
  const timer = setInterval(async () => {
    if (!globalThis.logitLab) return;
    clearInterval(timer);
    const onStep = () => (budget.firstTokenMs ??= performance.now());
    const run = { prompt: "Once upon a time", settings: { greedy: true }, maxNewTokens: 1, ignoreEos: true, onStep };
    await logitLab.generate(run).catch(({ message }) => (budget.fault = message));
  }, 2);
`;

/**
 * Opens an address and waits for its first token, asked for as soon as the page has its console interface.
 *
 * @param {Browser} browser
 * @param {string} url
 * @returns {Promise<{ firstTokenMs: number, longTasks: { startMs: number, ms: number }[] }>} since the navigation began
 */
export async function openToFirstToken(browser, url) {
  const { identifier } = await browser.devTools("Page.addScriptToEvaluateOnNewDocument", { source: WATCH });
  // The same address again would only move within the page.
  await browser.open("about:blank");
  await browser.open(url);
  const seen = await browser.waitFor(
    "the first token",
    async () => {
      const budget = await browser.run("return globalThis.budget;");
      if (budget.fault) throw new Error(budget.fault);
      return budget.firstTokenMs === null ? null : budget;
    },
    120_000,
  );
  await browser.devTools("Page.removeScriptToEvaluateOnNewDocument", { identifier });
  return seen;
}

/** Whether a path is a file of a model, on the page's own host or on the stand-in of the hub. @param {string} pathname */
export const isModelFile = (pathname) => pathname.startsWith("/hub/") || /\/models\/[^/]+\//.test(pathname);

/**
 * What a static host would send for these requests: each file once, gzipped, models apart.
 *
 * @param {Logged[]} requests
 * @param {string} dist
 */
export async function wireFiles(requests, dist) {
  const answered = requests.filter(({ status, path: pathname }) => status < 300 && !isModelFile(pathname));
  const paths = [...new Set(answered.map(({ path: pathname }) => pathname))];
  return Promise.all(
    paths.map(async (pathname) => {
      const relative = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
      const body = await readFile(path.join(dist, relative));
      return { path: pathname, bytes: body.length, gzipBytes: gzipSync(body).length };
    }),
  );
}
