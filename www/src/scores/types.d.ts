/** The text-scores panel: a text, what the model says of it, what the loop makes of its beginning, and digests. */
import type { LabWork, PageError } from "../lab-types.js";
import type { TextScores, WeightsDigest } from "../protocol.js";

export interface ScoresSetup {
  text: string;
  /** The end-of-text token stands in front. */
  start: boolean;
  /** Tokens at the beginning that the loop is given, as typed. */
  given: string;
  loop: "greedy" | "page";
}

export interface MadeScores {
  of: ScoresSetup;
  text: TextScores;
  /** The loop's own text, scored the same way; null where there was nothing left to make, or it was stopped. */
  loop: TextScores | null;
  /** Tokens that the loop was given. */
  given: number;
}

/** Before a generation and after it. */
export interface ComparedDigests {
  before: WeightsDigest;
  after: WeightsDigest;
  /** Tokens made in between. */
  newTokens: number;
}

export interface ScoresLab {
  setup: ScoresSetup;
  /** The token that is read out, from 0. */
  chosen: number;
  made: MadeScores | null;
  digests: ComparedDigests | null;
  /** What was set going last: its fault is shown with it. */
  kind: "score" | "digests";
  work: LabWork | null;
  fault: PageError | null;
}
