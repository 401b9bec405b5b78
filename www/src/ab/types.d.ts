/** The A/B panel: what is compared, what is under way, and what came of it. */
import type { PageError } from "../messages.js";
import type { Controls } from "../page-types.js";
import type { BenchmarkSummary, Distribution, Outcome, Sample, SimdLevel, StopReason } from "../protocol.js";

/** A run as it can be repeated; `rows` of the controls has no meaning here. */
export interface Configuration {
  controls: Controls;
  /** Catalogue id; null is the page's model. */
  model: string | null;
  precision: string;
  /** How keys and values are kept. */
  kvCache: string;
  kernel: string;
  /** Which build of the engine. */
  simd: SimdLevel;
  /** "on", or "off": everything is computed again for each token. */
  cache: string;
}

export type EngineField = Exclude<keyof Configuration, "controls">;
export type Side = 0 | 1;
export type Pair<T> = [T, T];

/** One token of a run. */
export interface MadeToken {
  id: number;
  shown: string;
  spoken: string;
  kind: string;
}

export interface MadeRun {
  tokens: MadeToken[];
  stopReason: StopReason;
  seed: number;
  /** Whether another worker than the page's made it. */
  ownWorker: boolean;
  weightBytes: number;
}

/** Where two lists of tokens part. */
export interface Alignment {
  /** Tokens that both begin with. */
  equal: number;
  /** Index of the first token in which they differ; null where they do not, or where one only goes on. */
  firstDifference: number | null;
  /** The side that ends while the other goes on. */
  endsFirst: Side | null;
}

/** How far the logits are apart on the identical prefix. */
export interface LogitDifference {
  value: number;
  /** The token whose logits differ most, and the new token that they predict, from 0. */
  id: number;
  index: number;
  /** Positions that were compared. */
  positions: number;
  sameBits: boolean;
}

export interface Comparison {
  kind: "pair" | "twice";
  of: Pair<Configuration>;
  prompt: string;
  runs: Pair<MadeRun>;
  /** null: other tokens or another vocabulary, nothing can be lined up. */
  alignment: Alignment | null;
  difference: LogitDifference | null;
  /** At the first difference. */
  predictions: Pair<Distribution> | null;
}

export interface SampleSeries {
  of: Configuration;
  side: Side;
  samples: Sample[];
  distinct: number;
}

/** How a benchmark is run. */
export interface BenchmarkPlan {
  /** Exactly so many where the length is forced, else at most. */
  newTokens: number;
  /** Pairs before those that count. */
  warmUps: number;
  /** Pairs that count. */
  repeats: number;
  /** No end token and no stop string ends a run. */
  forced: boolean;
}

/** Both sides measured in turns, as plain data. */
export interface Benchmark {
  of: Pair<Configuration>;
  prompt: string;
  /** The prompt's tokens, the same in all runs. */
  ids: number[];
  plan: BenchmarkPlan;
  /** In the order in which they were made, warm-ups first: A B A B. */
  outcomes: Pair<Outcome[]>;
  summary: BenchmarkSummary;
  /** Whether another worker than the page's ran it. */
  ownWorker: Pair<boolean>;
  /** False where it was stopped. */
  complete: boolean;
}

export interface Work {
  kind: "pair" | "twice" | "samples" | "benchmark";
  /** What is being done, in words. */
  words: string;
  stopping: boolean;
}

export interface AbState {
  pair: Pair<Configuration>;
  /** What stands in number fields while somebody types, and why it is not in force; by `fieldKey`. */
  typed: Record<string, string>;
  faults: Record<string, string>;
  /** The configuration that runs several times. */
  subject: Side;
  sampleCount: number;
  work: Work | null;
  comparison: Comparison | null;
  series: SampleSeries | null;
  plan: BenchmarkPlan;
  benchmark: Benchmark | null;
  fault: PageError | null;
}

export type AbEvent =
  | { type: "configured"; side: Side; values: Partial<Omit<Configuration, "controls">>; controls?: Partial<Controls> }
  | { type: "typed"; side: Side; name: "temperature" | "topK" | "topP" | "seed" | "maxNewTokens"; text: string }
  | { type: "countTyped"; text: string }
  | { type: "planTyped"; name: "newTokens" | "warmUps" | "repeats"; text: string }
  | { type: "forcedToggled" }
  | { type: "benchmarked"; benchmark: Benchmark }
  | { type: "left" }
  | { type: "swapped" }
  | { type: "subjectChosen"; side: Side }
  | { type: "started"; kind: Work["kind"] }
  | { type: "progressed"; words: string }
  | { type: "stopAsked" }
  | { type: "compared"; comparison: Comparison }
  | { type: "sampled"; series: SampleSeries }
  | { type: "ended"; fault: PageError | null };
