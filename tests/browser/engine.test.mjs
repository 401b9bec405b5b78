/** The choice of the engine: exact everywhere, relaxed where the browser has it, on the page and in the console. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { lacks } from "./engines/engine.mjs";
import { openLab, openPage, readFixture } from "./harness.mjs";

/** A browser without relaxed SIMD, as page and worker find out. */
const WITHOUT_RELAXED = "export const simd = async () => true; export const relaxedSimd = async () => false;";

const noRelaxedSimd = lacks("relaxedSimd");

describe("the choice of the engine", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());
  beforeEach(() => {
    lab.server.faults.length = 0;
  });

  const open = () => openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
  /** What the model's card says. (A report tells what the text was made on, which a later choice does not change.) */
  const runningSimd = async () => {
    const card = await lab.browser.run("return document.getElementById('model-card').textContent;");
    return /Computed as[^]*?kernel, relaxed:/.test(card) ? "relaxed" : /Computed as[^]*?kernel, exact/.test(card) && "baseline";
  };
  /** @param {string} value */
  const choose = (value) =>
    lab.browser.run(
      `document.getElementById("model-card").open = true;
       const select = document.getElementById("engine-simd");
       select.value = args[0];
       select.dispatchEvent(new Event("change"));`,
      value,
    );
  const choiceIsOffered = () => lab.browser.run("return document.getElementById('engine-simd') !== null;");

  test("the_relaxed_engine_says_so_and_meets_the_reference_values", { skip: noRelaxedSimd }, async () => {
    await open();
    assert.equal(await runningSimd(), "baseline");
    const { card } = await lab.browser.run("return await logitLab.loadModel({ model: 'tales-2m', simd: 'relaxed' });");
    assert.equal(card.simd, "relaxed");
    const { cases } = await readFixture("tales-2m.json");
    for (const { ids, last_logits_top10 } of cases) {
      const logits = await lab.browser.run("return await logitLab.logits({ ids: args[0] });", ids);
      for (const [id, value] of last_logits_top10) assert.ok(Math.abs(logits[id] - value) < 1e-3, `token ${id}`);
    }
  });

  test("a_choice_on_the_page_loads_the_model_again_and_keeps_prompt_and_text", { skip: noRelaxedSimd }, async () => {
    await open();
    await lab.browser.waitFor("the choice", choiceIsOffered);
    await lab.browser.type("Prompt", "The old man");
    await lab.browser.click("button", "One token");
    const text = () => lab.browser.run("return document.getElementById('generated').textContent;");
    const made = await lab.browser.waitFor("a token", text);
    await choose("relaxed");
    await lab.browser.waitFor("the relaxed engine", async () => (await runningSimd()) === "relaxed");
    assert.equal(await text(), made);
    assert.equal((await lab.browser.run("return await logitLab.report();")).prompt, "The old man");
    assert.equal(await lab.browser.run("return document.getElementById('engine-simd').value;"), "relaxed");
    await choose("baseline");
    await lab.browser.waitFor("the exact engine", async () => (await runningSimd()) === "baseline");
  });

  test("without_relaxed_simd_it_is_not_offered_and_asking_for_it_fails_in_words", async () => {
    // What a browser that lacks it finds out by itself must do without help.
    if (!noRelaxedSimd) lab.server.misbehave({ at: "vendor/wasm-feature-detect.js", body: WITHOUT_RELAXED });
    await open();
    assert.equal(await choiceIsOffered(), false);
    await assert.rejects(
      lab.browser.run("await logitLab.loadModel({ model: 'tales-2m', simd: 'relaxed' });"),
      (/** @type {any} */ error) => error.code === "noRelaxedSimd" && /relaxed SIMD/.test(error.message),
    );
    assert.equal(await runningSimd(), "baseline");
  });
});
