/** Sums of the memory panel. Bytes are counted by the engine; here they are put together and written in both units. */

import { atMost, fixed, size } from "../format.js";
import { words } from "../words/memory.js";

/** @import { MemoryUse } from "../protocol.js" */
/** @import { BudgetLine, MemoryLab } from "./types.js" */

/** MB of a million bytes beside MiB of 2^20, because one name often stands for both. @param {number} bytes */
export function bothUnits(bytes) {
  const { kilo, mega, giga } = words.units;
  if (bytes < 1000) return size(bytes);
  if (bytes < 100_000) return kilo(fixed(bytes / 1000, 1), fixed(bytes / 1024, 1));
  if (bytes < 1e9) return mega(fixed(bytes / 1e6, 2), fixed(bytes / 2 ** 20, 2));
  return giga(fixed(bytes / 1e9, 2), fixed(bytes / 2 ** 30, 2));
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
  const { parts } = words;
  /** @type {Part[]} */
  const counted = [
    { id: "weights", ...parts.weights, bytes: weightBytes, counted: true },
    { id: "copies", ...parts.copies, bytes: fileCopyBytes + secondKernelBytes, counted: true },
    { id: "kv", label: parts.kv.label, note: parts.kv.note(use.positions), bytes: kvUsedBytes, counted: true },
    { id: "reserve", ...parts.reserve, bytes: Math.max(0, kvReservedBytes - kvUsedBytes), counted: true },
    { id: "activations", ...parts.activations, bytes: use.activationBytes, counted: true },
    { id: "workspace", ...parts.workspace, bytes: use.workspaceBytes, counted: true },
  ];
  const seen = counted.filter(({ id, bytes }) => id !== "copies" || bytes > 0);
  return use.otherBytes === null ? seen : [...seen, { id: "other", ...parts.other, bytes: use.otherBytes, counted: false }];
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

/** @type {BudgetLine[]} */
export const budgetLines = ["weights", "cache", "activations", "workspace", "other"];

/** @param {Pick<MemoryLab, "budget" | "device">} lab in GiB */
export function budgetSum({ budget, device }) {
  const sum = budgetLines.reduce((total, name) => total + budget[name], 0);
  return { sum, margin: device - sum, beside: sum - budget.weights };
}

/** @param {Pick<MemoryLab, "budget" | "device">} lab */
export function budgetSentence(lab) {
  const { sum, margin, beside } = budgetSum(lab);
  const percent = sum > 0 ? Math.round((100 * beside) / sum) : 0;
  const { fits, overrun } = words.budget;
  return (margin >= 0 ? fits : overrun)(gib(sum), gib(Math.abs(margin)), gib(lab.budget.weights), gib(beside), percent);
}

/** Sums of what is typed leave tiny rests, which are no negative number. @param {number} value */
export const gib = (value) => words.units.gib(atMost(Math.round(value * 1000) / 1000 + 0, 3));
