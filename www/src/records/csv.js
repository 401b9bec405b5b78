/**
 * Tables as CSV (RFC 4180: commas, CRLF, quotes doubled). A spreadsheet takes a text that begins with =, +, - or @ for a
 * formula, and a model or a student can write one: such a text gets an apostrophe in front, which a spreadsheet does not
 * show. Numbers are written as numbers.
 */

import { modelWords, settingsWords, tokensPerSecond } from "./words.js";

/** @import { KeptRecord, RunRecord } from "./types.js" */
/** @typedef {string | number | boolean | null} Cell */

/** Blanks in front and the wide forms of the signs do not keep every spreadsheet from it. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** @param {Cell} value */
export function csvCell(value) {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const harmless = (formula.test(value) ? `'${value}` : value).replaceAll("\0", "");
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** @param {string[]} head @param {Cell[][]} rows */
export const csv = (head, rows) => [head, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");

/** A line for each record. @param {KeptRecord[]} kept @param {(kept: KeptRecord) => string} [groupOf] */
export function runsCsv(kept, groupOf) {
  const head = [
    "record",
    "file",
    "recorded_at",
    "model",
    "precision",
    "kernel",
    "simd",
    "kv_cache",
    "kv_cache_policy",
    "settings",
    "seed",
    "prompt",
    "prompt_tokens",
    "new_tokens",
    "text",
    "stop_reason",
    "forward_calls",
    "prefill_ms",
    "decode_tokens_per_second",
    ...(groupOf ? ["same_text_as"] : []),
  ];
  const rows = kept.map((one) => {
    const { number, file, record } = one;
    const { engine } = record;
    return [
      number,
      file,
      record.recordedAt,
      modelWords(record),
      engine?.precision ?? null,
      engine?.kernel ?? null,
      engine?.simd ?? null,
      engine?.kvCache ?? null,
      engine?.cachePolicy ?? null,
      settingsWords(record, String),
      record.seed,
      record.prompt,
      record.promptIds.length,
      record.newIds.length,
      record.text,
      record.stopReason,
      record.forwardCalls,
      record.timingsMs.prefill,
      tokensPerSecond(record),
      ...(groupOf ? [groupOf(one)] : []),
    ];
  });
  return csv(head, rows);
}

/** A line for each new token of a record. @param {RunRecord} record */
export function tokensCsv({ newIds, byHand, tokens }) {
  const head = ["index", "id", "token", "probability", "rank", "uniform", "by_hand", "forward_ms", "sampling_ms"];
  const put = new Set(byHand);
  const rows = newIds.map((id, index) => [
    index,
    id,
    tokens?.shown[index] ?? null,
    tokens?.probability[index] ?? null,
    tokens?.rank[index] ?? null,
    tokens?.uniform[index] ?? null,
    put.has(index),
    tokens?.forwardMs[index] ?? null,
    tokens?.samplingMs[index] ?? null,
  ]);
  return csv(head, rows);
}
