/** Records from files: what is not a sound record is refused with a sentence, and nothing else is touched by it. */

import { count, size } from "../format.js";
import { recordSchema, recordShape, recordVersion } from "./schema.js";

/** @import { RunRecord } from "./types.js" */

/** A long record has some hundred kB; a session of fifty has some MB. */
export const mostFileBytes = 16_000_000;
export const mostFiles = 200;
export const mostRecords = 500;

/**
 * The records of a file: one, or a list of them.
 * @param {string} text
 * @returns {{ records: RunRecord[] } | { fault: string }}
 */
export function readRecords(text) {
  if (text.length > mostFileBytes) return { fault: tooLong(text.length) };
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "This is not JSON, so it is no record." };
  }
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) return { fault: "The list has no record in it." };
  if (list.length > mostRecords) return { fault: `At most ${mostRecords} records can be read, ${count(list.length)} were found.` };
  for (let n = 0; n < list.length; n += 1) {
    const fault = faultOf(list[n], Array.isArray(value) ? `record ${n + 1}` : "record");
    if (fault !== null) return { fault };
  }
  return { records: list };
}

/** @param {number} bytes */
export const tooLong = (bytes) => `The file has ${size(bytes)}; a record has at most ${size(mostFileBytes)}.`;

/** Why this is no record of this version, or null. @param {unknown} value @param {string} [path] */
export function faultOf(value, path = "record") {
  const { schema, version } = /** @type {{ schema?: unknown, version?: unknown }} */ (
    typeof value === "object" && value !== null ? value : {}
  );
  if (schema !== recordSchema) return `This is no record of Logit Lab: ${path}.schema is not "${recordSchema}".`;
  if (version !== recordVersion) {
    const found = typeof version === "number" ? `version ${version}` : "no version";
    return `This page reads version ${recordVersion} of the record; this one has ${found}.`;
  }
  return recordShape.fault(value, path) ?? disagreement(/** @type {RunRecord} */ (value), path);
}

/** What is of the right types and cannot be all the same. @param {RunRecord} record @param {string} path */
function disagreement({ newIds, byHand, runs, seed, tokens, promptIds, rowOrder }, path) {
  /** @param {number[]} values */
  const rising = (values) => values.every((value, n) => n === 0 || values[n - 1] < value);
  if (!rising(byHand) || byHand.some((index) => index >= newIds.length))
    return `${path}.byHand: places among the ${count(newIds.length)} new tokens were expected, each once and in order.`;
  if (!rising(runs.map(({ first }) => first)) || runs.some(({ first }) => first > newIds.length || byHand.includes(first)))
    return `${path}.runs: runs in the order of their first tokens were expected, none of them put in by hand.`;
  if (tokens && Object.values(tokens).some((column) => column.length !== newIds.length))
    return `${path}.tokens: a value for each of the ${count(newIds.length)} new tokens was expected in every column.`;
  if (newIds.length > 0 && promptIds.length === 0) return `${path}.promptIds: the ids of the prompt are missing.`;
  const last = runs.at(-1);
  if (last && seed !== last.seed) return `${path}.seed: that of the last run, ${last.seed}, was expected, ${seed} was found.`;
  if (rowOrder.length === 0) return `${path}.rowOrder: at least one row was expected.`;
  return null;
}
