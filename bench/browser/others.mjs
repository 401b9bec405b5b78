/**
 * Other runtimes that take turns with this page's engines. Each is a page of its own, at an address of its own, whose window
 * has a promise `runtime`: of an object with one function,
 *
 *   measure(length, steps): Promise<{ prefillMs: number, decodeMs: number }>
 *
 * which runs a prompt of that many tokens with nothing reused, up to the logits of its last position, and then that many greedy
 * steps, the end token ignored.
 */
import { spread } from "./table.mjs";

/** @import { Browser } from "../../tests/browser/driver.mjs" */

/**
 * @typedef {object} Figures of one engine or runtime, a figure a turn
 * @property {string} name
 * @property {Record<number, number[]>} prefillMs
 * @property {Record<number, number[]>} tokensPerSecond
 */
/** @typedef {Figures & { tab: string }} Other */

const MEASURE = `return (await window.runtime).measure(...args);`;

/**
 * Opens a tab, and runs for a first time what is measured later.
 *
 * @param {Browser} browser @param {string} text NAME=ADDRESS @returns {Promise<Other>}
 */
export async function openOther(browser, text) {
  const [name, ...address] = text.trim().split("=");
  await browser.driver.switchTo().newWindow("tab");
  await browser.open(address.join("="));
  await browser.waitFor(`the runtime of ${name}`, () => browser.run("return Boolean(window.runtime);"));
  await browser.run(MEASURE, 128, 64);
  return { name, tab: await browser.driver.getWindowHandle(), prefillMs: {}, tokensPerSecond: {} };
}

/**
 * One turn over all lengths, in the tab in front.
 *
 * @param {Browser} browser @param {Other} other @param {Map<number, number>} plan steps by length
 */
export async function measureOther(browser, { prefillMs, tokensPerSecond }, plan) {
  for (const [length, steps] of plan) {
    const measured = await browser.run(MEASURE, length, steps);
    (prefillMs[length] ??= []).push(measured.prefillMs);
    if (steps > 0) (tokensPerSecond[length] ??= []).push((1000 * steps) / measured.decodeMs);
  }
}

/**
 * How many times as fast each of `ours` is as the fastest of `others`, turn by turn: the machine of one turn is the same.
 *
 * @param {Figures[]} ours @param {Figures[]} others @param {number[]} prefillLengths @param {number[]} contexts
 * @returns {{ head: string[], lines: string[][] }}
 */
export function ratios(ours, others, prefillLengths, contexts) {
  /** @param {(number[] | undefined)[]} lists a figure a turn each @param {(...values: number[]) => number} best */
  const fastest = (lists, best) => (lists[0] ?? []).map((_, turn) => best(...lists.map((list) => list?.[turn] ?? Number.NaN)));
  const head = [
    "times as fast as the fastest other",
    ...prefillLengths.map((length) => `prefill ${length}`),
    ...contexts.map((length) => `decode at ${length}`),
  ];
  const lines = ours.map(({ name, prefillMs, tokensPerSecond }) => [
    name,
    ...prefillLengths.map((length) => {
      const least = fastest(others.map((other) => other.prefillMs[length]), Math.min);
      return spread(least.map((ms, turn) => ms / prefillMs[length][turn]));
    }),
    ...contexts.map((length) => {
      const most = fastest(others.map((other) => other.tokensPerSecond[length]), Math.max);
      return spread(most.map((rate, turn) => tokensPerSecond[length][turn] / rate));
    }),
  ]);
  return { head, lines };
}
