/** The chain as sliders, bans, presets and links: what a student sets is what is sampled, and a link brings it back. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { Key, Origin } from "selenium-webdriver";
import { lacks } from "./engines/engine.mjs";
import { openLab, openPage } from "./harness.mjs";

const noTouch = lacks("touch");

describe("the settings of the chain", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  /** @param {string} [fragment] */
  async function open(fragment = "") {
    // Through another page: an address that differs in its fragment only would not load the page again.
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m${fragment}`);
    await lab.browser.waitFor("the bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
  }
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  /** @param {string} expression */
  const read = (expression) => lab.browser.run(`return ${expression};`);
  /** Waits until the settings in words begin so. @param {string} start */
  const line = (start) =>
    lab.browser.waitFor(`the line "${start}"`, async () => (await words("settings-line")).startsWith(start));
  /** @param {string} id */
  const words = (id) => read(`document.getElementById("${id}").innerText`);
  const order = () => read("[...document.querySelectorAll('#chain li')].map((row) => row.dataset.kind)");
  /** How many tokens the row of a step says that it kept. @param {string} kind */
  const kept = async (kind) =>
    Number((await read(`document.querySelector("#chain [data-kind=${kind}] output").value`)).replace(/\D/g, ""));
  /** What the page's model, asked by the console, keeps with this chain. @param {unknown[]} chain */
  const keptByEngine = (chain) =>
    lab.browser.run(
      `const { ids } = await logitLab.tokenize(document.getElementById("prompt").value);
       const logits = await logitLab.logits({ ids });
       const step = await logitLab.sampleStep({ logits, history: [...ids], settings: { chain: args[0] }, uniform: 0.5 });
       return step.cuts.find(({ kind }) => kind === "topP").keptAfter;`,
      chain,
    );
  /** Makes a text and returns it with its ids. */
  async function generate() {
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the end of the run", async () => (await words("text-note")).includes(";"));
    return lab.browser.run("const { text, newIds } = await logitLab.report(); return { text, newIds };");
  }
  const announced = () => read("document.getElementById('announcer').textContent.trim()");

  describe("moving", () => {
    beforeEach(() => open("#temperature=0.5&topP=0.75"));
    const temperature = { kind: "temperature", value: 0.5 };
    const nucleus = { kind: "topP", value: 0.75 };

    test("a_step_moved_by_keys_keeps_the_focus_and_changes_what_is_kept", async () => {
      const first = await keptByEngine([temperature, nucleus]);
      const second = await keptByEngine([nucleus, temperature]);
      assert.ok(second > first, `${second} and ${first}: a sharper distribution has the smaller nucleus`);
      assert.equal(await kept("topP"), first);

      const up = await lab.browser.get("button", "Move top-p up");
      await up.sendKeys(Key.ENTER);
      await lab.browser.waitFor("the move", async () => (await order())[1] === "topP");
      assert.match(await announced(), /^top-p(?: is now|,) step 2/);
      await lab.browser.waitFor("the focus", () => read("document.activeElement?.id === 'topP-up'"));
      await (await lab.browser.driver.switchTo().activeElement()).sendKeys(Key.SPACE);
      await lab.browser.waitFor("the other count", async () => (await kept("topP")) === second);
      assert.deepEqual(await order(), ["topP", "temperature", "topK"]);
      await line("top-p 0.75, then temperature 0.5;");
      assert.equal(await read("document.activeElement?.id"), "topP-up");
      await lab.browser.waitFor("the count to be spoken", async () => (await announced()).includes(`${second} kept`));
    });

    test("a_step_is_dragged_by_its_handle", async () => {
      await read("document.getElementById('chain').scrollIntoView({ block: 'center' })");
      const handle = await lab.browser.driver.findElement({ css: "#chain [data-kind=topP] .handle" });
      const first = await lab.browser.driver.findElement({ css: "#chain [data-kind=temperature] .handle" });
      const distance = (await first.getRect()).y - (await handle.getRect()).y;
      const actions = lab.browser.driver.actions({ async: true });
      await actions
        .move({ origin: handle })
        .press()
        .move({ origin: Origin.POINTER, y: Math.round(distance / 2), duration: 100 })
        .move({ origin: Origin.POINTER, y: Math.round(distance / 2) - 4, duration: 100 })
        .release()
        .perform();
      await lab.browser.waitFor("the move", async () => (await order())[0] === "topP");
      await actions.move({ origin: handle, y: 60 }).perform();
      assert.deepEqual(await order(), ["topP", "temperature", "topK"], "released is released");
      assert.equal(await read("document.querySelectorAll('.dragged').length"), 0);
    });

    test("a_step_is_dragged_by_a_finger", async () => {
      if (!noTouch) await lab.browser.emulateTouch(true);
      try {
        await read("document.getElementById('chain').scrollIntoView({ block: 'center' })");
        const [from, to] = await read(
          `["topP", "temperature"].map((kind) => document.querySelector("[data-kind=" + kind + "] .handle"))
             .map((handle) => handle.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))`,
        );
        await lab.browser.run(
          `const firsts = (globalThis.firsts = []);
           new MutationObserver(() => firsts.push(document.querySelector("#chain li").dataset.kind))
             .observe(document.getElementById("chain"), { subtree: true, childList: true, attributes: true, characterData: true });`,
        );
        const up = [1, 2, 3, 4, 5, 6].map((part) => ({ x: from.x, y: from.y + ((to.y - 4 - from.y) * part) / 6 }));
        await lab.browser.touch(from, "down", ...up, "wait", { x: from.x, y: from.y + 4 }, "wait", "up");
        assert.ok((await read("firsts")).includes("topP"), "it was moved before it was let go");
        await lab.browser.waitFor("the way back", async () => (await order())[2] === "topP");
        assert.equal(await read("document.querySelectorAll('.dragged').length"), 0);
      } finally {
        if (!noTouch) await lab.browser.emulateTouch(false);
      }
    });

    test("the_moves_are_large_enough_for_a_finger", { skip: noTouch }, async () => {
      await lab.browser.emulateScreen({ width: 360, height: 740 });
      await lab.browser.emulateTouch(true);
      try {
        const sizes = await read(
          `[...document.querySelectorAll(".move")].map((button) => button.getBoundingClientRect())
             .map(({ width, height, right }) => ({ width, height, beyond: right - innerWidth }))`,
        );
        assert.equal(sizes.length, 6);
        for (const { width, height, beyond } of sizes) {
          assert.ok(width >= 44 && height >= 44 && beyond < 0, `${width} by ${height}, ${beyond} beyond the screen`);
        }
        assert.ok((await read("document.documentElement.scrollWidth - innerWidth")) <= 0);
      } finally {
        await lab.browser.emulateTouch(false);
        await lab.browser.emulateScreen(null);
      }
    });

    test("a_step_that_is_switched_off_keeps_its_value", async () => {
      await lab.browser.click("switch", "Use top-p");
      await lab.browser.waitFor("all to be kept", async () => (await words("kept-line")).startsWith("4,096 of"));
      assert.equal(await (await lab.browser.get("textbox", "Top-p, exact value")).getAttribute("value"), "0.75");
      await lab.browser.click("switch", "Use top-p");
      const again = await keptByEngine([temperature, nucleus]);
      await lab.browser.waitFor("the nucleus again", async () => (await kept("topP")) === again);
    });

    test("under_greedy_the_chain_is_off_and_says_why", async () => {
      await lab.browser.click("switch", "Greedy");
      const slider = await lab.browser.get("slider", "Top-p");
      await lab.browser.waitFor("the slider to be off", async () => !(await slider.isEnabled()));
      assert.equal(await (await lab.browser.get("switch", "Use top-p")).isEnabled(), false);
      await (await lab.browser.get("button", "Move top-p up")).sendKeys(Key.ENTER);
      assert.deepEqual(await order(), ["temperature", "topK", "topP"]);
      assert.match(await words("greedy-reason"), /the sliders have no effect/);
    });
  });

  test("tokens_found_by_text_or_id_are_banned_and_allowed_again", async () => {
    await open();
    const best = Number(await read("document.querySelector('#bars tr[data-id]').dataset.id"));
    const first = () => read("Number(document.querySelector('#bars tr[data-id]').dataset.id)");
    await (await lab.browser.driver.findElement({ css: "#more-settings summary" })).click();
    await lab.browser.type("Ban tokens, by text or id", " a");
    await lab.browser.click("button", new RegExp(`^Ban space, a, id ${best}$`));
    await lab.browser.waitFor("another token first", async () => (await first()) !== best);
    await line(`banned id ${best}, then`);
    const second = await first();
    await lab.browser.type("Ban tokens, by text or id", String(second));
    await lab.browser.click("button", `Ban id ${second}`);
    await lab.browser.waitFor("a third token first", async () => ![best, second].includes(await first()));
    await lab.browser.click("button", "Allow space, a again");
    await lab.browser.waitFor("the first again", async () => (await first()) === best);
    assert.equal(await read("document.activeElement?.id"), "ban-text");
  });

  test("the_rule_for_the_border_is_chosen_under_more_and_reads_temperature_0", async () => {
    await open("#temperature=0&boundary=listing");
    await line("temperature 0 (read as 0.00001); seed 42;");
    const percent = () => read("document.querySelector('#bars tr[data-id]').cells[4].textContent.trim()");
    await lab.browser.waitFor("certainty", async () => /^(100.0|>99.9) %$/.test(await percent()));
    await (await lab.browser.driver.findElement({ css: "#more-settings summary" })).click();
    await lab.browser.click("radio", /^The smallest set/);
    await line("plain sampling, no filter; seed 42;");
    await lab.browser.waitFor("the model's own chances", async () => parseFloat(await percent()) < 99);
    await lab.browser.type("Temperature, exact value", "0");
    assert.match(await words("settings-panel"), /To always take the highest score, use Greedy/);
    await lab.browser.click("radio", /^As a listing has it/);
    await lab.browser.type("Temperature, exact value", "0");
    await line("temperature 0 (read as 0.00001); seed 42;");
  });

  test("a_preset_says_that_it_is_in_force_and_can_be_taken_back", async () => {
    await open("#temperature=1.3&seed=5");
    await (await lab.browser.driver.findElement({ css: "#presets summary" })).click();
    await lab.browser.click("button", "Creative text");
    await line("temperature 0.9, then top-p 0.9; seed 5;");
    assert.equal(await words("preset-in-force"), "Creative text in force");
    await lab.browser.click("button", "Temperature last");
    await line("top-p 0.9, then temperature 0.9;");
    assert.equal(await read("document.getElementById('preset-in-force')"), null);
    await lab.browser.click("button", "Back to what I had");
    await line("temperature 1.3; seed 5;");
    assert.equal(await lab.browser.find("button", "Back to what I had"), null);
  });

  test("what_is_copied_is_the_line_also_without_a_clipboard", async () => {
    await open("#topK=5");
    await lab.browser.run(
      `globalThis.copied = [];
       document.addEventListener("copy", () => copied.push(document.activeElement.value));
       Object.defineProperty(navigator, "clipboard", { value: undefined });`,
    );
    await lab.browser.click("button", "Copy settings");
    await lab.browser.get("button", "Settings copied");
    assert.deepEqual(await read("copied"), ["top-k 5; seed 42; at most 64 new tokens"]);
    assert.equal(await read("document.activeElement?.id"), "copy-settings");
  });

  test("a_link_gives_the_same_tokens_after_a_reload_and_in_another_tab", async () => {
    const prompt = "The old man said that the sea was cold, and nobody wanted to swim. ".repeat(5).trim();
    await open(
      `#order=topP,temperature&temperature=1.4&topP=0.95&topK=30&bypassed=topK&repetitionPenalty=1.1&suppress=262&ignoreEos=1&maxNewTokens=40`,
    );
    await lab.browser.type("Prompt", prompt);
    await lab.browser.click("button", "New seed");
    const { text, newIds } = await generate();
    assert.equal(newIds.length, 40);
    await lab.browser.run(
      `Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { globalThis.link = text; } } });`,
    );
    await lab.browser.click("button", "Copy link");
    await lab.browser.get("button", "Link copied");
    const link = await read("globalThis.link");
    assert.equal(new URL(link).search, "?model=tales-2m");
    assert.match(link, /#promptPacked=/);
    assert.equal(await read("location.href"), link);

    await lab.browser.driver.navigate().refresh();
    await openedByLink();
    assert.deepEqual(await generate(), { text, newIds });

    const tab = await lab.browser.driver.getWindowHandle();
    await lab.browser.newTab();
    try {
      await lab.browser.open(link);
      await openedByLink();
      assert.equal(await (await lab.browser.get("textbox", "Prompt")).getAttribute("value"), prompt);
      assert.deepEqual(await generate(), { text, newIds });
    } finally {
      await lab.browser.driver.close();
      await lab.browser.driver.switchTo().window(tab);
    }

    async function openedByLink() {
      await lab.browser.waitFor("window.logitLab", () => read("Boolean(window.logitLab)"));
      await lab.browser.run("await logitLab.ready;");
      await lab.browser.waitFor("the bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
    }
  });

  test("a_link_with_another_engine_loads_the_model_with_it", async () => {
    await open("#precision=int8");
    const precision = () => read("logitLab.report().then(({ model }) => model.card.precision)");
    assert.equal(await precision(), "int8");
    await lab.browser.run("location.hash = '#prompt=Once';");
    await lab.browser.waitFor("the other engine", async () => (await precision()) === "f32");
    await lab.browser.waitFor("its bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
  });

  test("a_link_with_an_engine_that_does_not_exist_still_opens_a_model", async () => {
    await open("#kernel=candle&precision=int8");
    const { card } = await read("logitLab.report().then(({ model }) => model)");
    assert.deepEqual([card.kernel, card.precision], ["fused", "f32"]);
    assert.match(await words("problems"), /not available for the candle kernel/);
  });

  test("parts_of_a_link_that_mean_nothing_are_named", async () => {
    await open("#order=topP,typical&panel=unheard-of&topK=3");
    assert.match(await words("problems"), /Not taken from the link.*order=topP,typical, panel=unheard-of/);
    assert.equal(await kept("topK"), 3);
  });
});
