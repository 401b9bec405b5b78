/** Sums of the memory panel. Bytes are counted by the engine; here they are put together and written in both units. */

import { count } from "../format.js";

/** @import { MemoryUse } from "../protocol.js" */
/** @import { BudgetLine, MemoryLab } from "./types.js" */

/** MB of a million bytes beside MiB of 2^20, because one name often stands for both. @param {number} bytes */
export function bothUnits(bytes) {
  if (bytes < 1000) return `${count(bytes)} B`;
  if (bytes < 100_000) return `${(bytes / 1000).toFixed(1)} kB (${(bytes / 1024).toFixed(1)} KiB)`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(2)} MB (${(bytes / 2 ** 20).toFixed(2)} MiB)`;
  return `${(bytes / 1e9).toFixed(2)} GB (${(bytes / 2 ** 30).toFixed(2)} GiB)`;
}

/**
 * @typedef {object} Part
 * @property {string} id
 * @property {string} label
 * @property {number} bytes
 * @property {boolean} counted or else what is left of the measured whole
 * @property {string} note
 */

/** The whole WebAssembly memory in parts. @param {MemoryUse} use @returns {Part[]} */
export function partsOf(use) {
  const { weightBytes, fileCopyBytes, secondKernelBytes, kvUsedBytes, kvReservedBytes } = use;
  /** @type {Part[]} */
  const parts = [
    { id: "weights", label: "weights", bytes: weightBytes, counted: true, note: "as the kernel computes with them" },
    {
      id: "copies",
      label: "weights kept beside",
      bytes: fileCopyBytes + secondKernelBytes,
      counted: true,
      note: "the file's own numbers where the kernel has made others of them, and a second kernel's after a comparison",
    },
    { id: "kv", label: "KV cache, used", bytes: kvUsedBytes, counted: true, note: `keys and values of ${count(use.positions)} positions` },
    {
      id: "reserve",
      label: "KV cache, reserved",
      bytes: Math.max(0, kvReservedBytes - kvUsedBytes),
      counted: true,
      note: "allocated and not filled yet: room comes in pages",
    },
    {
      id: "activations",
      label: "live activations",
      bytes: use.activationBytes,
      counted: true,
      note: "buffers of the forward pass, hidden states that are kept for looking back, logits",
    },
    {
      id: "workspace",
      label: "workspace",
      bytes: use.workspaceBytes,
      counted: true,
      note: "room of the matrix products, tables of angles, the sampler's ranking",
    },
  ];
  if (use.otherBytes !== null)
    parts.push({
      id: "other",
      label: "other",
      bytes: use.otherBytes,
      counted: false,
      note: "the difference to the measured whole: tokenizer, program, and room that was given back and stays",
    });
  return parts.filter(({ id, bytes }) => id !== "copies" || bytes > 0);
}

/** @param {Pick<MemoryUse, "kvBytesPerPosition">} use @param {number} context @param {number} batch */
export const kvBytesFor = ({ kvBytesPerPosition }, context, batch) => kvBytesPerPosition * context * batch;

const points = 9;

/** Contexts up to the given one, with what the cache takes at each. @param {MemoryUse} use @param {{ context: number, batch: number }} lab */
export function projection(use, { context, batch }) {
  const step = Math.max(1, Math.ceil(context / (points - 1)));
  const contexts = [...new Set(Array.from({ length: points }, (_, n) => Math.min(n * step, context)))];
  return contexts.map((positions) => ({ positions, kvBytes: kvBytesFor(use, positions, batch) }));
}

/** @type {{ name: BudgetLine, label: string }[]} */
export const budgetLines = [
  { name: "weights", label: "resident weights" },
  { name: "cache", label: "KV cache" },
  { name: "activations", label: "live activations, at their peak" },
  { name: "workspace", label: "workspace" },
  { name: "other", label: "everything else of the runtime" },
];

/** @param {Pick<MemoryLab, "budget" | "device">} lab in GiB */
export function budgetSum({ budget, device }) {
  const sum = budgetLines.reduce((total, { name }) => total + budget[name], 0);
  return { sum, margin: device - sum, beside: sum - budget.weights };
}

/** @param {Pick<MemoryLab, "budget" | "device">} lab */
export function budgetSentence(lab) {
  const { sum, margin, beside } = budgetSum(lab);
  const share = sum > 0 ? Math.round((100 * beside) / sum) : 0;
  const fits = margin >= 0 ? `leaves a margin of ${gib(margin)}` : `is ${gib(-margin)} more than there is`;
  return `The sum is ${gib(sum)}, which ${fits}. Whoever only asks whether the weights fit looks at ${gib(lab.budget.weights)} and leaves out ${gib(beside)}, ${share} % of the sum.`;
}

/** @param {number} value */
export const gib = (value) => `${Number(value.toFixed(3))} GiB`;
