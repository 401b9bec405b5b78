/** Records of many people as one table: in which order, and whose texts are the same. */

import { language } from "../words/language.js";
import { words } from "../words/records.js";
import { isGreedy, modelWords, reasonWords, settingsWords, tokensPerSecond } from "./words.js";

/** @import { ClassColumn, KeptRecord } from "./types.js" */

/** @type {ClassColumn[]} */
export const classColumns = ["file", "model", "settings", "seed", "count", "text", "reason", "speed", "group"];

/**
 * For each record the number of its text, counted in the order in which they came, and how many have it. Texts are the
 * same if their prompts and new tokens are, under one tokenizer.
 * @param {KeptRecord[]} kept
 * @returns {Map<KeptRecord, { text: number, records: number }>}
 */
export function groupsOf(kept) {
  /** @type {Map<string, KeptRecord[]>} */
  const byText = new Map();
  for (const one of kept) {
    const { tokenizer, promptIds, newIds } = one.record;
    const key = JSON.stringify([tokenizer.sha256, promptIds, newIds]);
    byText.set(key, [...(byText.get(key) ?? []), one]);
  }
  const groups = [...byText.values()];
  return new Map(groups.flatMap((group, n) => group.map((one) => [one, { text: n + 1, records: group.length }])));
}

/** @param {{ text: number, records: number } | undefined} group */
export const groupWords = (group) => (group ? words.files.group(group.text, group.records) : "");

/** What a column sorts by. @param {ClassColumn} column @param {ReturnType<typeof groupsOf>} groups */
function keyOf(column, groups) {
  /** @type {Record<ClassColumn, (kept: KeptRecord) => string | number>} */
  const keys = {
    file: ({ file }) => file ?? "",
    model: ({ record }) => modelWords(record),
    settings: ({ record }) => settingsWords(record),
    seed: ({ record }) => (isGreedy(record) ? -1 : (record.seed ?? -1)),
    count: ({ record }) => record.newIds.length,
    text: ({ record }) => record.text ?? "",
    reason: ({ record }) => reasonWords(record.stopReason),
    speed: ({ record }) => tokensPerSecond(record) ?? -1,
    group: (kept) => groups.get(kept)?.text ?? 0,
  };
  return keys[column];
}

/** Equal ones stay in the order in which they came. @param {KeptRecord[]} kept
 * @param {{ column: ClassColumn, descending: boolean }} sort @param {ReturnType<typeof groupsOf>} groups
 */
export function sorted(kept, { column, descending }, groups) {
  const key = keyOf(column, groups);
  const sign = descending ? -1 : 1;
  return kept.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)];
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), language, { numeric: true });
  });
}
