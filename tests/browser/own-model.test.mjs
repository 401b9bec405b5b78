/** A model of the student's own: chosen, dropped or by address; what fits, what does not, and what is said of it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { lacks } from "./engines/engine.mjs";
import { dist, fixtures, noStandIn, openLab, openLabWithHub, openPage } from "./harness.mjs";

/** Weights of Pythia-31M's shape in two parts, beside the stand-in: scripts/test.sh makes both. */
const larger = path.join(path.dirname(process.env.LOGIT_LAB_STAND_IN ?? "."), "pythia-31m");
const noLarger = !existsSync(path.join(larger, "config.json")) && "there is no pythia-31m beside LOGIT_LAB_STAND_IN";

/** What the tests look at. @param {import("./driver.mjs").Browser} browser */
function looker(browser) {
  const textOf = (/** @type {string} */ id) =>
    browser.run("return document.getElementById(args[0])?.textContent.replace(/\\s+/g, ' ').trim() ?? '';", id);
  return {
    textOf,
    activeIs: (/** @type {string} */ title) =>
      browser.waitFor(`${title} in use`, async () => (await textOf("active-model")) === `Model ${title}`),
    problem: (/** @type {string} */ code) =>
      browser.waitFor(`the problem ${code}`, () =>
        browser.run("return document.querySelector(`[data-code=${args[0]}]`)?.innerText;", code),
      ),
    /** @param {string[]} files */
    async choose(...files) {
      await browser.run("document.getElementById('own-model').open = true;");
      await browser.driver.findElement({ id: "own-files" }).sendKeys(files.join("\n"));
    },
    /** Drops files of these names and contents onto the page. @param {Record<string, string>} addresses */
    drop: (addresses) =>
      browser.run(
        `const dataTransfer = new DataTransfer();
         for (const [name, address] of Object.entries(args[0])) {
           const answer = await fetch(address);
           dataTransfer.items.add(new File([await answer.arrayBuffer()], name));
         }
         for (const type of ["dragover", "drop"]) {
           const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
           document.getElementById("prompt").dispatchEvent(event);
           if (!event.defaultPrevented) throw new Error("the browser would have shown the files");
         }`,
        addresses,
      ),
  };
}

describe("a model of the student's own", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  /** @type {ReturnType<typeof looker>} */
  let look;
  /** @type {string} */
  let folder;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "logit-lab-own-"));
    lab = await openLab({
      folders: { "/tiny/": path.join(fixtures, "tiny"), "/larger/": larger, "/made/": folder },
    });
    look = looker(lab.browser);
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
  });
  after(async () => {
    await lab?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** @param {string} address */
  async function enterAddress(address) {
    await lab.browser.type("Address of a folder", address);
    const field = await lab.browser.get("textbox", "Address of a folder");
    await lab.browser.waitFor("the address", async () => (await field.getAttribute("value")) === address);
    await field.sendKeys(Key.ENTER);
  }

  test("chosen_shards_run_and_the_report_says_what_was_read", async () => {
    const names = ["config.json", "model.safetensors.index.json"];
    for (const n of [1, 2]) names.push(`model-0000${n}-of-00002.safetensors`);
    await look.choose(...names.map((name) => path.join(fixtures, "tiny/sharded", name)));
    await look.activeIs("Files of this device");
    const card = await look.textOf("model-card");
    assert.match(card, /28 tensors read, 0 ignored, \d+ converted/);
    assert.match(await look.textOf("tokenizer-fit"), /no tokenizer/);
    assert.match(await look.textOf("memory-need"), /At most .* of 4\.3 GB/);
    assert.equal((card.match(/no published digest/g) ?? []).length, 4);
  });

  test("dropped_files_run_and_what_was_ignored_is_listed", async () => {
    const base = "/tiny/legacy-buffers-f16/";
    await look.drop({ "config.json": `${base}config.json`, "model.safetensors": `${base}model.safetensors` });
    await lab.browser.waitFor("the report", async () => /old buffer/.test(await look.textOf("model-card")));
  });

  test("a_folder_is_loaded_by_its_address_and_the_keyboard", async () => {
    await lab.browser.run("document.getElementById('own-model').open = true;");
    await enterAddress("/tiny/wide-odd");
    await look.activeIs("wide-odd");
  });

  test("an_address_of_another_kind_is_a_sentence", async () => {
    await enterAddress("file:///etc");
    assert.match(await look.problem("unknownModel"), /file:\/\/\/etc/);
  });

  test("a_model_that_cannot_fit_is_refused_with_the_figures_before_its_weights_are_read", async () => {
    const config = JSON.parse(await readFile(path.join(fixtures, "pythia-14m/config.json"), "utf8"));
    const huge = { ...config, hidden_size: 2560, num_hidden_layers: 22, num_attention_heads: 32, intermediate_size: 10240 };
    await writeFile(path.join(folder, "config.json"), JSON.stringify(huge));
    await writeFile(path.join(folder, "model.safetensors"), "not looked at");
    const before = await look.textOf("active-model");
    await look.drop({ "config.json": "/made/config.json", "model.safetensors": "/made/model.safetensors" });
    const words = await look.problem("memory");
    assert.match(words, /at most 4\.29 GB.*a need of 4\.96 GB: 3\.98 GB for the weights, 923 MB for the KV cache/);
    assert.equal(await look.textOf("active-model"), before, "the model in use stays");
  });

  test("a_tokenizer_of_another_model_is_told", async () => {
    await look.drop({
      "config.json": "/tiny/relu/config.json",
      "model.safetensors": "/tiny/relu/model.safetensors",
      "tokenizer.json": "models/tales-2m/tokenizer.json",
    });
    assert.match(await look.problem("foreignTokenizer"), /4,000 tokens of the tokenizer have no row in the model, which has 96/);
  });

  test("known_weights_with_another_tokenizer_are_told_by_their_digests", async () => {
    const tokenizer = JSON.parse(await readFile(path.join(dist, "models/tales-2m/tokenizer.json"), "utf8"));
    await writeFile(path.join(folder, "tokenizer.json"), JSON.stringify(tokenizer, null, 1));
    await look.drop({
      "config.json": "models/tales-2m/config.json",
      "model.safetensors": "models/tales-2m/model.safetensors",
      "tokenizer.json": "/made/tokenizer.json",
    });
    await lab.browser.waitFor("the sentence", async () =>
      /weights are those of Tales-2M, and the tokenizer is not/.test(await look.problem("foreignTokenizer")),
    );
    assert.match(await look.textOf("self-test"), /^Not checked/);
  });

  test("a_larger_shape_in_parts_runs_to_its_last_position_within_the_estimate", { skip: noLarger }, async () => {
    const answer = await lab.browser.run(
      `const report = await logitLab.loadModel({ base: "/larger/" });
       const { newIds, stopReason, memoryBytes } = await logitLab.generate({
         ids: Array.from({ length: 2040 }, (_, n) => (n * 37) % 50000), maxNewTokens: 20, settings: { greedy: true }, eosId: null,
       });
       return { parameters: report.card.parameters, need: report.card.memoryNeed, newIds, stopReason, memoryBytes };`,
    );
    assert.equal(answer.parameters, 30_494_720);
    assert.equal(answer.newIds.length, 8);
    assert.equal(answer.stopReason, "contextFull");
    const { wasmBytes } = answer.memoryBytes;
    // A tab that has had other models before; its memory never shrinks, but none of those was larger.
    assert.ok(wasmBytes <= answer.need.totalBytes, `${wasmBytes} of ${answer.need.totalBytes} reckoned`);
    assert.ok(wasmBytes > answer.need.totalBytes / 2, `${wasmBytes} of ${answer.need.totalBytes} reckoned`);
  });
});

