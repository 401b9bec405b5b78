/** What the lab panels keep in the page's state: one key a panel, absent (null) until something is done in it. */
import type { BatchLab } from "./batch/types.js";
import type { PageError } from "./messages.js";
import type { ScoresLab } from "./scores/types.js";

export type { PageError };

/** Work under way, as lab-work.js tells of it. */
export interface LabWork {
  kind: string;
  /** What is being done, in words. */
  words: string;
  stopping: boolean;
}

/** The panels' own states; update() only puts them in place. */
export interface LabStates {
  batchLab: BatchLab | null;
  scoresLab: ScoresLab | null;
}

export type LabEvent = {
  [K in keyof LabStates]: { type: "labChanged"; name: K; value: LabStates[K] };
}[keyof LabStates];
