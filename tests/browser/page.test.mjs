/** The main loop as a student meets it, with the bundled model: everything is found by role and name. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { openLab, openPage, readFixture } from "./harness.mjs";

describe("the page", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  /** @type {any} */
  let reference;

  before(async () => {
    reference = (await readFixture("tales-2m.json")).cases[0];
    lab = await openLab();
  });
  after(() => lab?.close());
  beforeEach(() => openPage(lab.browser, `${lab.server.url}?model=tales-2m`));

  /** The rows of the bars as text, the first of them the likeliest. */
  const bars = () =>
    lab.browser.run(
      `const rows = [...document.querySelectorAll("#bars tbody tr[data-id]")];
       return rows.map((row) => ({ id: Number(row.dataset.id), text: row.innerText }));`,
    );
  const generated = () => lab.browser.run("return document.getElementById('generated').textContent;");
  /** @param {number} count */
  const tokensMade = (count) =>
    lab.browser.waitFor(`${count} tokens`, async () => {
      const note = await lab.browser.run("return document.getElementById('text-note').textContent;");
      return note.startsWith(`${count} token`) && note.includes(";");
    });
  /** @param {number[]} ids */
  const promptIs = (ids) =>
    lab.browser.waitFor("the tokens of the prompt", async () => {
      const shown = await lab.browser.run(
        "return [...document.querySelectorAll('[role=option]')].map((token) => token.ariaLabel);",
      );
      return shown.length === ids.length && ids.every((id, n) => shown[n].endsWith(`id ${id}`));
    });

  test("opens_with_a_prompt_and_its_bars_already_drawn", async () => {
    const prompt = await lab.browser.get("textbox", "Prompt");
    assert.equal(await prompt.getAttribute("value"), "Once upon a time there was");
    await lab.browser.waitFor("the bars", async () => (await bars()).length >= 10);
    assert.ok(await lab.browser.find("table", "Next token"));
  });

  test("greedy_text_of_a_typed_prompt_equals_the_reference", async () => {
    await lab.browser.type("Prompt", reference.prompt);
    await promptIs(reference.ids);
    await lab.browser.click("switch", "Greedy");
    assert.equal(await (await lab.browser.get("slider", "Temperature")).isEnabled(), false);
    await lab.browser.type("New tokens, at most", "48");
    await lab.browser.click("button", "Generate");
    await tokensMade(48);
    assert.equal(await generated(), reference.greedy_text);
  });

  test("one_token_at_a_time_follows_the_bars", async () => {
    await lab.browser.type("Prompt", reference.prompt);
    await promptIs(reference.ids);
    await lab.browser.click("switch", "Greedy");
    for (const [n, id] of reference.greedy_48.slice(0, 3).entries()) {
      await lab.browser.click("button", "One token");
      await tokensMade(n + 1);
      const marked = await lab.browser.run("return document.querySelector('#bars tr.marked')?.dataset.id;");
      assert.equal(Number(marked), id);
    }
  });

  test("the_same_seed_gives_the_same_text_again", async () => {
    await lab.browser.type("Seed", "1234");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the end of the run", () => lab.browser.find("button", /^(Generate|Continue)$/));
    await tokensMade(64);
    const first = await generated();
    await lab.browser.click("button", "Clear text");
    // A picture may lie between the click and what it does.
    await lab.browser.waitFor("no text", async () => (await generated()) === "");
    await lab.browser.click("button", "Generate");
    await tokensMade(64);
    assert.equal(await generated(), first);
  });

  test("a_slider_moved_by_keys_redraws_the_bars", async () => {
    await lab.browser.waitFor("the bars", async () => (await bars()).length >= 10);
    const before = await bars();
    const slider = await lab.browser.get("slider", "Temperature");
    for (let press = 0; press < 6; press++) await slider.sendKeys(Key.ARROW_LEFT);
    await lab.browser.waitFor("other bars", async () => (await bars())[0].text !== before[0].text);
    // Temperature never changes the order.
    assert.deepEqual(
      (await bars()).map((/** @type {any} */ row) => row.id).slice(0, 10),
      before.map((/** @type {any} */ row) => row.id).slice(0, 10),
    );
    const nucleus = await lab.browser.get("slider", "Top-p");
    await nucleus.sendKeys(Key.HOME);
    await lab.browser.waitFor("tokens that are cut", async () => (await bars())[9].text.includes("cut by top-p"));
  });

  test("the_bars_take_the_width_of_a_phone_and_no_more", async () => {
    await lab.browser.emulateScreen({ width: 360, height: 740 });
    try {
      await lab.browser.waitFor("the bars", async () => (await bars()).length >= 10);
      const { unused, beyond } = await lab.browser.run(
        `const table = document.getElementById("bars");
         const lastCell = table.querySelector("tr[data-id]").lastElementChild;
         return {
           unused: table.getBoundingClientRect().right - lastCell.getBoundingClientRect().right,
           beyond: document.documentElement.scrollWidth - innerWidth,
         };`,
      );
      assert.ok(unused < 4, `${unused} px of the table hold no column`);
      assert.ok(beyond <= 0, `${beyond} px beyond the screen`);
    } finally {
      await lab.browser.emulateScreen(null);
    }
  });

  test("an_empty_prompt_is_said_in_words", async () => {
    const prompt = await lab.browser.get("textbox", "Prompt");
    await prompt.sendKeys(Key.chord(Key.CONTROL, "a"), Key.BACK_SPACE);
    await lab.browser.waitFor(
      "generating to be off",
      async () => !(await (await lab.browser.get("button", "Generate")).isEnabled()),
    );
    assert.match(await lab.browser.run("return document.body.innerText;"), /A prompt needs at least one token/);
  });
});
