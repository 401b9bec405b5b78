/** Records and report: a run is recorded and repeated, what was changed is named, and records of files become one table. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { notebookItem } from "../../www/src/notebook-keeping.js";
import { emptyNotebook, toKept, withNotes } from "../../www/src/notebook.js";
import { openLab, openPage } from "./harness.mjs";

describe("records and report", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "logit-lab-records-"));
    lab = await openLab({ downloads: folder });
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
    await lab.browser.run("localStorage.setItem(args[0], args[1]);", notebookItem, toKept(withNotes(emptyNotebook, "My own | words")));
    await lab.browser.open("about:blank");
    await openPage(
      lab.browser,
      `${lab.server.url}?model=tales-2m#panel=records&prompt=The+old+man+looked+at+the&seed=5&maxNewTokens=24&temperature=0.9`,
    );
    await lab.browser.waitFor("the panel", () => read("!!document.getElementById('records-run')"));
  });
  after(async () => {
    await lab?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** @param {string} expression */
  const read = (expression) => lab.browser.run(`return ${expression};`);
  /** @param {string} id */
  const words = (id) => read(`document.getElementById("${id}")?.innerText ?? ""`);
  const count = () => read("document.querySelectorAll('#records-list > li').length");
  /** @param {number} wanted records afterwards */
  async function generate(wanted) {
    if ((await words("text-note")) !== "") await lab.browser.click("button", "Clear text");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor(`record ${wanted}`, async () => (await count()) === wanted);
  }
  /** @param {string} name of a file, which the page is to have handed out */
  function downloaded(name) {
    // Browsers hold the name with an empty file until the download is whole.
    return lab.browser.waitFor(name, () => readFile(path.join(folder, name), "utf8").catch(() => ""));
  }
  /** What the newest record's repeat came to. */
  const outcome = () => read("document.querySelector('#records-list > li:first-child .records-outcome')?.innerText ?? ''");

  test("a_run_is_recorded_and_its_repeat_has_no_divergence", async () => {
    assert.match(await words("records-change"), /no run yet/);
    await generate(1);
    await lab.browser.click("button", "Repeat the newest record");
    await lab.browser.waitFor("the outcome", outcome);
    assert.match(await outcome(), /^Repeated\. No divergence: the same 24 tokens\.$/);
    const record = await read("logitLab.report()");
    assert.deepEqual([record.schema, record.version, record.newIds.length, record.seed], ["logit-lab-record", 1, 24, 5]);
    assert.deepEqual(record.runs[0].sampling.chain, [{ kind: "temperature", value: 0.9 }]);
    const again = await lab.browser.run("return await logitLab.repeat(args[0]);", record);
    assert.deepEqual([again.firstDivergence, again.newIds, again.stopReason.now], [null, record.newIds, "maxNewTokens"]);
    await assert.rejects(lab.browser.run("return await logitLab.repeat({ ...args[0], version: 2 });", record), /version 1/);
    assert.equal(record.browser.userAgent, await read("navigator.userAgent"));
  });

  test("nothing_changed_is_checked_and_a_changed_seed_is_named_with_the_first_divergence", async () => {
    const first = await read("logitLab.report().then(({ newIds }) => newIds)");
    await generate(2);
    assert.match(await words("records-expected"), /^Nothing was changed/);
    assert.match(await words("records-divergence"), /There is no divergence: both texts have the same 24 tokens\. Checked: it is so\./);
    await lab.browser.type("Seed", "6");
    await generate(3);
    const rows = await read("[...document.querySelectorAll('#records-changes tbody tr')].map((row) => row.innerText.split(/\\t|\\n/).filter(Boolean))");
    assert.deepEqual(rows, [["Seed", "seed", "5", "6"]]);
    const second = await read("logitLab.report().then(({ newIds }) => newIds)");
    const index = first.findIndex((/** @type {number} */ id, /** @type {number} */ n) => id !== second[n]);
    const sentence = await words("records-divergence");
    assert.ok(sentence.includes(`(index ${index}): before `), sentence);
    assert.ok(sentence.includes(`(id ${first[index]}), now `) && sentence.includes(`(id ${second[index]})`), sentence);
  });

  test("records_of_the_session_come_back_as_a_table_and_a_broken_file_is_refused_beside_them", async () => {
    await lab.browser.click("button", "Download all as JSON");
    const all = JSON.parse(await downloaded("logit-lab-records.json"));
    assert.equal(all.length, 3);
    const hostile = { ...all[2], prompt: '<img src=x onerror="document.title=1">' };
    const files = [
      ["ada.json", JSON.stringify(all[0])],
      ["bob.json", JSON.stringify([all[1], hostile])],
      ["fay.json", JSON.stringify({ ...all[0], engine: { ...all[0].engine, precision: "f16" } })],
      ["eve.json", JSON.stringify({ ...all[0], version: 9 })],
    ];
    for (const [name, text] of files) await writeFile(path.join(folder, name), text);
    const input = await lab.browser.driver.findElement({ id: "records-input" });
    await input.sendKeys(files.map(([name]) => path.join(folder, name)).join("\n"));
    await lab.browser.waitFor("the table", () => read("document.querySelectorAll('#records-class tbody tr').length === 4"));
    assert.match(await words("records-class-sentence"), /^4 records, 2 distinct texts/);
    assert.match(await words("records-refused"), /eve\.json: This page reads version 1 of the record; this one has version 9\./);
    const seeds = () => read("[...document.querySelectorAll('#records-class tbody tr')].map((row) => row.cells[3].innerText)");
    assert.deepEqual(await seeds(), ["5", "5", "6", "5"]);
    for (let times = 0; times < 2; times += 1) await lab.browser.click("button", /^Seed/);
    await lab.browser.waitFor("the order", async () => (await seeds()).join() === "6,5,5,5");
    assert.equal(await read("document.querySelectorAll('img').length"), 0);
    await lab.browser.click("button", "Repeat the record of ada.json, 1");
    const result = "document.querySelector('#records-class .records-result')?.innerText ?? ''";
    await lab.browser.waitFor("the outcome", () => read(result));
    assert.match(await read(result), /No divergence: the same 24 tokens/);
    // Other weights than the page's, on a worker beside it; those of an F16 checkpoint are the same numbers in F16.
    await lab.browser.click("button", /^Repeat the record of fay\.json/);
    await lab.browser.waitFor("both outcomes", () => read("document.querySelectorAll('#records-class .records-result').length === 2"));
    assert.match(await read("[...document.querySelectorAll('#records-class .records-result')].map((row) => row.innerText).join()"), /No divergence.*No divergence/s);
    assert.equal(await read("logitLab.report().then(({ model }) => model.card.precision)"), "f32");
    await lab.browser.click("button", "This table as CSV");
    const csv = await downloaded("logit-lab-class.csv");
    assert.equal(csv.split("\r\n").length, 6);
  });

  test("a_token_put_in_by_hand_is_put_in_again", async () => {
    const { newIds } = await read("logitLab.report()");
    await read("[...document.querySelectorAll('#generated .t')][5].click()");
    await lab.browser.waitFor("the step", async () => (await words("bars-title")).startsWith("Step 6: how"));
    await lab.browser.waitFor("its rows", () => read("document.querySelectorAll('#bars tr[data-id] .use').length > 3"));
    await read("[...document.querySelectorAll('#bars tr[data-id] .use')].at(-1).click()");
    const put = async () => (await read("logitLab.report()")).byHand.join() === "5";
    await lab.browser.waitFor("the other token", put);
    await lab.browser.click("button", "Continue");
    await lab.browser.waitFor("its record", async () => (await count()) === 4);
    const record = await read("logitLab.report()");
    assert.deepEqual(record.newIds.slice(0, 5), newIds.slice(0, 5));
    assert.deepEqual([record.byHand, record.runs.map((/** @type {any} */ { first }) => first)], [[5], [0, 6]]);
    assert.match(await words("records-changes"), /By hand/);
    await lab.browser.click("button", "Repeat the newest record");
    await lab.browser.waitFor("the outcome", outcome);
    const made = record.newIds.length;
    assert.match(await outcome(), new RegExp(`No divergence: the same ${made} tokens, 1 of them put in by hand\\.`));
  });

  test("what_other_panels_have_measured_can_be_taken_away_with_every_row", async () => {
    assert.match(await words("records-tables-none"), /None of them has been run yet/);
    await lab.browser.click("button", "Show the other panels");
    await lab.browser.click("button", "Batch");
    await lab.browser.waitFor("the batch panel", () => read("document.getElementById('batch-run')?.disabled === false"));
    await lab.browser.click("button", "Run the batch");
    await lab.browser.waitFor("its table", () => read("!!document.querySelector('#records-tables [data-table=logit-lab-batch]')"));
    await lab.browser.click("button", "CSV of Batch");
    assert.equal((await downloaded("logit-lab-batch.csv")).split("\r\n").length, 5);
    await lab.browser.click("button", "JSON of Batch");
    const { kind, requests } = JSON.parse(await downloaded("logit-lab-batch.json"));
    assert.deepEqual([kind, requests.length, Array.isArray(requests[0].newTokens.ids)], ["logit-lab-batch", 3, true]);
  });

  test("the_report_has_the_records_and_printing_gives_the_report_alone", async () => {
    for (const [panel, chart] of [
      ["Timing", "timing-chart"],
      ["KV cache", "cache-chart"],
    ]) {
      await lab.browser.click("button", panel);
      if (panel === "KV cache") {
        await lab.browser.waitFor("the panel", () => read("document.getElementById('cache-check-run')?.disabled === false"));
        await lab.browser.click("button", "Compare");
      }
      await lab.browser.waitFor(chart, () => read(`!!document.querySelector("#${chart} .chart-drawing svg")`));
    }
    await lab.browser.type("Your name (kept on this device only)", "Ada | <b>Lovelace</b>");
    await lab.browser.click("button", "Download as Markdown");
    const report = await downloaded("logit-lab-report.md");
    assert.match(report, /^# Logit Lab\\: lab report\n/);
    assert.ok(report.includes("Name: Ada \\| &lt;b&gt;Lovelace&lt;/b&gt;"), report.slice(0, 200));
    assert.equal(report.split("\n").filter((line) => /^\| \d/.test(line)).length, 4);
    const charts = [...report.matchAll(/!\[([^\]]+)\]\(data:image\/svg\+xml;base64,([^)]+)\)/g)].map(([, title, packed]) => ({
      title,
      svg: Buffer.from(packed, "base64").toString(),
    }));
    // One for each panel's drawing and none for the signs of a legend, whose words are in it.
    const titles = await read(
      "[...document.querySelectorAll('.lab-panel:not([hidden]) figure.chart figcaption b')].map((title) => title.innerText)",
    );
    assert.equal(charts.length, titles.length, titles.join());
    for (const { svg, title } of charts) {
      assert.match(svg, /^<svg [^>]*color: rgb\(23, 32, 46\)/, title);
      assert.doesNotMatch(svg, /var\(--(?!plot)/, title);
    }
    assert.match(charts.map(({ svg }) => svg).join(), />with the cache<\/text>.*>without the cache<\/text>/s);
    assert.ok(report.includes("My own | words".replace("|", "\\|")), "the notebook is in it");
    assert.equal(await read("localStorage.getItem('logit-lab-student')"), "Ada | <b>Lovelace</b>");
    await lab.browser.run("dispatchEvent(new Event('beforeprint'));");
    await lab.browser.emulateMedia({ medium: "print" });
    const seen = await read("[...document.body.children].filter((part) => getComputedStyle(part).display !== 'none').map(({ id }) => id)");
    assert.deepEqual(seen, ["print-report"]);
    const images = await lab.browser.run(
      `const images = [...document.querySelectorAll("#print-report img")];
       await Promise.all(images.map((image) => image.decode()));
       return images.filter(({ naturalWidth }) => naturalWidth > 0).map(({ alt }) => alt);`,
    );
    assert.equal(images.length, charts.length);
    assert.match(await words("print-report"), /Ada \| <b>Lovelace<\/b>/);
    await lab.browser.emulateMedia({});
    await lab.browser.run("dispatchEvent(new Event('afterprint'));");
    assert.equal(await words("print-report"), "");
  });

  test("a_text_made_without_the_kv_cache_is_recorded_and_repeated_so", async () => {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#panel=records&prompt=The+ship&seed=5&maxNewTokens=8&cache=off`);
    await lab.browser.waitFor("the panel", () => read("!!document.getElementById('records-run')"));
    await generate(1);
    const { engine, timingsMs, timing } = await read("logitLab.report()");
    assert.equal(engine.cachePolicy, "recompute");
    assert.ok(timingsMs.firstToken > 0 && timingsMs.total >= timingsMs.firstToken, JSON.stringify(timingsMs));
    assert.equal(timing.latency.outputTokens, 8);
    await lab.browser.click("button", "Repeat the newest record");
    await lab.browser.waitFor("the outcome", outcome);
    assert.match(await outcome(), /No divergence: the same 8 tokens/);
  });
});
