/** The browser's own copies of models: what the panel says and does, several tabs, and a store that fails or is refused. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { lacks } from "./engines/engine.mjs";
import { app, DAMAGE_COPY, dist, LOAD, noStandIn, openLabWithHub, openPage } from "./harness.mjs";

const noEstimate = lacks("storageEstimate");

describe("the browser's store", { skip: noStandIn }, () => {
  /** @type {Awaited<ReturnType<typeof openLabWithHub>>} */
  let lab;
  before(async () => {
    lab = await openLabWithHub();
  });
  after(() => lab?.close());
  beforeEach(async () => {
    lab.server.faults.length = 0;
    await lab.browser.open(`${lab.server.url}models/catalogue.json`);
    await lab.browser.run("await caches.delete('logit-lab-models');");
    await openPage(lab.browser, lab.server.url);
  });

  /** @param {"hub" | "store"} [from] */
  const load = (from = "hub") => lab.browser.run(LOAD, { source: source(from) });
  const source = (/** @type {"hub" | "store"} */ from) => ({
    kind: "catalogue",
    entry: lab.entry,
    from,
    base: `${lab.server.origin}/hub/${lab.entry.hub?.repository}/resolve/${lab.entry.hub?.revision}/`,
  });
  const keys = () =>
    lab.browser.run("return (await (await caches.open('logit-lab-models')).keys()).map(({ url }) => url);");
  const panel = () => lab.browser.run("return document.getElementById('saved-models').innerText;");
  const openPanel = () => lab.browser.run("document.querySelector('#saved-models > summary').click();");
  /** @param {RegExp} words */
  const panelSays = (words) => lab.browser.waitFor(String(words), async () => words.test(await panel()));
  const active = () => lab.browser.run("return document.querySelector('#active-model strong')?.textContent;");
  async function loadPythia() {
    await lab.browser.click("button", "Load Pythia-14M, 28 MB");
    await lab.browser.waitFor("Pythia-14M", async () => (await active()) === "Pythia-14M");
  }
  const generate = () =>
    lab.browser.run("return (await logitLab.generate({ prompt: 'Once', maxNewTokens: 4, ignoreEos: true })).newIds;");
  const focused = () => lab.browser.run("return document.activeElement.textContent.replace(/\\s+/g, ' ').trim();");

  test("what_is_kept_is_listed_verified_and_deleted_by_keyboard_while_the_model_goes_on", async () => {
    await openPanel();
    await panelSays(/None\. A model that you load from elsewhere/);
    await loadPythia();
    await panelSays(/Pythia-14M\s+30\.3 MB, kept on .+; in use/);
    assert.match(await panel(), new RegExp(lab.entry.files["model.safetensors"].sha256));
    if (!noEstimate) assert.match(await panel(), /keeps \d.* in all; the browser allows it \d/);

    await lab.browser.click("button", "Verify the copy of Pythia-14M");
    await panelSays(/sound: every file has its size and SHA-256/);

    const { driver } = lab.browser;
    await (await lab.browser.get("button", "Delete… the copy of Pythia-14M")).sendKeys(Key.ENTER);
    await lab.browser.waitFor("the focus", async () => (await focused()) === "Delete the copy of Pythia-14M");
    await driver.actions().sendKeys(Key.TAB, Key.ENTER).perform();
    await lab.browser.waitFor("the focus again", async () => (await focused()) === "Delete… the copy of Pythia-14M");
    assert.equal((await keys()).length, 4, "nothing is deleted yet");
    await driver.actions().sendKeys(Key.ENTER).perform();
    await lab.browser.waitFor("the focus", async () => (await focused()) === "Delete the copy of Pythia-14M");
    await driver.actions().sendKeys(Key.ENTER).perform();
    await panelSays(/None\./);
    assert.deepEqual(await keys(), []);
    await lab.browser.waitFor("the focus", async () => (await focused()).startsWith("Saved models"));
    assert.equal(await active(), "Pythia-14M");
    assert.equal((await generate()).length, 4);
  });

  test("a_damaged_copy_is_found_and_mended_at_the_next_load", async () => {
    assert.equal((await load()).ended.model?.kept, true);
    await lab.browser.run(DAMAGE_COPY, lab.entry.files["model.safetensors"].sha256);
    await openPanel();
    await lab.browser.click("button", "Verify the copy of Pythia-14M");
    await panelSays(/model\.safetensors is damaged: it is fetched again/);
    assert.equal((await load("store")).ended.model?.origin, "hub");
    assert.equal((await load("store")).ended.model?.origin, "store");
  });

  test("a_reload_right_after_the_model_is_ready_finds_it_kept", { skip: lacks("keptStore") }, async () => {
    await loadPythia();
    await openPage(lab.browser, lab.server.url);
    lab.server.misbehave({ at: /^\/hub\//, status: 404 });
    await lab.browser.waitFor("Pythia-14M", async () => (await active()) === "Pythia-14M");
  });

  test("a_tab_closed_at_half_the_download_leaves_nothing_and_the_next_load_works", async () => {
    lab.server.misbehave({ at: "model.safetensors", bytesPerSecond: 10_000_000, times: 1 });
    await lab.browser.click("button", "Load Pythia-14M, 28 MB");
    const arrived = () => lab.browser.run("return document.querySelector('progress')?.value ?? 0;");
    await lab.browser.get("progressbar", "Loading Pythia-14M");
    await lab.browser.waitFor("half of it", async () => (await arrived()) > 14_000_000);
    for (const time of [1, 2]) {
      await openPage(lab.browser, lab.server.url);
      await lab.browser.get("button", "Load Pythia-14M, 28 MB");
      await lab.browser.waitFor(`nothing left at visit ${time}`, async () => (await keys()).length === 0);
    }
    await loadPythia();
    assert.equal((await keys()).length, 4);
  });

  test("two_tabs_at_once_leave_one_whole_copy", { skip: lacks("keptStore") }, async () => {
    const both = `const load = async (args) => { ${LOAD} };
      return (await Promise.all([load(args), load(args)])).map(({ ended }) => ended.model?.kept);`;
    assert.deepEqual(await lab.browser.run(both, { source: source("hub") }), [true, true]);
    await openPage(lab.browser, lab.server.url);
    await lab.browser.waitFor("one copy", async () => (await keys()).length === 4);
    assert.equal((await load("store")).ended.model?.origin, "store");
  });

  test("a_full_store_is_said_and_the_model_runs_from_memory", { skip: lacks("storeLimit") }, async () => {
    await lab.browser.limitStore(lab.server.origin, 10_000_000);
    try {
      await loadPythia();
      const words = /Not kept for the next visit: this browser's store is full\./;
      assert.match(await lab.browser.run("return document.getElementById('not-kept').textContent;"), words);
      assert.deepEqual(await keys(), []);
      assert.equal((await generate()).length, 4);
    } finally {
      await lab.browser.limitStore(lab.server.origin, null);
    }
  });

  const refusals = [
    { name: "no_store_at_all", stub: "undefined", trouble: "missing" },
    { name: "a_refused_store", stub: "{ open: async () => { throw new DOMException('no', 'SecurityError'); } }", trouble: "refused" },
    {
      name: "a_store_that_fails_after_a_megabyte",
      stub: `{ open: async () => ({
        match: async () => undefined, delete: async () => false, keys: async () => [],
        async put(key, { body }) {
          const reader = body.getReader();
          for (let bytes = 0; bytes < 1e6; ) bytes += (await reader.read()).value?.length ?? 1e6;
          throw new DOMException("full", "QuotaExceededError");
        } }) }`,
      trouble: "full",
    },
    {
      name: "a_store_that_cannot_be_read",
      stub: `{ open: async () => ({ match: async () => { throw new DOMException("disk", "UnknownError"); },
        keys: async () => [], delete: async () => false, put: async (key, { arrayBuffer }) => {} }) }`,
      trouble: "failed",
    },
  ];
  for (const { name, stub, trouble } of refusals) {
    test(`with_${name}_the_model_runs_from_memory`, async () => {
      const worker = await readFile(path.join(dist, app, "src/worker.js"), "utf8");
      const body = `${worker}\nObject.defineProperty(self, "caches", { value: ${stub} });`;
      lab.server.misbehave({ at: "src/worker.js", body });
      const call = { method: "generate", prompt: { text: "The" }, settings: {}, seed: 1, limits: { maxNewTokens: 3, ignoreEos: true } };
      const { ended, answer } = await lab.browser.run(LOAD, { source: source("hub"), call });
      assert.equal(ended.type, "loaded", ended.error?.message);
      assert.deepEqual([ended.model.kept, ended.model.notKept], [false, trouble]);
      assert.equal(answer.answer.result.newIds.length, 3);
    });
  }
});
