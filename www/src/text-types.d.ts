/** The text, its branches, looking back at its steps, and beam searches, as the page's state has them. */
import type {
  BeamSequence,
  BeamTree,
  Distribution,
  RunSummary,
  Step,
  StopReason,
  TokenColumn,
} from "./protocol.js";
import type { LoadedModel } from "./messages.js";
import type { Controls } from "./page-types.js";

/** A token of the text; `byHand` where it was not drawn: the student put it there, or a beam search found it. */
export interface TextStep extends Step {
  byHand?: boolean;
}

/** With what the tokens of a text were made, from one of them on. */
export interface TextRun {
  /** Index among the new tokens. */
  first: number;
  controls: Controls;
  /** The number that was set by hand for that token. */
  uniform: number | null;
  /** Whether it is known at which token they took effect: not where they were changed at full speed. */
  exact: boolean;
}

/** On what a text was made, noted when a run of it ends. */
export interface MadeOn {
  model: LoadedModel | null;
  tokens: TokenColumn | null;
  tokenizeMs: number | null;
  prefillMs: number | null;
}

export interface GeneratedText {
  /** Its tokens, in the blocks of text-blocks.js. */
  blocks: TextStep[][];
  /** Model and sampling together, of all tokens but the first. */
  decodeMs: number;
  /** How many tokens took that time. */
  decodeSteps: number;
  /** The prompt that it continues. */
  prompt: string;
  /** The model that made it, as modelKey() of branches.js names it. */
  model: string;
  /** Counts the texts, so that they stay in the order in which they were begun. */
  serial: number;
  /** The number that was set by hand for one of its tokens, in place of the seed's. */
  handUniform: number | null;
  /** Some of its tokens were made without reusing keys and values. */
  uncached?: boolean;
  /** In the order of their first tokens. */
  runs: TextRun[];
  madeOn: MadeOn | null;
  /** What its tokens make showable is yet to come from the engine. */
  unread: boolean;
  /** The prompt has been edited since. */
  stale: boolean;
  canContinue: boolean;
  reason: StopReason | null;
  summary: RunSummary | null;
}

/** Texts before and after the present one in the order of what was done, all of one prompt and model. null: no text. */
export interface UndoList {
  prompt: string;
  model: string;
  past: (GeneratedText | null)[];
  future: (GeneratedText | null)[];
}

/** The earlier step that the bars show. */
export interface Look {
  /** Index among the new tokens. */
  index: number;
  /** Stays when the pointer leaves the text. */
  pinned: boolean;
  /** Of the question for all its rows; 0 while it is not asked. */
  revision: number;
  distribution: Distribution | null;
}

/** What the tokens of the text are coloured and underlined by. */
export type TokenMarks = "off" | "chance" | "rank";

/** The fields of a beam search, as they stand in their controls. */
export interface BeamFields {
  beams: string;
  numReturn: string;
  lengthPenalty: string;
  earlyStopping: string;
  maxNewTokens: string;
}

export interface Beams {
  fields: BeamFields;
  /** The search under way. */
  runId: number | null;
  /** Prompt and model that the tree belongs to. */
  prompt: string;
  model: string;
  beams: number;
  tree: BeamTree | null;
  sequences: BeamSequence[] | null;
  /** Greedy decoding beside a search with one beam. */
  greedy: { runId: number; ids: number[] | null } | null;
}

export type TextEvent =
  | { type: "stepLookedAt"; index: number; pinned: boolean }
  | { type: "lookSent" }
  | { type: "lookEnded" }
  /** The text has become another one: changed by the student, gone back to, or undone. */
  | { type: "branchSent"; text: GeneratedText | null; move: "edit" | "undo" | "redo" }
  | { type: "oldTextsCleared" }
  | { type: "tokenMarksChosen"; marks: TokenMarks }
  | { type: "beamFieldSet"; name: keyof BeamFields; value: string }
  | { type: "beamsSent"; beams: number };
