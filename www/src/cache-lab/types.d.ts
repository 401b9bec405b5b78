/** The KV cache's panel: what the newest pass did, and two paths compared on one text. */
import type { LabWork, PageError } from "../lab-types.js";
import type { CandleHolding } from "../candle-place.js";
import type { CacheState } from "../protocol.js";

/** What is compared: with the cache and without, two kernels, two builds of the engine. */
export type CheckKind = "cache" | "kernel" | "simd";

/** One step of a comparison. */
export interface CheckRow {
  /** Positions that its logits have read. */
  context: number;
  difference: number;
  sameBits: boolean;
  /** The token whose logits differ most, in words. */
  mostDifferent: string;
  /** The likeliest token of each path. */
  best: [string, string];
  sameBest: boolean;
  ms: [number, number];
}

export interface CheckOutcome {
  kind: CheckKind;
  /** The two paths, in words. */
  names: [string, string];
  kernels: [string, string];
  /** Logits of all positions that a step reads, and not of the last alone. */
  allPositions: boolean;
  promptLength: number;
  /** What the worker beside the page's held, where candle cannot hold the page's weights. */
  secondWorker: CandleHolding | null;
  /** The present text, or one made for the comparison. */
  greedy: boolean;
  rows: CheckRow[];
  /** Steps that were asked for; fewer rows after a stop. */
  total: number;
  /** The prompt and the model that it is of. */
  prompt: string;
  model: string;
}

export interface CacheLab {
  /** Of the newest forward pass for the page's text. */
  pass: CacheState | null;
  kind: CheckKind;
  /** The present text is read, where there is one. */
  ownText: boolean;
  allPositions: boolean;
  steps: number;
  /** What stands in the field of steps, and why it is not in force. */
  typed: string | null;
  stepsFault: string | null;
  work: LabWork | null;
  fault: PageError | null;
  outcome: CheckOutcome | null;
}
