/** What window.logitLab.report() tells of the page's state. */
/** @import { LoadedModel, ModelSource } from "./messages.js" */
/** @import { RunSummary, Step, TokenColumn } from "./protocol.js" */

/**
 * What the console interface reads of the page's state; all of it may be missing before a model is loaded.
 *
 * @typedef {object} ScriptingState
 * @property {number | null} [activeWorkerId]
 * @property {unknown[]} [loads] those under way
 * @property {LoadedModel | null} [model]
 * @property {object} [controls]
 * @property {string} [prompt]
 * @property {TokenColumn | null} [tokens]
 * @property {number | null} [tokenizeMs]
 * @property {{ tokens: number, reusedTokens: number, ms: number } | null} [prefill]
 * @property {{ steps: Step[], finalText: string, reason: string | null, summary: RunSummary | null } | null} [text]
 */
/**
 * What the console interface tells the page.
 *
 * @typedef {{ type: "touched" }
 *   | { type: "loadStarted", workerId: number, entryId: string | null, title: string, source: ModelSource, activate: "always" }} ScriptingEvent
 */

/**
 * @param {ScriptingState} state
 */
export function exportReport({ model, controls, prompt, tokens, tokenizeMs, prefill, text }) {
  const steps = text?.steps ?? [];
  const { seed, ...settings } = /** @type {Record<string, unknown>} */ ({ ...controls });
  return {
    model: model ?? null,
    settings,
    seed: text?.summary?.seed ?? seed ?? null,
    prompt: prompt ?? "",
    promptIds: [...(tokens?.ids ?? [])],
    newIds: steps.map((step) => step.id),
    text: steps.map((step) => step.text).join("") + (text?.finalText ?? ""),
    stopReason: text?.reason ?? null,
    forwardCalls: text?.summary?.forwardCalls ?? null,
    timingsMs: {
      tokenize: tokenizeMs ?? null,
      prefill: prefill?.ms ?? null,
      decodeSteps: steps.slice(1).map((step) => step.forwardMs),
      sampling: steps.reduce((total, step) => total + step.samplingMs, 0),
    },
  };
}
