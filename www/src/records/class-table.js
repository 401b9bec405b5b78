/** Records of many people as one table: in which order, and whose texts are the same. */

import { modelWords, reasonWords, seedWords, settingsWords, tokensPerSecond } from "./words.js";

/** @import { ClassColumn, KeptRecord } from "./types.js" */

/** @type {{ name: ClassColumn, label: string }[]} */
export const classColumns = [
  { name: "file", label: "File" },
  { name: "model", label: "Model" },
  { name: "settings", label: "Settings" },
  { name: "seed", label: "Seed" },
  { name: "count", label: "New tokens" },
  { name: "text", label: "Text" },
  { name: "reason", label: "Why it ended" },
  { name: "speed", label: "Tokens/s" },
  { name: "group", label: "Same text" },
];

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
export const groupWords = (group) =>
  !group ? "" : group.records === 1 ? `text ${group.text}, alone` : `text ${group.text}, in ${group.records} records`;

/** What a column sorts by. @param {ClassColumn} column @param {ReturnType<typeof groupsOf>} groups */
function keyOf(column, groups) {
  /** @type {Record<ClassColumn, (kept: KeptRecord) => string | number>} */
  const keys = {
    file: ({ file }) => file ?? "",
    model: ({ record }) => modelWords(record),
    settings: ({ record }) => settingsWords(record),
    seed: ({ record }) => (seedWords(record).startsWith("greedy") ? -1 : (record.seed ?? -1)),
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
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  });
}
