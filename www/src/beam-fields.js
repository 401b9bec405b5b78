/** What is typed for a beam search, as the engine takes it. Loaded with the panel. */

import { readNumber } from "./format.js";
import { words } from "./words/tree.js";

/** @import { Call } from "./protocol.js" */
/** @import { BeamFields } from "./text-types.js" */

export const mostBeams = 8;

/** @typedef {Omit<Extract<Call, { method: "beam" }>, "method" | "prompt">} BeamOptions */

/**
 * The fields as the engine takes them, or why they cannot be used.
 * @param {BeamFields} fields @returns {{ options: BeamOptions } | { fault: string, name: keyof BeamFields }}
 */
export function readBeamFields({ beams, numReturn, lengthPenalty, earlyStopping, maxNewTokens }) {
  const penalty = readNumber(lengthPenalty);
  if (!(Math.abs(penalty) <= 100)) {
    return { name: "lengthPenalty", fault: words.beams.badPenalty };
  }
  const limit = readNumber(maxNewTokens, true);
  if (!Number.isInteger(limit) || limit < 1 || limit > 256) {
    return { name: "maxNewTokens", fault: words.beams.badLimit };
  }
  return {
    options: {
      beams: Number(beams),
      numReturn: Number(numReturn),
      lengthPenalty: penalty,
      earlyStopping: earlyStopping === "never" ? "never" : earlyStopping === "true",
      maxNewTokens: limit,
    },
  };
}
