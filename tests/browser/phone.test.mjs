/** The page under a finger: targets of 44 px, sliders that leave scrolling alone, nothing wider than the screen. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { labPanels } from "../../www/src/panels.js";
import { lacks } from "./engines/engine.mjs";
import { openLab, openPage, pageOf } from "./harness.mjs";

const FRESH = "?model=tales-2m#prompt=Once+upon+a+time&seed=3&maxNewTokens=12&ignoreEos=1";
const PHONE = { width: 360, height: 740 };

/**
 * Every button, field, slider, unfolding line, tab and link that is to be seen, unless its target is 44 px high: WCAG 2.5.5
 * asks for 44 by 44, and whoever has 44 px of height has at least a word's width. A target is the element with its padding,
 * what it draws around itself to be hit (::after), and the label that belongs to it.
 */
const SMALL_TARGETS = `
  const kinds = "button, input:not([type=hidden]), select, textarea, summary, a[href], [role=option].chip, [role=tab]";
  const seen = [...document.querySelectorAll(kinds)].filter((element) =>
    element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) && !element.closest("[inert]") &&
    element.getClientRects().length > 0 && !element.classList.contains("skip"));
  const around = (element) => {
    const { position, content, height } = getComputedStyle(element, "::after");
    return position === "absolute" && content !== "none" ? parseFloat(height) : 0;
  };
  const heights = (element) => [element.getBoundingClientRect().height, around(element),
    ...[...(element.labels ?? [])].filter((label) => label.contains(element)).map((label) => label.getBoundingClientRect().height)];
  return { count: seen.length, small: seen.filter((element) => Math.max(...heights(element)) < 43.9).map((element) =>
    (element.closest("[id]")?.id ?? "") + ": " + element.localName + (element.type ? "[" + element.type + "]" : "") + "." + element.className + " " +
    (element.innerText ?? "").slice(0, 20).replace(/\\n/g, " ") + " " + Math.round(Math.max(...heights(element)))) };
`;

describe("the page on a phone", { skip: lacks("touch") }, () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  const { read, click } = pageOf(() => lab);
  before(async () => {
    lab = await openLab();
    await lab.browser.emulateScreen(PHONE);
    await lab.browser.emulateTouch(true);
    await openPage(lab.browser, `${lab.server.url}${FRESH}`);
    await click("generate");
    await lab.browser.waitFor("a text", async () => (await read("document.getElementById('text-note').textContent")).includes(";"));
  });
  after(() => lab?.close());

  /** @param {string} where @param {number} least how many targets there are */
  async function allLarge(where, least) {
    const { small, count } = await lab.browser.run(SMALL_TARGETS);
    assert.deepEqual(small, [], where);
    assert.ok(count >= least, `${count} targets in ${where}`);
    const [wide, window] = await read("[document.documentElement.scrollWidth, innerWidth]");
    assert.ok(wide <= window, `${where} is ${wide} px wide`);
  }

  test("every_target_of_the_main_page_is_44_px_high_folded_and_unfolded", async () => {
    assert.ok(await read("matchMedia('(pointer: coarse)').matches"), "the browser takes the screen for a phone's");
    await allLarge("the page", 50);
    const unfold = "for (const part of document.querySelectorAll('#lab details, #foot details')) part.open = args[0];";
    await lab.browser.run(unfold, true);
    await lab.browser.waitFor("the bench", () => read("document.getElementById('strip-marker') !== null"));
    await allLarge("the page with all of it unfolded", 90);
    await lab.browser.run(unfold, false);
  });

  test("every_target_of_every_panel_is_44_px_high", async () => {
    for (const { name } of labPanels) {
      await lab.browser.run("document.querySelector('[aria-controls=lab-' + args[0] + ']').click();", name);
      await lab.browser.waitFor(`the panel ${name}`, () => read(`document.querySelector("#lab-panel-${name} > *") !== null`));
      await lab.browser.run("for (const part of document.querySelectorAll('#lab-panel-' + args[0] + ' details')) part.open = true;", name);
      await allLarge(`the panel ${name}`, 50);
      await lab.browser.run("document.querySelector('[aria-controls=lab-' + args[0] + ']').click();", name);
    }
  });

  test("every_target_of_a_lab_sheet_is_44_px_high", async () => {
    await click("sheets-button");
    await lab.browser.waitFor("the sheets", () => read("document.querySelector('.sheet-list button') !== null"));
    await allLarge("the list of sheets", 60);
    await lab.browser.run("document.querySelectorAll('.sheet-list button')[2].click();");
    await lab.browser.waitFor("a sheet", () => read("document.querySelector('.sheet-step') !== null"));
    await allLarge("a sheet", 50);
    await lab.browser.run("document.querySelector('#sheets-column .panel-line button').click();");
  });

  test("a_drag_across_a_slider_moves_it_and_a_drag_down_it_scrolls_the_page", { skip: lacks("devTools") }, async () => {
    await lab.browser.run("document.getElementById('temperature').scrollIntoView({ block: 'center' });");
    const at = await read(
      "(({ left, top, width, height }) => [left + width / 2, top + height / 2, scrollY, document.getElementById('temperature').value])(document.getElementById('temperature').getBoundingClientRect())",
    );
    const [x, y, scrolled, value] = at;
    /** @param {number} dx @param {number} dy */
    async function drag(dx, dy) {
      const touch = (/** @type {string} */ type, /** @type {object[]} */ touchPoints) =>
        lab.browser.devTools("Input.dispatchTouchEvent", { type, touchPoints });
      await touch("touchStart", [{ x, y }]);
      for (let n = 1; n <= 10; n += 1) await touch("touchMove", [{ x: x + (dx * n) / 10, y: y + (dy * n) / 10 }]);
      await touch("touchEnd", []);
      await lab.browser.run("await new Promise((resolve) => setTimeout(resolve, 300));");
      return read("[scrollY, document.getElementById('temperature').value]");
    }
    const [, still] = await drag(6, -150);
    assert.equal(still, value, "the slider stays");
    await lab.browser.waitFor("the page to scroll", async () => (await read("scrollY")) > scrolled + 50);
    await lab.browser.run("scrollTo(0, args[0]);", scrolled);
    const [afterAcross, moved] = await drag(60, 4);
    assert.notEqual(moved, value, "the slider moves");
    assert.equal(afterAcross, scrolled, "the page stays");
  });
});
