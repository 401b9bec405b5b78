/** What the lab panels keep in the page's state: one key a panel, absent (null) until something is done in it. */
import type { PageError } from "./messages.js";

import type { RecordsLab } from "./records/types.js";

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
  recordsLab: RecordsLab | null;
}

export type LabEvent = {
  [K in keyof LabStates]: { type: "labChanged"; name: K; value: LabStates[K] };
}[keyof LabStates];
