/** The state of the worked example (example.js). */
import type { Boundary, Draws, FullStep } from "./protocol.js";

export type ExampleOrder = "temperatureFirst" | "topPFirst";

/** One of the ways to sample that the panel puts side by side. */
export interface Variant {
  order: ExampleOrder;
  boundary: Boundary;
}

/** What the engine said to a variant. */
export type Outcome = { step: FullStep } | { fault: string };

/** What the student sets, as typed. */
export interface ExampleInput {
  /** A logit each, for A, B, C and so on: `log 8` or a number. */
  logits: string[];
  temperature: string;
  topK: string;
  topP: string;
}

export interface Example {
  input: ExampleInput;
  /** Index of the variant whose stages are shown. */
  shown: number;
  /** Of the calls that were sent last, one a variant. */
  runIds: number[];
  outcomes: (Outcome | null)[];
  draws: { runId: number; variant: number; result: Draws | null } | null;
}

export type ExampleEvent =
  | { type: "exampleChanged"; input?: Partial<ExampleInput>; shown?: number }
  /** All variants were sent to the engine. */
  | { type: "exampleSent" }
  | { type: "exampleDrawsSent" };
