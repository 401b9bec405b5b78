/** The memory panel: what is allocated, what more text would take, and a budget to reckon with. */
import type { MemoryUse } from "../protocol.js";

/** The lines of the example budget, in the order in which they are added. */
export type BudgetLine = "weights" | "cache" | "activations" | "workspace" | "other";

/** What the browser itself says of this page and its workers. */
export type BrowserMemory = { state: "asking" } | { state: "measured"; bytes: number } | { state: "refused" };

export interface MemoryLab {
  use: MemoryUse | null;
  /** Null where the browser has no such measure for this page, or nobody has asked. */
  browser: BrowserMemory | null;
  /** Fields as they are typed, and what is in force. */
  typed: Record<string, string>;
  faults: Record<string, string>;
  /** Null: as many positions as the model has. */
  context: number | null;
  batch: number;
  /** In GiB. */
  device: number;
  budget: Record<BudgetLine, number>;
}
