// Provisional: written by hand after crate/web/src/protocol.rs; the generated file replaces it.
export type Pace = "full" | "stepped";
export type StartFrom = "prompt" | "end";
export type Prompt = { text: string } | { ids: number[] };
export type Limits = { maxNewTokens: number; stop?: string[]; ignoreEos?: boolean; eosId?: number | null };
export type ChainKind = "temperature" | "topK" | "topP" | "minP";
export type ChainStep = { kind: ChainKind; value: number };
export type Settings = {
  greedy?: boolean;
  chain?: ChainStep[];
  repetitionPenalty?: number;
  noRepeatNgram?: number;
  suppress?: number[];
  minNewTokens?: number;
};
export type Positions = "last" | "all";
export type Call =
  | { method: "tokenize"; text: string }
  | { method: "logits"; ids: number[]; positions?: Positions; cache?: boolean; kernel?: string }
  | {
      method: "sampleStep";
      logits: number[];
      history?: number[];
      settings?: Settings;
      uniform?: number;
      seed?: number;
      promptLength?: number;
      eosId?: number;
    }
  | {
      method: "generate";
      prompt: Prompt;
      settings?: Settings;
      seed: number;
      limits: Limits;
      cache?: boolean;
      kernel?: string;
    };
export type Command =
  | { type: "prepare"; revision: number; prompt: Prompt; settings: Settings; seed: number; rows: number }
  | { type: "configure"; revision: number; settings: Settings; seed: number; rows: number }
  | {
      type: "start";
      runId: number;
      revision: number;
      from: StartFrom;
      settings: Settings;
      seed: number;
      rows: number;
      limits: Limits;
      pace: Pace;
    }
  | { type: "advance"; runId: number }
  | { type: "setPace"; runId: number; pace: Pace }
  | { type: "stop"; runId: number }
  | { type: "clearText"; revision: number; settings: Settings; seed: number; rows: number }
  | { type: "inspect"; revision: number; position: number; settings: Settings; rows: number }
  | { type: "call"; runId: number; call: Call };
export type TokenKind = "text" | "bytes" | "special" | "unused";
export type TokenColumn = { ids: Uint32Array; text: string[]; spoken: string[]; kind: TokenKind[] };
export type Cut = { kind: ChainKind; value: number; keptBefore: number; keptAfter: number };
export type Rest = { count: number; baseProbability: number; probability: number; kept: number };
export type Draw = { id: number; uniform: number | null; low: number; high: number };
export type Distribution = {
  contextTokens: number;
  tokens: TokenColumn;
  ranks: Uint32Array;
  rawLogits: Float32Array;
  baseProbabilities: Float64Array;
  probabilities: Float64Array;
  cutBy: Uint8Array;
  cuts: Cut[];
  rest: Rest;
  vocabulary: number;
  kept: number;
  greedy: boolean;
  draw: Draw;
  pickedId: number | null;
};
export type Step = {
  index: number;
  id: number;
  text: string;
  shown: string;
  spoken: string;
  kind: TokenKind;
  baseProbability: number;
  probability: number;
  rank: number;
  forwardMs: number;
  samplingMs: number;
};
export type Shape = { name: string; dimensions: number[] };
export type StopReason = "endToken" | "maxNewTokens" | "stopString" | "contextFull" | "user";
export type RunSummary = {
  seed: number;
  promptTokens: number;
  newTokens: number;
  finalText: string;
  forwardCalls: number;
  canContinue: boolean;
};
export type Memory = { weightBytes: number; kvUsedBytes: number; kvReservedBytes: number; wasmBytes: number };
export type IgnoredTensor = { name: string; reason: string };
export type ConvertedTensor = { name: string; from: string; to: string };
export type LoadReport = {
  bytes: number;
  dtypes: string[];
  tensors: number;
  ignored: IgnoredTensor[];
  converted: ConvertedTensor[];
};
export type ModelCard = {
  vocabSize: number;
  hiddenSize: number;
  numHiddenLayers: number;
  numAttentionHeads: number;
  intermediateSize: number;
  maxPositionEmbeddings: number;
  rotaryDimensions: number;
  hiddenAct: string;
  useParallelResidual: boolean;
  tieWordEmbeddings: boolean;
  eosTokenId: number | null;
  tokenizerEntries: number | null;
  parameters: number;
  report: LoadReport;
  memory: Memory;
  kernel: string;
  precision: string;
};
export type FullStep = {
  rawLogits: Float32Array;
  processedLogits: Float32Array;
  baseProbabilities: Float64Array;
  probabilities: Float64Array;
  ranking: Uint32Array;
  cuts: Cut[];
  draw: Draw;
};
export type TimingsMs = {
  tokenize: number;
  prefill: number;
  decodeSteps: Float64Array;
  sampling: number;
  detokenize: number;
  firstToken: number;
  total: number;
};
export type Generated = {
  ids: Uint32Array;
  newIds: Uint32Array;
  text: string | null;
  stopReason: StopReason;
  forwardCalls: number;
  seed: number;
  timingsMs: TimingsMs;
  memoryBytes: Memory;
};
export type Answer =
  | { method: "tokenize"; tokens: TokenColumn }
  | { method: "logits"; logits: Float32Array }
  | { method: "sampleStep"; step: FullStep }
  | { method: "generate"; result: Generated };
export type ErrorCode =
  | "config"
  | "checkpoint"
  | "tokenizer"
  | "settings"
  | "context"
  | "numeric"
  | "compute"
  | "command"
  | "noModel";
export type ErrorDetails = { subject: string | null; expected: string | null; found: string | null };
export type WireError = { code: ErrorCode; message: string; details: ErrorDetails };
export type Event =
  | { type: "tokenized"; revision: number; tokens: TokenColumn; tokenizeMs: number }
  | {
      type: "prefilled";
      revision: number;
      tokens: number;
      reusedTokens: number;
      prefillMs: number;
      memory: Memory;
    }
  | { type: "previewed"; revision: number; distribution: Distribution }
  | {
      type: "stepped";
      runId: number;
      revision: number;
      steps: Step[];
      distribution: Distribution;
      memory: Memory;
    }
  | {
      type: "inspected";
      revision: number;
      position: number;
      distribution: Distribution;
      nextId: number | null;
      shapes: Shape[];
    }
  | { type: "stopped"; runId: number; reason: StopReason; summary: RunSummary }
  | { type: "failed"; runId: number | null; revision: number | null; error: WireError }
  | { type: "callStepped"; runId: number; step: Step }
  | { type: "answered"; runId: number; answer: Answer };
