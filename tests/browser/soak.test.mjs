/** A long lesson in one tab: memory levels off, a suspended tab goes on, and a dead worker is replaced. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { soak, WATCH_WORKERS } from "../../bench/browser/soak-rounds.mjs";
import { lacks } from "./engines/engine.mjs";
import { noStandIn, openLab, openLabWithHub, openPage } from "./harness.mjs";

const cannotSuspend = lacks("suspend");

describe("a long lesson", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = noStandIn ? await openLab() : await openLabWithHub();
    lab.server.runFirst(WATCH_WORKERS);
  });
  after(() => lab?.close());
  beforeEach(async () => {
    lab.server.faults.length = 0;
    await lab.browser.open(`${lab.server.url}models/catalogue.json`);
    await lab.browser.run("await caches.delete('logit-lab-models');");
  });

  /** @param {number} ms */
  async function suspend(ms) {
    await lab.browser.devTools("Page.setWebLifecycleState", { state: "frozen" });
    await new Promise((resolve) => setTimeout(resolve, ms));
    await lab.browser.devTools("Page.setWebLifecycleState", { state: "active" });
    // Else it stays hidden, and a hidden page is not drawn.
    await lab.browser.devTools("Emulation.setFocusEmulationEnabled", { enabled: true });
  }
  const note = () => lab.browser.run("return document.getElementById('text-note').textContent;");

  test("loading_generating_and_switching_again_and_again_takes_no_more_memory_and_leaves_no_worker", { skip: lacks("devTools") }, async () => {
    await openPage(lab.browser, lab.server.url);
    const models = noStandIn ? ["tales-2m", "tales-2m"] : ["tales-2m", "pythia-14m"];
    const figures = await soak(lab.browser, { times: 6, models });
    for (const { workers, keptWorkers, keptMessages } of figures) {
      assert.deepEqual([workers, keptWorkers], [1, 1], "one worker runs, and no other is held");
      // The newest of each kind may still be at hand.
      assert.ok(keptMessages <= 10, `${keptMessages} messages are held`);
    }
    // The first rounds fill what is filled once.
    const [early, late] = [figures[1], figures[5]];
    assert.ok(late.wasmBytes <= early.wasmBytes * 1.02, `wasm: ${early.wasmBytes}, then ${late.wasmBytes}`);
    assert.ok(late.nodes <= early.nodes * 1.1, `nodes: ${early.nodes}, then ${late.nodes}`);
    // A model, or the text of a run, would be megabytes.
    assert.ok(late.heapBytes <= early.heapBytes + 500_000, `heap: ${early.heapBytes}, then ${late.heapBytes}`);
  });

  test("a_tab_suspended_in_the_middle_of_a_run_goes_on", { skip: cannotSuspend }, async () => {
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
    await lab.browser.type("New tokens, at most", "300");
    await lab.browser.click("radio", "3 a second");
    await lab.browser.click("button", "Generate");
    const tokens = () => lab.browser.run("return document.getElementById('generated').childElementCount;");
    await lab.browser.waitFor("some text", async () => (await tokens()) >= 2);
    await suspend(1500);
    const before = await tokens();
    await lab.browser.waitFor("more text", async () => (await tokens()) > before);
    await lab.browser.click("radio", "full speed");
    await lab.browser.waitFor("all of it", async () => /^300 tokens;/.test(await note()));
  });

  test("a_tab_suspended_in_the_middle_of_a_download_goes_on", { skip: noStandIn || cannotSuspend }, async () => {
    await openPage(lab.browser, lab.server.url);
    const faults = [{ bytesPerSecond: 10_000_000, cutAfter: 20_000_000 }, { bytesPerSecond: 10_000_000 }];
    for (const fault of faults) lab.server.misbehave({ at: "model.safetensors", times: 1, ...fault });
    await lab.browser.click("button", "Load Pythia-14M, 28 MB");
    const bar = await lab.browser.get("progressbar", "Loading Pythia-14M");
    await lab.browser.waitFor("a part of it", async () => Number(await bar.getAttribute("value")) > 5_000_000);
    await suspend(2500);
    const active = () => lab.browser.run("return document.querySelector('#active-model strong')?.textContent;");
    await lab.browser.waitFor("Pythia-14M", async () => (await active()) === "Pythia-14M");
    const ranges = lab.server.requests.filter(({ path }) => path.endsWith("model.safetensors")).map(({ range }) => range);
    assert.equal(ranges.filter((range) => range !== null).length, 1, ranges.join());
  });

  test("a_worker_that_died_without_a_word_in_the_middle_of_a_run_is_replaced_and_the_text_stays", async () => {
    // Keeps the page's workers at hand, and lets the page look after them more often than every five seconds.
    const undo = lab.server.runFirst(
      `globalThis.workers = [];
       globalThis.Worker = class extends Worker { constructor(...args) { super(...args); workers.push(this); } };
       const every = setInterval;
       globalThis.setInterval = (work, ms) => every(work, ms / 20);`,
    );
    try {
      await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
      await lab.browser.type("Prompt", "The old man looked at the");
      await lab.browser.click("radio", "3 a second");
      await lab.browser.click("button", "Generate");
      const text = () => lab.browser.run("return document.getElementById('generated').textContent;");
      await lab.browser.waitFor("some text", async () => (await text()).length > 5);
      await lab.browser.run("workers.at(-1).terminate();");
      await lab.browser.get("region", "The engine stopped unexpectedly");
      assert.ok((await text()).length > 5, "the text stays");
      const prompt = await lab.browser.get("textbox", "Prompt");
      assert.equal(await prompt.getAttribute("value"), "The old man looked at the");
      await lab.browser.click("radio", "full speed");
      await lab.browser.type("New tokens, at most", "20");
      await lab.browser.waitFor("the new engine", () =>
        lab.browser.run("return workers.length === 2 && !document.getElementById('generate').matches('[aria-disabled=true], :disabled');"),
      );
      await lab.browser.click("button", "Generate");
      await lab.browser.waitFor("20 tokens of the new engine", async () => /^20 tokens;/.test(await note()));
    } finally {
      undo();
    }
  });
});
