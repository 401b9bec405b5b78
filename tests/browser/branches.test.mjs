/** Looking back, replacing tokens, branches and beams in the built page. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { openLab, openPage } from "./harness.mjs";

describe("a text that was made", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());
  const settings = { chain: [{ kind: "temperature", value: 0.8 }] };
  beforeEach(async () => {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#prompt=Once+upon+a+time&seed=7&temperature=0.8&maxNewTokens=24`);
    await lab.browser.waitFor("the bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
    await generate("Generate", 24);
  });

  /** @param {string} expression */
  const read = (expression) => lab.browser.run(`return ${expression};`);
  /** @param {string} id */
  const words = (id) => read(`document.getElementById("${id}").innerText`);
  /** @param {string} name @param {number} tokens in the end */
  async function generate(name, tokens) {
    await lab.browser.click("button", name);
    await lab.browser.waitFor(`${tokens} tokens`, async () => (await words("text-note")).startsWith(`${tokens} tokens;`));
  }
  const newIds = () => read("logitLab.report().then(({ newIds }) => newIds)");
  const text = () => read("document.getElementById('generated').textContent");
  /** @param {...string} keys */
  const press = async (...keys) => (await lab.browser.driver.switchTo().activeElement()).sendKeys(...keys);
  /** @param {string} start */
  const title = (start) =>
    lab.browser.waitFor(`the title "${start}"`, async () => (await words("bars-title")).startsWith(start));
  /** All rows of a step, not those that its token keeps. */
  const allRows = () =>
    lab.browser.waitFor("all rows", () => read("!!document.querySelector('#bars tr[data-id] .bar.model')"));
  const rows = () =>
    read(`[...document.querySelectorAll("#bars tr[data-id]")].slice(0, 10).map((row) =>
      ({ id: Number(row.dataset.id), mine: row.querySelector("td:last-child").innerText.trim() }))`);
  /** The text's ids, up to a token, and the chances after them as the console tells them. @param {number} index */
  const chancesAt = (index) =>
    lab.browser.run(
      `const { promptIds, newIds } = await logitLab.report();
       const ids = [...promptIds, ...newIds.slice(0, args[0])];
       const logits = await logitLab.logits({ ids });
       const { ranking, probabilities, draw } = await logitLab.sampleStep({ logits, history: ids, settings: args[1], uniform: 0.5 });
       return [...ranking].slice(0, 10).map((id) => ({ id, chance: probabilities[id] }));`,
      index,
      settings,
    );
  const openTree = async () => {
    await lab.browser.click("button", "Branches and beams");
    await lab.browser.get("button", "Run beam search");
  };

  test("a_step_that_is_looked_back_at_has_the_bars_that_its_token_was_picked_from", async () => {
    const present = await rows();
    const box = await lab.browser.driver.findElement({ id: "text" });
    // By keys: the end of the prompt's tab stops is not the matter here.
    await read("document.getElementById('show-boundaries').focus()");
    await press(Key.TAB);
    await title("Step 1: how");
    await press(Key.ARROW_RIGHT, Key.ARROW_RIGHT, Key.ARROW_RIGHT);
    await title("Step 4: how");
    await allRows();
    const expected = await chancesAt(3);
    const shown = await rows();
    assert.deepEqual(shown.map((/** @type {any} */ row) => row.id), expected.map((/** @type {any} */ row) => row.id));
    shown.forEach((/** @type {any} */ row, /** @type {number} */ n) => {
      assert.ok(Math.abs(Number.parseFloat(row.mine.replace("<", "")) - expected[n].chance * 100) <= 0.1, `${row.mine}, ${expected[n].chance}`);
    });
    const picked = await read("Number(document.querySelector('#bars tr:has(.tag:not(.soft))').dataset.id)");
    assert.equal(picked, (await newIds())[3]);
    assert.match(await read("document.activeElement.getAttribute('aria-label')"), /token 4 of 24, picked with (under )?\d+ percent/);
    assert.equal(await read("document.querySelectorAll('#text [tabindex=\"0\"]').length"), 1);
    await press(Key.ESCAPE);
    await title("Token picked last");
    assert.deepEqual(await rows(), present);
    await press(Key.TAB);
    assert.equal(await box.getAttribute("tabindex"), "0");
    assert.equal(await read("document.querySelectorAll('#text [tabindex]').length"), 0, "the box alone is reached by Tab again");
  });

  test("a_pointer_shows_a_step_and_leaving_gives_the_present_back", async () => {
    const place = () => read("document.getElementById('settings-panel').getBoundingClientRect().top + scrollY");
    const before = await place();
    const token = (await lab.browser.driver.findElements({ css: "#generated .t" }))[5];
    await lab.browser.driver.actions({ async: true }).move({ origin: token }).perform();
    await title("Step 6: how");
    assert.equal(await place(), before, "nothing moves");
    await allRows();
    assert.equal(await place(), before);
    const heading = await lab.browser.driver.findElement({ css: "h1" });
    await lab.browser.driver.actions({ async: true }).move({ origin: heading }).perform();
    await title("Token picked last");
  });

  test("a_replaced_token_is_gone_on_from_and_the_old_text_comes_back_as_it_was", async () => {
    const [before, ids] = [await text(), await newIds()];
    await read("[...document.querySelectorAll('#generated .t')][5].click()");
    await title("Step 6: how");
    await allRows();
    const taken = (await rows()).findIndex((/** @type {any} */ { id }) => id === ids[5]);
    const row = taken === 1 ? 2 : 1;
    const chosen = (await rows())[row].id;
    await read(`document.querySelectorAll("#bars tr[data-id]")[${row}].querySelector(".use").click()`);
    await lab.browser.waitFor("the other token", async () => (await newIds()).length === 6);
    await title("Next token");
    assert.deepEqual(await newIds(), [...ids.slice(0, 5), chosen]);
    await generate("Continue", 30);
    const further = await newIds();
    // Token n keeps its random number: the same ids from nothing go on the same way.
    const again = await lab.browser.run(
      `const { promptIds } = await logitLab.report();
       const logits = await logitLab.logits({ ids: [...promptIds, ...args[0].slice(0, 6)] });
       const { draw } = await logitLab.sampleStep({ logits, history: [...promptIds, ...args[0].slice(0, 6)], promptLength: promptIds.length, settings: args[1], seed: 7 });
       return draw.id;`,
      further,
      settings,
    );
    assert.equal(further[6], again);

    await openTree();
    assert.match(await words("branches-sentence"), /^2 texts from this prompt; they part at token 6\./);
    assert.equal(await read("document.querySelectorAll('#branches .tree-node.marked .tag').length"), 2);
    const back = await lab.browser.get("button", /^Use this text, which ends/);
    await back.sendKeys(Key.ENTER);
    await lab.browser.waitFor("the old text", async () => (await text()) === before);
    assert.deepEqual(await newIds(), ids);
    await generate("Continue", 48);
    assert.deepEqual((await newIds()).slice(0, 24), ids);
    const whole = await lab.browser.run(
      "return [...(await logitLab.generate({ prompt: 'Once upon a time', settings: args[0], seed: 7, maxNewTokens: 48 })).newIds];",
      settings,
    );
    assert.deepEqual(await newIds(), whole, "as if it had never been left");
  });

  test("by_keys_alone_a_token_is_replaced_and_the_change_undone_and_done_again", async () => {
    const ids = await newIds();
    await read("document.getElementById('show-boundaries').focus()");
    await press(Key.TAB);
    await press(Key.ARROW_RIGHT);
    await title("Step 2: how");
    await allRows();
    await press(Key.ENTER);
    assert.equal(await read("document.activeElement.className"), "use");
    await title("Step 2: how");
    await press(Key.ARROW_DOWN);
    const chosen = Number(await read("document.activeElement.closest('tr').dataset.id"));
    await press(Key.ENTER);
    await lab.browser.waitFor("the other token", async () => (await newIds()).join() === [ids[0], chosen].join());
    await read("document.getElementById('undo').focus()");
    await press(Key.chord(Key.CONTROL, "z"));
    await lab.browser.waitFor("the text before", async () => (await newIds()).join() === ids.join());
    await press(Key.chord(Key.CONTROL, Key.SHIFT, "z"));
    await lab.browser.waitFor("the change", async () => (await newIds()).length === 2);
    await (await lab.browser.get("textbox", "Prompt")).sendKeys(Key.chord(Key.CONTROL, "z"));
    await press(Key.TAB);
    assert.equal((await newIds()).length, 2, "in a text field the keys are for what was typed");
    await lab.browser.click("button", "Undo");
    await lab.browser.waitFor("the text before", async () => (await newIds()).join() === ids.join());
  });

  test("a_token_that_no_bar_shows_is_found_for_the_step_looked_at_and_put_in", async () => {
    const ids = await newIds();
    await read("[...document.querySelectorAll('#generated .t')][8].click()");
    await title("Step 9: how");
    await read("document.querySelector('#bench summary').click()");
    await lab.browser.type("Token text to find", " dog");
    const button = () => read("document.querySelector('#found .use')?.getAttribute('aria-label')");
    await lab.browser.waitFor("its row", async () => (await button()) === "Use space, dog instead");
    const rank = await read("Number(document.querySelector('#found td.rank').innerText.replace(/\\D/g, ''))");
    await read("document.querySelector('#found .use').click()");
    await lab.browser.waitFor("the token", async () => (await newIds()).length === 9);
    assert.deepEqual((await newIds()).slice(0, 8), ids.slice(0, 8));
    const [dog] = (await lab.browser.run("return await logitLab.tokenize(' dog');")).ids;
    assert.equal((await newIds())[8], dog);
    await read("[...document.querySelectorAll('#generated .t')][8].click()");
    await title("Step 9: how");
    await allRows();
    const shown = `[...document.querySelectorAll("#bars tr[data-id='${dog}'] .rank")].map((cell) => Number(cell.innerText.replace(/\\D/g, "")))`;
    assert.deepEqual(await read(shown), [rank], "the row that the search showed is the step's");
  });

  test("the_next_token_can_be_forced", async () => {
    await lab.browser.click("button", "Clear text");
    await title("Next token");
    const chosen = (await rows())[3].id;
    await read("document.querySelectorAll('#bars tr[data-id]')[3].querySelector('.use').click()");
    await lab.browser.waitFor("the token", async () => (await newIds()).join() === String(chosen));
    await generate("Continue", 25);
    assert.equal((await newIds())[0], chosen);
  });

  test("marks_change_the_box_and_no_token_and_need_no_colour", async () => {
    const classes = () => read("[...document.querySelectorAll('#generated .t')].map((token) => token.className).join()");
    const before = await classes();
    await lab.browser.click("radio", "chance");
    assert.equal(await classes(), before);
    const lines = await read(
      "[0, 1, 2, 3, 4].map((n) => document.querySelector('#marks-legend .chance-' + n)).map((mark) => getComputedStyle(mark).textDecoration)",
    );
    assert.equal(new Set(lines.map((/** @type {string} */ line) => line.replace(/rgb.*/, ""))).size, 5, lines.join("; "));
    assert.match(await words("repetition"), /^\d+ different of 24 tokens; /);
  });

  test("the_text_can_be_selected_and_copied", async () => {
    await read("getSelection().selectAllChildren(document.getElementById('generated'))");
    await read("document.querySelectorAll('#generated .t')[3].click()");
    assert.equal(await read("getSelection().toString()"), await text(), "a click that ends a selection is none");
    await title("Token picked last");
  });

  test("beams_are_those_of_the_console_and_a_text_they_found_can_be_put_in", async () => {
    await openTree();
    await read("document.querySelector('#beam-numReturn').value = '2'");
    await read("document.querySelector('#beam-numReturn').dispatchEvent(new Event('change'))");
    await lab.browser.click("button", "Run beam search");
    await lab.browser.waitFor("the best text", async () => (await words("beams-sentence")).includes("best text"));
    const { sequences, tree } = await lab.browser.run(
      "return await logitLab.beam({ prompt: 'Once upon a time', beams: 3, numReturn: 2, maxNewTokens: 12 });",
    );
    const score = sequences[0].score.toFixed(3).replace("-", "−");
    assert.ok((await words("beams-sentence")).includes(`score ${score}`), await words("beams-sentence"));
    assert.equal(await read("document.querySelectorAll('#beams-table tbody tr').length"), tree.fates.length);
    assert.equal(
      await read("document.querySelectorAll('#beams-tree .tree-dropped li').length"),
      tree.fates.filter((/** @type {number} */ fate) => fate === 0).length,
    );
    const winner = await read(
      "[...document.querySelectorAll('#beams-tree .tree-node.marked .tree-tokens')].map((piece) => piece.querySelectorAll('.chip').length)",
    );
    assert.equal(winner.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0), sequences[0].newIds.length);
    for (const [place, { newIds: wanted }] of sequences.entries()) {
      await (await lab.browser.get("button", `Put into the text: place ${place + 1}`)).sendKeys(Key.ENTER);
      await lab.browser.waitFor("its tokens", async () => (await newIds()).join() === wanted.join());
    }
    await lab.browser.waitFor("its words", async () => (await text()).trim() === sequences[1].text.trim());
    assert.match(await words("branches-sentence"), /^3 texts from this prompt/);
  });

  test("one_beam_is_shown_to_be_greedy_decoding", async () => {
    await openTree();
    await read("document.querySelector('#beam-beams').value = '1'");
    await read("document.querySelector('#beam-beams').dispatchEvent(new Event('change'))");
    await lab.browser.click("button", "Run beam search");
    await lab.browser.waitFor("both", async () => (await words("beams-sentence")).includes("run beside it"));
    assert.match(await words("beams-sentence"), /gives the same 12 tokens/);
  });

  test("branches_of_an_earlier_prompt_stay_until_they_are_cleared", async () => {
    await openTree();
    await lab.browser.type("Prompt", "The dog");
    await lab.browser.waitFor("the new prompt", async () => (await words("branches-sentence")).startsWith("No text"));
    await generate("Generate", 24);
    assert.match(await read("document.querySelector('.old-texts').innerText"), /1 text of earlier prompts/);
    await lab.browser.click("button", "Clear them");
    await lab.browser.waitFor("nothing old", () => read("document.querySelector('.old-texts') === null"));
    assert.match(await words("branches-sentence"), /^1 text from this prompt/);
  });
});
