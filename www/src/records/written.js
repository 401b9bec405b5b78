/** A record as JSON that people can read: a field a line, and a list of numbers or texts on one line. */

/** @param {unknown} value @param {string} [indent] @returns {string} */
export function written(value, indent = "") {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((part) => written(part, inner))
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${written(part, inner)}`);
  if (parts.length === 0) return isList ? "[]" : "{}";
  const flat = isList && value.every((part) => typeof part !== "object" || part === null);
  if (flat) return `[${parts.join(", ")}]`;
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
