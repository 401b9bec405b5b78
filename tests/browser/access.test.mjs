/**
 * The page under axe-core's rules for WCAG 2.1, levels A and AA, state by state: one page, whose panels are opened in turn.
 * What a page is in for a moment only, and what needs a host that misbehaves, is in access-states.test.mjs.
 */
import { after, before, describe, test } from "node:test";
import { addAxe, auditOf, RULES, WITHOUT_CONTRAST } from "./axe.mjs";
import { labPanels } from "../../www/src/panels.js";
import { openLab, openPage, pageOf } from "./harness.mjs";

/**
 * What is pressed in a panel before it is looked at, if anything, and what is to be seen when that is done.
 * @type {Record<string, { press?: string, shows: string }>}
 */
const PREPARED = {
  ab: { press: "ab-run", shows: "#ab-comparison" },
  example: { press: "example-draw", shows: "#lab-example .draws" },
  tree: { press: "run-beams", shows: "#beams-table" },
  timing: { shows: "#timing-run" },
  cache: { press: "cache-check-run", shows: "#cache-table" },
  precision: { press: "precision-run", shows: "#precision-table" },
  memory: { shows: "#memory-whole" },
  batch: { press: "batch-run", shows: "#batch-made" },
  scores: { press: "scores-run", shows: "#scores-table" },
  records: { shows: "#records-list > li" },
};

const ON_A_PHONE = ["ab", "memory"];

describe("the page under the rules of WCAG 2.1, levels A and AA", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
    const controls = "prompt=The+old+man+looked+at+the&maxNewTokens=12&seed=5&suppress=13,262";
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#${controls}`);
    await addAxe(lab.browser);
  });
  after(() => lab?.close());

  const { read, words, click, type } = pageOf(() => lab);
  const { shows, check, holds, holdsOnAPhone } = auditOf(() => lab);
  /** @param {string} panel */
  const toggle = (panel) => read(`document.querySelector('[aria-controls="lab-${panel}"]').click()`);
  /** @param {string} within */
  const unfold = (within) =>
    lab.browser.run("for (const part of document.querySelectorAll(`${args[0]} details`)) part.open = true;", within);

  test("the_main_loop_fresh_after_a_run_and_with_all_of_it_unfolded", async () => {
    await shows("#bars tr[data-id]");
    await check("fresh", "body", RULES);
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the end of the run", async () => (await words("text-note")).includes(";"));
    await check("after a run", "body", RULES);
    await holdsOnAPhone("after a run", "body");
    await unfold("body");
    await shows("#bench #odds");
    await type("ban-text", " the");
    await shows(".ban-choices button");
    await holds("unfolded", "body");
    await lab.browser.run("for (const part of document.querySelectorAll('details')) part.open = false;");
  });

  test("a_lab_sheet_at_a_step_with_a_prediction", async () => {
    await click("sheets-button");
    await shows("#sheet-list");
    await holds("the lab sheets", "#sheets-column");
    await click("sheet-prefill-decode");
    await shows("#field-prefill-decode-count-predicted");
    await type("field-prefill-decode-count-predicted", "many");
    await click("sheet-commit");
    await shows("#field-prefill-decode-count-predicted-fault");
    await check("a prediction refused", "#sheets-column", RULES);
    await type("field-prefill-decode-count-predicted", "9");
    await click("sheet-commit");
    await shows("#sheet-came");
    await holds("a sheet", "#sheets-column");
    await holdsOnAPhone("a sheet", "#sheets-column");
    await click("sheets-close");
  });

  for (const { name, label } of labPanels) {
    test(`the_panel_${name}_after_its_button_was_pressed`, async () => {
      const { press, shows: sign } = PREPARED[name];
      await toggle(name);
      if (press) {
        await lab.browser.waitFor(press, () => read(`document.getElementById("${press}")?.disabled === false`));
        await click(press);
      }
      await lab.browser.waitFor(sign, () => read(`!!document.querySelector("${sign}")`));
      await unfold(`#lab-${name}`);
      await shows(sign);
      await holds(label, `#lab-${name}`);
      if (ON_A_PHONE.includes(name)) await holdsOnAPhone(label, `#lab-${name}`);
      await toggle(name);
    });
  }

  test("a_branch_that_can_be_gone_back_to", async () => {
    await toggle("tree");
    // The text of the first place takes the place of what was there.
    await click("run-beams");
    await shows("#beams-tree .tree-node > button");
    await read("document.querySelector('#beams-tree .tree-node > button').click()");
    await shows("#branches .tree-node > button");
    await check("branches", "#lab-tree", WITHOUT_CONTRAST);
  });
});
