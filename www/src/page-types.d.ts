/** The page's own state, and everything that can happen to it. state.js holds the one function that maps between them. */
import type {
  Catalogue,
  CatalogueEntry,
  FromWorker,
  LoadedModel,
  LoadOptions,
  ModelSource,
  PageError,
  StoreTrouble,
} from "./messages.js";
import type { AbState } from "./ab/types.js";
import type { LabEvent, LabStates } from "./lab-types.js";
import type { ModelRecord } from "./models/store.js";
import type {
  Boundary,
  ChainKind,
  Comparison,
  Distribution,
  Draws,
  Event,
  Memory,
  Shape,
  TokenColumn,
  TokenKind,
} from "./protocol.js";
import type { Beams, GeneratedText, Look, TextEvent, TokenMarks, UndoList } from "./text-types.js";

import type { Example, ExampleEvent } from "./example-types.js";

export type Copied = "link" | "settings" | "panel";

/** How far the code of a lab panel is; absent where nobody has opened it, or where it has to be tried again. */
export type PanelCode = "loading" | "ready" | "failed";

/** What a link's fragment says; what it does not name is as on a fresh page. */
export interface Link {
  prompt: string | null;
  values: Partial<Controls>;
  /** Of the engine, such as its precision. */
  options: LoadOptions;
  panel: string | null;
  /** Whether runs reuse no keys and values. */
  uncached?: boolean;
  /** Both configurations of the A/B panel, as ab/configuration.js reads them. */
  abLink?: [string, string];
  /** The lab sheet that it opens. */
  sheet?: string;
  /** Parts that were not understood. */
  ignored: string[];
}

/** How fast the student wants to see tokens. */
export type PaceChoice = "step" | "three" | "full";

/** What is in force; each value has passed its control's range. */
export interface Controls {
  temperature: number;
  /** 0 is off. */
  topK: number;
  /** 1 is off. */
  topP: number;
  /** 0 is off. */
  minP: number;
  /** All steps of the chain, acting or not, in the order in which they would act. */
  order: ChainKind[];
  /** Steps that are switched off and keep their value. */
  bypassed: ChainKind[];
  /** 1 is off. */
  repetitionPenalty: number;
  /** 0 is off. */
  noRepeatNgram: number;
  minNewTokens: number;
  /** Ids that are banned. */
  suppress: number[];
  greedy: boolean;
  seed: number;
  maxNewTokens: number;
  /** One stop string a line, as typed. */
  stop: string;
  ignoreEos: boolean;
  rows: number;
  /** What top-k and top-p do with a token exactly on the border. */
  boundary: Boundary;
}

export type NumberControl = {
  [K in keyof Controls]: Controls[K] extends number ? K : never;
}[keyof Controls];

export interface Load {
  workerId: number;
  /** Catalogue id, or null for a folder or files. */
  entryId: string | null;
  title: string;
  source: ModelSource;
  options: LoadOptions;
  /** always: use it as soon as it is ready; untouched: only on a page nobody has touched; ask: offer it. */
  activate: "always" | "untouched" | "ask";
  phase: "starting" | "downloading" | "checking" | "ready";
  loadedBytes: number;
  totalBytes: number | null;
  bytesPerSecond: number | null;
  /** Until the host is asked again. */
  retryInMs: number | null;
  model: LoadedModel | null;
}

/** What came of verifying a kept copy, or how far it is. */
export type CopyCheck =
  | { state: "checking"; share: number }
  | { state: "sound" }
  | { state: "damaged"; file: string }
  | { state: "failed" };

/** What the browser keeps, as the panel shows it. */
export interface Saved {
  /** null: not looked at yet. */
  models: ModelRecord[] | null;
  /** Why nothing can be kept. */
  trouble: StoreTrouble | null;
  /** The browser's own figures for everything that this site keeps. */
  usageBytes: number | null;
  quotaBytes: number | null;
  /** Whether the browser has promised not to clear it by itself when the disk fills. */
  persisted: boolean | null;
  checks: Record<string, CopyCheck>;
  /** The model whose deletion waits for a second click. */
  confirming: string | null;
}

export interface Run {
  runId: number;
  /** stopping: the student asked, the engine has not answered yet. */
  status: "running" | "stopping";
  paced: boolean;
  /** A stepped run has shown its token and waits for the next `advance`. */
  waiting: boolean;
}

/** A step that the engine has made and the page shows in four phases. */
export interface SlowStep {
  phase: "forward" | "filter" | "pick";
  event: Extract<Event, { type: "stepped" }>;
  stopped: Extract<Event, { type: "stopped" }> | null;
}

