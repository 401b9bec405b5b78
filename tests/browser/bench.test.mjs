/** Looking closer at a step: all that the page shows is what the engine says of the same logits. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { Key, Origin } from "selenium-webdriver";
import { openLab, openPage, pageOf } from "./harness.mjs";

describe("looking closer", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());
  const chain = [
    { kind: "temperature", value: 0.7 },
    { kind: "topP", value: 0.75 },
  ];
  beforeEach(async () => {
    await lab.browser.open("about:blank");
    await openPage(
      lab.browser,
      `${lab.server.url}?model=tales-2m#prompt=Once+upon+a+time&temperature=0.7&topP=0.75&repetitionPenalty=1.3&ignoreEos=1`,
    );
    await lab.browser.waitFor("the bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
    await (await lab.browser.driver.findElement({ css: "#bench summary" })).click();
    await lab.browser.get("slider", "Uniform number");
  });

  const { read, words } = pageOf(() => lab);
  /** The step that the bars show, as the console gets it. @param {number} [uniform] */
  const engineStep = (uniform = 0.5) =>
    lab.browser.run(
      `const { ids } = await logitLab.tokenize("Once upon a time");
       const logits = await logitLab.logits({ ids });
       const settings = { chain: args[0], repetitionPenalty: 1.3 };
       return logitLab.sampleStep({ logits, history: [...ids], settings, uniform: args[1] });`,
      chain,
      uniform,
    );
  /** The cells of a column, by row. @param {string} column @param {string} [table] */
  const cells = (column, table = "bars") =>
    read(`[...document.querySelectorAll("#${table} tr[data-id] .${column}")].map((cell) => cell.textContent.trim())`);
  const idsOf = (table = "bars") =>
    read(`[...document.querySelectorAll("#${table} tr[data-id]")].map((row) => Number(row.dataset.id))`);
  /** The number that a cell shows. @param {string} text */
  const number = (text) => (text === "−∞" ? -Infinity : Number(text.replace("−", "-")));
  /** Puts the dice somewhere, as a drag of the slider does. @param {number} uniform */
  const moveDice = (uniform) =>
    lab.browser.run(
      `const dice = document.getElementById("dice");
       dice.value = args[0];
       dice.dispatchEvent(new Event("input", { bubbles: true }));`,
      uniform,
    );
  /** The row that the bars say is picked, or would be. */
  const marked = () => read("Number(document.querySelector('#bars tr:has(.tag)')?.dataset.id)");

  test("the_columns_on_demand_show_the_engine's_values", async () => {
    for (const name of ["After penalties", "z/T − max", "Cumulative", "Span", "Kept or cut"]) {
      await lab.browser.click("checkbox", name);
    }
    await lab.browser.waitFor("the columns", async () => (await cells("fate")).length > 0);
    const step = await engineStep();
    const ids = await idsOf();
    const shown = {
      processed: await cells("processed"),
      scaled: await cells("scaled"),
      cumulative: await cells("cumulative"),
      span: await cells("span"),
      fate: await cells("fate"),
    };
    assert.ok(ids.length >= 10 && shown.fate.includes("kept") && shown.fate.includes("cut by top-p"));
    ids.forEach((/** @type {number} */ id, /** @type {number} */ row) => {
      assert.ok(Math.abs(number(shown.processed[row]) - step.processedLogits[id]) < 0.006, `processed ${row}`);
      assert.ok(Math.abs(number(shown.scaled[row]) - step.scaledLogits[id]) < 0.006, `scaled ${row}`);
      const cumulative = shown.cumulative[row].startsWith(">") ? 99.95 : parseFloat(shown.cumulative[row]);
      assert.ok(Math.abs(cumulative - step.cumulative[id] * 100) < 0.06, `cumulative ${row}`);
      const kept = step.cutBy[id] === 0;
      assert.equal(shown.fate[row], kept ? "kept" : "cut by top-p");
      const span = kept ? `${step.lows[id].toFixed(4)} – ${step.highs[id].toFixed(4)}` : "–";
      assert.equal(shown.span[row], span);
    });
    assert.match(await words("step-figures"), new RegExp(`${step.baseEntropy.nats.toFixed(2)} nats`));
    assert.match(await words("step-figures"), new RegExp(`${step.entropy.bits.toFixed(2)} bits`));
    await (await lab.browser.driver.findElement({ css: "#bench summary" })).click();
    assert.equal((await cells("fate")).length > 0, true, "columns stay when the part below is closed");
  });

  test("moving_the_dice_picks_the_token_whose_interval_holds_it", async () => {
    const { lows, highs, ranking, cutBy } = await engineStep();
    const kept = ranking.filter((/** @type {number} */ id) => cutBy[id] === 0).slice(0, 4);
    assert.ok(kept.length >= 3);
    for (const id of kept) {
      await moveDice(Number(((lows[id] + highs[id]) / 2).toFixed(4)));
      await lab.browser.waitFor(`token ${id} to be next`, async () => (await marked()) === id);
    }
    const third = kept[2];
    await moveDice(Number(((lows[third] + highs[third]) / 2).toFixed(4)));
    await lab.browser.waitFor("the third", async () => (await marked()) === third);
    assert.match(await words("dice-says"), /^Your number decides the next pick/);
    assert.match(await words("draw-line"), /^Your number is/);
    const slider = await lab.browser.get("slider", "Uniform number");
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^0\.\d{4}, picks /);
    await lab.browser.click("button", "One token");
    await lab.browser.waitFor("the token", async () => (await words("text-note")).includes(";"));
    assert.deepEqual(await read("logitLab.report().then(({ newIds }) => newIds)"), [third]);
    // The number decided once: the next token is the seed's, whatever the first was.
    assert.match(await words("draw-line"), /^Your number is/);
    assert.match(await words("dice-says"), /^Move the number/);
  });

  test("the_seed's_number_comes_back_and_the_keys_move_it", async () => {
    const before = await words("draw-line");
    const slider = await lab.browser.get("slider", "Uniform number");
    await slider.sendKeys(Key.END);
    await lab.browser.waitFor("the end of the strip", async () => (await words("draw-line")).includes("0.9999"));
    const { highs } = await engineStep(0.9999);
    const last = await marked();
    assert.ok(highs[last] === 1, "the last kept token owns the end");
    await lab.browser.click("button", "Back to the seed's number");
    await lab.browser.waitFor("the seed's number", async () => (await words("draw-line")) === before);
  });

  test("the_strip_is_dragged_by_the_mouse", async () => {
    await read("document.getElementById('strip').scrollIntoView({ block: 'center' })");
    const strip = await lab.browser.driver.findElement({ css: "#strip" });
    const { width } = await strip.getRect();
    await lab.browser.driver
      .actions({ async: true })
      .move({ origin: strip })
      .press()
      .move({ origin: Origin.POINTER, x: Math.round(width / 4), duration: 100 })
      .release()
      .perform();
    await lab.browser.waitFor("three quarters", async () =>
      Math.abs(Number(await read("document.getElementById('dice').value")) - 0.75) < 0.02,
    );
    await lab.browser.waitFor("the bars", async () => (await words("draw-line")).startsWith("Your number is 0.7"));
  });

  test("the_number_decides_the_first_token_of_a_run_and_the_seed_the_others", async () => {
    /** Makes six tokens; the number that drew the last of them, and all ids. */
    async function generate() {
      await lab.browser.click("button", "Generate");
      await lab.browser.waitFor("the end", async () => (await words("text-note")).includes(";"));
      const line = await words("draw-line");
      assert.match(line, /^Seed 42/);
      return { last: line.match(/0\.\d{4}/)?.[0], ...(await read("logitLab.report().then(({ newIds }) => ({ newIds }))")) };
    }
    await lab.browser.type("New tokens, at most", "6");
    await moveDice(0.9);
    await lab.browser.waitFor("the dice", async () => (await words("draw-line")).includes("0.9000"));
    const byHand = await generate();
    assert.equal(byHand.newIds[0], (await engineStep(0.9)).draw.id);
    await lab.browser.click("button", "Clear text");
    await lab.browser.waitFor("the seed's number", async () => (await words("draw-line")).startsWith("Seed 42"));
    const bySeed = await generate();
    assert.notEqual(bySeed.newIds[0], byHand.newIds[0]);
    assert.equal(bySeed.last, byHand.last);
  });

  test("two_rows_have_the_odds_of_their_logits", async () => {
    const [first, , third] = await idsOf();
    const boxes = await lab.browser.driver.findElements({ css: "#bars input[type=checkbox]" });
    await boxes[0].sendKeys(Key.SPACE);
    await boxes[2].sendKeys(Key.SPACE);
    await lab.browser.waitFor("the odds", async () => (await words("odds-mine")) !== "");
    const { rawLogits, processedLogits } = await engineStep();
    const odds = Math.exp(rawLogits[first] - rawLogits[third]);
    const mine = Math.exp((processedLogits[first] - processedLogits[third]) / 0.7);
    const shown = Number((await words("odds-model")).match(/= ([\d.]+):/)?.[1]);
    assert.ok(Math.abs(shown - odds) < 0.06 + odds * 0.001, `${shown} and ${odds}`);
    const shownMine = Number((await words("odds-mine")).match(/= ([\d.]+)[.,]/)?.[1]);
    assert.ok(Math.abs(shownMine - mine) < 0.06 + mine * 0.001, `${shownMine} and ${mine}`);
    await lab.browser.type("Temperature, exact value", "1.4");
    const flatter = Math.exp((processedLogits[first] - processedLogits[third]) / 1.4);
    await lab.browser.waitFor("the odds at another temperature", async () => {
      const found = Number((await words("odds-mine")).match(/= ([\d.]+)[.,]/)?.[1]);
      return Math.abs(found - flatter) < 0.06 + flatter * 0.001;
    });
    await lab.browser.click("button", /^Do not compare/);
    await lab.browser.waitFor("nothing to compare", async () => (await words("odds-mine")) === "");
  });

  test("any_token_is_found_by_text_id_or_rank", async () => {
    const { ranking, rawLogits } = await engineStep();
    await lab.browser.type("Token text to find", " the");
    await lab.browser.waitFor("tokens", async () => (await idsOf("found")).length > 0);
    const [the] = await read("logitLab.tokenize(' the').then(({ ids }) => ids)");
    assert.ok((await idsOf("found")).includes(the));
    await lab.browser.click("radio", "Id");
    const last = ranking[ranking.length - 1];
    await lab.browser.type("Token id to find", String(last));
    await lab.browser.waitFor("the token", async () => (await idsOf("found")).join() === String(last));
    assert.ok(Math.abs(number((await cells("logit", "found"))[0]) - rawLogits[last]) < 0.006);
    await lab.browser.type("Token id to find", "999999");
    await lab.browser.waitFor("none", async () => (await words("found-none")).startsWith("None of the 4,096"));
    await lab.browser.click("radio", "From rank");
    const ranks = (/** @type {number} */ first) => ranking.slice(first, first + 10).join();
    await lab.browser.waitFor("the first ranks", async () => (await idsOf("found")).join() === ranks(0));
    await lab.browser.click("button", "Ranks after");
    await lab.browser.waitFor("the next", async () => (await idsOf("found")).join() === ranks(10));
    await lab.browser.type("First rank to show", "4090");
    await lab.browser.waitFor("the last", async () => (await idsOf("found")).join() === ranks(4089));
  });

  test("many_draws_stand_beside_what_was_expected", async () => {
    await lab.browser.click("button", "Draw 1,000 times");
    await lab.browser.waitFor("the draws", async () => (await read("document.querySelector('#bench .draws-says')?.innerText ?? ''")) !== "");
    assert.match(await read("document.querySelector('#bench .draws-says')?.innerText ?? ''"), /^Seed 42, 1,000 draws/);
    const { probabilities } = await engineStep();
    const rows = await read(
      `[...document.querySelectorAll("#bench .draws tr[data-id]")].map((row) => [Number(row.dataset.id), ...[...row.cells].slice(2).map((cell) => Number(cell.textContent))])`,
    );
    assert.ok(rows.length >= 3);
    for (const [id, drawn, expected] of rows) {
      assert.ok(Math.abs(expected - probabilities[id] * 1000) < 0.06, `${expected} of ${id}`);
      assert.ok(Math.abs(drawn - expected) < 60, `${drawn} of ${id} drawn`);
    }
    await lab.browser.type("Temperature, exact value", "0.5");
    await lab.browser.waitFor("a word that they are old", async () => (await words("draws-stale")) !== "");
  });

  test("nothing_moves_while_a_run_goes_on", async () => {
    await lab.browser.type("New tokens, at most", "200");
    await lab.browser.driver.findElements({ css: "#bars input[type=checkbox]" }).then(async (boxes) => {
      await boxes[0].sendKeys(Key.SPACE);
      await boxes[1].sendKeys(Key.SPACE);
    });
    await lab.browser.waitFor("the odds", async () => (await words("odds-mine")) !== "");
    const places = await lab.browser.run(`
      const settings = document.getElementById("settings-panel");
      const places = new Set([settings.getBoundingClientRect().top + scrollY]);
      const note = () => document.getElementById("text-note").textContent;
      document.getElementById("generate").click();
      do {
        await new Promise(requestAnimationFrame);
        places.add(settings.getBoundingClientRect().top + scrollY);
      } while (!note().includes(";"));
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
      places.add(settings.getBoundingClientRect().top + scrollY);
      return [...places];
    `);
    assert.equal(places.length, 1, places.join());
    await lab.browser.waitFor("the odds of the last step", async () => (await words("odds-mine")) !== "");
  });
});
