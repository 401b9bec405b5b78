/**
 * What crosses between page and worker beyond the engine's own protocol (protocol.d.ts, generated): loading, readiness
 * and crashes, which the worker's JavaScript handles. Together the two files are the whole wire.
 */
import type {
  Call,
  Command,
  Event,
  ModelCard,
  SelfTestOutcome,
  SelfTestReference,
  SimdLevel,
  WireError,
} from "./protocol.js";

/** Codes of faults outside the engine; errors.js has a sentence and an action for each of these and each ErrorCode. */
export type PageErrorCode =
  /** No answer from the host at all. */
  | "unreachable"
  /** The page's own Content-Security-Policy does not name the host. */
  | "blocked"
  /** The host answered with an error status. */
  | "httpStatus"
  /** The answer has another length than the catalogue or the announcement says, or is a web page in place of a file. */
  | "wrongBody"
  /** The SHA-256 of the weights is not that of the catalogue. */
  | "wrongDigest"
  /** The catalogue or the page's address names a model that does not exist. */
  | "unknownModel"
  /** The browser has no WebAssembly SIMD. */
  | "noSimd"
  /** The browser has no relaxed SIMD, and the faster build of the engine was asked for. */
  | "noRelaxedSimd"
  /** The worker's code could not be loaded or started. */
  | "workerStart"
  /** The engine panicked or the worker died; it is replaced. */
  | "crashed"
  /** The self-test after loading found other logits than a sound machine computes. */
  | "wrongResults"
  /** The tokenizer cannot be that of the model. */
  | "foreignTokenizer";

export interface PageError {
  code: PageErrorCode | WireError["code"];
  /** One sentence. */
  message: string;
  details: {
    subject?: string | null;
    expected?: string | null;
    found?: string | null;
    url?: string;
    status?: number;
    /** How long the host asks to be left alone. */
    retryAfterMs?: number;
  };
}

/** One entry of models/catalogue.json. */
export interface CatalogueEntry {
  /** As in the address: ?model=ID */
  id: string;
  title: string;
  /** One sentence on what it is. */
  about: string;
  licence: string;
  /** Where the licence or model card can be read; relative to the page, or absolute. */
  card: string;
  /** Folder on the page's own host, relative to the page, with a trailing slash. */
  host: string;
  /** True for the model that ships with the page. */
  bundled: boolean;
  /** Where else it can be fetched. */
  hub?: { repository: string; revision: string };
  /** Exact sizes and digests. Weights that differ are an error, other files that differ a warning. */
  files: Record<string, { bytes: number; sha256: string }>;
  /** Prompts that show it well; the first is the starter. */
  prompts: string[];
  /** Known logits, by which a browser that computes wrongly is found out. */
  selfTest?: SelfTestReference;
}

export interface Catalogue {
  /** Address of the hub, without trailing slash; ?hub= overrides it. */
  hub: string;
  models: CatalogueEntry[];
}

/** Where the bytes come from. */
export type Origin = "host" | "hub" | "store" | "folder" | "files";

/** What a worker is asked to load. All addresses are absolute. */
export type ModelSource =
  | { kind: "catalogue"; entry: CatalogueEntry; from: "host" | "hub" | "store"; base: string }
  | { kind: "folder"; base: string }
  /** `entry` is the one whose names and lengths the files have; their digests say whether they are its files. */
  | { kind: "files"; files: File[]; entry?: CatalogueEntry };

/** Why the browser's store could not do what it was asked: it has none here, denies it, has no room, or failed. */
export type StoreTrouble = "missing" | "refused" | "full" | "failed";

export interface LoadOptions {
  /** One name, or one for each class of weights, as in "head=int8,blocks=f16"; what is absent is f32. */
  precision?: string;
  /** How keys and values are kept: f32 or f16. */
  kvCache?: string;
  kernel?: string;
  /** Which build of the engine. It is part of the worker's address too, because the worker starts with its code. */
  simd?: SimdLevel;
  /** navigator.deviceMemory, which the worker adds. */
  deviceMemory?: number;
}

export type WorkerCommand =
  | Command
  | { type: "load"; loadId: number; source: ModelSource; options: LoadOptions }
  | { type: "cancelLoad"; loadId: number }
  /** Whether it is still there. */
  | { type: "ping" };

export interface LoadedFile {
  name: string;
  bytes: number;
  sha256: string;
  /** equal or different where the catalogue names a digest, unknown otherwise */
  check: "equal" | "different" | "unknown";
}

