/** What the page says to ears: what was done, what came of it, and the bars in a sentence. */

import { count, counted, figure, fixed } from "../format.js";
import { inLanguage } from "./language.js";

/** @import { Distribution } from "../protocol.js" */
/** @import { TextStep } from "../text-types.js" */

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });

/** @param {number} chance */
function percent(chance) {
  if (chance > 0 && chance < 0.01) return "under 1 percent";
  return `${fixed(chance * 100, 0)} percent`;
}

export const words = inLanguage("spoken", {
  /** What was set, and the bars that came of it. @param {string} what @param {string} bars */
  setWithBars: (what, bars) => `${what}, ${bars}`,
  /** @param {string} token that is the likeliest @param {number} chance */
  greedyBars: (token, chance) => `greedy, top: ${token}, ${percent(chance)}`,
  /** @param {number} kept @param {string} token that is the likeliest @param {number} chance */
  bars: (kept, token, chance) => `${count(kept)} kept, top: ${token}, ${percent(chance)}`,
  noPrediction: "There is no prediction yet.",
  /**
   * A row of the bars.
   * @param {number} row from 1 @param {string} token @param {number} model @param {number | null} mine null: cut
   * @param {boolean} picked
   */
  row: (row, token, model, mine, picked) =>
    `${row}: ${token}, model ${percent(model)}, with your settings ${mine === null ? "cut" : percent(mine)}${picked ? ", picked" : ""}.`,
  /** A token of the text. @param {TextStep} step @param {number} n tokens in the text */
  step({ index, spoken, probability, rank, byHand }, n) {
    const how = byHand ? "put in by hand" : `picked with ${percent(probability)}`;
    return `${spoken}, token ${index + 1} of ${count(n)}, ${how}, rank ${count(rank + 1)}`;
  },

  linkCopied: "Link copied.",
  linkCopiedWithoutModel: "Link copied. It cannot hold a model from files of this device.",
  addressHoldsLink: "The browser did not allow copying. The address bar holds the link.",
  notCopied: "The browser did not allow copying.",
  settingsCopied: "Settings copied.",
  settingsNotCopied: "The browser did not allow copying. The line can be selected.",

  /** @param {string} step @param {number} place from 1 @param {number} of how many */
  stepMoved: (step, place, of) => `${step} is now step ${place} of ${of}.`,
  /** @param {string} step @param {number} place from 1 */
  stepAt: (step, place) => `${step}, step ${place}`,
  borderRule: "Border rule",
  borderRuleAndTemperature: "Border rule; temperature 1 again",
  presetInForce: (/** @type {string} */ preset) => `${preset} is in force.`,
  presetUndone: "The settings are as before the preset.",
  settingsReset: "All settings are as on a fresh page.",
  seed: (/** @type {number} */ seed) => `Seed ${seed}`,
  banned: (/** @type {string} */ token) => `${token} is banned.`,
  allowedAgain: (/** @type {string} */ token) => `${token} is allowed again.`,
  seedsNumberAgain: "The seed's number again",

  textCleared: "Text cleared.",
  goingOn: "Going on.",
  generating: "Generating.",
  /** @param {number} n @param {string} why */
  stopped: (n, why) => `Stopped after ${tokens(n)}: ${why}.`,
  /** @param {number | null} n tokens in the text now, if there is one */
  undone: (n) => `Undone: now ${n === null ? "no text" : tokens(n)}.`,
  /** @param {number | null} n tokens in the text now, if there is one */
  redone: (n) => `Done again: now ${n === null ? "no text" : tokens(n)}.`,
  /** @param {number} place from 1 @param {string} token */
  tokenPut: (place, token) => `Token ${place} is ${token}. Continue goes on from there.`,
  /** @param {number} place from 1 @param {string} token @param {string} replaced */
  tokenReplaced: (place, token, replaced) =>
    `Token ${place} is ${token} in the place of ${replaced}. Continue goes on from there.`,
  textHas: (/** @type {number} */ n) => `The text has ${tokens(n)} now.`,

  ready: (/** @type {string} */ title) => `${title} is ready.`,
  readyToSwitch: (/** @type {string} */ title) => `${title} is ready. You can switch to it.`,
  loading: (/** @type {string} */ title) => `Loading ${title}.`,
  loadGivenUp: (/** @type {string} */ title) => `Loading ${title} is cancelled.`,
  /** A lab's work begins. */
  working: "Working.",
  beamsBegun: "Beam search begins.",
  panelFailed: (/** @type {string} */ panel) => `${panel} could not be loaded. Close it and open it again to try once more.`,
  /** @param {string} token of the prompt @param {string[]} likely @param {string | null} followed */
  expectedAfter: (token, likely, followed) =>
    `After ${token} the model expected ${likely.join("; ")}.${followed === null ? "" : ` ${followed}`}`,
  /** @param {string} token @param {number} chance */
  likely: (token, chance) => `${token}, ${percent(chance)}`,
  /** @param {string} token @param {number} rank */
  followed: (token, rank) => `What followed, ${token}, was rank ${count(rank)}.`,
  /** @param {number} draws @param {string} token drawn most often @param {number} times @param {number} expected */
  drawn: (draws, token, times, expected) =>
    `${count(draws)} draws: most often ${token}, ${count(times)} times; ${fixed(expected, 1)} were to be expected.`,
  /** @param {string} first @param {string} second @param {number | null} odds null: one of them is cut */
  odds: (first, second, odds) =>
    odds === null
      ? `${first} or ${second} is not kept, so it is never picked.`
      : `${first} is ${figure(odds)} times as likely as ${second}.`,
  found: (/** @type {number} */ n) => (n === 0 ? "Nothing found." : `${tokens(n)} found.`),
  copies: {
    sound: (/** @type {string} */ title) => `The copy of ${title} is sound.`,
    damaged: (/** @type {string} */ title) => `The copy of ${title} is damaged.`,
    failed: (/** @type {string} */ title) => `The copy of ${title} could not be verified.`,
    deleted: (/** @type {string} */ title) => `The copy of ${title} is deleted.`,
  },
  newVersion: "A new version of this page is ready.",
});
