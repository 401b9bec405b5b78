/** The worked example: the numbers that a student computes by hand are the engine's. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openLab, openPage, pageOf } from "./harness.mjs";

describe("the worked example", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());
  beforeEach(async () => {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#panel=example`);
    await variants((rows) => rows[3]?.length === 4);
  });

  const { read } = pageOf(() => lab);
  /** What each variant gives to A, B, C, D. @returns {Promise<string[][]>} */
  const chances = () =>
    read(
      `[...document.querySelectorAll("#example-variants tbody tr")]
         .map((row) => [...row.cells].slice(2).map((cell) => cell.innerText.replace(/\\s+/g, " ").trim()))`,
    );
  /** @param {(rows: string[][]) => boolean} fits */
  const variants = (fits) => lab.browser.waitFor("the variants", async () => fits(await chances()));
  /** A row of the stages. @param {string} token */
  const stages = (token) =>
    read(
      `[...[...document.querySelectorAll("#example-stages tbody tr")].find((row) => row.cells[0].innerText === "${token}").cells]
         .map((cell) => cell.innerText.replace(/\\s+/g, " ").trim())`,
    );

  test("half_the_temperature_has_64_of_85_and_the_order_decides_about_b", async () => {
    assert.deepEqual(await chances(), [
      ["1.0000", "0.0000", "0.0000", "0.0000"],
      ["1.0000", "0.0000", "0.0000", "0.0000"],
      ["0.8000 4/5", "0.2000 1/5", "0.0000", "0.0000"],
      ["0.8000 4/5", "0.2000 1/5", "0.0000", "0.0000"],
    ]);
    assert.deepEqual((await stages("A")).slice(2, 7), ["0.5333 8/15", "0", "0.7529 64/85", "kept", "1.0000"]);
    assert.equal((await stages("B"))[5], "cut by top-p");
    await lab.browser.click("radio", "Show the stages of: Top-p, then temperature, smallest set");
    await lab.browser.waitFor("the other stages", async () => (await stages("B"))[5] === "kept");
    assert.equal((await stages("B"))[4], "0.8000 4/5");
  });

  test("without_a_filter_the_chances_are_fifteenths", async () => {
    await lab.browser.click("button", "No filter");
    await variants(([first]) => first.join() === "0.5333 8/15,0.2667 4/15,0.1333 2/15,0.0667 1/15");
    await lab.browser.click("button", "Top-k 2");
    await variants(([first]) => first.join() === "0.6667 2/3,0.3333 1/3,0.0000,0.0000");
  });

  test("on_the_border_at_four_fifths_the_listing_keeps_one_token_more", async () => {
    await lab.browser.click("button", "Border at p = 4/5");
    await variants(([smallest]) => smallest.join() === "0.6667 2/3,0.3333 1/3,0.0000,0.0000");
    const [, listing] = await chances();
    assert.deepEqual(listing, ["0.5714 4/7", "0.2857 2/7", "0.1429 1/7", "0.0000"]);
  });

  test("temperature_0_is_refused_by_one_rule_and_read_by_the_other", async () => {
    await lab.browser.type("Temperature of the example", "0");
    await variants((rows) => rows[0].length === 1);
    const [smallest, listing] = await chances();
    assert.match(smallest[0], /greedy/);
    assert.deepEqual(listing, ["1.0000", "0.0000", "0.0000", "0.0000"]);
    assert.equal(await read("document.querySelector('#problems .problem')"), null);
  });

  test("what_cannot_be_a_logit_is_said_and_tokens_come_and_go", async () => {
    await lab.browser.type("Logit of D", "x");
    await lab.browser.waitFor("the fault", () => read("/^D: a number/.test(document.querySelector('#lab-example .fault')?.innerText)"));
    await lab.browser.type("Logit of D", "1.5");
    await lab.browser.waitFor("no fault", () => read("document.querySelector('#lab-example .fault') === null"));
    await lab.browser.click("button", "Add a token");
    await variants(([first]) => first.length === 5);
    await lab.browser.click("button", "Remove E");
    await variants(([first]) => first.length === 4);
    assert.ok((await stages("A"))[2].length === 6, "no fraction where a logit is no logarithm");
  });

  test("a_thousand_draws_are_counted_beside_theory", async () => {
    await lab.browser.click("button", "No filter");
    await variants(([first]) => first[3].startsWith("0.0667"));
    await read("document.getElementById('example-draw').click()");
    await lab.browser.waitFor("the draws", () => read("!!document.querySelector('#lab-example .draws')"));
    /** @type {[number, number][]} */
    const rows = await read(
      `[...document.querySelectorAll("#lab-example .draws tbody tr")].map((row) => [...row.cells].slice(2).map((cell) => Number(cell.textContent)))`,
    );
    assert.deepEqual(rows.map(([, expected]) => expected), [533.3, 266.7, 133.3, 66.7]);
    assert.equal(rows.reduce((sum, [drawn]) => sum + drawn, 0), 1000);
    assert.match(await read("document.querySelector('#lab-example .draws-says').innerText"), /^Seed 42, 1,000 draws\. No token's share/);
  });
});