/** The text whose tokens can be banned, and what the tokenizer made of it. */
export interface BanLookup {
  text: string;
  /** Of the call that was sent last; 0 is none. */
  runId: number;
  tokens: TokenColumn | null;
}

/** What the table of bars can show beside logit and chances. */
export type ExtraColumn = "processed" | "scaled" | "cumulative" | "span" | "fate";

export interface ChosenToken {
  id: number;
  text: string;
  spoken: string;
  kind: TokenKind;
}

/** Any token of the vocabulary, looked up in the step that the bars show. */
export interface Finder {
  by: "text" | "id" | "rank";
  /** As typed; a rank counts from 1. */
  text: string;
  /** Of the request that was sent last; 0 is none. */
  revision: number;
  result: Distribution | null;
}

/** Many draws from one distribution. */
export interface ManyDraws {
  runId: number;
  /** The step that they were drawn from. */
  of: Distribution | null;
  /** null while they are being made. */
  result: Draws | null;
}

export interface Problem {
  id: number;
  error: PageError;
  /** The load that can be tried again, with these options. */
  retry: ModelSource | null;
  options: LoadOptions;
  /** The loaded worker that it is about and that waits for the student's decision. */
  workerId: number | null;
}

/**
 * Whether the page opens without a network: keeping is under way; insecure is plain http, where no browser keeps
 * anything; impossible is a browser, or a build, without a service worker.
 */
export type OfflineState = "unknown" | "keeping" | "kept" | "failed" | "insecure" | "impossible";

export interface State extends LabStates {
  catalogue: Catalogue | null;
  /** Where each catalogue entry can be had. */
  origins: Record<string, "host" | "store" | "hub" | null>;
  /** The one model of the page's address, or null. */
  only: string | null;
  loads: Load[];
  activeWorkerId: number | null;
  model: LoadedModel | null;
  saved: Saved;
  /** Where the model in use came from, so that a crashed worker can be replaced. */
  source: ModelSource | null;
  /** What was asked of its engine; the next models are loaded with the same. What it became is in the model's card. */
  options: LoadOptions;
  touched: boolean;
  /** Whether the browser has relaxed SIMD, which the faster build of the engine needs. */
  relaxedSimd: boolean;
  /** Runs reuse no keys and values: each token computes all positions again. */
  uncached: boolean;

  prompt: string;
  /** The last revision given out. */
  revision: number;
  /** The revision since which the bars are about the present text; older previews are stale. */
  textRevision: number;
  /** The revision of the prompt in work or in the cache; older tokens are stale. */
  promptRevision: number;
  /** The prompt of that revision. */
  promptSent: string;
  tokens: TokenColumn | null;
  tokenizeMs: number | null;
  prefill: { tokens: number; reusedTokens: number; ms: number } | null;
  distribution: Distribution | null;
  memory: Memory | null;

  controls: Controls;
  /** What stands in a number field while somebody types in it. */
  typed: Partial<Record<keyof Controls, string>>;
  /** Why the typed value is not in force. */
  faults: Partial<Record<keyof Controls, string>>;
  /** The controls before the presets that were chosen in a row, to go back to, and after the last of them. */
  presetUndo: { before: Controls; after: Controls } | null;
  showMore: boolean;
  banLookup: BanLookup | null;
  /** Names of ids that were looked up, for the list of bans. */
  tokenNames: Record<number, { text: string; spoken: string }>;

  /** Whether the part below the bars is open. */
  benchOpen: boolean;
  columns: ExtraColumn[];
  /** The uniform number that was set by hand for the next pick; null is the seed's. */
  dice: number | null;
  /** The last one that decided about a token of the present text. */
  diceUsed: number | null;
  /** At most two tokens, to be compared. */
  chosen: ChosenToken[];
  /** Their odds; `revision` is that of the request that was sent last. */
  comparison: { revision: number; result: Comparison | null };
  finder: Finder;
  draws: ManyDraws | null;
  example: Example;

  pace: PaceChoice;
  run: Run | null;
  lastRunId: number;
  slowStep: SlowStep | null;
  text: GeneratedText | null;
  /** Of the text that was begun last. */
  lastSerial: number;
  /** Texts that another has taken the place of, those of other prompts and models too. */
  branches: GeneratedText[];
  undo: UndoList;
  look: Look | null;
  tokenMarks: TokenMarks;
  beams: Beams;
  stage: "tokenize" | "prefill" | "decode" | "text" | null;

  showIds: boolean;
  showBoundaries: boolean;
  showTokenTable: boolean;
  /** The token of the strip that Tab reaches. */
  focusedToken: number;
  inspectRevision: number;
  inspection: {
    position: number;
    result: { distribution: Distribution; nextId: number | null; shapes: Shape[] } | null;
  } | null;

