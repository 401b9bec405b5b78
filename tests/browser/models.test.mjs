/** Getting another model, as a student does it: from a stand-in of the hub (see loading.test.mjs). */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { noStandIn, openLabWithHub, openPage } from "./harness.mjs";

const LOAD = "Load Pythia-14M, 28 MB";

describe("another model", { skip: noStandIn }, () => {
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
    lab.server.requests.length = 0;
  });

  const active = () => lab.browser.run("return document.querySelector('#active-model strong')?.textContent;");
  const pythiaIsActive = () => lab.browser.waitFor("Pythia-14M", async () => (await active()) === "Pythia-14M");
  const askedOfHub = () => lab.server.requests.filter(({ path }) => path.startsWith("/hub/"));
  /** @param {string} name */
  const problem = (name) => lab.browser.get("region", name);
  async function generate() {
    await lab.browser.click("button", "Clear text");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("some text", () =>
      lab.browser.run("return document.querySelectorAll('#generated .t').length >= 16;"),
    );
  }

  test("is_fetched_only_on_request_and_used_at_once_on_an_untouched_page", async () => {
    assert.deepEqual(askedOfHub(), []);
    lab.server.misbehave({ at: "model.safetensors", bytesPerSecond: 20_000_000 });
    await lab.browser.click("button", LOAD);
    const bar = await lab.browser.get("progressbar", "Loading Pythia-14M");
    await lab.browser.waitFor("progress", async () => Number(await bar.getAttribute("value")) > 5_000_000);
    await pythiaIsActive();
    await generate();
  });

  test("is_offered_and_not_forced_on_somebody_at_work", async () => {
    await lab.browser.type("Prompt", "The old man");
    await lab.browser.click("button", LOAD);
    const offer = await lab.browser.get("button", "Switch to Pythia-14M");
    assert.equal(await active(), "Tales-2M");
    await offer.click();
    await pythiaIsActive();
    assert.equal(await (await lab.browser.get("textbox", "Prompt")).getAttribute("value"), "The old man");
    await generate();
  });

  test("is_there_at_the_next_visit_without_the_hub", async () => {
    await lab.browser.click("button", LOAD);
    await pythiaIsActive();
    lab.server.requests.length = 0;
    await openPage(lab.browser, lab.server.url);
    await pythiaIsActive();
    assert.deepEqual(askedOfHub(), []);
  });

  test("with_a_wrong_digest_is_refused_and_the_page_goes_on", async () => {
    lab.server.misbehave({ at: "model.safetensors", flipByte: 9_000_000 });
    await lab.browser.click("button", LOAD);
    await problem("The weights are not the published ones");
    assert.equal(await active(), "Tales-2M");
    await generate();
  });

  test("can_be_tried_again_when_the_hub_did_not_answer", async () => {
    lab.server.misbehave({ at: /^\/hub\//, hangUp: true });
    await lab.browser.click("button", LOAD);
    const said = await (await problem("The model's host did not answer")).getText();
    assert.match(said, /127\.0\.0\.1:\d+ did not answer when asked for tokenizer\.json\./);
    await generate();
    lab.server.faults.length = 0;
    await lab.browser.click("button", "Retry");
    await lab.browser.click("button", "Switch to Pythia-14M");
    await pythiaIsActive();
  });

  test("can_be_cancelled", async () => {
    lab.server.misbehave({ at: "model.safetensors", bytesPerSecond: 2_000_000 });
    await lab.browser.click("button", LOAD);
    await lab.browser.click("button", "Cancel loading Pythia-14M");
    await lab.browser.get("button", LOAD);
    assert.equal(await lab.browser.find("progressbar", "Loading Pythia-14M"), null);
    await generate();
    assert.equal(await active(), "Tales-2M");
  });
});
