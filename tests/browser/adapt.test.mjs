/**
 * The page for readers with settings of their own: a window of 320 px (400 % zoom), more room between letters and lines, text
 * twice as large, forced colours, no motion, more contrast. Nothing is cut off, covered or out of reach, and nothing is told by
 * colour alone.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Key } from "selenium-webdriver";
import { labPanels } from "../../www/src/panels.js";
import { emulationOf, noEmulation } from "./emulation.mjs";
import { openLab, openPage, pageOf } from "./harness.mjs";
import { keysOf } from "./keys.mjs";
import { FIND_FAULTS } from "./reflow.mjs";

/** What WCAG 1.4.12 has a reader set. */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }`;
const CONTROLS = "prompt=The+old+man+looked+at+the&maxNewTokens=12&seed=5&topP=0.9&suppress=13";
/** The buttons whose results are looked at too, and what shows that they are there. */
const RESULTS = { "draw-many": ".bench-part .draws", "ab-run": "#ab-comparison", "example-draw": "#lab-example .draws", "run-beams": "#beams-table", "cache-check-run": "#cache-table", "precision-run": "#precision-table", "batch-run": "#batch-made", "scores-run": "#scores-table" };

/** @param {() => Awaited<ReturnType<typeof openLab>>} lab */
function adapting(lab) {
  const page = pageOf(lab);
  const { read, click } = page;
  const emulation = emulationOf(lab);
  const shown = (/** @type {string} */ selector) =>
    lab().browser.waitFor(selector, () => read(`!!document.querySelector(${JSON.stringify(selector)})`));
  const unfold = () =>
    lab().browser.run(
      "for (const part of document.querySelectorAll('details')) part.open = true; await new Promise((resolve) => setTimeout(resolve, 300));",
    );
  return {
    ...page,
    emulation,
    shown,
    unfold,

    /** The page after a run, with all panels open, all parts unfolded and results in them. */
    async openAll() {
      await openPage(lab().browser, `${lab().server.url}?model=tales-2m#${CONTROLS}`);
      await shown("#bars tr[data-id]");
      await click("generate");
      await lab().browser.waitFor("the end of the run", async () => /; /.test(await page.words("text-note")));
      for (const { name } of labPanels) await read(`document.querySelector('[aria-controls="lab-${name}"]').click()`);
      await unfold();
      for (const [button, sign] of Object.entries(RESULTS)) {
        await lab().browser.waitFor(button, () => read(`document.getElementById("${button}")?.matches(":not(:disabled, [aria-disabled=true])")`));
        await click(button);
        await shown(sign);
      }
      await unfold();
    },
    /** @param {string} state @param {number} width @param {number} height @param {string} [styles] of the reader's own */
    async fits(state, width, height, styles = "") {
      await emulation.window(width, height);
      const faults = await lab().browser.run(
        `const own = document.createElement("style");
         own.textContent = args[0];
         document.head.append(own);
         await new Promise((resolve) => setTimeout(resolve, 400));
         args = [];
         const faults = (() => {${FIND_FAULTS}})();
         own.remove();
         return faults;`,
        styles,
      );
      assert.deepEqual(faults, [], state);
    },
  };
}

