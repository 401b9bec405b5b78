/** The lab panels below the main loop: opened by buttons, loaded when they are, alone when a link says so. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { openLab, openPage, pageOf } from "./harness.mjs";

describe("the lab panels", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  const { read } = pageOf(() => lab);
  /** @param {string} [fragment] */
  async function open(fragment = "") {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m${fragment}`);
  }
  const filled = () =>
    lab.browser.waitFor("the panel", () => read("document.getElementById('lab-panel-example').childElementCount > 0"));
  const shown = () => read("document.getElementById('lab-example').checkVisibility()");
  const codeLoaded = () =>
    read("performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/views/example.js'))");

  test("a_panel's_code_comes_when_it_is_opened_and_its_button_says_what_it_does", async () => {
    await open();
    const button = await lab.browser.get("button", "Worked example");
    assert.equal(await button.getAttribute("aria-expanded"), "false");
    assert.equal(await shown(), false);
    assert.equal(await codeLoaded(), false);
    await button.sendKeys(Key.ENTER);
    await filled();
    assert.equal(await codeLoaded(), true);
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    assert.equal(await button.getAttribute("aria-controls"), "lab-example");
    await button.sendKeys(Key.SPACE);
    await lab.browser.waitFor("the panel to close", async () => !(await shown()));
    assert.equal(await button.getAttribute("aria-expanded"), "false");
  });

  test("all_panels_opened_at_once_come_all", async () => {
    await open();
    const { names, failed } = await lab.browser.run(
      `const buttons = [...document.querySelectorAll('[aria-controls^="lab-"][aria-expanded="false"]')];
       for (const button of buttons) button.click();
       const names = buttons.map((button) => button.getAttribute("aria-controls"));
       const filled = (name) => document.getElementById(name)?.querySelector("button, input, select, table") !== null;
       for (let times = 0; times < 200 && !names.every(filled); times += 1) await new Promise((resolve) => setTimeout(resolve, 100));
       return { names, failed: names.filter((name) => !filled(name)) };`,
    );
    assert.ok(names.length >= 10, names.join());
    assert.deepEqual(failed, []);
  });

  test("a_link_opens_a_panel_alone_and_the_others_can_be_had_again", async () => {
    await open("#panel=example");
    await filled();
    assert.equal(await shown(), true);
    assert.equal(await lab.browser.find("button", "Worked example"), null);
    await lab.browser.click("button", "Show the other panels");
    const button = await lab.browser.get("button", "Worked example");
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    assert.equal(await shown(), true);
  });

  test("a_panel_has_a_link_that_opens_it_alone", async () => {
    await open();
    await lab.browser.click("button", "Worked example");
    await filled();
    await lab.browser.run(
      `Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { globalThis.link = text; } } });`,
    );
    await lab.browser.click("button", "Copy a link that opens Worked example alone");
    await lab.browser.waitFor("the link", () => read("Boolean(globalThis.link)"));
    const link = await read("globalThis.link");
    assert.match(link, /[#&]panel=example/);
    assert.doesNotMatch(await read("location.href"), /panel=/);
    await lab.browser.open("about:blank");
    await openPage(lab.browser, link);
    await filled();
    assert.equal(await lab.browser.find("button", "Worked example"), null);
  });
});
