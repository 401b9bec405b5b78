/** What the browser tests share: the built page (LOGIT_LAB_DIST, else ./dist), a browser, a server, fixtures. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { arrange } from "../../scripts/arrange-dist.mjs";
import { openBrowser } from "./driver.mjs";
import { startServer } from "./server.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
export const fixtures = path.join(repository, "tests/fixtures");
/** The built page. */
export const dist = path.resolve(process.env.LOGIT_LAB_DIST ?? path.join(repository, "dist"));
const standIn = process.env.LOGIT_LAB_STAND_IN ?? "";
/** Why tests with the stand-in are skipped, or false. */
export const noStandIn = standIn === "" && "LOGIT_LAB_STAND_IN is not set";
/** Its folder of code, which scripts/arrange-dist.mjs names; "" in a build that was not arranged. */
export const app = existsSync(dist) ? (readdirSync(dist).find((name) => name.startsWith("app-")) ?? "") : "";
/** The length of Pythia-14M's weights. */
export const WEIGHTS_BYTES = 28_143_920;
const WITHOUT_SERVICE_WORKER = `Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined });`;

/** In the page: loads a source in a worker of its own and answers with every event up to the end of the load. */
export const LOAD = `
  const { source, cancelAfterBytes, call } = args[0];
  const worker = new Worker(new URL("${app && `${app}/`}src/worker.js", document.baseURI), { type: "module" });
  const events = [];
  const ended = await new Promise((resolve) => {
    worker.onerror = (event) => resolve({ type: "error", message: event.message });
    worker.onmessage = ({ data }) => {
      if (data.type !== "loadProgress") return data.type === "ready" ? undefined : resolve(data);
      events.push({ ...data, atMs: performance.now() });
      if (data.loadedBytes > cancelAfterBytes) worker.postMessage({ type: "cancelLoad", loadId: 1 });
    };
    worker.postMessage({ type: "load", loadId: 1, source, options: {} });
  });
  let answer = null;
  if (call) {
    worker.postMessage({ type: "call", runId: 1, call });
    answer = await new Promise((resolve) => {
      worker.onmessage = ({ data }) => data.type !== "callStepped" && resolve(data);
    });
  }
  worker.terminate();
  return { events, ended, answer };
`;

/** In the page: keeps a list of the workers that have been started and not ended. */
export const WATCH_WORKERS = `
  globalThis.liveWorkers = new Set();
  globalThis.startedWorkers = 0;
  globalThis.Worker = class extends Worker {
    constructor(...args) { super(...args); liveWorkers.add(this); startedWorkers += 1; }
    terminate() { liveWorkers.delete(this); super.terminate(); }
  };`;

/** In the page: turns a bit round in the kept copy of the file with this digest. */
export const DAMAGE_COPY = `
  const cache = await caches.open("logit-lab-models");
  const key = (await cache.keys()).find(({ url }) => url.endsWith(args[0]));
  const bytes = new Uint8Array(await (await cache.match(key)).arrayBuffer());
  bytes[1000000] ^= 1;
  await cache.put(key, new Response(bytes));
`;

/**
 * A browser and a server for the tests of one file. The service worker would answer in the server's place and hide what
 * most tests are about, so it is left out unless asked for.
 *
 * @param {Partial<import("./server.mjs").ServerOptions> & import("./engines/engine.mjs").StartOptions
 *   & { serviceWorker?: boolean }} [options]
 */
export async function openLab({ serviceWorker = false, flags, downloads, proxy, ...options } = {}) {
  if (!existsSync(path.join(dist, "index.html")))
    throw new Error(`no built page in ${dist}: run scripts/build.sh, or set LOGIT_LAB_DIST`);
  const folders = { "/tiny/": path.join(fixtures, "tiny") };
  const server = await startServer({ root: dist, folders, ...options });
  const browser = await openBrowser({ flags, downloads, proxy });
  if (!serviceWorker) server.runFirst(WITHOUT_SERVICE_WORKER);
  async function close() {
    await browser.close();
    await server.close();
  }
  return { server, browser, close };
}

/**
 * Opens the page and waits until a model answers.
 *
 * @param {import("./driver.mjs").Browser} browser
 * @param {string} url
 */
