/** What the lab panels keep in the page's state: one key a panel, absent (null) until something is done in it. */
import type { BatchLab } from "./batch/types.js";
import type { CacheLab } from "./cache-lab/types.js";
import type { MemoryLab } from "./memory-lab/types.js";
import type { LoadedModel, PageError } from "./messages.js";
import type {
  BlockScaling,
  NumberDescription,
  PackedBytes,
  PrecisionMeaning,
  PrecisionTable,
  RunTiming,
  StopReason,
} from "./protocol.js";
import type { RecordsLab } from "./records/types.js";
import type { ScoresLab } from "./scores/types.js";
import type { Sheets } from "./sheets/types.js";

export type { PageError };

/** Work under way, as lab-work.js tells of it. */
export interface LabWork {
  kind: string;
  /** What is being done, in words. */
  words: string;
  stopping: boolean;
}

/** A question of a lab sheet, in the words that the student saw, and what the student said. */
export interface NotebookEntry {
  sheet: string;
  step: string;
  question: string;
  /** Committed before the answer was to be seen; never changed. */
  prediction: string | null;
  answer: string | null;
  /** null where the page cannot check the answer. */
  correct: boolean | null;
}

/** The student's own words, by question (notebook.js). */
export interface Notebook {
  notes: string;
  entries: Record<string, NotebookEntry>;
}

/** Paints of the page in which the text grew, and by how many tokens. */
export interface Paints {
  paints: number;
  tokens: number;
}

/** The last run of the page, as the timing panel shows it. */
export interface TimingLab {
  timing: RunTiming;
  model: LoadedModel;
  reason: StopReason;
  /** null: the panel was not there to count them. */
  paints: Paints | null;
}

/** The panels' own states; update() only puts them in place. */
export interface LabStates {
  batchLab: BatchLab | null;
  scoresLab: ScoresLab | null;
  precisionLab: PrecisionLab | null;
  cacheLab: CacheLab | null;
  memoryLab: MemoryLab | null;
  notebook: Notebook;
  /** Why the browser does not keep it, in a sentence. */
  notebookTrouble: string | null;
  sheets: Sheets | null;
  timingLab: TimingLab | null;
  recordsLab: RecordsLab | null;
}

/** The precision panel. Numbers are kept as they are typed. */
export interface PrecisionLab {
  work: LabWork | null;
  fault: PageError | null;
  /** Of the model in use; null until it has answered. */
  meanings: PrecisionMeaning[] | null;
  /** What precisions are compared on. */
  text: string;
  /** Which, by the engine's names. */
  rows: string[];
  /** The last comparison: of which model and text, and how many rows it was to have. */
  report: { table: PrecisionTable; title: string; text: string; asked: number } | null;
  number: { typed: string; largest: string; result: NumberDescription | null; fault: string | null };
  blocks: { typed: string; size: string; format: string; result: BlockScaling | null; fault: string | null };
  packed: {
    weights: string;
    bits: string;
    group: string;
    scale: string;
    result: PackedBytes | null;
    fault: string | null;
  };
}

export type LabEvent = {
  [K in keyof LabStates]: { type: "labChanged"; name: K; value: LabStates[K] };
}[keyof LabStates];
