/** What window.logitLab.report() tells of the page's state: the record of its text, in code that comes when it is asked for. */
/** @import { State } from "./page-types.js" */

/** @param {Partial<State>} state */
export async function exportReport(state) {
  const { factsNow, recordOf } = await import("./records/record.js");
  return recordOf(state, factsNow());
}
