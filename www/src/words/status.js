/** Words of the stages and figures under the text. */

import { count, counted, size } from "../format.js";
import { inLanguage } from "./language.js";

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });

export const words = inLanguage("status", {
  heading: "Stages and counts",
  none: "–",
  stages: {
    tokenize: "Tokenize",
    prefill: "Prefill",
    decode: "Decode",
    text: "Text",
  },
  tokens,
  /** @param {number} computed @param {number} reused */
  prefillCounts: (computed, reused) => `1 pass, ${tokens(computed)}${reused > 0 ? `, ${count(reused)} reused` : ""}`,
  /** @param {number} n @param {boolean} uncached */
  decodeSteps: (n, uncached) => `${counted(n, { one: "step", other: "steps" })}${uncached ? ", uncached" : ""}`,
  newTokens: (/** @type {number} */ n) => counted(n, { one: "new token", other: "new tokens" }),
  phasesLabel: "Phases of one step",
  phases: { forward: "forward pass", filter: "filter", pick: "pick", append: "append" },
  context: "Context",
  /** @param {number} used @param {number} most */
  contextUsed: (used, most) => `${count(used)} of ${count(most)} tokens`,
  kvCache: "KV cache",
  /** @param {number} used @param {number} reserved @param {boolean} unused in bytes */
  kvBytes: (used, reserved, unused) => `${size(used)} of ${size(reserved)}${unused ? ", not used by runs" : ""}`,
  memory: "Memory",
  /** @param {number} perSecond */
  tokensPerSecond: (perSecond) => `${count(perSecond)} tokens/s`,
});
