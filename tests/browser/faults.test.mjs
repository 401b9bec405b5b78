/** What the page does when the browser cannot run the engine, and when the engine dies at work. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { app, dist, openLab, openPage } from "./harness.mjs";

describe("a fault", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());
  beforeEach(() => void (lab.server.faults.length = 0));

  const page = () => `${lab.server.url}?model=tales-2m`;
  const problemCodes = () =>
    lab.browser.run("return [...document.querySelectorAll('[data-code]')].map((problem) => problem.dataset.code);");
  const textOfProblems = () => lab.browser.run("return document.getElementById('problems').innerText;");

  /** The engine's glue, but that its nth slice traps as a panic does. @param {number} nth */
  async function trappingGlue(nth) {
    const glue = await readFile(path.join(dist, app, "logit-lab-web.js"), "utf8");
    return `${glue}
      const sound = EngineHandle.prototype.slice;
      let slices = 0;
      EngineHandle.prototype.slice = function (budget) {
        slices += 1;
        if (slices === ${nth}) throw new WebAssembly.RuntimeError("unreachable");
        return sound.call(this, budget);
      };`;
  }

  test("a_browser_without_simd_gets_a_sentence", async () => {
    lab.server.misbehave({ at: "vendor/wasm-feature-detect.js", body: "export const simd = async () => false;" });
    await lab.browser.open(page());
    await lab.browser.waitFor("the sentence", async () => (await problemCodes()).includes("noSimd"));
    assert.match(await textOfProblems(), /SIMD/);
  });

  test("an_engine_that_died_at_work_is_replaced_and_the_prompt_stays", async () => {
    lab.server.misbehave({ at: "logit-lab-web.js", times: 1, body: await trappingGlue(12) });
    await openPage(lab.browser, page());
    await lab.browser.type("Prompt", "The old man looked at the");
    await lab.browser.type("New tokens, at most", "200");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the problem", async () => (await problemCodes()).includes("crashed"));
    const prompt = await lab.browser.get("textbox", "Prompt");
    assert.equal(await prompt.getAttribute("value"), "The old man looked at the");
    await lab.browser.type("New tokens, at most", "20");
    await lab.browser.waitFor("the new engine", () =>
      lab.browser.run(
        `const generate = document.getElementById("generate");
         return !generate.disabled && generate.ariaDisabled !== "true" && document.querySelector("#bars tr[data-id]");`,
      ),
    );
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("20 tokens of the new engine", () =>
      lab.browser.run("return document.getElementById('text-note').textContent.startsWith('20 tokens;');"),
    );
  });

  test("an_engine_that_dies_again_and_again_is_not_started_for_ever", async () => {
    lab.server.misbehave({ at: "logit-lab-web.js", times: 9, body: await trappingGlue(1) });
    await lab.browser.open(page());
    const again = await lab.browser.get("button", "Start the engine again");
    const starts = () => lab.server.requests.filter(({ path: asked }) => asked.endsWith("logit-lab-web.js")).length;
    const before = starts();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.equal(starts(), before, "no further start without a click");
    lab.server.faults.length = 0;
    await again.click();
    await lab.browser.waitFor("bars", () => lab.browser.run("return document.querySelector('#bars tr[data-id]');"));
  });
});
