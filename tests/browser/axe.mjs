/**
 * The page under axe-core's rules for WCAG 2.1, levels A and AA. axe comes as source text through WebDriver, so the page's
 * Content-Security-Policy stays as it is.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pageOf } from "./harness.mjs";

/** @typedef {{ id: string, target: string, summary: string }} Violation */

export const RULES = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"] };
export const WITHOUT_CONTRAST = { ...RULES, rules: { "color-contrast": { enabled: false } } };
const CONTRAST = { runOnly: { type: "rule", values: ["color-contrast"] }, resultTypes: ["violations"] };

/** In the page: what breaks the rules in an element, which must be to be seen; what has to scroll shows all it has, if asked. */
const CHECK = `
  const { within, options, unrolled } = args[0];
  const place = document.querySelector(within);
  if (!place?.checkVisibility() || place.innerText.trim() === "") throw new Error(within + " is not to be seen");
  // axe cannot tell the contrast of what is scrolled out of sight.
  const rolls = unrolled ? [...place.querySelectorAll("*")].filter((part) => /auto|scroll/.test(getComputedStyle(part).overflow)) : [];
  for (const roll of rolls) roll.style.cssText += "; max-height: none !important; overflow: visible !important";
  // A colour on its way to another is none that anybody reads.
  document.getAnimations().forEach((animation) => animation.finish());
  const { violations, passes } = await axe.run(within, options);
  for (const roll of rolls) for (const name of ["max-height", "overflow"]) roll.style.removeProperty(name);
  return {
    applied: passes.length,
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => ({ id, target: target.flat().join(" "), summary: failureSummary }))),
  };
`;

/** To be called once the page is there. @param {import("./driver.mjs").Browser} browser */
export async function addAxe(browser) {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await browser.driver.executeScript(await readFile(axe, "utf8"));
}

/** @param {() => { browser: import("./driver.mjs").Browser }} lab which is opened after this is called */
export function auditOf(lab) {
  const { read } = pageOf(lab);
  /** @param {string} state for the message @param {string} within @param {object} options of axe @param {boolean} [unrolled] */
  async function check(state, within, options, unrolled = false) {
    const { applied, violations } = await lab().browser.run(CHECK, { within, options, unrolled });
    assert.ok(applied > 0, `${state}: no rule was applied`);
    const lines = violations.map((/** @type {Violation} */ { id, target, summary }) => `${id} at ${target}\n${summary}`);
    assert.equal(lines.length, 0, [state, ...lines].join("\n"));
  }
  return {
    check,

    /** @param {string} selector */
    shows: (selector) =>
      lab().browser.waitFor(selector, () => read(`document.querySelector(${JSON.stringify(selector)})?.checkVisibility()`)),

    /** All rules, and the contrast in both schemes too. @param {string} state @param {string} within */
    async holds(state, within) {
      await check(state, within, WITHOUT_CONTRAST);
      for (const scheme of /** @type {const} */ (["dark", "light"])) {
        await lab().browser.emulateMedia({ scheme });
        await check(`${state}, ${scheme}`, within, CONTRAST, true);
      }
    },

    /** @param {string} state @param {string} within */
    async holdsOnAPhone(state, within) {
      await lab().browser.emulateScreen({ width: 360, height: 740 });
      try {
        await check(`${state}, 360 px wide`, within, RULES);
      } finally {
        await lab().browser.emulateScreen(null);
      }
    },
  };
}
