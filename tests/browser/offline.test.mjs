/** The service worker: visits without a network, new deployments, isolation, and what it leaves alone. */
import assert from "node:assert/strict";
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { app, deployAnew, dist, openLab, openPage } from "./harness.mjs";
import { engineName, lacks } from "./engines/engine.mjs";
import { startServer } from "./server.mjs";

/** What the engine lets a page know of time, before and after isolation. */
const clockSteps = {
  chromium: { shared: /Clock step 0\.[01]\d* ms \(not isolated\)\./, isolated: /Clock step 0\.00\d+ ms \(isolated\)\./ },
  firefox: { shared: /Clock step 1 ms \(not isolated\)\./, isolated: /Clock step 0\.02\d* ms \(isolated\)\./ },
  webkit: { shared: /Clock step 1 ms \(not isolated\)\./, isolated: /Clock step 0\.02\d* ms \(isolated\)\./ },
}[engineName];

const TEXTS = {
  kept: /kept in this browser: they open without a network/,
  failed: /could not be kept for use without a network/,
};

describe("the service worker", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  /** The server of the moment, always at the same address. @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {string[]} */
  let folders = [];
  beforeEach(async () => {
    lab = await openLab({ serviceWorker: true, prefix: "/course/week 3/" });
    server = lab.server;
  });
  afterEach(async () => {
    await lab?.close().catch(() => {});
    await server?.close().catch(() => {});
    for (const folder of folders) await rm(folder, { recursive: true });
    folders = [];
  });

  const page = () => `${lab.server.url}?model=tales-2m`;
  const foot = () => lab.browser.run("return document.getElementById('hosting-panel')?.textContent;");
  /** @param {keyof typeof TEXTS} state */
  const says = (state) => lab.browser.waitFor(state, async () => TEXTS[state].test(await foot()));
  const isolated = () => lab.browser.run("return crossOriginIsolated;");
  const notice = () => lab.browser.find("region", "New version");
  const noticed = () => lab.browser.waitFor("the notice", notice);
  const runningApp = () => lab.browser.run("return /app-\\w+/.exec(document.querySelector('script').src)[0];");
  const cacheNames = () => lab.browser.run("return (await caches.keys()).filter((name) => name.includes('/app-'));");
  async function visitUntilKept() {
    await openPage(lab.browser, page());
    await says("kept");
  }
  async function generates() {
    const run = "return (await logitLab.generate({ prompt: 'Once', maxNewTokens: 5, ignoreEos: true })).newIds.length;";
    assert.equal(await lab.browser.run(run), 5);
  }
  /** Another deployment at the same address. @param {(folder: string) => Promise<void>} change */
  async function deploy(change) {
    const folder = await deployAnew(change);
    folders.push(folder);
    await server.close();
    const port = Number(new URL(lab.server.url).port);
    server = await startServer({ root: folder, prefix: "/course/week 3/", port });
    const name = (await readdir(folder)).find((entry) => entry.startsWith("app-"));
    return /** @type {string} */ (name);
  }
  async function newTab() {
    await lab.browser.newTab();
    return lab.browser.driver.getWindowHandle();
  }

  test("the_second_visit_needs_no_network_at_any_form_of_the_address_and_in_a_new_tab", async () => {
    await visitUntilKept();
    await server.close();
    for (const address of [page(), `${page()}&x=1#prompt=The%20ship`, `${lab.server.url}index.html`, lab.server.url]) {
      await lab.browser.open("about:blank");
      await openPage(lab.browser, address);
      await generates();
    }
    await newTab();
    await openPage(lab.browser, `${page()}#prompt=The%20ship`);
    assert.equal(await (await lab.browser.get("textbox", "Prompt")).getAttribute("value"), "The ship");
    await lab.browser.reload();
    await openPage(lab.browser, page());
    await generates();
    await says("kept");
  });

  test("the_page_is_isolated_from_the_second_load_on_without_reloading_by_itself", async () => {
    await visitUntilKept();
    assert.equal(await isolated(), false);
    assert.match(await foot(), clockSteps.shared);
    assert.equal(server.requests.filter(({ path: asked }) => asked === "/course/week 3/").length, 1);
    await lab.browser.reload();
    await openPage(lab.browser, page());
    assert.equal(await isolated(), true);
    await lab.browser.waitFor("the clock", async () => clockSteps.isolated.test(await foot()));
    await generates();
    // The worker's code comes with the policy that the page has in its head.
    const policy = await lab.browser.run(
      `const answer = await fetch(args[0] + "/src/worker.js");
       const own = document.querySelector("meta[http-equiv=Content-Security-Policy]").content;
       return { own, sent: answer.headers.get("content-security-policy") };`,
      app,
    );
    assert.equal(policy.sent, policy.own);
  });

  test("a_host_that_the_policy_does_not_name_is_refused_in_words_from_the_second_visit_on", async () => {
    await visitUntilKept();
    // The same server by another name is another host.
    const other = lab.server.url.replace("127.0.0.1", "localhost");
    await openPage(lab.browser, page());
    const refused = { code: "blocked", message: /not allowed to fetch tokenizer.json from localhost/ };
    const silent = { code: "unreachable", message: /^localhost:\d+ did not answer when asked for tokenizer\.json\.$/ };
    await assert.rejects(
      lab.browser.run("await logitLab.loadModel({ base: args[0] + 'models/tales-2m/' });", other),
      lacks("policyReports") ? silent : refused,
    );
    await generates();
  });

  test("keeping_begins_when_the_model_is_ready_and_leaves_other_requests_alone", async () => {
    lab.server.misbehave({ at: "tales-2m/model.safetensors", times: 1, bytesPerSecond: 4_000_000 });
    await visitUntilKept();
    const order = server.requests.map(({ path: asked }) => asked.slice("/course/week 3/".length));
    assert.ok(order.indexOf("sw.js") > order.indexOf("models/tales-2m/model.safetensors"), order.join());
    assert.deepEqual(order.filter((name) => name.includes("relaxed")), []);
    server.requests.length = 0;
    const status = await lab.browser.run(
      "return (await fetch('models/tales-2m/model.safetensors', { headers: { range: 'bytes=5-9' } })).status;",
    );
    assert.equal(status, 206);
    assert.deepEqual(server.requests.map(({ range }) => range), ["bytes=5-9"]);
    await lab.browser.run("await caches.open('logit-lab-models');");
    await openPage(lab.browser, `${page()}&again`);
    await says("kept");
    assert.equal(await lab.browser.run("return await caches.has('logit-lab-models');"), true);
  });

  for (const [what, times] of /** @type {const} */ ([["missing", 1], ["of_other_content", 1]])) {
    test(`a_file_that_is_${what}_leaves_the_page_running_and_it_says_so_and_mends_it_at_the_next_visit`, async () => {
      lab.server.misbehave({ at: "MODEL_CARD.md", times, ...(what === "missing" ? { status: 404 } : { html: true }) });
      await openPage(lab.browser, page());
      await says("failed");
      await generates();
      await openPage(lab.browser, `${page()}&again`);
      await says("kept");
    });
  }

  test("a_full_disk_leaves_the_page_running_and_it_says_so", { skip: lacks("storeLimit") }, async () => {
    await lab.browser.open(`${lab.server.url}models/catalogue.json`);
    await lab.browser.limitStore(lab.server.origin, 1_000_000);
    await openPage(lab.browser, page());
    await says("failed");
    await generates();
  });

  test("what_the_browser_dropped_is_fetched_again", async () => {
    await visitUntilKept();
    await lab.browser.run("for (const name of await caches.keys()) await caches.delete(name);");
    await openPage(lab.browser, `${page()}&again`);
    await says("kept");
    await server.close();
    await openPage(lab.browser, `${page()}&offline`);
    await generates();
  });

  test("the_relaxed_engine_is_kept_once_used_and_else_refused_in_words", { skip: lacks("relaxedSimd") }, async () => {
    await visitUntilKept();
    const relaxed = "return (await logitLab.loadModel({ model: 'tales-2m', simd: 'relaxed' })).card.simd;";
    await server.close();
    await openPage(lab.browser, `${page()}&offline`);
    await assert.rejects(lab.browser.run(relaxed), (/** @type {any} */ { code }) => code === "workerStart");
    await generates();
    server = await startServer({ root: dist, prefix: "/course/week 3/", port: Number(new URL(page()).port) });
    assert.equal(await lab.browser.run(relaxed), "relaxed");
    await server.close();
    await openPage(lab.browser, `${page()}&offline-again`);
    assert.equal(await lab.browser.run(relaxed), "relaxed");
  });

  test("a_deployment_with_other_code_is_offered_and_an_open_tab_goes_on_with_its_own", async () => {
    await visitUntilKept();
    const first = await lab.browser.driver.getWindowHandle();
    const changed = await deploy((folder) => appendFile(path.join(folder, "src/format.js"), "\n// Changed.\n"));
    assert.notEqual(changed, app);
    await newTab();
    await openPage(lab.browser, page());
    await noticed();
    assert.equal(await runningApp(), app, "nothing changes under the student's hands");
    const asked = server.requests.map(({ path: name }) => name.slice("/course/week 3/".length));
    assert.deepEqual(
      [...new Set(asked)].toSorted(),
      [`${changed}/src/format.js`, "index.html", "sw.js"].toSorted(),
      "what has not changed is not fetched again",
    );
    // A new worker needs all of its code again, which the host does not have any more.
    await lab.browser.run("await logitLab.loadModel({ model: 'tales-2m', precision: 'f16' });");
    await generates();

    await lab.browser.reloads(() => lab.browser.click("button", "Reload"));
    await lab.browser.waitFor("the new version", async () => (await runningApp()) === changed);
    await openPage(lab.browser, `${page()}&again`);
    await generates();
    assert.equal(await notice(), null);
    assert.equal((await cacheNames()).length, 2, "the first tab still runs the earlier one");

    const second = await lab.browser.driver.getWindowHandle();
    await lab.browser.driver.switchTo().window(first);
    await noticed();
    await lab.browser.run("await logitLab.loadModel({ model: 'tales-2m', precision: 'f16' });");
    await generates();
    await lab.browser.driver.close();
    await lab.browser.driver.switchTo().window(second);
    await openPage(lab.browser, `${page()}&alone`);
    await lab.browser.waitFor("one copy", async () => (await cacheNames()).length === 1);
    await server.close();
    await openPage(lab.browser, `${page()}&offline`);
    assert.equal(await runningApp(), changed);
    await generates();
  });

  test("a_deployment_with_another_engine_only_is_taken_as_a_whole", async () => {
    await visitUntilKept();
    const wasm = "logit-lab-web_bg.wasm";
    // A custom section of three bytes, named "x": the same engine, other bytes.
    const changed = await deploy((folder) => appendFile(path.join(folder, wasm), Buffer.from([0, 2, 1, 120])));
    await openPage(lab.browser, `${page()}&again`);
    await noticed();
    await lab.browser.reloads(() => lab.browser.click("button", "Reload"));
    await lab.browser.waitFor("the new version", async () => (await runningApp()) === changed);
    await openPage(lab.browser, `${page()}&once-more`);
    await generates();
    const bytes = await lab.browser.run(
      "return (await (await fetch(args[0])).arrayBuffer()).byteLength;",
      `${changed}/${wasm}`,
    );
    assert.equal(bytes, (await readFile(path.join(dist, app, wasm))).length + 4);
  });

  test("a_page_that_was_fetched_past_the_copy_is_not_offered_itself", { skip: lacks("reloadPastCaches") }, async () => {
    await visitUntilKept();
    const changed = await deploy((folder) => appendFile(path.join(folder, "src/format.js"), "\n// Changed.\n"));
    await lab.browser.reloadPastCaches();
    await lab.browser.waitFor("the new version", async () => (await runningApp()) === changed);
    await openPage(lab.browser, `${await lab.browser.driver.getCurrentUrl()}#prompt=The%20ship`);
    await says("kept");
    await lab.browser.waitFor("its copy alone", async () => {
      const names = await cacheNames();
      return names.length === 1 && names[0].endsWith(changed);
    });
    assert.equal(await notice(), null);
  });

  test("the_line_in_the_hosting_guide_takes_the_page_down_for_good", async () => {
    await visitUntilKept();
    const guide = await readFile(new URL("../../docs/hosting.md", import.meta.url), "utf8");
    const body = /^ {6}(self\..*)$/m.exec(guide)?.[1];
    assert.ok(body);
    server.misbehave({ at: "sw.js", body });
    await openPage(lab.browser, `${page()}&last`);
    const waiting = "return Boolean((await navigator.serviceWorker.getRegistration())?.waiting);";
    await lab.browser.waitFor("the line", () => lab.browser.run(waiting));
    // The page that is open goes on: another worker still comes with the headers without which it would be refused.
    assert.equal(await isolated(), true);
    await lab.browser.run("await logitLab.loadModel({ model: 'tales-2m' });");
    await generates();
    await lab.browser.open(`${server.origin}/tiny/gelu-new/config.json`);
    const registered = "return (await navigator.serviceWorker.getRegistrations()).length;";
    await lab.browser.waitFor("no registration", async () => (await lab.browser.run(registered)) === 0);
    server.requests.length = 0;
    await lab.browser.open(`${page()}&gone`);
    assert.equal(server.requests[0].path, "/course/week 3/");
  });

  test("a_deployment_of_which_a_file_is_missing_is_not_taken", async () => {
    await visitUntilKept();
    const changed = await deploy((folder) => writeFile(path.join(folder, "src/extra.js"), "export {};\n"));
    server.misbehave({ at: "src/extra.js", status: 404 });
    await openPage(lab.browser, `${page()}&again`);
    await lab.browser.waitFor("the attempt", async () => server.requests.some(({ status }) => status === 404));
    await generates();
    await openPage(lab.browser, `${page()}&once-more`);
    assert.equal(await runningApp(), app);
    await generates();
    assert.equal(await notice(), null);
    server.faults.length = 0;
    await openPage(lab.browser, `${page()}&mended`);
    await noticed();
    await openPage(lab.browser, `${page()}&new`);
    assert.equal(await runningApp(), changed);
  });
});
