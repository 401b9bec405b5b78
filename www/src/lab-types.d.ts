/** What the lab panels keep in the page's state: one key a panel, absent (null) until something is done in it. */
import type { LoadedModel, PageError } from "./messages.js";
import type { RunTiming, StopReason } from "./protocol.js";

export type { PageError };

/** Work under way, as lab-work.js tells of it. */
export interface LabWork {
  kind: string;
  /** What is being done, in words. */
  words: string;
  stopping: boolean;
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
  timingLab: TimingLab | null;
}

export type LabEvent = {
  [K in keyof LabStates]: { type: "labChanged"; name: K; value: LabStates[K] };
}[keyof LabStates];
