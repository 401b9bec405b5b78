/** What a new token costs the page: counted in elements, because a limit in milliseconds would depend on the machine. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openLab, openPage } from "./harness.mjs";

/** Notes from now on which nodes change, by panel. */
const WATCH = `
  const panels = [...document.querySelectorAll("#lab [id$='-panel']")];
  const changed = Object.fromEntries(panels.map(({ id }) => [id, new Set()]));
  const everything = { subtree: true, childList: true, characterData: true, attributes: true };
  globalThis.observers = panels.map((panel) => {
    const note = (records) => records.forEach(({ target, addedNodes }) => {
      changed[panel.id].add(target);
      addedNodes.forEach((node) => changed[panel.id].add(node));
    });
    const observer = new MutationObserver(note);
    observer.observe(panel, everything);
    return { stop() { note(observer.takeRecords()); observer.disconnect(); } };
  });
  globalThis.changed = changed;
`;

/** How many nodes have changed, by panel; and in how many blocks of the text. */
const CHANGED = `
  observers.forEach((observer) => observer.stop());
  const blockOf = (node) => (node instanceof Element ? node : node.parentElement)?.closest(".text-block");
  const blocks = new Set([...changed["text-panel"]].map(blockOf).filter(Boolean));
  return { blocks: blocks.size, ...Object.fromEntries(Object.entries(changed).map(([id, nodes]) => [id, nodes.size])) };
`;

describe("a page that generates", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());
  beforeEach(async () => {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#prompt=Once+upon+a+time&ignoreEos=1&seed=3&maxNewTokens=50`);
  });

  /** @param {number} count */
  const tokensMade = (count) =>
    lab.browser.waitFor(`${count} tokens`, async () => {
      const note = await lab.browser.run("return document.getElementById('text-note').textContent;");
      return note.startsWith(`${count} token`) && note.includes(";");
    });
  /** @param {number} more @param {number} sum with those that were there */
  async function generate(more, sum) {
    await lab.browser.type("New tokens, at most", String(more));
    await lab.browser.click("button", /^(Generate|Continue)$/);
    await tokensMade(sum);
  }
  /** What one more token changes. @param {number} sum */
  async function oneToken(sum) {
    await lab.browser.run(WATCH);
    await lab.browser.click("button", "One token");
    await tokensMade(sum);
    return lab.browser.run(CHANGED);
  }

  test("a_token_changes_as_little_of_a_long_text_as_of_a_short_one", async () => {
    await generate(40, 40);
    const early = await oneToken(41);
    await generate(400, 441);
    const late = await oneToken(442);
    // The words at the end of a run are among them; a token that opens a block brings the block with it.
    assert.ok(late["text-panel"] <= early["text-panel"] + 4, `${early["text-panel"]}, then ${late["text-panel"]}`);
    assert.ok(early["text-panel"] > 0 && late.blocks === 1, `${late.blocks} blocks`);
    const sizes = await lab.browser.run(
      "return [...document.querySelectorAll('.text-block')].map((block) => block.childElementCount);",
    );
    assert.equal(sizes.reduce((/** @type {number} */ sum, /** @type {number} */ size) => sum + size, 0), 442);
    assert.ok(sizes.length > 2 && Math.max(...sizes) <= 192, sizes.join());
  });

  test("panels_that_do_not_tell_of_the_run_stay_untouched", async () => {
    await generate(10, 10);
    const changed = await oneToken(11);
    for (const panel of ["prompt-panel", "tokens-panel", "inspection-panel", "settings-panel"]) {
      assert.equal(changed[panel], 0, panel);
    }
    assert.ok(changed["bars-panel"] > 0 && changed["status-panel"] > 0, JSON.stringify(changed));
  });

  test("the_text_in_blocks_lies_as_one_paragraph_would_and_is_copied_as_one", async () => {
    await generate(300, 300);
    for (const screen of [null, { width: 360, height: 740 }]) {
      await lab.browser.emulateScreen(screen);
      const { apart, blocks, selected, text } = await lab.browser.run(`
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const box = document.getElementById("text");
        const paragraph = box.cloneNode(true);
        paragraph.style.cssText = "line-height: 1.65; width: " + box.getBoundingClientRect().width + "px";
        for (const block of paragraph.querySelectorAll(".text-block")) block.removeAttribute("class");
        document.body.append(paragraph);
        // Each line of each token, from the start of the text.
        const places = (root) => {
          const start = root.querySelector(".from-prompt").getBoundingClientRect();
          return [...root.querySelectorAll(".t")].flatMap((token) => [...token.getClientRects()])
            .flatMap(({ left, top, right }) => [left - start.left, top - start.top, right - start.left]);
        };
        const [mine, other] = [places(box), places(paragraph)];
        paragraph.remove();
        const generated = document.getElementById("generated");
        getSelection().selectAllChildren(generated);
        return {
          apart: mine.length === other.length ? Math.max(...mine.map((x, n) => Math.abs(x - other[n]))) : Infinity,
          blocks: generated.childElementCount,
          selected: getSelection().toString(),
          text: generated.textContent,
        };
      `);
      assert.ok(blocks > 2 && apart <= 1.5, `${apart} px apart in ${blocks} blocks, at ${screen?.width ?? "full"} width`);
      assert.equal(selected, text);
    }
    await lab.browser.emulateScreen(null);
  });
});
