/** After loading, a known prompt tells a browser that computes wrongly. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { app, dist, openLab, openPage } from "./harness.mjs";

describe("the self-test", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());
  beforeEach(() => void (lab.server.faults.length = 0));

  const page = () => `${lab.server.url}?model=tales-2m`;
  const textOf = (/** @type {string} */ id) =>
    lab.browser.run("return document.getElementById(args[0])?.textContent ?? '';", id);
  const hasBars = () => lab.browser.run("return document.querySelector('#bars tr[data-id]') !== null;");

  test("a_sound_browser_is_told_that_every_bit_is_right", async () => {
    await openPage(lab.browser, page());
    await lab.browser.waitFor("bars", hasBars);
    assert.match(await textOf("self-test"), /computes as it should: .* 7 tokens .* every bit is right/);
    const report = await lab.browser.run("return await logitLab.loadModel({ model: 'tales-2m', precision: 'int8' });");
    assert.equal(report.selfTest.passed, true);
    assert.equal(report.selfTest.tolerance, 0.25);
    await lab.browser.waitFor("the card", async () => /of 0.25 allowed/.test(await textOf("self-test")));
  });

  test("a_model_whose_logits_are_not_known_is_said_to_be_unchecked", async () => {
    await openPage(lab.browser, page());
    await lab.browser.run("await logitLab.loadModel({ base: '/tiny/relu/' });");
    await lab.browser.waitFor("the card", async () => /^Not checked/.test(await textOf("self-test")));
  });

  test("a_browser_that_computes_wrongly_shows_no_bars_until_the_student_wants_them", async () => {
    const glue = await readFile(path.join(dist, app, "logit-lab-web.js"), "utf8");
    // The files are as published; what is computed from them is not.
    const wrong = `${glue}
      const sound = EngineHandle.prototype.beginLoad;
      EngineHandle.prototype.beginLoad = function (config, ...others) {
        const text = new TextDecoder().decode(config).replace("gelu", "relu");
        return sound.call(this, new TextEncoder().encode(text), ...others);
      };`;
    lab.server.misbehave({ at: "logit-lab-web.js", times: 9, body: wrong });
    await lab.browser.open(page());
    const button = await lab.browser.get("button", "Use it all the same");
    const codes = await lab.browser.run("return [...document.querySelectorAll('[data-code]')].map((one) => one.dataset.code);");
    assert.deepEqual(codes, ["wrongResults"]);
    assert.match(await textOf("problems"), /every bit as published/);
    assert.equal(await hasBars(), false);
    const generate = await lab.browser.get("button", "Generate");
    assert.equal(await lab.browser.run("return args[0].disabled || args[0].ariaDisabled === 'true';", generate), true);
    await assert.rejects(lab.browser.run("await logitLab.loadModel({ model: 'tales-2m' });"), { code: "wrongResults" });
    await button.click();
    await lab.browser.waitFor("bars", hasBars);
    await lab.browser.run("await logitLab.ready;");
    assert.match(await textOf("self-test"), /^No: /);
  });
});
