/** Words of what the lab panels share: work that is under way, the places where it is done, charts and sides. */

import { atMost } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("lab-work", {
  stop: "Stop",
  starting: "Starting",
  stopping: "Stopping",
  stopped: "Stopped.",
  /** @param {string} doing what the work does just now */
  underWay: (doing) => `${doing}…`,
  /** @param {string} title @param {string} message @param {string} advice */
  fault: (title, message, advice) => `${title}: ${message} ${advice}`,
  modelSwitched: "The page's model was switched while this was running.",
  noModel: "No model is loaded.",
  modelNotFound: "That model was found neither here nor on the hub.",
  pageModel: "the page's model",
  /** @param {string} model @param {string} precision */
  loading: (model, precision) => `Loading ${model}, ${precision}, in a second worker`,
  /** @param {string} loading @param {number} share from 0 to 1 */
  loadingShare: (loading, share) => `${loading}: ${atMost(share * 100, 0)} %`,
  /** What a choice is called where it does not matter which is the usual one. @param {string} label */
  withoutDefault: (label) => label.replace(" (default)", ""),
  writePrompt: "Write a prompt first.",
  /** @param {number} from @param {number} to */
  wholeNumber: (from, to) => `A whole number from ${atMost(from, 0)} to ${atMost(to, 0)}.`,
  off: "off",
  table: "Table",
  noChart: "The chart could not be drawn. Its table is below.",
  candle: {
    /** @param {string} precision @param {string} kvCache */
    formats: (precision, kvCache) => `weights ${precision}, KV cache ${kvCache}`,
    /** @param {string} page formats of the page's model @param {string} second those of the second worker @param {string} what runs there */
    notice: (page, second, what) =>
      `The page's model (${page}) is not for the candle kernel, so ${what} in a second worker (${second}), which is loaded from the same file and ended afterwards. The page's model stays as it is and may give other texts.`,
    /** @param {string} formats */
    outcome: (formats) => `Made in a second worker beside the page's: ${formats}.`,
  },
});
