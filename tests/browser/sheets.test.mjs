/** The lab sheets in the page: every figure they ask for comes, one is walked by keyboard alone, and the broken things break. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { entryKey } from "../../www/src/notebook.js";
import { verdictOn } from "../../www/src/sheets/checks.js";
import { sheets } from "../../www/src/sheets/index.js";
import { app, fixtures, openLab, openPage, pageOf } from "./harness.mjs";

const factsFile = path.join(fixtures, "sheet_facts.json");

/** In the page: what every step of every sheet asks, of an engine of its own, with the sheets' own code. */
const ASK_ALL = `
  const from = (name) => import(new URL("${app && `${app}/`}src/" + name, document.baseURI).href);
  const [{ sheets }, { createBench }, { story }, { createEngineClient }, { startLabWorker }, { createLabCalls }] = await Promise.all([
    from("sheets/index.js"), from("sheets/bench.js"), from("sheets/content/parts.js"), from("engine-client.js"), from("lab-workers.js"), from("lab-calls.js")]);
  const [{ createPlaces }, { runOnEngine }, { rightProgram }, { defaultControls }, { loadCatalogue, entrySource }] = await Promise.all([
    from("lab-places.js"), from("sheets/loop-engine.js"), from("sheets/loop.js"), from("controls.js"), from("models/catalogue.js")]);
  const pageUrl = new URL(document.baseURI);
  const catalogue = await loadCatalogue(pageUrl);
  const source = entrySource(catalogue, catalogue.models[0], "host", pageUrl);
  const client = createEngineClient();
  const { workerId, model } = await startLabWorker(client, source, {});
  const state = { activeWorkerId: workerId, model, options: {}, catalogue, controls: defaultControls, prompt: story };
  const parts = { getState: () => state, dispatch() {}, eachChange() {}, client, actions: { sourceFor: async () => source } };
  const { signal } = new AbortController();
  const facts = {};
  for (const sheet of sheets) {
    for (const step of sheet.steps.filter(({ measure, loop }) => measure || loop)) {
      const places = createPlaces(parts, () => {}, signal);
      const bench = await createBench(parts, { calls: createLabCalls(client), placeOf: places.placeOf, report() {}, signal });
      const program = step.sets?.findLast(({ program }) => program)?.program;
      const run = { settings: { greedy: true }, seed: 42, prompt: story };
      const key = sheet.name + "/" + step.id;
      try {
        facts[key] = step.loop
          ? await runOnEngine(step.id === "build" ? rightProgram : program, bench, run)
          : await step.measure.run(bench);
      } catch (error) {
        throw new Error(key + ": " + error.message);
      } finally {
        places.end();
      }
    }
  }
  client.terminate(workerId);
  return facts;
`;