/** What was loaded, from where, and what the engine says of it. */
export interface LoadedModel {
  /** Catalogue id, else null. */
  id: string | null;
  title: string;
  origin: Origin;
  base: string | null;
  revision: string | null;
  licence: string | null;
  files: LoadedFile[];
  /** Sentences, such as a tokenizer that differs from the catalogue's. */
  warnings: string[];
  /** Whether the browser keeps a verified copy for the next visit. */
  kept: boolean;
  /** Why the browser keeps no copy that it was to keep. */
  notKept: StoreTrouble | null;
  hasTokenizer: boolean;
  card: ModelCard;
  /** Null where no logits of these weights are known. */
  selfTest: SelfTestOutcome | null;
  /** Waiting for bytes and their copy; hashing, with decoding in the same pass; tokenizer and model; the self-test, which
   * is the model's first forward pass, or null without one. */
  timingsMs: { download: number; digest: number; load: number; selfTest: number | null };
}

export type WorkerEvent =
  | Event
  /** The worker's code runs and its WebAssembly is compiled. */
  | { type: "ready" }
  /** Answers a ping; goes no further than engine-client.js. */
  | { type: "pong" }
  | {
      type: "loadProgress";
      loadId: number;
      /** Checking is reading the browser's own copy; what is downloaded is checked as it comes. */
      phase: "downloading" | "checking" | "starting";
      origin: Origin;
      /** The file at work. */
      file: string;
      /** Over all files. */
      loadedBytes: number;
      /** null while a length is unknown. */
      totalBytes: number | null;
      /** Over the last second or so; null until known. */
      bytesPerSecond: number | null;
      /** Until the host is asked again after a fault that may pass; null while nothing is waited for. */
      retryInMs: number | null;
    }
  | { type: "loaded"; loadId: number; model: LoadedModel }
  | { type: "loadCancelled"; loadId: number }
  | { type: "loadFailed"; loadId: number; error: PageError }
  /** Also made by engine-client.js when a worker dies without a word. The worker is never used again. */
  | { type: "crashed"; error: PageError };

/** Everything from any worker, as it reaches update(). */
export interface FromWorker {
  type: "worker";
  workerId: number;
  event: WorkerEvent;
}

/** engine-client.js */
export interface EngineClient {
  /** Starts a worker and asks it to load; its events arrive with the returned id. */
  start(source: ModelSource, options?: LoadOptions): number;
  /** Commands go to this worker from now on; the one before is terminated. */
  activate(workerId: number): void;
  /** Sends to the active worker, or to the one that is named. */
  send(command: WorkerCommand, workerId?: number): void;
  /** Terminates a worker that is not active (a load that was given up). */
  terminate(workerId: number): void;
  /** Adds a listener of all worker events; returns the function that removes it. */
  listen(listener: (message: FromWorker) => void): () => void;
}

/** The wasm-bindgen class that worker.js drives (crate/web). */
export interface EngineHandle {
  /**
   * Begins a load; one that was going on is dropped. Reads configuration, tokenizer and index, and copies them. Every
   * step of a load may throw a WireError; the model that was loaded before stays until finishLoad() has succeeded.
   */
  beginLoad(
    config: Uint8Array,
    tokenizer: Uint8Array | undefined,
    index: Uint8Array | undefined,
    options: LoadOptions,
  ): void;
  /** Begins a file of weights, of this length where it is known. Answers as push(). */
  beginFile(name: string, bytes: number | undefined): boolean;
  /**
   * Decodes and hashes the next bytes of the file. False once the weights are known to be unsound: finishLoad() throws
   * why, and going on is of use for the digest only.
   */
  push(bytes: Uint8Array): boolean;
  /** Ends the file; its SHA-256 in hexadecimal. */
  finishFile(): string;
  /** Builds the model from the files. */
  finishLoad(): ModelCard;
  /** Runs a prompt whose logits are known, on the loaded model. May throw a WireError. */
  selfTest(reference: SelfTestReference): SelfTestOutcome;
  /** Drops the load that is going on, if any. */
  abandonLoad(): void;
  /** Queues a command; answers come from slice(). */
  command(command: unknown): void;
  /** Works for about this long and returns the events of that time. */
  slice(budgetMs: number): Event[];
  /** Whether there is work that needs no further command. */
  busy(): boolean;
}

export type { Call };
