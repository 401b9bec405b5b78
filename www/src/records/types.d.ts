/** The record of a run, and what the panel "Records and report" keeps. */
import type { LabWork, PageError } from "../lab-types.js";
import type { Controls } from "../page-types.js";
import type { ChainStep, RunTiming, StopReason, TokenGroups } from "../protocol.js";

/** How a token is picked; nothing is left out that is off. */
export interface RecordedSampling {
  greedy: boolean;
  /** What acts, in the order in which it acts; greedy decoding ignores it. */
  chain: ChainStep[];
  repetitionPenalty: number;
  noRepeatNgram: number;
  suppress: number[];
  minNewTokens: number;
  boundary: "smallest" | "listing";
}

export interface RecordedLimits {
  maxNewTokens: number;
  stop: string[];
  ignoreEos: boolean;
  /** null: no end token. */
  eosId: number | null;
}

/** One of the runs that made a text: from new token `first` on. */
export interface RecordedRun {
  first: number;
  sampling: RecordedSampling;
  seed: number;
  /** The number that was set by hand for token `first`. */
  uniform: number | null;
  limits: RecordedLimits;
  /** False where the settings were changed at full speed, so that nobody knows at which token. */
  exact: boolean;
}

export interface RecordedFile {
  name: string;
  bytes: number;
  sha256: string;
  check: string | null;
}

export interface RecordedModel {
  id: string | null;
  title: string;
  origin: string | null;
  base: string | null;
  revision: string | null;
  files: RecordedFile[];
  card: Record<string, unknown> & { kernel: string | null; simd: string | null };
  [other: string]: unknown;
}

export interface RecordedEngine {
  /** Of the weights. */
  precision: string;
  kernel: string;
  simd: "baseline" | "relaxed";
  /** How keys and values are stored. */
  kvCache: string;
  cachePolicy: "reuse" | "recompute";
}

/** Of each new token, as columns; null where nobody measured it. */
export interface RecordedTokens {
  shown: string[];
  probability: (number | null)[];
  rank: (number | null)[];
  uniform: (number | null)[];
  forwardMs: (number | null)[];
  samplingMs: (number | null)[];
}

export type RecordedGroups = Record<keyof TokenGroups, number[]>;

/** The engine's times of a run, its columns as lists. */
export interface RecordedTiming extends Omit<RunTiming, "latency"> {
  latency: Omit<RunTiming["latency"], "groups"> & { groups: RecordedGroups };
}

export interface RunRecord {
  schema: "logit-lab-record";
  version: 1;
  /** ISO 8601, UTC. */
  recordedAt: string | null;
  model: RecordedModel | null;
  tokenizer: { sha256: string | null; entries: number | null };
  engine: RecordedEngine | null;
  padding: "none" | "left" | "right";
  rowOrder: number[];
  /** The page's controls; `runs` says what acted. */
  settings: Omit<Controls, "seed"> | null;
  /** Of the last run. */
  seed: number | null;
  handUniform: number | null;
  runs: RecordedRun[];
  prompt: string;
  promptIds: number[];
  newIds: number[];
  /** Places in `newIds` of tokens that were put in. */
  byHand: number[];
  text: string | null;
  tokens: RecordedTokens | null;
  stopReason: StopReason | null;
  forwardCalls: number | null;
  timingsMs: {
    tokenize: number | null;
    prefill: number | null;
    decodeSteps: number[];
    sampling: number | null;
    detokenize: number | null;
    firstToken: number | null;
    total: number | null;
  };
  /** Of the text's last run; absent in older records and in those of the command line. */
  timing?: RecordedTiming | null;
  browser: {
    userAgent: string;
    clockStepMs: number | null;
    isolated: boolean | null;
    hardwareConcurrency: number | null;
  } | null;
  page: { program: "page" | "command line"; build: string | null; engineVersion: string };
}

export type Layer =
  | "tokenizer"
  | "weights"
  | "precision"
  | "kernel"
  | "simd"
  | "kvCache"
  | "prompt"
  | "sampling"
  | "stop"
  | "seed"
  | "byHand"
  | "program";

/** What differs between two records: by what the catalogue names it by, and both values in words. */
export interface Change {
  layer: Layer;
  row: string;
  before: string;
  after: string;
}

/** Where two texts part. */
export interface Divergence {
  /** Among the new tokens, from 0. */
  index: number;
  /** null: that text has ended. */
  before: { id: number; shown: string } | null;
  after: { id: number; shown: string } | null;
}

export interface RepeatResult {
  divergence: Divergence | null;
  tokens: number;
  forced: number;
  reasonBefore: StopReason | null;
  reasonNow: StopReason | null;
  /** The first run was stopped by hand, so the repeat was given that many tokens. */
  stoppedByHand: boolean;
  notes: string[];
}

export interface KeptRecord {
  /** Counts the records of the session, or of the files, from 1. */
  number: number;
  record: RunRecord;
  /** The text that it is of; null for one of a file. */
  serial: number | null;
  /** Its file; null for a record of this page. */
  file: string | null;
  result: RepeatResult | null;
  /** Why it cannot be repeated, found when it was tried. */
  fault: string | null;
}

export type ClassColumn = "file" | "model" | "settings" | "seed" | "count" | "text" | "reason" | "speed" | "group";

export interface RecordsLab {
  work: LabWork | null;
  fault: PageError | null;
  /** Of this session, oldest first. */
  records: KeptRecord[];
  /** How many were let go when the limit was reached. */
  letGo: number;
  /** From files. */
  files: KeptRecord[];
  refused: { file: string; sentence: string }[];
  sort: { column: ClassColumn; descending: boolean };
  /** The student's name, for the report. */
  student: string;
  /** What was copied last. */
  copied: string | null;
}