describe("published files from a stick", { skip: noStandIn || lacks("largeFiles") }, () => {
  /** @type {Awaited<ReturnType<typeof openLabWithHub>>} */
  let lab;
  /** @type {ReturnType<typeof looker>} */
  let look;
  before(async () => {
    lab = await openLabWithHub();
    look = looker(lab.browser);
  });
  after(() => lab?.close());

  const small = ["config.json", "tokenizer.json"].map((name) => path.join(fixtures, "pythia-14m", name));
  const page = (/** @type {string} */ model) => `${lab.server.url}?model=${model}`;
  const askedHub = () => lab.server.requests.filter(({ path: asked }) => asked.startsWith("/hub/")).length;

  test("with_other_weights_of_the_same_length_are_a_model_of_ones_own", async () => {
    await openPage(lab.browser, page("tales-2m"));
    const folder = await mkdtemp(path.join(os.tmpdir(), "logit-lab-other-"));
    const weights = await readFile(process.env.LOGIT_LAB_STAND_IN ?? "");
    weights[weights.length - 1] ^= 1;
    const file = path.join(folder, "model.safetensors");
    await writeFile(file, weights);
    await look.choose(...small, file);
    await look.activeIs("Files of this device");
    assert.match(await look.textOf("model-card"), /names and lengths of Pythia-14M's, but their SHA-256 differs/);
    assert.match(await look.textOf("tokenizer-fit"), /27 rows of 50,304 have no text\. It is Pythia-14M's.*no proof/);
    await rm(folder, { recursive: true });
  });

  test("are_checked_and_kept_as_if_they_had_been_downloaded", async () => {
    await openPage(lab.browser, page("tales-2m"));
    const folder = await mkdtemp(path.join(os.tmpdir(), "logit-lab-stick-"));
    const file = path.join(folder, "model.safetensors");
    await writeFile(file, await readFile(process.env.LOGIT_LAB_STAND_IN ?? ""));
    await look.choose(...small, file);
    await look.activeIs("Pythia-14M");
    assert.match(await look.textOf("tokenizer-fit"), /published ones of Pythia-14M, by their SHA-256/);
    assert.equal((await look.textOf("model-card")).match(/as published/g)?.length, 3);
    await rm(folder, { recursive: true });
    await openPage(lab.browser, page("pythia-14m"));
    await look.activeIs("Pythia-14M");
    assert.match(await look.textOf("model-card"), /a copy kept by this browser/);
    assert.equal(askedHub(), 0);
  });
});
