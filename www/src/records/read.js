/** Records from files: what is not a sound record is refused with a sentence, and nothing else is touched by it. */

import { words } from "../words/records-read.js";
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
    return { fault: words.notJson };
  }
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) return { fault: words.emptyList };
  if (list.length > mostRecords) return { fault: words.tooMany(mostRecords, list.length) };
  for (let n = 0; n < list.length; n += 1) {
    const fault = faultOf(list[n], Array.isArray(value) ? words.ofList(n + 1) : words.one);
    if (fault !== null) return { fault };
  }
  return { records: list };
}

/** @param {number} bytes */
export const tooLong = (bytes) => words.tooLong(bytes, mostFileBytes);

/** Why this is no record of this version, or null. @param {unknown} value @param {string} [path] */
export function faultOf(value, path = words.one) {
  const { schema, version } = /** @type {{ schema?: unknown, version?: unknown }} */ (
    typeof value === "object" && value !== null ? value : {}
  );
  if (schema !== recordSchema) return words.otherSchema(path, recordSchema);
  if (version !== recordVersion) return words.otherVersion(recordVersion, version);
  return recordShape.fault(value, path) ?? disagreement(/** @type {RunRecord} */ (value), path);
}

/** What is of the right types and cannot be all the same. @param {RunRecord} record @param {string} path */
function disagreement({ newIds, byHand, runs, seed, tokens, promptIds, rowOrder }, path) {
  /** @param {number[]} values */
  const rising = (values) => values.every((value, n) => n === 0 || values[n - 1] < value);
  if (!rising(byHand) || byHand.some((index) => index >= newIds.length))
    return words.byHand(path, newIds.length);
  if (!rising(runs.map(({ first }) => first)) || runs.some(({ first }) => first > newIds.length || byHand.includes(first)))
    return words.runs(path);
  if (tokens && Object.values(tokens).some((column) => column.length !== newIds.length))
    return words.columns(path, newIds.length);
  if (newIds.length > 0 && promptIds.length === 0) return words.promptIds(path);
  const last = runs.at(-1);
  if (last && seed !== last.seed) return words.seed(path, last.seed, seed);
  if (rowOrder.length === 0) return words.rowOrder(path);
  return null;
}
