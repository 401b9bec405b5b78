/** Medians with their spread, and Markdown tables of them. */

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {number} value three significant digits, whole from 100 on */
function short(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en-GB") : String(Number(value.toPrecision(3)));
}

/** The median and, behind it, the least and the most. @param {number[] | undefined} values */
export function spread(values) {
  if (values === undefined || values.length === 0) return "";
  if (values.length === 1) return short(values[0]);
  return `${short(median(values))} (${short(Math.min(...values))}-${short(Math.max(...values))})`;
}

/** @param {string[]} head @param {string[][]} rows the first column is text, the others numbers */
export function markdownTable(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_, column) => (column === 0 ? "---" : "---:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}
