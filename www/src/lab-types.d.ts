/** What the lab panels keep in the page's state: one key a panel, absent (null) until something is done in it. */
import type { PageError } from "./messages.js";
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

/** The panels' own states; update() only puts them in place. */
export interface LabStates {
  notebook: Notebook;
  /** Why the browser does not keep it, in a sentence. */
  notebookTrouble: string | null;
  sheets: Sheets | null;
}

export type LabEvent = {
  [K in keyof LabStates]: { type: "labChanged"; name: K; value: LabStates[K] };
}[keyof LabStates];
