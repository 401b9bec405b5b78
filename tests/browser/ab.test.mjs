/** The A/B panel: two configurations side by side are what the console says of each, and a second worker leaves no trace. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openLab, openPage, pageOf, WATCH_WORKERS } from "./harness.mjs";

describe("the A/B panel", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
    lab.server.runFirst(WATCH_WORKERS);
  });
  after(() => lab?.close());

  const { read, words, choose } = pageOf(() => lab);
  const announced = () => read("document.getElementById('announcer').textContent.trim()");
  /** @param {string} [fragment] */
  async function open(fragment = "#panel=ab&prompt=The+old+man+looked+at+the&seed=5&maxNewTokens=24") {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m${fragment}`);
    if (fragment.includes("panel=ab"))
      await lab.browser.waitFor("the panel", () => read("document.getElementById('ab-run')?.disabled === false"));
  }
  /**
   * Presses a button and waits until the work is done. @param {string} name
   * @param {string} [result] id of what then says so
   */
  async function press(name, result = "ab-verdict") {
    await lab.browser.click("button", name);
    await lab.browser.waitFor(`the end of "${name}"`, async () => {
      const fault = await words("ab-fault");
      assert.equal(fault, "");
      return (await words(result)) !== "" && (await read("document.getElementById('ab-stop').disabled"));
    });
    return words(result);
  }
  const prompt = "The old man looked at the";
  /** What the console makes of the same. @param {object} options @returns {Promise<number[]>} */
  const console = async (options) =>
    (await lab.browser.run("return await logitLab.generate(args[0]);", { prompt, maxNewTokens: 24, ...options }))
      .newIds;
  const firstIndex = () => read("Number(document.querySelector('#ab-tokens .ab-first').dataset.index)");
  /** Ids of the rows that say who picked them. @param {0 | 1} side @param {string} name */
  const picked = (side, name) =>
    lab.browser.run(
      `const rows = [...document.querySelectorAll("#ab-distribution-" + args[0] + " tr[data-id]")];
       return rows.filter((row) => row.innerText.includes("picked by " + args[1])).map((row) => Number(row.dataset.id));`,
      side,
      name,
    );

  test("greedy_against_a_seed_parts_where_the_ids_say_and_shows_both_picks_there", async () => {
    await open();
    assert.match(await words("ab-differences"), /decoding \(A: greedy, B: drawing with a seed\)/);
    const verdict = await press("Run A and B");
    const [a, b] = [await console({ settings: { greedy: true } }), await console({ seed: 5 })];
    const index = a.findIndex((id, n) => id !== b[n]);
    assert.ok(index >= 0);
    assert.equal(await firstIndex(), index);
    assert.match(verdict, index === 0 ? /at the first token/ : new RegExp(`at token ${index + 1}:`));
    for (const side of /** @type {const} */ ([0, 1])) {
      assert.deepEqual(await picked(side, "A"), [a[index]]);
      assert.deepEqual(await picked(side, "B"), [b[index]]);
    }
    assert.match(await words("ab-difference"), /difference 0: the same bits/);
    assert.match(await announced(), /^The texts part .*the same bits/s);
    assert.equal(await read("liveWorkers.size"), 1);
  });

  test("the_same_seed_twice_proves_equal", async () => {
    await open();
    assert.match(
      await press("Same seed twice"),
      /^Proved equal: both runs \(seed 5\) made the same 24 tokens, from logits with the same bits/,
    );
    assert.match(await words("ab-difference"), /all 24 positions/);
    assert.equal(await read("document.querySelectorAll('#ab-tokens .ab-same').length"), 24);
  });

  test("the_two_kernels_are_near_and_not_the_same_bits", async () => {
    await open();
    await choose("ab-0-start", "plain");
    await choose("ab-1-kernel", "candle");
    assert.match(await words("ab-differences"), /kernel \(A: fused, B: candle, the readable reference\)\.$/);
    await press("Run A and B");
    const sentence = await words("ab-difference");
    const [, digits, power] = /difference ([\d.]+) × 10\^−(\d+) .*not the same bits/.exec(sentence) ?? [];
    const value = Number(digits) * 10 ** -Number(power);
    assert.ok(value > 0 && value < 1e-4, sentence);
    assert.equal(await read("startedWorkers"), 1, "the page's worker has both kernels");
  });

  test("int8_weights_run_in_a_second_worker_which_is_gone_afterwards_and_the_page_is_as_it_was", async () => {
    await open();
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the page's text", async () => (await words("text-note")).includes(";"));
    const before = await words("text");
    await choose("ab-0-start", "greedy");
    await choose("ab-1-start", "greedy");
    await choose("ab-1-precision", "int8");
    await press("Run A and B");
    assert.match(await words("ab-difference"), /difference 0\.\d+ on the identical prefix: not the same bits/);
    assert.match(
      await words("ab-comparison"),
      /made in a second worker with [\d.]+ MB of weights, which has been ended/,
    );
    assert.deepEqual(await read("[startedWorkers, liveWorkers.size]"), [2, 1]);
    assert.equal(await words("text"), before);
    const { precision } = await read("logitLab.report().then(({ model }) => model.card)");
    assert.equal(precision, "f32");
  });

  test("a_configuration_that_does_not_exist_fails_in_words_and_leaves_no_worker", async () => {
    await open();
    await choose("ab-1-precision", "q4");
    await choose("ab-1-kernel", "candle");
    await lab.browser.click("button", "Run A and B");
    await lab.browser.waitFor("the fault", () => words("ab-fault"));
    assert.match(await words("ab-fault"), /candle/);
    assert.equal(await read("liveWorkers.size"), 1);
  });

  test("samples_are_the_runs_of_their_seeds_and_a_seed_can_be_used", async () => {
    await open();
    await lab.browser.type("How many", "3");
    assert.match(await press("3 samples by seed", "ab-series"), /3 texts \(seeds 5 to 7\), \d of them distinct/);
    const texts = await read(
      "[...document.querySelectorAll('#ab-sample-table tbody .ab-text')].map((cell) => cell.textContent)",
    );
    for (const [n, text] of texts.entries()) {
      const { text: expected } = await lab.browser.run("return await logitLab.generate(args[0]);", {
        prompt,
        maxNewTokens: 24,
        seed: 5 + n,
      });
      assert.equal(text, expected);
    }
    await lab.browser.click("button", /^Use this seed\s*, 7$/);
    assert.equal(await read("document.getElementById('seed-field').value"), "7");
    assert.equal(await read("document.getElementById('ab-1-seed').value"), "7");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the run", async () => (await words("text-note")).includes("; seed 7"));
    assert.equal(await read("document.getElementById('generated').textContent"), texts[2]);
  });

  test("a_long_comparison_stops_when_it_is_told_to", async () => {
    await open("#panel=ab&prompt=The&maxNewTokens=900&ignoreEos=1");
    await choose("ab-1-cache", "off");
    await lab.browser.click("button", "Run A and B");
    await lab.browser.waitFor("some tokens", async () => /Run [AB]: \d+ tokens/.test(await words("ab-progress")));
    await lab.browser.click("button", "Stop the comparison");
    await lab.browser.waitFor("its end", async () => (await announced()) === "Stopped.");
    assert.equal(await read("document.getElementById('ab-run').disabled"), false);
    assert.equal((await console({ settings: { greedy: true } })).length, 24, "the worker is free again");
  });

  test("a_link_opens_the_panel_with_both_configurations", async () => {
    await open();
    await choose("ab-0-start", "plain");
    await choose("ab-1-precision", "q4");
    await lab.browser.type("B: seed", "77");
    await lab.browser.run(
      `Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { globalThis.link = text; } } });`,
    );
    await lab.browser.click("button", "Copy a link that opens A/B alone");
    const link = await lab.browser.waitFor("the link", () => read("globalThis.link"));
    const before = await words("ab-differences");
    assert.match(before, /seed \(A: 5, B: 77\); weights \(A: F32, exact, B: Q4, not exact\)/);
    await lab.browser.open("about:blank");
    await openPage(lab.browser, link);
    await lab.browser.waitFor("the panel", () => words("ab-differences"));
    assert.equal(await words("ab-differences"), before);
    assert.equal(await words("problems"), "");
  });

  test("a_random_run_shows_the_seed_that_repeats_it_after_a_reload_and_in_another_tab", async () => {
    await open("#prompt=The+ship&ignoreEos=1&maxNewTokens=30");
    await lab.browser.click("button", "New seed");
    const first = await generate();
    assert.equal(first.newIds.length, 30);
    // The address follows after a pause.
    await lab.browser.waitFor("the address", async () => (await read("location.hash")).includes(`seed=${first.seed}`));
    await lab.browser.driver.navigate().refresh();
    await lab.browser.waitFor("window.logitLab", () => read("Boolean(window.logitLab)"));
    await lab.browser.run("await logitLab.ready;");
    assert.deepEqual(await generate(), first);

    const tab = await lab.browser.driver.getWindowHandle();
    await lab.browser.newTab();
    try {
      await openPage(lab.browser, `${lab.server.url}?model=tales-2m#prompt=The+ship&ignoreEos=1&maxNewTokens=30`);
      await lab.browser.type("Seed", first.seed);
      assert.deepEqual(await generate(), first);
    } finally {
      await lab.browser.driver.close();
      await lab.browser.driver.switchTo().window(tab);
    }
  });

  /** Makes the page's own text. @returns {Promise<{ seed: string, newIds: number[] }>} */
  async function generate() {
    await lab.browser.waitFor("the bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
    await lab.browser.click("button", "Generate");
    const note = await lab.browser.waitFor("the end of the run", async () =>
      /; seed (\d+)$/.exec(await words("text-note")),
    );
    const { newIds } = await lab.browser.run("return await logitLab.report();");
    return { seed: note[1], newIds };
  }
});
