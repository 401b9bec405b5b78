/** What the browser tests share: the built page (LOGIT_LAB_DIST, else ./dist), a browser, a server, and the fixtures. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser } from "./driver.mjs";
import { startServer } from "./server.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
export const fixtures = path.join(repository, "tests/fixtures");
const dist = path.resolve(process.env.LOGIT_LAB_DIST ?? path.join(repository, "dist"));

/**
 * A browser and a server for the tests of one file.
 *
 * @param {Partial<import("./server.mjs").ServerOptions>} [options]
 */
export async function openLab(options = {}) {
  if (!existsSync(path.join(dist, "index.html"))) throw new Error(`no built page in ${dist}: run scripts/build.sh, or set LOGIT_LAB_DIST`);
  const folders = { "/tiny/": path.join(fixtures, "tiny") };
  const server = await startServer({ root: dist, folders, ...options });
  const browser = await openBrowser();
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
  await browser.run("await logitLab.ready;");
}

/** @param {string} name */
export async function readFixture(name) {
  return JSON.parse(await readFile(path.join(fixtures, name), "utf8"));
}

/** The catalogue as the built page has it. @returns {Promise<import("../../www/src/messages.js").Catalogue>} */
export async function readCatalogue() {
  return JSON.parse(await readFile(path.join(dist, "models/catalogue.json"), "utf8"));
}

/**
 * @param {number[]} actual
 * @param {number[]} expected
 */
export function largestDifference(actual, expected) {
  if (actual.length !== expected.length) return Infinity;
  return expected.reduce((largest, value, n) => Math.max(largest, Math.abs(value - actual[n])), 0);
}