describe("the page as its reader sets it", { skip: noEmulation }, () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  const { openAll, unfold, fits, emulation, read, click, shown, type } = adapting(() => lab);
  const keys = keysOf(() => lab);
  /** Computed styles, by selector. @param {string} selector @param {string} property @returns {Promise<string>} */
  const style = (selector, property) =>
    lab.browser.run(
      "document.getAnimations().forEach((one) => one.finish()); return getComputedStyle(document.querySelector(args[0]))[args[1]];",
      selector,
      property,
    );
  /** What a colour of the system is at present. @param {string} colour @returns {Promise<string>} */
  const system = (colour) =>
    lab.browser.run(
      `const probe = document.createElement("i");
       probe.style.cssText = "forced-color-adjust: none; color: " + args[0];
       document.body.append(probe);
       const value = getComputedStyle(probe).color;
       probe.remove();
       return value;`,
      colour,
    );

  test("everything_fits_a_window_of_320_pixels_and_a_reader_s_spacing", async () => {
    await openAll();
    await fits("320 px", 320, 256);
    await fits("320 px with spacing", 320, 640, SPACING);
    await fits("1280 px with spacing", 1280, 900, SPACING);
    await emulation.reset();
  });

  test("the_lab_sheets_fit_too", async () => {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#sheet=loop`);
    await shown("#program");
    await fits("a sheet with the loop builder", 320, 256);
    await fits("a sheet with spacing", 320, 640, SPACING);
    await click("sheets-all");
    await shown("#sheet-list");
    await fits("the list of sheets with spacing", 320, 640, SPACING);
    await click("sheet-prefill-decode");
    await shown("#sheet-commit");
    await click("sheet-commit");
    await type("field-prefill-decode-count-predicted", "8");
    await click("sheet-commit");
    await shown("#sheet-came");
    await fits("a sheet after its prediction", 320, 640, SPACING);
    await fits("a sheet beside the page, with spacing", 1366, 768, SPACING);
    await emulation.reset();
  });

  test("a_note_that_is_opened_in_a_low_window_is_in_it_as_a_whole", async () => {
    await emulation.window(320, 256);
    for (const term of ["logit", "boundary"]) {
      await unfold();
      const box = await lab.browser.run(
        `const button = document.querySelector('[popovertarget="info-' + args[0] + '"]');
         button.scrollIntoView({ block: "center" });
         button.click();
         await new Promise((resolve) => setTimeout(resolve, 100));
         const note = document.getElementById("info-" + args[0]);
         const { left, top, right, bottom } = note.getBoundingClientRect();
         note.hidePopover();
         return { left, top, right, bottom };`,
        term,
      );
      assert.ok(box.left >= 0 && box.top >= 0 && box.right <= 320 && box.bottom <= 256, `${term}: ${JSON.stringify(box)}`);
    }
    await emulation.reset();
  });

  test("with_forced_colours_bars_marks_choices_faults_and_the_focus_are_still_told", async () => {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#${CONTROLS}`);
    await shown("#bars tr[data-id]");
    await click("generate");
    await shown("#bars tr.marked");
    await emulation.media({ forcedColours: true });
    assert.equal(await read("matchMedia('(forced-colors: active)').matches"), true);
    const [canvas, highlight, gray] = await Promise.all(["Canvas", "Highlight", "GrayText"].map(system));
    const [model, mine] = await Promise.all([style("#bars .bar.model", "backgroundColor"), style("#bars .bar.mine", "backgroundColor")]);
    assert.ok(model !== canvas && mine !== canvas && model !== mine, [canvas, model, mine].join(" | "));
    assert.equal(await style("#bars tr.marked", "outlineStyle"), "solid");
    assert.equal(await style(".segments label:has(:checked)", "backgroundColor"), highlight);
    assert.notEqual(await style(".segments label:has(:not(:checked))", "backgroundColor"), highlight);
    assert.equal(await style("#stop", "color"), gray, "a button that is off");
    assert.notEqual(await style("#generate", "color"), gray);
    assert.equal(await style("#stages [aria-current]", "outlineStyle"), "solid");
    await read("document.getElementById('presets').open = true");
    await read("document.querySelector('#presets button').click()");
    assert.equal(await style("#presets button[aria-pressed='true']", "backgroundColor"), highlight);
    await type("temperature-field", "-1");
    assert.equal(await style("#temperature-field", "borderStyle"), "dashed");
    // On what is chosen too the focus has a ring of its own.
    await keys.tabTo("generate");
    await keys.tabTo(({ id }) => id.startsWith("pace-"));
    assert.equal(await style(".segments label:has(:focus-visible)", "outlineStyle"), "solid");
    assert.equal(await style(".segments label:has(:checked):not(:has(:focus-visible))", "outlineStyle"), "none");
    await emulation.reset();
  });

  test("a_reader_who_wants_no_motion_gets_none", async () => {
    const moving = `[...document.querySelectorAll("*")].filter((element) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
      return /[1-9]/.test(transitionDuration) || animationName !== "none" || scrollBehavior === "smooth";
    }).map((element) => element.id || element.className || element.localName)`;
    assert.notDeepEqual(await read(moving), [], "there is motion otherwise");
    await emulation.media({ reducedMotion: true });
    assert.deepEqual(await read(moving), []);
    await click("generate");
    await keys.press(Key.TAB);
    assert.deepEqual(await read("document.getAnimations().length"), 0);
    await emulation.reset();
  });

  test("a_reader_who_wants_more_contrast_gets_words_in_the_text_s_own_colour", async () => {
    for (const scheme of /** @type {const} */ (["light", "dark"])) {
      await emulation.media({ scheme });
      assert.notEqual(await style("p.muted", "color"), await style("body", "color"));
      await emulation.media({ scheme, moreContrast: true });
      assert.equal(await style("p.muted", "color"), await style("body", "color"));
    }
    await emulation.reset();
  });
});

describe("the page with text twice as large", { skip: noEmulation }, () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab({ flags: ["--blink-settings=defaultFontSize=32"] });
  });
  after(() => lab?.close());

  const { openAll, fits } = adapting(() => lab);

  test("everything_fits_when_text_alone_is_twice_as_large", async () => {
    await openAll();
    await fits("1280 px", 1280, 900);
    await fits("800 px", 800, 900);
  });
});
