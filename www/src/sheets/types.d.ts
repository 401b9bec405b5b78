/** What a lab sheet consists of, and what the page keeps while one is worked through. */
import type { LabWork, PageError } from "../lab-types.js";
import type { Controls } from "../page-types.js";
import type { Forms } from "../words/language.js";
import type { Bench } from "./bench.js";

/** What the engine was asked and answered: the numbers and words that answers are checked against. */
export type Facts = Record<string, string | number | boolean | null | number[] | string[]>;

export type Field =
  /** Value and words of each; shown in this order only where the order says something. */
  | { kind: "choice"; choices: [string, string][]; ordered?: boolean }
  | { kind: "number"; unit?: Forms }
  /** Kept in the notebook, checked by nobody. */
  | { kind: "text" };

/** Committed before anything of the answer is to be seen. */
export interface Prediction {
  question: string;
  field: Field;
  /** What came out, in words. */
  outcome: (facts: Facts) => string;
  /** The value of the field that came true; absent where the page cannot compare. */
  right?: (facts: Facts) => string | number;
  /** How far a number may be off. */
  tolerance?: number;
}

export interface Question {
  /** A part of its key in the notebook. */
  id: string;
  question: string;
  field: Field;
  /** Of the engine's figures where it can tell; absent for a text, which nobody checks. */
  right?: (facts: Facts) => string | number;
  tolerance?: number;
  /** Shown beside a right answer, and beside a text that was kept. */
  why: (facts: Facts) => string;
  /** Shown beside a wrong one; it does not give the answer away. */
  hint?: string;
}

/** A button that sets the page, and the sentence that says what it has set. */
export interface Setting {
  /** Among the buttons of its step. */
  id: string;
  label: string;
  said: string;
  prompt?: string;
  /** What is not named is as on a fresh page. */
  controls?: Partial<Controls>;
  /** By its id (presets.js). */
  preset?: string;
  /** A lab panel by its name: where the page has none of this name, the button is left out. */
  panel?: string;
  /** Generates, from the prompt on. */
  generate?: boolean;
  pace?: "step" | "full";
  /** Puts an order of blocks into the loop builder. */
  program?: string[];
}

/** Asks the engine. */
export interface Measure {
  label: string;
  run: (bench: Bench) => Promise<Facts>;
}

export interface SheetStep {
  id: string;
  title: string;
  /** One idea a paragraph. */
  text: string[];
  sets?: Setting[];
  predict?: Prediction;
  measure?: Measure;
  /** What was measured, a line each. */
  shows?: (facts: Facts) => string[];
  questions?: Question[];
  /** The loop builder, whose runs are the step's facts. */
  loop?: true;
}

export interface Sheet {
  name: string;
  title: string;
  /** What it teaches, in a sentence. */
  about: string;
  minutes: number;
  /** What the sheet is best done with, for the teacher; every sheet works with any model that has a tokenizer. */
  model: string;
  steps: SheetStep[];
}

/** What the page says of an answer; null: kept, not checked. */
export interface Verdict {
  right: boolean | null;
  words: string;
}

export interface Sheets {
  /** The step that is shown, by sheet. */
  places: Record<string, number>;
  /** What stands in fields, by key of the notebook. */
  typed: Record<string, string>;
  verdicts: Record<string, Verdict>;
  /** By sheet and step; of another model they count no more. */
  facts: Record<string, { model: string; values: Facts }>;
  /** What a button has set last. */
  said: { step: string; words: string } | null;
  /** The blocks of the loop builder with their dividers (loop.js). */
  program: string[];
  work: LabWork | null;
  fault: PageError | null;
  /** Whether erasing the notebook waits for a second click. */
  erasing: boolean;
}
