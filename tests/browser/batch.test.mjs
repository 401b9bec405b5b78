/** The panels Batch and Text scores: what they show is what the console says of the same, and the mistakes are seen. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { openLab, openPage, pageOf } from "./harness.mjs";

describe("the panels Batch and Text scores", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  const { read, words, click, type, choose } = pageOf(() => lab);
  /** @param {string} panel @param {string} [more] */
  async function open(panel, more = "&seed=5") {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#panel=${panel}${more}`);
    await lab.browser.waitFor("the panel", () => read(`document.getElementById("${panel}-run")?.disabled === false`));
  }
  /** Presses a panel's button and waits until its work has ended. @param {string} id */
  async function press(id) {
    await click(`${id}-run`);
    await lab.browser.waitFor(`the end of ${id}`, async () => {
      assert.equal(await words(`${id}-fault`), "");
      return read(`document.getElementById("${id}-stop").disabled`);
    });
  }
  /** The requests as the panel has them at first, for the console. */
  const requests = () =>
    lab.browser.run(
      `return [0, 1, 2].map((n) => ({
         name: document.getElementById("batch-name-" + n).value,
         prompt: document.getElementById("batch-prompt-" + n).value,
         maxNewTokens: Number(document.getElementById("batch-newTokens-" + n).value),
       }));`,
    );
  /** One cell of each row of the table of results. @param {string} selector */
  const column = (selector) =>
    lab.browser.run(
      `return [...document.querySelectorAll("#batch-table tbody tr")].map((row) => [row.dataset.name,
         row.querySelector(args[0]).innerText]);`,
      selector,
    );
  const gridRows = () =>
    read(`[...document.querySelectorAll("#batch-grid tbody tr")].map((row) => row.dataset.name)`);

  test("each_request_makes_in_the_batch_what_it_makes_alone_and_every_place_is_drawn_and_counted", async () => {
    await open("batch");
    await press("batch");
    assert.match(await words("batch-equality"), /^Every request made in the batch the very tokens that it makes alone\.$/);
    const asked = await requests();
    const { requests: found, work, layouts } = await lab.browser.run(
      "return await logitLab.batch({ requests: args[0], seed: 5 });",
      asked,
    );
    const texts = await column(".batch-text");
    for (const [index, [name, text]] of texts.entries()) {
      assert.equal(name, asked[index].name);
      assert.ok(text.includes(found[index].text.trim().split("\n")[0].trim()), `${text} is not ${found[index].text}`);
      // The same request alone, by the ordinary loop on the same kernel.
      const { newIds } = await lab.browser.run("return await logitLab.generate(args[0]);", {
        ...{ prompt: asked[index].prompt, maxNewTokens: asked[index].maxNewTokens, seed: 5 + index, kernel: "candle" },
      });
      assert.deepEqual(found[index].newTokens.ids, newIds);
    }
    const drawn = (/** @type {string} */ kind) => read(`document.querySelectorAll("#batch-grid td.batch-${kind}").length`);
    assert.equal(await drawn("padding"), work.padding);
    assert.equal(await drawn("finished"), work.finished);
    assert.equal((await drawn("prompt")) + (await drawn("new")), work.real);
    assert.ok(work.padding > 0 && work.finished > 0, "the example shows both");
    // The last column of the mask of a padded row sees the real tokens and no padding.
    const row = layouts[0].rows.findIndex((/** @type {{ cells: number[] }} */ { cells }) => cells.includes(0));
    const padding = layouts[0].rows[row].cells.filter((/** @type {number} */ cell) => cell === 0).length;
    await choose("batch-mask-row", row);
    const seen = "document.querySelector('#batch-mask tbody tr:last-child td').innerText";
    assert.equal(await read(seen), `${padding + 1} to ${layouts[0].startColumns}`);
    assert.match(await words("batch-work"), new RegExp(`${work.padding} of padding and ${work.finished} of rows`));
    assert.match(await words("batch-latency"), /higher throughput of all does not mean/i);
  });

  test("sorted_and_let_in_one_after_the_other_each_text_keeps_its_name", async () => {
    await open("batch");
    await press("batch");
    const before = await column(".batch-text");
    assert.deepEqual(await gridRows(), ["Ada", "Ben", "Cem"]);
    await click("batch-schedule-continuous");
    await click("batch-sort");
    assert.match(await words("batch-outdated"), /other requests or options/);
    await press("batch");
    assert.deepEqual(await column(".batch-text"), before);
    assert.match(await words("batch-equality"), /^Every request/);
    assert.match(await words("batch-admission"), /put together anew [1-9]/);
    assert.match(await words("batch-order"), /^As given: Ada, Ben, Cem\. In the rows from the top: .*Each result went back/);
    assert.match(await words("batch-work"), / 0 of rows that were finished/);
    assert.ok((await read("document.querySelectorAll('[name=batch-layout]').length")) > 1, "one picture for each batch");
  });

  test("both_mistakes_change_texts_and_the_panel_says_whose", async () => {
    await open("batch");
    await click("batch-right");
    await press("batch");
    assert.match(await words("batch-equality"), /^Not what they make alone: .* from new token 1/);
    assert.match(await words("batch-padding"), /read from the last column, which is padding there/);
    await click("batch-right");
    await click("batch-shared");
    await press("batch");
    assert.match(await words("batch-reversed-order"), /got another text, from the same prompts, settings and seed/);
    await click("batch-shared");
    await click("batch-reversed");
    await press("batch");
    assert.match(await words("batch-reversed-order"), /everybody got the same text/);
    await type("batch-newTokens-0", "0");
    assert.match(await words("batch-newTokens-0-fault"), /from 1 to 256/);
    assert.equal(await read("document.getElementById('batch-run').disabled"), true);
  });

  test("a_model_that_candle_cannot_hold_is_batched_and_compared_in_a_second_worker", async () => {
    await open("batch", "&seed=5&precision=int8&kvCache=f16");
    assert.match(await words("batch-second-worker"), /weights INT8, KV cache F16.*second worker \(weights F32, KV cache F32\)/);
    await press("batch");
    assert.match(await words("batch-equality"), /^Every request/);
    assert.match(await words("batch-made-on"), /second worker beside the page's: weights F32, KV cache F32/);
    // The page's model is as it was.
    assert.equal(await read("logitLab.report().then(({ engine }) => engine.precision + engine.kvCache)"), "int8f16");
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#panel=cache&prompt=The+ship&precision=int8`);
    await lab.browser.waitFor("the panel", () => read("document.getElementById('cache-check-run')?.disabled === false"));
    assert.equal(await words("cache-second-worker"), "");
    await lab.browser.run(
      `const select = document.getElementById("cache-kind");
       select.value = "kernel";
       select.dispatchEvent(new Event("change"));`,
    );
    await type("cache-steps", "4");
    assert.match(await words("cache-second-worker"), /weights INT8.*both paths run in a second worker/);
    await press("cache-check");
    assert.match(await words("cache-verdict"), /The largest logit difference of 4 steps is|same bits/);
    assert.match(await words("cache-boundary"), /second worker/);
  });

  test("a_batch_that_is_stopped_shows_what_there_is", async () => {
    await open("batch");
    for (const n of [0, 1, 2]) await type(`batch-newTokens-${n}`, "256");
    await click("batch-run");
    await lab.browser.waitFor("some tokens", async () => /[1-9]\d* of at most/.test(await words("batch-progress")));
    await click("batch-stop");
    await lab.browser.waitFor("the end", () => read("document.getElementById('batch-stop').disabled"));
    assert.match(await words("batch-made"), /Stopped: what follows is not complete/);
    assert.deepEqual(await gridRows(), ["Ada", "Ben", "Cem"]);
  });

  test("a_text_is_scored_as_the_console_scores_it_and_the_keys_read_its_tokens", async () => {
    await open("scores");
    const text = "The old man looked at the sea.";
    await type("scores-text", text);
    await press("scores");
    const found = await lab.browser.run("return await logitLab.score({ text: args[0] });", text);
    const tokens = found.tokens.ids.length;
    assert.match(await words("scores-summary"), new RegExp(`= ${found.summary.perplexity.toFixed(2)}\\.$`));
    assert.match(await words("scores-comparable"), /cannot be compared .* nats for each byte/s);
    assert.match(await words("scores-loop-summary"), /goes its own way at token \d+|made this very text/);
    assert.equal(await read("document.querySelectorAll('#scores-tokens [role=option]').length"), tokens);
    const strip = await lab.browser.driver.findElement({ id: "scores-tokens" });
    await strip.sendKeys(Key.HOME);
    assert.match(await words("scores-token"), /^Token 1 of \d+, .*no prediction/);
    await strip.sendKeys(Key.ARROW_RIGHT, Key.ARROW_RIGHT);
    assert.match(await words("scores-token"), new RegExp(`rank ${found.ranks[1] + 1}\\.`));
    await lab.browser.run("document.getElementById('scores-details').open = true;");
    assert.equal(await read("document.querySelectorAll('#scores-table tbody tr').length"), tokens);
    // With a start token in front the first token is predicted too.
    await click("scores-start");
    await press("scores");
    assert.match(await words("scores-summary"), new RegExp(`all ${tokens} tokens`));
  });

  test("the_weights_have_the_same_digest_before_and_after_a_generation", async () => {
    await open("scores");
    await press("digests");
    assert.match(await words("digests-verdict"), /^Equal: .*48 tokens were generated/);
    const digest = await lab.browser.run("return await logitLab.weightsDigest();");
    const shown = await read(`[...document.querySelectorAll("#digests-table code")].map((code) => code.innerText)`);
    assert.deepEqual(shown, [digest.checkpoint, digest.checkpoint, digest.model, digest.model]);
  });

  test("on_a_phone_nothing_makes_the_page_scroll_sideways", async () => {
    await lab.browser.emulateScreen({ width: 360, height: 740 });
    for (const panel of ["batch", "scores"]) {
      await open(panel);
      await press(panel);
      const [wide, width] = await read("[document.documentElement.scrollWidth, innerWidth]");
      assert.ok(wide <= width, `${panel}: ${wide} px on ${width}`);
    }
    await lab.browser.emulateScreen(null);
  });
});