describe("the lab sheets", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  const { read, words, click } = pageOf(() => lab);
  /** @param {string} id @param {string | RegExp} text */
  const shows = (id, text) =>
    lab.browser.waitFor(`"${text}" in ${id}`, async () => (await words(id)).search(text) >= 0);
  const announced = () => read("document.getElementById('announcer').textContent");
  const focused = () => read("document.activeElement.id");
  /** @param {...string} keys */
  const press = (...keys) => lab.browser.driver.actions().sendKeys(...keys).perform();
  /** @param {string} id */
  async function tabTo(id) {
    for (let n = 0; n < 150; n++) {
      if ((await focused()) === id) return;
      await press(Key.TAB);
    }
    throw new Error(`Tab does not come to ${id}`);
  }
  /** Drags a block of the loop over another by its dots. @param {string} block @param {string} onto */
  async function drag(block, onto) {
    const { driver } = lab.browser;
    const [row, target] = await Promise.all(
      [block, onto].map((name) => driver.findElement({ css: `[data-block="${name}"]` })),
    );
    const handle = await row.findElement({ css: ".handle" });
    await read(`document.querySelector('[data-block="${block}"]').scrollIntoView({ block: "center" })`);
    const [from, to] = [await handle.getRect(), await target.getRect()];
    // Beyond the middle of the other row, which may be the higher of the two.
    const way = to.y + to.height / 2 - (from.y + from.height / 2);
    const beyond = Math.round(way + Math.sign(way) * 8);
    await driver.actions().move({ origin: handle }).press().move({ origin: handle, x: 0, y: beyond }).release().perform();
  }
  /** @param {string} fragment */
  async function open(fragment) {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m${fragment}`);
  }
  /** @param {string} key @param {string} value */
  const choose = (key, value) =>
    lab.browser.run(`document.querySelector('input[name="field-' + args[0] + '"][value="' + args[1] + '"]').click();`, key, value);

  test("every_step_gets_its_figures_from_the_engine_and_its_checks_can_be_passed_and_failed", async () => {
    await open("");
    /** @type {Record<string, import("../../www/src/sheets/types.js").Facts>} */
    const facts = await lab.browser.run(ASK_ALL);
    if (process.env.LOGIT_LAB_UPDATE) await writeFile(factsFile, `${JSON.stringify(facts, null, 1)}\n`);
    const recorded = JSON.parse(await readFile(factsFile, "utf8"));
    const shape = (/** @type {typeof facts} */ all) =>
      Object.entries(all).map(([key, values]) => [key, Object.keys(values).sort().join()]);
    assert.deepEqual(shape(facts), shape(recorded));
    for (const sheet of sheets) {
      for (const step of sheet.steps) {
        const known = facts[entryKey(sheet.name, step.id)] ?? {};
        for (const question of step.questions ?? []) {
          if (!question.right) continue;
          const value = String(question.right(known));
          assert.equal(verdictOn(question, value, known).right, true, `${sheet.name}/${step.id}/${question.id}: ${value}`);
        }
      }
    }
    // What the sheets tell of this engine and this model has to be so.
    assert.equal(facts["prefill-decode/count"].forwardCalls, 8);
    assert.equal(facts["cache/difference"].largest, 0);
    assert.equal(facts["cache/bytes"].perToken, 2 * 6 * 128 * 4);
    assert.equal(facts["reproducibility/again"].parts, null);
    const kinds = ["build", "append", "limit", "last", "place"].map((step) => facts[`loop/${step}`].kind);
    assert.deepEqual(kinds, ["right", "repeats", "runsOn", "wrongPlace", "repeats"]);
    assert.equal(facts["loop/build"].text, facts["loop/build"].ownText);
    assert.equal(facts["stopping/stop-string"].reason, "stopString");
    assert.equal(facts["stopping/end-token"].reason, "endToken");
  });

  test("beside_an_open_sheet_the_main_loop_keeps_its_place_and_a_phone_has_the_sheet_below_the_bars", async () => {
    const tops = () =>
      read(`["#prompt", "#run-panel", "#bars-panel", "#bars-panel tbody tr:nth-child(10)", "#settings-panel"]
        .map((name) => Math.round(document.querySelector(name).getBoundingClientRect().top))`);
    const edges = () =>
      read(`["#bars-panel", "#sheets-column"].map((id) => document.querySelector(id).getBoundingClientRect())
        .flatMap(({ left, right, top, bottom }) => [{ left, right, top, bottom }])`);
    const sideways = () => read("document.documentElement.scrollWidth - innerWidth");
    for (const width of [1280, 1920]) {
      await lab.browser.emulateScreen({ width, height: 900 });
      await open("");
      const before = await tops();
      await click("sheets-button");
      await lab.browser.waitFor("the list", () => read("Boolean(document.getElementById('sheet-list'))"));
      assert.deepEqual(await tops(), before, `${width}`);
      const [bars, sheet] = await edges();
      assert.ok(sheet.left >= bars.right && sheet.right <= width && sheet.bottom <= 900, JSON.stringify({ bars, sheet }));
      assert.equal(await sideways(), 0);
    }
    await lab.browser.emulateScreen({ width: 360, height: 800 });
    await lab.browser.waitFor("the sheet below", async () => {
      const [bars, sheet] = await edges();
      return sheet.top > bars.bottom;
    });
    assert.equal(await sideways(), 0);
    await lab.browser.emulateScreen(null);
  });

  test("a_sheet_can_be_walked_by_keyboard_alone_and_a_prediction_is_final", async () => {
    await open("");
    await tabTo("sheets-button");
    await press(Key.ENTER);
    await lab.browser.waitFor("the focus on the sheets", async () => (await focused()) === "sheets-title");
    await lab.browser.waitFor("the list", () => read("Boolean(document.getElementById('sheet-list'))"));
    await tabTo("sheet-prefill-decode");
    await press(Key.ENTER);
    await lab.browser.waitFor("the focus on the step", async () => (await focused()) === "sheet-step-title");
    assert.equal(await read("document.getElementById('sheet-measure-run').disabled"), true, "nothing before the prediction");
    assert.equal(await read("document.getElementById('sheet-set-0').ariaDisabled"), "true");
    assert.equal(await words("sheet-facts"), "");

    await tabTo("field-prefill-decode-count-predicted");
    await press("many");
    await tabTo("sheet-commit");
    await press(Key.ENTER);
    await shows("field-prefill-decode-count-predicted-fault", /not read as a number/);
    await lab.browser.driver.actions().keyDown(Key.SHIFT).sendKeys(Key.TAB).keyUp(Key.SHIFT).perform();
    await press(Key.BACK_SPACE.repeat(4), "9");
    await tabTo("sheet-commit");
    await press(Key.ENTER);
    await shows("sheet-came", /8 calls: 1 prefill of 7 tokens, then 7 decode steps\. Not as you predicted/);
    assert.match(await words("sheet-outcome"), /You predicted: 9 calls/);
    assert.equal(await focused(), "sheet-outcome");
    assert.match(await announced(), /You predicted: 9 calls/);
    assert.equal(await read("document.getElementById('sheet-commit')"), null);

    await tabTo("sheet-set-0");
    await press(Key.ENTER);
    await shows("sheet-said", /8 new tokens/);
    await shows("text-panel", /a little more unreal to the/);
    await shows("status-panel", /7 steps/);
    await tabTo("sheet-measure-run");
    await press(Key.TAB);
    await lab.browser.waitFor("a choice", async () => (await read("document.activeElement.type")) === "radio");
    for (let n = 0; n < 3 && (await read("document.activeElement.value")) !== "prefill"; n++) await press(Key.ARROW_DOWN);
    await press(Key.SPACE);
    await tabTo("sheet-check-first");
    await press(Key.ENTER);
    await shows("sheet-verdict-first", /Right/);
    assert.match(await announced(), /Right/);
    await shows("sheet-progress", /1 of 5 steps done/);
    await tabTo("sheet-next");
    await press(Key.ENTER);
    await lab.browser.waitFor("the next step", async () => /Step 2 of 5/.test(await words("sheet-step-title")));
    assert.equal(await focused(), "sheet-step-title");
  });

  test("a_reload_keeps_the_notebook_and_erasing_it_asks_first", async () => {
    await open("#sheet=prefill-decode");
    await shows("sheet-outcome", /You predicted: 9 calls/);
    await shows("sheet-progress", /1 of 5 steps done/);
    await click("sheets-all");
    await lab.browser.type("Your notes", "Prefill pays for the first token.");
    await open("#sheet=prefill-decode&sheet=nowhere");
    await lab.browser.waitFor("the unknown name", () => read("document.body.innerText.includes('sheet=nowhere')"));
    await click("sheets-all");
    await lab.browser.waitFor("the notes", async () => /first token/.test(await read("document.getElementById('notebook-notes')?.value ?? ''")));
    await click("notebook-erase");
    await shows("sheet-list", /1 of 5 steps done/);
    await lab.browser.waitFor("the question", async () => (await focused()) === "notebook-erase-yes");
    await press(Key.ENTER);
    await lab.browser.waitFor("an empty notebook", async () => (await read("document.getElementById('notebook-notes').value")) === "");
    assert.doesNotMatch(await words("sheet-list"), /steps done/);
    assert.equal(await read("localStorage.getItem('logit-lab.notebook')"), null);
  });

  test("a_loop_without_append_really_repeats_and_blocks_move_by_keys", async () => {
    await open("#sheet=loop");
    await lab.browser.waitFor("the sheet", () => read("Boolean(document.getElementById('program'))"));
    await click("sheet-next");
    await click("sheet-set-0");
    await click("sheet-set-1");
    await choose("loop-append-predicted", "repeats");
    await click("sheet-commit");
    await shows("sheet-outcome", /You predicted/);
    await click("sheet-measure-run");
    await shows("sheet-came", /same token again and again.*As you predicted/);
    assert.match(await words("sheet-facts"), /(“.+?”)( \1){7}\n/);

    const rows = "[...document.querySelectorAll('#program > li')]";
    const place = () => read(`${rows}.findIndex((row) => row.dataset.block === 'append')`);
    await read("document.getElementById('block-append-up').focus()");
    for (let n = 0; n < 4; n++) {
      const before = await place();
      await press(Key.ENTER);
      await lab.browser.waitFor("a place up", async () => (await place()) === before - 1);
      await lab.browser.waitFor("the focus", async () => (await focused()) === "block-append-up");
    }
    assert.match(await announced(), /Append: in the loop, place 4/);
    for (const to of [3, 4]) {
      await drag("append", "sample");
      const said = `Append: in the loop, place ${to}`;
      await lab.browser.waitFor(said, async () => (await announced()).includes(said));
    }
    await click("sheet-measure-run");
    await shows("sheet-facts", /very tokens that the page's own loop makes/);
  });

  test("a_shuffled_tokenizer_loads_without_an_error_and_gives_other_text", async () => {
    await open("#sheet=loading");
    await lab.browser.waitFor("the sheet", () => read("Boolean(document.getElementById('sheet-next'))"));
    await click("sheet-next");
    await click("sheet-next");
    await choose("loading-permuted-predicted", "nonsense");
    await click("sheet-commit");
    await shows("sheet-came", /No error\. The text is nonsense.*As you predicted/);
    assert.equal(await words("sheet-measure-fault"), "");
    const [own, other] = (await words("sheet-facts")).split("\n").map((/** @type {string} */ line) => /“(.*)”/.exec(line)?.[1]);
    assert.ok(own && other && own !== other, `${own} / ${other}`);
    assert.match(await words("models"), /Tales-2M/);
    const { ids } = await lab.browser.run("return logitLab.tokenize('Once upon a time');");
    assert.deepEqual(ids, [47, 1840, 937, 259, 558]);
    const { text, pieces } = await lab.browser.run("return logitLab.detokenize(args[0]);", ids);
    assert.deepEqual([text, pieces.at(-1)], ["Once upon a time", "·time"]);
  });
});
