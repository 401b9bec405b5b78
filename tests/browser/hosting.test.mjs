/** The page on hosts as they are: a folder with a space, Python's server, wrong types, plain http. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { lacks } from "./engines/engine.mjs";
import { deployAnew, dist, openLab, openPage } from "./harness.mjs";
import { startServer } from "./server.mjs";

/** @import { TestContext } from "node:test" */
/** @import { Browser } from "./driver.mjs" */
/** @import { Fault } from "./server.mjs" */

const PREFIX = "/course/week 3/";
const WITHOUT_SLASH = "course/week%203";
const WASM = "logit-lab-web_bg.wasm";

/** @param {Browser} browser */
const foot = (browser) => browser.run("return document.getElementById('hosting-panel')?.textContent ?? '';");

/** @param {Browser} browser @param {RegExp} words */
const says = (browser, words) => browser.waitFor(String(words), async () => words.test(await foot(browser)));

/** @param {Browser} browser */
async function generates(browser) {
  const run = "return (await logitLab.generate({ prompt: 'Once', maxNewTokens: 5, ignoreEos: true })).newIds.length;";
  assert.equal(await browser.run(run), 5);
}

/** @param {TestContext} t @param {Parameters<typeof openLab>[0]} options */
async function open(t, options) {
  const lab = await openLab(options);
  t.after(lab.close);
  return lab;
}

describe("an address without the slash at its end", () => {
  test("works_where_the_host_redirects", async (t) => {
    const { server, browser } = await open(t, { prefix: PREFIX, withoutSlash: "redirected" });
    await openPage(browser, `${server.origin}/${WITHOUT_SLASH}?model=tales-2m#prompt=The%20ship`);
    await generates(browser);
  });

  test("works_where_the_host_does_not_redirect_if_the_page_was_arranged_for_it", async (t) => {
    const folder = await deployAnew(async () => {}, PREFIX);
    t.after(() => rm(folder, { recursive: true }));
    const options = { root: folder, prefix: PREFIX, withoutSlash: /** @type {const} */ ("served"), serviceWorker: true };
    const { server, browser } = await open(t, options);
    await openPage(browser, `${server.origin}/${WITHOUT_SLASH}?model=tales-2m#prompt=The%20ship`);
    await says(browser, /are kept in this browser/);
    assert.equal(await browser.driver.getCurrentUrl(), `${server.url}?model=tales-2m#prompt=The%20ship`);
    const astray = server.requests.filter(({ path: asked }) => !asked.startsWith(PREFIX) && asked !== "/favicon.ico");
    assert.deepEqual(astray.map(({ path: asked }) => asked), ["/course/week 3"]);
    await browser.reload();
    await openPage(browser, `${server.url}?model=tales-2m`);
    assert.equal(await browser.run("return crossOriginIsolated;"), true);
    await generates(browser);
  });

  test("says_what_to_do_where_the_host_does_not_redirect", async (t) => {
    const { server, browser } = await open(t, { prefix: PREFIX, withoutSlash: "served" });
    await browser.open(`${server.origin}/${WITHOUT_SLASH}`);
    const shown = await browser.run("return document.body.innerText;");
    assert.match(shown, /does not end in a slash \(\/\), add one/);
  });
});

test("no_advice_is_shown_where_the_files_have_arrived", async (t) => {
  const { server, browser } = await open(t, {});
  await openPage(browser, `${server.url}?model=tales-2m`);
  assert.doesNotMatch(await browser.run("return document.body.innerText;"), /slash/);
});