export async function openPage(browser, url) {
  await browser.open(url);
  await browser.waitFor("window.logitLab", () => browser.run("return Boolean(window.logitLab);"));
  try {
    await browser.run("await logitLab.ready;");
  } catch (reason) {
    const shown = await browser.run("return document.body.innerText.slice(0, 1000);").catch(() => "");
    throw new Error(`no model answers, and the page shows: ${shown}`, { cause: reason });
  }
}

/**
 * What tests of a panel do with the page's elements, most of them by id.
 *
 * @param {() => { browser: import("./driver.mjs").Browser }} lab which is opened after this is called
 */
export function pageOf(lab) {
  /** @param {string} expression @returns {Promise<any>} */
  const read = (expression) => lab().browser.run(`return ${expression};`);
  /** @param {string} event @returns {(id: string, value: string | number) => Promise<void>} */
  const put = (event) => (id, value) =>
    lab().browser.run(
      `const field = document.getElementById(args[0]);
       field.value = args[1];
       field.dispatchEvent(new Event("${event}", { bubbles: true }));`,
      id,
      String(value),
    );
  return {
    read,
    /** @param {string} id */
    words: (id) => read(`document.getElementById("${id}")?.innerText ?? ""`),
    /** @param {string} id @returns {Promise<void>} */
    click: (id) => lab().browser.run("document.getElementById(args[0]).click();", id),
    /** Of a field that is typed into. */
    type: put("input"),
    /** Of a select. */
    choose: put("change"),
  };
}

/**
 * The built page once more, with a change: another deployment of it in a folder of its own.
 *
 * @param {(folder: string) => Promise<void>} change of the page before it is arranged
 * @param {string} [base] as scripts/arrange-dist.mjs takes it
 */
export async function deployAnew(change, base) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "logit-lab-dist-"));
  await cp(path.join(dist, app), folder, { recursive: true });
  await cp(path.join(dist, "models"), path.join(folder, "models"), { recursive: true });
  const page = await readFile(path.join(dist, "index.html"), "utf8");
  await writeFile(path.join(folder, "index.html"), page.replaceAll(`${app}/`, ""));
  await change(folder);
  await arrange(folder, base);
  return folder;
}

/** @param {string} name */
export async function readFixture(name) {
  return JSON.parse(await readFile(path.join(fixtures, name), "utf8"));
}

/**
 * A lab whose hub has Pythia-14M's tokenizer and configuration, and weights of its shape: the stand-in, whose digest
 * the served catalogue names. The page's own host has no copy.
 *
 * @param {Parameters<typeof openLab>[0]} [options]
 */
export async function openLabWithHub(options = {}) {
  const hub = await mkdtemp(path.join(os.tmpdir(), "logit-lab-hub-"));
  const weights = await readFile(standIn);
  if (weights.length !== WEIGHTS_BYTES) throw new Error(`${standIn} has ${weights.length} bytes, not ${WEIGHTS_BYTES}`);
  await writeFile(path.join(hub, "model.safetensors"), weights);
  for (const name of ["tokenizer.json", "config.json"]) {
    await copyFile(path.join(fixtures, "pythia-14m", name), path.join(hub, name));
  }
  /** @type {import("../../www/src/messages.js").Catalogue} */
  const catalogue = JSON.parse(await readFile(path.join(dist, "models/catalogue.json"), "utf8"));
  const entry = catalogue.models.find(({ id }) => id === "pythia-14m");
  if (!entry) throw new Error("the catalogue has no pythia-14m");
  entry.files["model.safetensors"].sha256 = createHash("sha256").update(weights).digest("hex");
  entry.host = "models/not-here/";
  const lab = await openLab({ ...options, hub, catalogue: { ...catalogue, hub: "/hub" } });
  async function close() {
    await lab.close();
    await rm(hub, { recursive: true });
  }
  return { ...lab, entry, close };
}

/**
 * @param {number[]} actual
 * @param {number[]} expected
 */
export function largestDifference(actual, expected) {
  if (actual.length !== expected.length) return Infinity;
  return expected.reduce((largest, value, n) => Math.max(largest, Math.abs(value - actual[n])), 0);
}
