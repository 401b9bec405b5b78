/** What window.logitLab.report() tells of the page's state. */
/** @import { State } from "./page-types.js" */

/**
 * What of a run is worth keeping. Everything may be missing before a model is loaded.
 *
 * @param {Partial<State>} state
 */
export function exportReport({ model, controls, prompt, tokens, tokenizeMs, prefill, text, diceUsed }) {
  const steps = text?.blocks.flat() ?? [];
  const { seed, ...settings } = /** @type {Record<string, unknown>} */ ({ ...controls });
  return {
    model: model ?? null,
    settings,
    seed: text?.summary?.seed ?? seed ?? null,
    handUniform: diceUsed ?? null,
    prompt: prompt ?? "",
    promptIds: [...(tokens?.ids ?? [])],
    newIds: steps.map((step) => step.id),
    byHand: steps.filter((step) => step.byHand).map((step) => step.index),
    text: steps.map((step) => step.text).join(""),
    stopReason: text?.reason ?? null,
    forwardCalls: text?.summary?.forwardCalls ?? null,
    timingsMs: {
      tokenize: tokenizeMs ?? null,
      prefill: prefill?.ms ?? null,
      decodeSteps: steps.slice(1).map((step) => step.forwardMs),
      sampling: steps.reduce((total, step) => total + step.samplingMs, 0),
      detokenize: steps.reduce((total, step) => total + step.detokenizeMs, 0),
    },
    timing: text?.summary?.timing ?? null,
  };
}