  problems: Problem[];
  /** What the engine is doing after a crash, so that the old model's name can stay. */
  restarting: boolean;
  /** Parts of the address that were not understood. */
  ignoredFromLink: string[];
  /** The lab panel that the link opens alone, the others being hidden. */
  linkPanel: string | null;
  /** Names of the lab panels that are open. */
  openPanels: string[];
  panelCode: Record<string, PanelCode>;
  /** The A/B panel's own part, from its first change on. */
  ab: AbState | null;
  /** Both of its configurations as they stand in a link. */
  abLink: [string, string] | null;
  /** The lab sheet that is open beside the main loop: its name, "" for the list of them, null for none. */
  sheet: string | null;
  /** What was copied last, until something changes; `panel`: whose link. */
  copied: { what: Copied; panel?: string; ok: boolean } | null;
  offline: OfflineState;
  /** A newer version of the page is kept and comes with the next load; later: the student has put the notice away. */
  update: "none" | "ready" | "later";
  /** The smallest step of the browser's clock, and whether the page is cross-origin isolated, which makes it finer. */
  clock: { stepMs: number; isolated: boolean } | null;
  /** For ears: the newest sentence, and a count that makes a repeated one new. */
  /** `recent` ends in `text`: what is said within one picture is said together. */
  announcement: { count: number; text: string; recent: string[] };
}

export type PageEvent =
  | FromWorker
  | TextEvent
  | { type: "catalogueLoaded"; catalogue: Catalogue; only: string | null }
  | { type: "originFound"; id: string; origin: "host" | "store" | "hub" | null }
  | {
      type: "loadStarted";
      workerId: number;
      entryId: string | null;
      title: string;
      source: ModelSource;
      options: LoadOptions;
      activate: Load["activate"];
    }
  | { type: "loadGivenUp"; workerId: number }
  /** Puts a loaded worker's model to use. page.js sees the change, tells the client and prepares the prompt. */
  | { type: "modelActivated"; workerId: number }
  | { type: "touched" }
  | { type: "browserProbed"; relaxedSimd: boolean }
  | { type: "promptEdited"; text: string }
  | { type: "prepareSent" }
  | { type: "configureSent" }
  | { type: "clearSent" }
  | { type: "runStarted"; from: "prompt" | "end" }
  | { type: "advanceSent" }
  | { type: "stopSent" }
  | { type: "paceChosen"; pace: PaceChoice }
  | { type: "phaseElapsed" }
  | { type: "controlTyped"; name: NumberControl; text: string }
  | { type: "controlLeft"; name: keyof Controls }
  | { type: "controlsSet"; values: Partial<Controls> }
  | { type: "presetChosen"; values: Partial<Controls> }
  | { type: "presetUndone" }
  | { type: "moreToggled"; open: boolean }
  | { type: "banTyped"; text: string }
  | { type: "banLookupSent" }
  | ({ type: "linkOpened" } & Link)
  | { type: "linkNoticeDismissed" }
  | { type: "copied"; what: Copied; panel?: string; ok: boolean; spoken: string }
  | { type: "panelToggled"; name: string }
  | { type: "panelCodeChanged"; name: string; code: PanelCode }
  | { type: "panelsKept"; names: string[] }
  | { type: "allPanelsShown" }
  | { type: "sheetShown"; name: string | null }
  | { type: "abChanged"; ab: AbState; link: [string, string] }
  | { type: "cacheChosen"; uncached: boolean }
  | { type: "idsToggled" }
  | { type: "boundariesToggled" }
  | { type: "tokenTableToggled"; open: boolean }
  | { type: "tokenFocused"; position: number }
  | { type: "inspectSent"; position: number }
  | { type: "inspectionClosed" }
  | { type: "savedChanged"; change: Partial<Saved> }
  | { type: "copyChecked"; id: string; check: CopyCheck }
  | { type: "problemFound"; error: PageError; retry: ModelSource | null }
  | { type: "problemDismissed"; id: number }
  | { type: "offlineChanged"; offline: OfflineState }
  | { type: "updateFound" }
  | { type: "updateDismissed" }
  | { type: "clockMeasured"; stepMs: number; isolated: boolean }
  | { type: "announced"; text: string }
  | LabEvent
  | BenchEvent
  | ExampleEvent;

export type BenchEvent =
  | { type: "benchToggled"; open: boolean }
  | { type: "columnToggled"; column: ExtraColumn }
  | { type: "diceMoved"; uniform: number | null }
  | { type: "tokenChosen"; token: ChosenToken }
  | { type: "compareSent" }
  | { type: "finderTyped"; by?: Finder["by"]; text?: string }
  | { type: "finderSent" }
  | { type: "drawsSent" };

export type { Catalogue, CatalogueEntry };
