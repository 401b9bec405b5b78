/** The precision panel: what it says of the running model, the table of precisions, and the bits of numbers. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openLab, openPage, pageOf } from "./harness.mjs";

describe("the precision panel", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#panel=precision`);
    await lab.browser.waitFor("the panel", () => read("!!document.querySelector('#precision-formats')"));
  });
  after(() => lab?.close());

  const { read, type } = pageOf(() => lab);
  /** @param {string} selector */
  const texts = (selector) =>
    read(`[...document.querySelectorAll("${selector}")].map((element) => element.innerText.replace(/\\s+/g, " ").trim())`);
  /** @param {string} format */
  const card = (format) => `.format-card[data-format="${format}"]`;
  /** @param {string} format */
  const bits = async (format) => (await texts(`${card(format).replaceAll('"', "'")} .bit`)).join("");

  test("the_five_meanings_are_filled_in_for_the_running_model", async () => {
    const heads = await texts("#precision-meanings [scope=rowgroup] b");
    assert.deepEqual(heads, [
      "1. Stored weights",
      "2. Activations and cache",
      "3. Arithmetic operands",
      "4. Accumulation",
      "5. Returned results",
    ]);
    assert.match((await texts("#precision-meanings tbody:nth-of-type(1) tr"))[1], /all weight matrices F16 as the file/);
    assert.match((await texts("#precision-meanings"))[0], /6144 bytes a token/);
  });

  test("precisions_are_compared_and_f16_equals_f32_for_a_told_reason", async () => {
    await lab.browser.click("button", "Compare");
    await lab.browser.waitFor("the table", () => read("document.querySelectorAll('#precision-table tbody').length === 7"));
    const rows = await texts("#precision-table tbody tr:first-child");
    assert.match(rows[1], /^F16 .* 100 %/);
    assert.match((await texts("#precision-table [data-row='f16'] .precision-note"))[0], /stores F16.*same bits.*checkpoint of F32/);
    /** @param {string} row @param {number} cell */
    const number = async (row, cell) => {
      const cells = await texts(`#precision-table [data-row='${row}'] tr:first-child td`);
      return parseFloat(cells[cell].replace(/^[^0-9]*/, "").replaceAll(",", ""));
    };
    assert.equal(await number("f16", 2), 0);
    assert.equal(await number("f16", 6), await number("f32", 6), "perplexity");
    assert.ok((await number("q4", 2)) > (await number("int8", 2)) && (await number("int8", 2)) > 0);
    assert.ok((await number("q4", 0)) < (await number("int8", 0)));
    assert.match((await texts("#precision-says"))[0], /tokens/);
  });

  test("a_number_shows_its_bits_and_what_each_format_keeps_of_it", async () => {
    assert.equal(await bits("FP16"), "0010111001100110");
    assert.match((await texts(card("FP8 E4M3").replaceAll('"', "'")))[0], /Stored value 0\.1015625 .*Spacing in \[1, 2\) 2\^−3 .*448/);
    await type("precision-value", "70000");
    await lab.browser.waitFor("infinity", async () => /infinity/.test((await texts(card("FP16").replaceAll('"', "'")))[0]));
    assert.match((await texts(card("BF16").replaceAll('"', "'")))[0], /Stored value 70144 /);
    await type("precision-value", "seventy");
    await lab.browser.waitFor("the fault", () => read("!!document.getElementById('precision-number-fault')"));
    await type("precision-value", "0.1");
    await lab.browser.waitFor("0.1 again", async () => (await bits("BF16")) === "0011110111001101");
    assert.match((await texts("#precision-round-trip"))[0], /does not come back/);
  });

  test("blocks_keep_what_one_scale_loses_and_packed_weights_are_half_a_mib_and_a_thirty_second", async () => {
    await read("[...document.querySelectorAll('.precision > details')].forEach((details) => { details.open = true; })");
    const lost = (await texts("#precision-block-summary tr")).find((/** @type {string} */ row) => row.startsWith("Numbers that became 0"));
    const [whole, blocks] = (lost ?? "").match(/\d+/g)?.slice(1).map(Number) ?? [];
    assert.ok(whole > blocks, lost);
    assert.deepEqual(
      (await texts("#packed-result tbody tr")),
      ["Codes 524,288 0.5", "Scales of 16,384 groups 32,768 0.03125", "Together 557,056 0.53125"],
    );
    await type("packed-scale", "4");
    await lab.browser.waitFor("4 bytes", async () => (await texts("#packed-result tbody tr"))[1].endsWith("65,536 0.0625"));
  });

  test("a_phone_of_360_px_scrolls_no_page_sideways", async () => {
    await lab.browser.emulateScreen({ width: 360, height: 740 });
    try {
      const widest = await read("document.documentElement.scrollWidth");
      assert.ok(widest <= 360, `${widest} px`);
    } finally {
      await lab.browser.emulateScreen(null);
    }
  });

  test("a_script_compares_and_describes_without_the_panel", async () => {
    const report = await lab.browser.run(
      `return await logitLab.precisionReport({ prompt: "Once upon a time", precisions: ["f32", "cache=f16"] });`,
    );
    assert.deepEqual(report.rows.map((/** @type {any} */ row) => row.name), ["f32", "cache=f16"]);
    assert.ok(report.rows[1].figures.largestLogitError > 0);
    const { formats } = await lab.browser.run("return await logitLab.describeNumber(0.1);");
    assert.equal(formats[1].value, 0.0999755859375);
    const scaled = await lab.browser.run(
      `const { whole } = await logitLab.quantizeBlock({ values: [1, 0.1], blockSize: 1, format: "nf4" });
       return [...whole.values];`,
    );
    assert.equal(scaled[0], 1);
  });
});
