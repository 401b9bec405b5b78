/** The panels of the KV cache and of memory: their figures are the engine's, and an uncached run says so. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { lacks } from "./engines/engine.mjs";
import { openLab, openPage, pageOf, WATCH_WORKERS } from "./harness.mjs";

describe("the panels of the KV cache and of memory", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
    lab.server.runFirst(WATCH_WORKERS);
  });
  after(() => lab?.close());

  const { read, words, choose } = pageOf(() => lab);
  /** @param {string} what @param {string} id @param {RegExp} pattern */
  const says = (what, id, pattern) => lab.browser.waitFor(what, async () => pattern.test(await words(id)));
  /** @param {string} fragment */
  async function open(fragment) {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m${fragment}`);
  }
  /** Counts of the table's stretches, by what became of them. @returns {Promise<Record<string, number>>} */
  const stretches = () =>
    read(`Object.fromEntries([...document.querySelectorAll("#kv-table tbody tr")].map((row) =>
      [row.dataset.fate, Number(row.children[1].innerText.split(" ")[0])]))`);
  async function compare() {
    await lab.browser.click("button", "Compare");
    await lab.browser.waitFor("the comparison", async () => {
      assert.equal(await words("cache-check-fault"), "");
      return (await words("cache-verdict")) !== "" && (await read("document.getElementById('cache-check-stop').disabled"));
    });
    return words("cache-verdict");
  }
  /** @param {string} id */
  const rows = (id) => read(`document.querySelectorAll("#${id} tbody tr").length`);

  test("an_edit_at_the_end_of_a_long_prompt_reuses_its_chunks_and_one_at_its_start_nothing", async () => {
    await open("#panel=cache&prompt=The+ship&maxNewTokens=6&seed=4");
    await says("a pass", "cache-pass", /2 positions: 0 reused, 2 computed/);
    await lab.browser.click("button", "Take a long prompt");
    await says("the long prompt", "cache-pass", /stands on \d{2,3} positions: 0 reused/);
    const long = await read("document.querySelectorAll('#tokens-panel .chip').length");
    assert.ok(long > 64, `${long} tokens`);
    await lab.browser.click("button", "Change its last word");
    await says("the edit", "cache-pass", /positions: (64|96) reused/);
    const edited = await stretches();
    assert.equal(edited.reused % 32, 0);
    assert.equal(edited.reused + edited.again + (edited.computed ?? 0), await read("document.querySelectorAll('#tokens-panel .chip').length"));
    assert.match(await words("status-panel"), new RegExp(`${edited.reused} reused`));
    // As many columns as positions, or fewer; six layers.
    const cells = await read("document.querySelectorAll('#kv-grid .kv-cell').length");
    assert.ok(cells % 6 === 0 && cells / 6 <= 67, `${cells} cells`);
    await lab.browser.click("button", "Change its first word");
    await says("nothing reused", "cache-pass", /: 0 reused, /);
    assert.equal((await stretches()).reused, undefined);
  });

  test("an_uncached_run_makes_the_same_text_says_so_and_computes_all_again", async () => {
    await open("#panel=cache&prompt=The+ship&maxNewTokens=6&seed=4");
    await lab.browser.click("button", "Generate");
    await says("the cached run", "text-note", /; seed 4/);
    const cached = await words("generated");
    await says("its last pass", "cache-pass", /7 positions: 6 reused, 1 computed/);
    assert.doesNotMatch(await words("stages"), /uncached/);
    await choose("cache-use", "off");
    await lab.browser.waitFor("the link", () => read("location.hash.includes('cache=off')"));
    await lab.browser.click("button", "Clear text");
    await lab.browser.click("button", "Generate");
    await says("the uncached run", "stages", /5 steps, uncached/);
    await says("its last pass", "cache-pass", /7 positions: 0 reused, 7 computed.*switched off/);
    assert.equal(await words("generated"), cached);
    assert.match(await words("kv-bytes"), /not used by runs/);
    // A link opens it uncached, in a new worker too.
    await open("#panel=cache&prompt=The+ship&maxNewTokens=6&seed=4&cache=off");
    assert.equal(await read("document.getElementById('cache-use').value"), "off");
    await lab.browser.click("button", "Generate");
    await says("the run of the link", "stages", /5 steps, uncached/);
    assert.equal(await words("generated"), cached);
  });

  test("both_paths_have_the_same_bits_on_fused_and_other_last_digits_on_candle", async () => {
    await open("#panel=cache&prompt=The+old+man+looked+at+the&maxNewTokens=6&seed=4");
    await lab.browser.waitFor("the panel", () => read("document.getElementById('cache-check-run')?.disabled === false"));
    await lab.browser.type("Steps, at most 507 here", "40");
    assert.match(await compare(), /^At all 40 steps every logit has the same bits/);
    assert.match(await words("cache-reason"), /Why exactly 0/);
    assert.equal(await rows("cache-table"), 40);
    await lab.browser.waitFor("the chart", () => read("document.querySelectorAll('#cache-chart svg circle, #cache-chart svg path').length > 40"));
    await choose("cache-kind", "kernel");
    const sentence = await compare();
    const [, digits, power] = /difference of 40 steps is ([\d.]+) × 10\^−(\d+)/.exec(sentence) ?? [];
    const value = Number(digits) * 10 ** -Number(power);
    assert.ok(value > 0 && value < 1e-4, sentence);
    const check = await lab.browser.run(
      `const { ids } = await logitLab.tokenize("The old man looked at the");
       const { differences } = await logitLab.cacheCheck({ ids, steps: 40, second: { kernel: "candle" } });
       return Math.max(...differences);`,
    );
    assert.ok(Math.abs(check - value) <= 0.06 * 10 ** -Number(power), `${check}, ${value}`);
    // The page's own text in place of one made for this, and a stop.
    await lab.browser.click("button", "Generate");
    await says("the run", "text-note", /; seed 4/);
    await says("the text", "cache-text", /the present text \(6 tokens\)/);
    await choose("cache-kind", "cache");
    assert.match(await compare(), /^At all 6 steps/);
    await choose("cache-text", "greedy");
    await lab.browser.type("Steps, at most 507 here", "500");
    await lab.browser.click("button", "Compare");
    await says("some steps", "cache-check-progress", /Step \d+ of 500/);
    await lab.browser.click("button", "Stop the comparison");
    await says("what there is", "cache-verdict", /^Stopped after \d+ of 500/);
    assert.ok((await rows("cache-table")) < 500);
  });

  test("baseline_and_relaxed_simd_are_compared_in_two_workers_of_which_one_stays", { skip: lacks("relaxedSimd") }, async () => {
    await open("#panel=cache&prompt=The+old+man+looked+at+the");
    await lab.browser.waitFor("the panel", () => read("document.getElementById('cache-check-run')?.disabled === false"));
    await lab.browser.type("Steps, at most 507 here", "12");
    await choose("cache-kind", "simd");
    assert.equal(await read("document.getElementById('cache-kind').value"), "simd");
    // Which digits differ is the machine's affair; that the same token leads is not.
    assert.match(await compare(), /^(The largest logit difference of 12 steps is .* × 10\^−[4-9].* )?At all 12 steps (the same token|every logit)/);
    assert.equal(await rows("cache-table"), 12);
    assert.match(await words("cache-table"), /with baseline SIMD, ms\s+with relaxed SIMD, ms/);
    assert.deepEqual(await read("[startedWorkers, liveWorkers.size]"), [2, 1]);
  });

  test("memory_is_counted_in_parts_that_add_up_and_the_budget_can_be_edited", async () => {
    await open("#panel=memory&prompt=The+ship&maxNewTokens=40&seed=4");
    await says("the parts", "memory-table", /live activations/);
    await lab.browser.click("button", "Generate");
    await says("the run", "text-note", /; seed 4/);
    await says("its positions", "memory-table", /keys and values of 41 positions/);
    const use = await read("logitLab.memory()");
    assert.equal(use.kvUsedBytes, 41 * use.kvBytesPerPosition);
    assert.equal(use.kvBytesPerPosition, 2 * 6 * 128 * 4);
    const counted = ["weightBytes", "fileCopyBytes", "secondKernelBytes", "kvReservedBytes", "activationBytes", "workspaceBytes"];
    const sum = counted.reduce((total, name) => total + use[name], 0);
    assert.ok(use.otherBytes > 0 && sum + use.otherBytes === use.wasmBytes, JSON.stringify(use));
    assert.match(await words("memory-whole"), new RegExp(`${(use.wasmBytes / 1e6).toFixed(2)} MB \\(${(use.wasmBytes / 2 ** 20).toFixed(2)} MiB\\)`));
    assert.match(await words("memory-peak"), /The peak of loading was [\d.]+ MB/);
    assert.match(await words("memory-formula"), /6 layers × 128 numbers × 4 bytes = 6\.1 kB \(6\.0 KiB\)/);
    await lab.browser.type("Positions in each request", "2048");
    await lab.browser.type("Requests at a time", "1000");
    await says("the projection", "memory-projected", /12\.58 GB \(11\.72 GiB\) of KV cache.*The cache is the larger part/s);
    assert.deepEqual([await words("memory-sum"), await words("memory-margin")], ["7.25 GiB", "0.75 GiB"]);
    await lab.browser.type("KV cache, in GiB", "3");
    await says("the new sum", "memory-sum", /^8\.75 GiB$/);
    assert.match(await words("memory-budget-verdict"), /0\.75 GiB more than there is/);
    await lab.browser.type("KV cache, in GiB", "much");
    await says("the fault", "memory-cache-fault", /A number of GiB/);
    assert.equal(await words("memory-sum"), "8.75 GiB");
    await lab.browser.click("button", "Put the first numbers back");
    await says("the first sum", "memory-sum", /^7\.25 GiB$/);
  });
});
