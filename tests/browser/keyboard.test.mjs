/**
 * The page by keyboard alone: real key events, no element that is clicked or given the focus by the test. The main loop and
 * one lab sheet are walked from a fresh page; every control has its turn of Tab; and no redraw loses the focus.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { labPanels } from "../../www/src/panels.js";
import { prefillDecode } from "../../www/src/sheets/content/prefill-decode.js";
import { openLab, openPage, pageOf, readFixture } from "./harness.mjs";
import { keysOf } from "./keys.mjs";

/** In the page: each thing that Tab should come to, by its place in the document. Radio buttons of one choice are one stop. */
const TABBABLE = `
  const groups = new Set();
  const all = [...document.querySelectorAll("*")];
  return all.flatMap((element, order) => {
    if (element.tabIndex < 0 || element.matches(":disabled") || !element.checkVisibility() || element.closest("[inert]")) return [];
    if (element.type === "radio" && !element.checked) {
      const others = [...document.querySelectorAll(\`input[type=radio][name="\${element.name}"]\`)];
      if (others.some(({ checked }) => checked) || others[0] !== element) return [];
    }
    return [{ order, words: element.id || element.ariaLabel || element.innerText || element.outerHTML.slice(0, 80) }];
  });
`;

describe("the page by keyboard alone", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  const { read, words } = pageOf(() => lab);
  const { press, chord, focused, tabTo, focusComes, stops } = keysOf(() => lab);
  /** @param {string} fragment */
  async function open(fragment = "") {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m${fragment}`);
    await lab.browser.waitFor("the bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
  }
  /** @param {string} id @param {RegExp} text */
  const shows = (id, text) => lab.browser.waitFor(`${text} in ${id}`, async () => text.test(await words(id)));
  const announced = () => read("document.getElementById('announcer').textContent");
  /** @param {RegExp} text */
  const hears = (text) => lab.browser.waitFor(`${text} to be heard`, async () => text.test(await announced()));
  const focusedId = async () => (await focused())?.id ?? "nothing";

  test("the_main_loop_is_done_with_keys_from_a_fresh_page", async () => {
    await open();
    await press(Key.TAB);
    assert.match((await focused())?.words ?? "", /Skip to the prompt/);
    await press(Key.ENTER);
    await focusComes("prompt");
    assert.equal(await read("document.getElementById('prompt').value"), "Once upon a time there was", "the prompt stays");

    await chord(Key.CONTROL, "a");
    await press("The king said");
    await shows("tokens", /king/);
    await tabTo(({ type, id }) => type === "radio" && id.startsWith("pace-"));
    for (let n = 0; n < 2 && (await focusedId()) !== "pace-three"; n++) await press(Key.ARROW_LEFT);
    assert.equal(await read("document.getElementById('pace-three').checked"), true);
    await tabTo("generate", { back: true });
    await press(Key.ENTER);
    await hears(/^Generating\./);
    await shows("text-note", /^[2-9] tokens/);
    assert.equal(await focusedId(), "generate", "a run takes the focus from nobody");
    await tabTo("stop");
    await press(Key.ENTER);
    await hears(/^Stopped after \d+ tokens?: you stopped it\./);
    assert.equal(await focusedId(), "stop");
    assert.match(await words("generated"), /\S/);

    await tabTo("temperature");
    const before = await words("bars");
    await press(...Array(6).fill(Key.ARROW_LEFT));
    await hears(/^0\.7, [\d,]+ kept, top: /);
    assert.notEqual(await words("bars"), before);
    await chord(Key.ALT, "b");
    await hears(/^1: .*, model \d+ percent, with your settings \d+ percent.* 5: /);
    assert.equal(await focusedId(), "temperature");

    await tabTo(({ tag, words }) => tag === "summary" && words.startsWith("Look closer"), { back: true });
    await press(Key.ENTER);
    await tabTo("dice");
    const number = () => read("document.getElementById('dice').value");
    const drawn = await number();
    await press(Key.HOME, Key.ARROW_RIGHT);
    await lab.browser.waitFor("another number", async () => (await number()) !== drawn);
    await hears(/^0\.0001, /);
    await tabTo("dice-back", { back: true });
    await press(Key.SPACE);
    await lab.browser.waitFor("the seed's number", async () => (await number()) === drawn);
  });

  test("tokens_steps_chain_and_branches_are_reached_and_changed_with_keys", async () => {
    await open("#prompt=The+old+man+looked+at+the&maxNewTokens=8&seed=5");
    await tabTo("prompt");
    await chord(Key.CONTROL, Key.ENTER);
    await hears(/^Stopped after 8 tokens/);

    await tabTo(({ words }) => /^The, id/.test(words));
    await press(Key.ARROW_RIGHT, Key.ENTER);
    await shows("inspection", /After token 2.*rank/s);
    await tabTo(({ words }) => words === "Close");
    await press(Key.ENTER);
    assert.match((await focused())?.words ?? "", /^space, old, id/, "the focus is back on the token");
    assert.equal(await read("document.getElementById('inspection')"), null);

    await tabTo(({ words }) => /token 1 of 8/.test(words));
    await press(Key.ARROW_RIGHT, Key.ARROW_RIGHT);
    await shows("bars-title", /^Step 3:/);
    await press(Key.ENTER);
    const use = await focusComes(({ words }) => /^Use .* instead$/.test(words));
    await press(Key.ENTER);
    await hears(/^Token 3 is /);
    const after = await focused();
    assert.match(after?.words ?? "", /^Use /, "the focus stays in the column of the bars");
    await press(Key.ESCAPE);
    await chord(Key.CONTROL, "z");
    await hears(/^Undone: now 8 tokens/);
    assert.ok(use);

    await tabTo("topP-up");
    await press(Key.ENTER);
    await hears(/top-p is now step 2 of 3/);
    await focusComes("topP-up");
    await press(Key.ENTER);
    await hears(/top-p is now step 1 of 3/);
    await focusComes("topP-up");
    assert.deepEqual(await read("[...document.querySelectorAll('#chain > li')].map((row) => row.dataset.kind)"), ["topP", "temperature", "topK"]);

    await tabTo(({ words }) => words === "Branches and beams");
    await press(Key.ENTER);
    await lab.browser.waitFor("the panel", () => read("!!document.getElementById('run-beams')"));
    await tabTo("run-beams");
    await press(Key.ENTER);
    await hears(/^Beam search ended/);
    await tabTo(({ words }) => words.startsWith("Put into the text"));
    await press(Key.ENTER);
    await hears(/^The text has \d+ tokens now/);
    assert.notEqual(await focused(), null);
  });

  test("a_lab_sheet_is_walked_to_its_last_step_with_keys", async () => {
    const facts = await readFixture("sheet_facts.json");
    await open();
    await press(Key.TAB, Key.TAB, Key.ENTER);
    await focusComes(({ words }) => words === labPanels[0].label);
    await tabTo("sheets-button");
    await press(Key.SPACE);
    await focusComes("sheets-title");
    await lab.browser.waitFor("the list", () => read("!!document.getElementById('sheet-list')"));
    await tabTo("sheet-prefill-decode");
    await press(Key.ENTER);

    const { steps, name } = prefillDecode;
    for (const [place, step] of steps.entries()) {
      await focusComes("sheet-step-title");
      assert.match(await words("sheet-step-title"), new RegExp(`Step ${place + 1} of ${steps.length}`));
      const known = facts[`${name}/${step.id}`] ?? {};
      if (step.predict) {
        await fill(step.predict.field, `field-${name}-${step.id}-predicted`, step.predict.right?.(known));
        await tabTo("sheet-commit");
        await press(Key.ENTER);
        await focusComes("sheet-outcome");
        await hears(/^You predicted: /);
        assert.match(await words("sheet-outcome"), /What came out: .*redicted\./s);
      } else if (step.measure) {
        await tabTo("sheet-measure-run");
        await press(Key.ENTER);
        await lab.browser.waitFor("the end of the work", () => read("document.getElementById('sheet-measure-run').ariaDisabled !== 'true'"));
        assert.equal(await focusedId(), "sheet-measure-run");
      }
      for (const question of step.questions ?? []) {
        const field = `field-${name}-${step.id}-${question.id}`;
        await fill(question.field, field, question.right ? question.right(known) : "One call a token.");
        await tabTo(`sheet-check-${question.id}`);
        await press(Key.ENTER);
        await shows(`sheet-verdict-${question.id}`, question.right ? /^Right\./ : /^Kept\./);
        await hears(question.right ? /^Right\. / : /^Kept\. /);
      }
      await tabTo(place + 1 < steps.length ? "sheet-next" : "sheet-end");
      await press(Key.ENTER);
    }
    await focusComes("sheets-title");
    await shows("sheet-list", /15 minutes; all steps done/);
    await tabTo("sheets-close");
    await press(Key.ENTER);
    await focusComes("sheets-button");
    assert.equal(await read("document.getElementById('sheets-column').checkVisibility()"), false);
  });

  /** Answers in the kind of field that it is. @param {{ kind: string }} field @param {string} id @param {unknown} value */
  async function fill({ kind }, id, value) {
    if (kind !== "choice") {
      await tabTo(id);
      await press(String(value));
      return;
    }
    await tabTo(({ type, id: own }) => type === "radio" && !own.startsWith("pace"));
    for (let n = 0; n < 6; n++) {
      const { chosen, at } = await read(
        `({ chosen: document.querySelector('input[name="${id}"]:checked')?.value ?? null, at: document.activeElement.value })`,
      );
      if (chosen === value) return;
      await press(at === value ? Key.SPACE : Key.ARROW_DOWN);
    }
    throw new Error(`the keys do not choose ${value} in ${id}`);
  }

  test("no_redraw_loses_the_focus", async () => {
    await open("#prompt=The+old+man&maxNewTokens=8&seed=5&nonsense=1&panel=ab");
    /** @param {Parameters<typeof tabTo>[0]} button @param {RegExp} next what then has the focus */
    async function pressed(button, next) {
      await tabTo(button);
      await press(Key.ENTER);
      // Longer than the page takes to draw once and the browser to notice.
      await read("new Promise((resolve) => setTimeout(resolve, 150))");
      const stop = await focused();
      assert.ok(stop, `nothing has the focus after ${button}`);
      assert.match(stop.id || stop.words, next);
    }
    await pressed(({ words }) => words === "Dismiss", /./);
    await lab.browser.waitFor("the panel", () => read("document.getElementById('ab-run')?.disabled === false"));
    await pressed("ab-run", /^ab-run$/);
    await hears(/differ|same|part/);
    await focusComes("ab-run");
    await pressed(({ words }) => words === "Show the other panels", /./);
    await tabTo(({ words }) => words === "Worked example");
    await press(Key.ENTER);
    await lab.browser.waitFor("the example", () => read("document.querySelectorAll('#lab-example tbody tr').length > 3"));
    await pressed(({ words }) => words === "Remove D", /^Remove C$/);
    await pressed(({ words }) => words === "Remove C", /^Add a token$/);
  });

  test("notes_open_and_close_by_keys_and_the_list_of_keys_is_in_the_foot", async () => {
    await open();
    await tabTo(({ words }) => words === "What is this: logit?");
    await press(Key.ENTER);
    assert.equal(await read("document.querySelector('#info-logit').matches(':popover-open')"), true);
    await press(Key.ESCAPE);
    assert.equal(await read("document.querySelector(':popover-open')"), null);
    assert.match((await focused())?.words ?? "", /logit/);
    await tabTo(({ tag, words }) => tag === "summary" && words === "Keyboard");
    await press(Key.ENTER);
    await shows("keyboard", /Alt\+B.*five likeliest/s);
  });

  test("tab_comes_to_every_control_in_the_order_of_the_page_with_a_focus_that_can_be_seen", async () => {
    await open("#prompt=The+old+man+looked+at+the&maxNewTokens=8&seed=5&suppress=13");
    await inspect("fresh");
    for (const { name } of labPanels) await read(`document.querySelector('[aria-controls="lab-${name}"]').click()`);
    await lab.browser.waitFor("the panels", () => read("document.querySelectorAll('#labs .lab-panel > .muted').length === 0"));
    await lab.browser.run("for (const part of document.querySelectorAll('details')) part.open = true; document.activeElement.blur(); scrollTo(0, 0);");
    await lab.browser.waitFor("what is unfolded", () => read("!!document.getElementById('odds') && !!document.querySelector('[data-control=minP]')"));
    await inspect("all panels open");
  });

  /** @param {string} state */
  async function inspect(state) {
    const expected = await lab.browser.driver.executeScript(TABBABLE);
    const all = await stops();
    const faults = all.flatMap(({ id, words, ring, seen, order }, n) => [
      ...(ring < 3 ? [`${id} ${words}: a ring of contrast ${ring.toFixed(2)}`] : []),
      ...(seen < 0.6 ? [`${id} ${words}: covered`] : []),
      ...(n > 0 && order < all[n - 1].order ? [`${id} ${words}: out of order`] : []),
    ]);
    const reached = new Set(all.map(({ order }) => order));
    const missed = expected.filter((/** @type {{ order: number }} */ { order }) => !reached.has(order));
    assert.deepEqual(faults, [], state);
    assert.deepEqual(missed, [], state);
    assert.ok(all.length > 60, `${state}: ${all.length} stops`);
  }
});