describe("the engine's file", () => {
  for (const type of ["text/html", "application/octet-stream"]) {
    test(`runs_as_${type.replace("/", "_")}`, async (t) => {
      const { server, browser } = await open(t, {});
      server.misbehave({ at: WASM, type });
      await openPage(browser, `${server.url}?model=tales-2m`);
      await generates(browser);
    });
  }

  /** @type {[string, Omit<Fault, "at">, RegExp][]} */
  const broken = [
    ["missing", { status: 404 }, /could not be started: .*404/],
    ["a_web_page", { html: true }, /its file logit-lab-web_bg\.wasm is not WebAssembly/],
    ["cut_off", { endAfter: 100_000 }, /its file logit-lab-web_bg\.wasm is not WebAssembly, or only a part of it came/],
  ];
  for (const [what, fault, words] of broken) {
    test(`that_is_${what}_is_reported_as_such`, async (t) => {
      const { server, browser } = await open(t, {});
      server.misbehave({ at: WASM, ...fault });
      await browser.open(`${server.url}?model=tales-2m`);
      const problem = await browser.get("region", "The engine could not be started");
      assert.match(await problem.getText(), words);
    });
  }
});

test("pythons_own_server_in_a_folder_with_a_space_will_do", async (t) => {
  const root = await mkdtemp(path.join(os.tmpdir(), "logit-lab-python-"));
  t.after(() => rm(root, { recursive: true }));
  await mkdir(path.join(root, "course"));
  await cp(dist, path.join(root, PREFIX), { recursive: true });
  // It takes a port that is free and says which. Its log is not read: a pipe that is full would stop it.
  const served = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", root];
  const python = spawn("python3", served, { stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => python.kill());
  let said = "";
  for await (const part of python.stdout) {
    said += part;
    if (said.includes("\n")) break;
  }
  const port = /port (\d+)/.exec(said)?.[1];
  assert.ok(port, said);
  // The lab's own server has no part in it.
  const { browser } = await open(t, { serviceWorker: true });
  const url = `http://127.0.0.1:${port}/${WITHOUT_SLASH}`;
  await openPage(browser, `${url}?model=tales-2m`);
  await says(browser, /are kept in this browser/);
  await generates(browser);
  python.kill();
  await openPage(browser, `${url}/?model=tales-2m`);
  assert.equal(await browser.run("return crossOriginIsolated;"), true);
  await generates(browser);
});

test("on_plain_http_the_page_runs_from_memory_and_says_that_nothing_is_kept", async (t) => {
  // A host by name: whatever is asked for of it is asked for of this server, as of a proxy.
  const classroom = await startServer({ root: dist });
  t.after(() => classroom.close());
  const { browser } = await open(t, { serviceWorker: true, proxy: new URL(classroom.origin).host });
  await openPage(browser, "http://classroom.test/?model=tales-2m");
  assert.equal(await browser.run("return isSecureContext || 'caches' in window || 'serviceWorker' in navigator;"), false);
  await says(browser, /Nothing is kept in this browser, because the page's address is plain http/);
  assert.equal((await browser.run("return await logitLab.report();")).model.kept, false);
  await generates(browser);
});

test("no_request_of_page_worker_or_service_worker_leaves_the_host", { skip: lacks("httpsProxy") }, async (t) => {
  // All that is not meant for this machine goes through a proxy, which is asked by name and answers nothing.
  const proxy = await startServer({ root: dist });
  t.after(() => proxy.close());
  const { server, browser } = await open(t, { serviceWorker: true, proxy: new URL(proxy.origin).host });
  await openPage(browser, `${server.url}?model=tales-2m`);
  await says(browser, /are kept in this browser/);
  await openPage(browser, `${server.url}?model=tales-2m&again`);
  await generates(browser);
  // The proxy is in use: a request for another host reaches it.
  await browser.run("await fetch('https://huggingface.co/probe').catch(() => {});");
  await browser.waitFor("the probe", async () => proxy.tunnels.includes("huggingface.co:443"));
  // What the browser asks for itself: its maker's services, and the search engine that Debian's connects to beforehand.
  const ofBrowser = /(^|\.)((google|googleapis|gstatic|gvt1|duckduckgo|mozilla|firefox)\.com|mozilla\.(org|net))(:|$)/;
  assert.deepEqual(proxy.tunnels.filter((host) => !ofBrowser.test(host)), ["huggingface.co:443"]);
});
