/**
 * What a screen reader is given: everything that live regions say is written down, and has to be short and exact. And what it
 * finds in place of drawings: a name, a sentence, a table.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { openLab, openPage, pageOf } from "./harness.mjs";

/** In the page: writes down what each live region holds whenever that changes, whichever way it came to be one. */
const LISTEN = `
  window.heard = [];
  const live = '[aria-live]:not([aria-live="off"]), [role=status], [role=alert], [role=log], [role=timer], output:not([aria-live="off"])';
  const last = new WeakMap([...document.querySelectorAll(live)].map((region) => [region, region.textContent]));
  new MutationObserver((changes) => {
    const regions = new Set(changes.flatMap(({ target, addedNodes }) => [
      (target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement)?.closest(live),
      ...[...addedNodes].filter((node) => node.matches?.(live)),
    ]).filter(Boolean));
    for (const region of regions) {
      if (last.get(region) === region.textContent) continue;
      last.set(region, region.textContent);
      if (region.textContent.trim() !== "") heard.push(region.textContent.replace(/\\s+/g, " ").trim());
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
`;

describe("what is heard", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  const { read, words, click, type } = pageOf(() => lab);
  /** @param {string} fragment */
  async function open(fragment) {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#prompt=The+old+man+looked+at+the&seed=5&ignoreEos=1${fragment}`);
    await lab.browser.waitFor("the bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
    await lab.browser.waitFor("the first words", async () => (await words("announcer")).includes("ready"));
    await lab.browser.run(LISTEN);
  }
  /** What has been heard since the last time; when `last` has been. @param {RegExp} last @returns {Promise<string[]>} */
  async function heard(last) {
    await lab.browser.waitFor(`${last} to be heard`, async () => (await read("heard")).some((/** @type {string} */ text) => last.test(text)));
    // What may be said after a pause.
    await read("new Promise((resolve) => setTimeout(resolve, 900))");
    return read("heard.splice(0)");
  }

  test("a_run_at_full_speed_says_that_it_starts_and_how_it_ended_and_no_token", async () => {
    await open("&maxNewTokens=64&topP=0.9");
    await click("generate");
    assert.deepEqual(await heard(/^Stopped/), ["Generating.", "Stopped after 64 tokens: the limit of new tokens is reached."]);
    assert.equal((await read("document.querySelectorAll('#generated .t, #generated .chip').length")) >= 64, true);
  });

  test("a_run_at_three_a_second_says_no_more", async () => {
    await open("&maxNewTokens=5&topP=0.9");
    await click("pace-three");
    await click("generate");
    assert.deepEqual(await heard(/^Stopped/), ["Generating.", "Stopped after 5 tokens: the limit of new tokens is reached."]);
  });

  test("a_slider_that_is_moved_says_once_what_came_of_it", async () => {
    await open("&topP=0.9");
    const slider = await lab.browser.get("slider", "Temperature");
    await slider.sendKeys(...Array(8).fill(Key.ARROW_LEFT));
    const said = await heard(/kept/);
    assert.equal(said.length, 1, said.join(" | "));
    assert.match(said[0], /^0\.6, [\d,]+ kept, top: .+, \d+ percent$/);
    await click("bars-button");
    const [five, ...more] = await heard(/^1: /);
    assert.equal(five.match(/model (under )?\d+ percent, with your settings/g)?.length, 5);
    assert.deepEqual(more, []);
  });

  test("answers_that_appear_elsewhere_are_said_where_they_were_asked_for", async () => {
    await open("&maxNewTokens=4");
    await read("document.querySelectorAll('#tokens [role=option]')[1].click()");
    const [expected, ...more] = await heard(/^After/);
    assert.match(expected, /^After space, old the model expected (.+, \d+ percent|.+, under 1 percent); .+\. What followed, .+, was rank [\d,]+\.$/);
    assert.deepEqual(more, []);
    await read("document.getElementById('bench').open = true");
    await lab.browser.waitFor("what is unfolded", () => read("document.getElementById('draw-many')?.disabled === false"));
    await click("draw-many");
    const [draws, ...others] = await heard(/draws/);
    assert.match(draws, /^1,000 draws: most often .+, \d+ times; [\d.]+ were to be expected\.$/);
    assert.deepEqual(others, []);
    for (const row of [0, 1]) await read(`document.querySelectorAll('#bars input[type=checkbox]')[${row}].click()`);
    const [odds, ...rest] = await heard(/as likely/);
    assert.match(odds, /^.+ is [\d.]+ times as likely as .+\.$/);
    assert.deepEqual(rest, []);
  });

  test("long_work_of_a_lab_says_that_it_begins_and_its_result_and_not_how_far_it_is", async () => {
    await open("&maxNewTokens=12");
    await read("document.querySelector('[aria-controls=lab-ab]').click()");
    await lab.browser.waitFor("the panel", () => read("document.getElementById('ab-run')?.disabled === false"));
    await read("heard.splice(0)");
    await click("ab-samples");
    const said = await heard(/samples|texts/);
    assert.equal(said.length, 2, said.join(" | "));
    assert.equal(said[0], "Working.");
    assert.match(said[1], /10/);
  });

  test("a_load_says_that_it_starts_and_why_it_failed", async () => {
    await open("");
    await read("document.getElementById('own-model').open = true");
    await type("own-address", `${lab.server.url}not-here/`);
    await read("document.querySelector('.own-line button').click()");
    const said = await heard(/404/);
    assert.equal(said.length, 2, said.join(" | "));
    assert.equal(said[0], "Loading Your model.");
    assert.equal(await read("document.querySelectorAll('section.problem').length"), 1);
    assert.ok((await read("document.querySelector('section.problem').textContent")).includes(said[1]), said[1]);
  });

  test("every_chart_has_a_name_a_sentence_and_a_table_and_no_drawing_is_all_there_is", async () => {
    await open("&maxNewTokens=24");
    await click("generate");
    await heard(/^Stopped/);
    for (const panel of ["timing", "cache", "memory", "batch", "precision"]) {
      await read(`document.querySelector('[aria-controls="lab-${panel}"]').click()`);
    }
    for (const button of ["cache-check-run", "batch-run"]) {
      await lab.browser.waitFor(button, () => read(`document.getElementById("${button}")?.disabled === false`));
      await click(button);
    }
    await read("document.getElementById('bench').open = true");
    for (const id of ["timing-chart", "cache-chart", "batch-latency-chart", "memory-chart"])
      await lab.browser.waitFor(id, () => read(`!!document.querySelector("#${id} .chart-drawing svg")`));
    const charts = await read(`[...document.querySelectorAll("figure.chart")].map((figure) => ({
      id: figure.id,
      role: figure.querySelector(".chart-drawing").getAttribute("role"),
      name: figure.querySelector(".chart-drawing").ariaLabel,
      sentence: figure.querySelector("figcaption .muted").textContent.trim(),
      rows: figure.querySelectorAll("table tbody tr").length,
      columns: figure.querySelectorAll("table thead th[scope=col]").length,
      cells: [...figure.querySelectorAll("table tbody tr")].every((row) => row.cells.length === figure.querySelectorAll("table thead th").length),
    }))`);
    assert.ok(charts.length >= 4, JSON.stringify(charts));
    for (const { id, role, name, sentence, rows, columns, cells } of charts) {
      assert.equal(role, "img", id);
      assert.ok(name.length > 5 && /\d.*\.$/.test(sentence), `${id}: ${name} / ${sentence}`);
      assert.ok(rows > 0 && columns > 1 && cells, `${id}: ${rows} rows of ${columns} columns`);
    }
    const bare = await read(`[...document.querySelectorAll("svg, .track, .strip, .kv-grid, .memory-bar, .code-line")].filter((drawing) => {
      const silent = drawing.closest("[aria-hidden=true], [role=img][aria-label]");
      const told = drawing.closest(".chart, .lab-part, section, table, ol")?.querySelector("td, li, p.numbers, input[type=range]");
      return !silent || !told;
    }).map((drawing) => drawing.outerHTML.slice(0, 120))`);
    assert.deepEqual(bare, []);
  });
});
