/** Words of the models: in the header, and below the page. */

import { duration, fixed, size } from "../format.js";
import { inLanguage } from "./language.js";

/** @import { Hidden } from "./language.js" */

export const words = await inLanguage("models", {
  model: "Model",
  noneYet: "none yet",
  startingAgain: "starting again…",
  notKept: (/** @type {string} */ why) => `Not kept for the next visit: ${why}.`,
  switchToModel: (/** @type {string} */ title) => `Switch to ${title}`,
  /** @param {string} title @param {number} bytes of its weights */
  load: (title, bytes) => `Load ${title}, ${fixed(bytes / 1e6, 0)} MB`,
  fromHub: "from the Hugging Face hub",
  isReady: (/** @type {string} */ title) => `${title} is ready.`,
  isWrong: (/** @type {string} */ title) => `${title} is computed wrongly here.`,
  /** @param {Hidden} hidden @param {string} title */
  switch: (hidden, title) => ["Switch", hidden(` to ${title}`)],
  /** @param {Hidden} hidden @param {string} title */
  switchAllTheSame: (hidden, title) => ["Switch all the same", hidden(` to ${title}`)],
  loading: (/** @type {string} */ title) => `Loading ${title}`,
  phases: { starting: "starting", checking: "checking the file", ready: "ready" },
  /** @param {number} loaded @param {number | null} total @param {number | null} perSecond all in bytes */
  downloading(loaded, total, perSecond) {
    const done = total === null ? size(loaded) : `${size(loaded)} of ${size(total)}`;
    if (!perSecond) return done;
    return `${done}, ${size(perSecond)}/s${total ? `, ${duration((total - loaded) / perSecond)} left` : ""}`;
  },
  tryingAgain: (/** @type {number} */ seconds) => `trying again in ${duration(seconds)}`,
  /** @param {Hidden} hidden @param {string} title */
  cancel: (hidden, title) => ["Cancel", hidden(` loading ${title}`)],
  copyLink: "Copy link",
  linkCopied: "Link copied",
  linkCopiedWithoutModel: "Link copied, without the model",
  copyAddress: "Copy the address bar",
});
