/** The batch panel: what is asked for, and what came of it. */
import type { LabWork, PageError } from "../lab-types.js";
import type { CandleHolding } from "../candle-place.js";
import type { BatchResult } from "../protocol.js";

/** A request as it is typed. */
export interface RequestFields {
  name: string;
  prompt: string;
  newTokens: string;
}

/** One batch, batches of some rows in turn, or rows that take in a waiting request when one is finished. */
export type Schedule = "one" | "groups" | "continuous";

export interface BatchSetup {
  requests: RequestFields[];
  schedule: Schedule;
  /** As typed; of no meaning for one batch. */
  rows: string;
  sortByLength: boolean;
  alsoReversed: boolean;
  rightPadding: boolean;
  sharedStream: boolean;
}

/** What was run, and what came of it. */
export interface MadeBatch {
  of: BatchSetup;
  greedy: boolean;
  /** The student stopped it: some of it is missing. */
  stopped: boolean;
  /** What the worker beside the page's held; null where the page's own made it. */
  secondWorker: CandleHolding | null;
  result: BatchResult;
}

export interface BatchLab {
  setup: BatchSetup;
  /** The batch whose places are shown, and the row of it whose mask is. */
  layout: number;
  maskRow: number;
  made: MadeBatch | null;
  work: LabWork | null;
  fault: PageError | null;
}
