/** Records for scripts: what window.logitLab.report() and repeat() do, in code that comes when it is asked for. */
/** @import { Answer, Call } from "./protocol.js" */
/** @import { State } from "./page-types.js" */
/** @import { RunRecord } from "./records/types.js" */
import { Fault } from "./fault.js";

/** The record of the page's text. @param {Partial<State>} state */
export async function exportReport(state) {
  const { factsNow, recordOf } = await import("./records/record.js");
  return recordOf(state, factsNow());
}

/**
 * Repeats a record on the page's model.
 * @param {unknown} value @param {Partial<State>} state
 * @param {(call: Extract<Call, { method: "replay" }>) => Promise<Extract<Answer, { method: "replay" }>>} ask
 */
export async function repeatRecord(value, { model = null, catalogue = null, relaxedSimd = false, activeWorkerId = null }, ask) {
  const { faultOf } = await import("./records/read.js");
  const { prospects, replayCall, resultOf } = await import("./records/repeat.js");
  const { buildName, engineVersion } = await import("./records/record.js");
  const { isHeldByPage } = await import("./lab-places.js");
  const fault = faultOf(value);
  if (fault !== null) throw new Fault("command", fault);
  const record = /** @type {RunRecord} */ (value);
  const state = { model, catalogue, relaxedSimd, activeWorkerId };
  const { hindrances, notes, holding } = prospects(record, state, { build: buildName, engineVersion });
  if (holding === null) throw new Fault("command", hindrances.join(" "));
  if (model === null || !isHeldByPage(holding, model))
    throw new Fault("command", "The record was made on weights that the page holds in another form: call loadModel first.", {
      expected: `${record.engine?.precision}, KV cache ${record.engine?.kvCache}, ${record.engine?.simd}`,
      found: model ? `${model.card.precision}, KV cache ${model.card.kvCache}, ${model.card.simd}` : "no model",
    });
  const { result } = await ask(replayCall(record));
  const { divergence, reasonBefore, reasonNow } = resultOf(record, result, notes);
  const stopReason = { recorded: reasonBefore, now: reasonNow };
  return { firstDivergence: divergence, newIds: result.tokens.ids, text: result.text, stopReason, notes };
}
