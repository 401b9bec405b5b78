/** The names of the lab sheets, as links have them, in the order of the list. What is in them loads when they are opened. */

export const sheetNames = [
  "loading",
  "prefill-decode",
  "loop",
  "cache",
  "temperature-nucleus",
  "stopping",
  "product-settings",
  "four-things",
  "reproducibility",
  "waiting",
  "precision",
  "memory",
  "batching",
  "fair-comparison",
  "failures",
];
