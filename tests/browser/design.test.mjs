/** What a student sees: a first screen that explains itself, a page that stays calm, panels that stay as they were left. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { lacks } from "./engines/engine.mjs";
import { openLab, openPage, pageOf } from "./harness.mjs";

const FRESH = "?model=tales-2m";
const RUN = `${FRESH}#prompt=Once+upon+a+time&ignoreEos=1&seed=3`;
const SCREENS = [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
];

/** Notes every shift of the layout from now on, those after a click too. */
const WATCH_SHIFTS = `
  globalThis.shifts = [];
  const nameOf = (node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element ? (element.closest("[id]")?.id ?? "") + " " + element.localName + "." + element.className : "something that is gone";
  };
  globalThis.shiftWatch = new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => {
    const from = ({ node, previousRect: a, currentRect: b }) => nameOf(node) + " " + [b.x - a.x, b.y - a.y].join();
    shifts.push(value.toFixed(5) + " by " + sources.map(from).join("; "));
  }));
  shiftWatch.observe({ type: "layout-shift" });
`;

describe("a first visit", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  const { read, click } = pageOf(() => lab);
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  /** @param {{ width: number, height: number }} size */
  const screen = (size) => lab.browser.emulateScreen(size);
  /** @param {string} url */
  async function openAnew(url) {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}${url}`);
  }
  const barsDrawn = () =>
    lab.browser.waitFor("bars", () => read("document.querySelectorAll('#bars .bar.mine').length >= 10"));

  test("the_first_screen_has_bars_one_highlighted_button_and_fewer_than_80_words_of_prose", async () => {
    for (const size of SCREENS) {
      await screen(size);
      await openAnew(FRESH);
      await barsDrawn();
      // Prose is what is to be read as sentences or hints: any run of at least four words that is seen within the window and is
      // no label of a control, no button, no heading, no cell of a table and not the student's own text or prompt.
      const { prose, primaries } = await lab.browser.run(`
        const own = "button, label, legend, h1, h2, h3, th, summary, textarea, select, option, table, .examples, #text, #tokens";
        const inWindow = (element) => {
          const { top, bottom, width, height } = element.getBoundingClientRect();
          return bottom > 0 && top < innerHeight && width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        };
        const blocks = [...document.body.querySelectorAll("p, li, dd, dt, div, span, figcaption")].filter((element) =>
          !element.closest(own) && inWindow(element) &&
          [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== ""));
        const outermost = blocks.filter((element) => !blocks.some((other) => other !== element && other.contains(element)));
        const prose = outermost.map(({ innerText }) => innerText.trim().replace(/\\s+/g, " ")).filter((text) => text.split(" ").length >= 4);
        const primaries = [...document.querySelectorAll("button.primary")].filter(inWindow).map(({ id, disabled }) => ({ id, disabled }));
        return { prose, primaries };
      `);
      const words = prose.join(" ").split(" ").length;
      assert.ok(words < 80 && words > 10, `${words} words at ${size.width} px: ${JSON.stringify(prose)}`);
      assert.ok(prose.some((/** @type {string} */ text) => text.includes("Generate")), "it says what to do");
      assert.deepEqual(primaries, [{ id: "generate", disabled: false }]);
    }
  });

  // Of the three engines only Chromium tells of shifts.
  test("nothing_moves_while_text_streams", { skip: lacks("devTools") }, async () => {
    for (const size of SCREENS) {
      await screen(size);
      for (const [pace, tokens] of /** @type {const} */ ([["full", 60], ["three", 4]])) {
        await openAnew(`${RUN}&maxNewTokens=${tokens}`);
        await barsDrawn();
        await lab.browser.run("await new Promise((resolve) => setTimeout(resolve, 1500));");
        await click(`pace-${pace}`);
        await lab.browser.run(WATCH_SHIFTS);
        await click("generate");
        await lab.browser.waitFor(`${tokens} tokens`, async () =>
          (await read("document.getElementById('text-note').textContent")).startsWith(`${tokens} tokens;`),
        );
        const shifts = await read("(await new Promise((resolve) => setTimeout(resolve, 300)), shifts)");
        assert.deepEqual(shifts, [], `${pace} at ${size.width} px`);
      }
    }
  });

  test("work_that_is_out_of_sight_is_told_of_and_can_be_stopped", async () => {
    await screen(SCREENS[1]);
    await openAnew(`${RUN}&maxNewTokens=400`);
    await barsDrawn();
    await click("pace-three");
    await click("generate");
    const shown = "document.querySelector('.under-way:not([hidden])')?.innerText ?? ''";
    await lab.browser.waitFor("a token", () => read("document.getElementById('text-note').textContent !== ''"));
    assert.equal(await read(shown), "", "its own button is in sight");
    await lab.browser.run("scrollTo(0, document.body.scrollHeight);");
    await lab.browser.waitFor("the line", async () => /^Generating: \d+ token/.test(await read(shown)));
    const covered = await read(
      "(() => { const { right, bottom, left } = document.querySelector('.under-way').getBoundingClientRect(); return left >= 0 && right <= innerWidth && bottom <= innerHeight; })()",
    );
    assert.ok(covered, "it lies within the window");
    const stop = () => lab.browser.run("[...document.querySelectorAll('.under-way button')].at(-1).click();");
    const over = () =>
      lab.browser.waitFor("the end", async () => (await read("document.querySelectorAll('.under-way').length")) === 0);
    await stop();
    await over();
    assert.match(await read("document.getElementById('text-note').textContent"), /stopped/i);

    // A panel's work too, even where the panel was closed meanwhile.
    await lab.browser.run("document.querySelector('[aria-controls=lab-ab]').click();");
    await lab.browser.waitFor("the panel", () => read("document.getElementById('ab-run') !== null"));
    await lab.browser.run("document.getElementById('ab-run').scrollIntoView({ block: 'center' });");
    await click("ab-run");
    await lab.browser.waitFor("work", () => read("document.querySelector('.under-way') !== null"));
    await lab.browser.run("document.querySelector('[aria-controls=lab-ab]').click(); scrollTo(0, 0);");
    await lab.browser.waitFor("the line of A/B", async () => /^A\/B: /.test(await read(shown)));
    await stop();
    await over();
  });

  test("panels_that_were_open_are_open_after_a_reload_and_not_in_a_new_visit", async () => {
    await screen(SCREENS[0]);
    await openAnew(FRESH);
    const state = "({ panels: [...document.querySelectorAll('.lab-panel:not([hidden])')].map(({ id }) => id), bench: document.getElementById('bench').open })";
    await lab.browser.run("document.querySelector('[aria-controls=lab-cache]').click(); document.getElementById('bench').open = true;");
    await lab.browser.waitFor("the panel", () => read("document.getElementById('kv-grid') !== null"));
    await lab.browser.driver.navigate().refresh();
    await lab.browser.waitFor("the panel again", () => read("document.getElementById('kv-grid') !== null"));
    assert.deepEqual(await read(state), { panels: ["lab-cache"], bench: true });
    await barsDrawn();
    assert.ok(await read("document.getElementById('generate').getBoundingClientRect().top >= 0"));
    await openAnew(FRESH);
    assert.deepEqual(await read(state), { panels: [], bench: false });
  });

  test("a_chart_is_drawn_again_for_another_width", async () => {
    await screen(SCREENS[0]);
    await openAnew(`${FRESH}#panel=memory`);
    const drawing = "document.querySelector('.chart-drawing svg')?.getBoundingClientRect().width ?? 0";
    await lab.browser.waitFor("a chart", async () => (await read(drawing)) > 400);
    await screen(SCREENS[1]);
    await lab.browser.waitFor("a narrow one", async () => (await read(drawing)) < 340);
    const letters = await read("parseFloat(getComputedStyle(document.querySelector('.chart-drawing svg text')).fontSize)");
    const scale = await read("(() => { const svg = document.querySelector('.chart-drawing svg'); return svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; })()");
    assert.ok(letters * scale >= 11, `letters of ${letters * scale} px`);
  });

  test("the_browser_finds_nothing_that_keeps_it_from_installing_the_page", { skip: lacks("devTools") }, async () => {
    await openAnew(FRESH);
    const { url, errors, data } = await lab.browser.devTools("Page.getAppManifest");
    assert.deepEqual(errors, []);
    assert.equal(url, `${lab.server.url}manifest.webmanifest`);
    assert.equal(new URL(JSON.parse(data).start_url, url).href, lab.server.url);
    const { installabilityErrors } = await lab.browser.devTools("Page.getInstallabilityErrors");
    assert.deepEqual(installabilityErrors, []);
    for (const icon of JSON.parse(data).icons) {
      const size = await lab.browser.run(
        "const image = new Image(); image.src = args[0]; await image.decode(); return image.naturalWidth;",
        new URL(icon.src, url).href,
      );
      if (icon.sizes !== "any") assert.equal(`${size}x${size}`, icon.sizes, icon.src);
    }
  });
});
