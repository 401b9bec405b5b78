// Written from crate/web/src/protocol.rs by `LOGIT_LAB_UPDATE=1 cargo test -p logit-lab-web`; do not edit.

/**
 * An answer to a console call.
 */
export type Answer = { "method": "tokenize", tokens: TokenColumn, } | { "method": "detokenize", tokens: TokenColumn, text: string, } | { "method": "logits", logits: Float32Array, } | { "method": "predict", distribution: Distribution, } | { "method": "sampleStep", step: FullStep, } | { "method": "generate", result: Generated, } | { "method": "cacheCheck", result: CacheCheckResult, } | { "method": "cacheState", result: CacheState, } | { "method": "memoryUse", result: MemoryUse, } | { "method": "headTime", 
/**
 * Of one application, on average.
 */
ms: number, } | { "method": "beam", result: BeamResult, } | { "method": "draws", result: Draws, } | { "method": "samples", samples: Array<Sample>, 
/**
 * How many of them differ in their tokens.
 */
distinct: number, } | { "method": "batch", result: BatchResult, } | { "method": "score", result: TextScores, } | { "method": "weightsDigest", result: WeightsDigest, } | { "method": "fiveMeanings", meanings: Array<PrecisionMeaning>, } | { "method": "precisionReport", result: PrecisionTable, } | { "method": "describeNumber", result: NumberDescription, } | { "method": "quantizeBlock", result: BlockScaling, } | { "method": "packedBytes", result: PackedBytes, } | { "method": "benchmark", outcomes: Array<Outcome>, } | { "method": "summarize", summary: BenchmarkSummary, } | { "method": "replay", result: Replayed, };

/**
 * The request's run alone.
 */
export type BatchAlone = { run: OtherText, 
/**
 * Of its own run.
 */
runMs: number, 
/**
 * Its own run and those of all requests before it.
 */
latencyMs: number, 
/**
 * Of a logit, while both had made the same tokens; null where nothing could be compared.
 */
largestLogitDifference: number | null, 
/**
 * Tokens whose logits were compared.
 */
compared: number, };

/**
 * What is to be run, and how.
 */
export type BatchCall = { requests: Array<BatchRequest>, settings?: Settings, 
/**
 * Rows of a batch; absent is all requests in one.
 */
rows?: number, 
/**
 * A waiting request takes the place of a finished one.
 */
continuous?: boolean, 
/**
 * Shortest prompts first.
 */
sortByLength?: boolean, 
/**
 * Rows in the opposite order.
 */
reversed?: boolean, 
/**
 * The batch a second time, with its rows in the opposite order.
 */
alsoReversed?: boolean, padding?: PaddingSide, 
/**
 * The seed of one random stream for all rows, a mistake to look at; absent: each request has its own.
 */
sharedSeed?: number, 
/**
 * Go on past the end token.
 */
ignoreEos?: boolean, 
/**
 * The end token: absent is the configuration's, `null` is none.
 */
eosId?: number | null, };

/**
 * A batch from the moment it was put together.
 */
export type BatchLayout = { 
/**
 * Columns that it began with.
 */
startColumns: number, 
/**
 * Whether those were copied from an earlier batch, and not run as prompts.
 */
carried: boolean, 
/**
 * Columns after those.
 */
steps: number, rows: Array<BatchRow>, };

export type BatchRequest = { 
/**
 * What its result is attached to.
 */
name: string, prompt: Prompt, seed: number, maxNewTokens: number, };

/**
 * Times count the work alone, from the first prompt column on, for all requests from the same moment.
 */
export type BatchResult = { 
/**
 * As they were given, whatever the order of the rows.
 */
requests: Array<BatchedRequest>, 
/**
 * Places of the requests in the order in which they got rows.
 */
order: Uint32Array, layouts: Array<BatchLayout>, work: BatchWork, newTokens: number, batchMs: number, 
/**
 * Those of `batchMs` in which newcomers were let in while the others waited.
 */
admissionMs: number, 
/**
 * New tokens of all requests together; null where no time passed.
 */
tokensPerSecond: number | null, 
/**
 * One request after the other; null where none was finished.
 */
aloneMs: number | null, tokensPerSecondAlone: number | null, };

export type BatchRow = { 
/**
 * Its place among the requests.
 */
request: number, 
/**
 * One for each column: 0 padding, 1 prompt, 2 new token, 3 computed although finished.
 */
cells: Uint8Array, 
/**
 * 1 where the query of a column sees the key of a column: rows of `maskColumns`, the first ones of the batch.
 */
mask: Uint8Array, maskColumns: number, };

/**
 * What went through the model, in places: one row in one column.
 */
export type BatchWork = { 
/**
 * Tokens of running requests; as many as one at a time.
 */
real: number, padding: number, 
/**
 * Of rows that were finished.
 */
finished: number, forwardCalls: number, 
/**
 * Times that the batch was put together anew.
 */
rebuilds: number, 
/**
 * Keys and values that this copied.
 */
copiedBytes: number, };

export type BatchedRequest = { name: string, seed: number, promptTokens: TokenColumn, newTokens: TokenColumn, text: string | null, 
/**
 * Null where it was stopped before its end.
 */
stopReason: StopReason | null, firstTokenMs: number | null, 
/**
 * From the start of all to its last token.
 */
latencyMs: number | null, 
/**
 * Null where the experiment was stopped before.
 */
alone: BatchAlone | null, 
/**
 * With the rows in the opposite order, where that was asked for.
 */
reversed: OtherText | null, };

/**
 * What a beam search found, best first.
 */
export type BeamResult = { sequences: Array<BeamSequence>, tree: BeamTree, forwardCalls: number, };

export type BeamSequence = { 
/**
 * The end token included.
 */
newIds: Uint32Array, 
/**
 * Without the end token; null without a tokenizer.
 */
text: string | null, 
/**
 * `sum` divided by the number of new tokens to the power of the length penalty.
 */
score: number, 
/**
 * Sum of the tokens' log-probabilities.
 */
sum: number, stopReason: StopReason, 
/**
 * Its last token: an index into the rows of the tree.
 */
leaf: number, };

/**
 * The continuations that a search looked at, one row each, step by step and best first. Columns are parallel to
 * `tokens.ids`. A part of a tree counts its rows from the beginning of the whole, so that parts can be put together.
 */
export type BeamTree = { 
/**
 * How many new tokens come before the row's own.
 */
steps: Uint32Array, 
/**
 * 0: continues the prompt; 1 + n: continues row n of the whole tree.
 */
parents: Uint32Array, tokens: TokenColumn, 
/**
 * Natural logarithm of the token's probability after its parent.
 */
logProbabilities: Float64Array, 
/**
 * Sum of the log-probabilities from the prompt to this row.
 */
sums: Float64Array, 
/**
 * The sum under the length penalty.
 */
scores: Float64Array, 
/**
 * 0: dropped; 1: kept, a beam of the next step; 2: finished.
 */
fates: Uint8Array, };

/**
 * A fixed workload, and how often it is run: `warm_ups` runs that are marked so, then `repeats`.
 */
export type BenchmarkCall = { 
/**
 * The prompt, cut into tokens once and for all.
 */
ids: Array<number>, settings?: Settings, seed: number, limits: Limits, 
/**
 * Makes exactly `maxNewTokens` tokens: no end token and no stop string ends a run.
 */
forced?: boolean, warmUps: number, repeats: number, cache?: boolean, kernel?: string, };

export type BenchmarkComparison = { pairs: number, 
/**
 * Chance that all pairs are on one side where neither is faster.
 */
chanceOfOneSide: number, metrics: Array<MetricRatio>, };

/**
 * Outcomes in short, warm-ups left out.
 */
export type BenchmarkSummary = { first: Array<MetricValues>, second: Array<MetricValues>, 
/**
 * Null without a second configuration.
 */
comparison: BenchmarkComparison | null, };

/**
 * Bits with one meaning: "sign", "exponent", "fraction" or "code".
 */
export type BitField = { name: string, bits: string, };

/**
 * A list quantised with one scale, and with a scale for each block.
 */
export type BlockScaling = { values: Float64Array, format: string, codeBits: number, whole: Quantised, blocks: Quantised, };

/**
 * What the filters do with a token exactly on the border: keep as few as reach it, or as the often taught listing does.
 */
export type Boundary = "smallest" | "listing";

/**
 * Two paths on one text, as columns: one entry a step.
 */
export type CacheCheckResult = { 
/**
 * Prompt and continuation.
 */
ids: Uint32Array, promptLength: number, 
/**
 * Steps that were asked for; the columns have fewer after a stop.
 */
total: number, 
/**
 * Positions that the step's logits have read.
 */
contexts: Uint32Array, 
/**
 * Largest logit difference.
 */
differences: Float32Array, 
/**
 * The token whose logits differ most.
 */
mostDifferent: TokenColumn, 
/**
 * 1: every logit has the same bits.
 */
sameBits: Uint8Array, 
/**
 * The token with the largest logit on each path.
 */
firstBest: TokenColumn, secondBest: TokenColumn, 
/**
 * Forward pass and output head on each path.
 */
firstMs: Float64Array, secondMs: Float64Array, };

/**
 * The newest forward pass, in positions. Each stands for a key and a value in every layer.
 */
export type CacheState = { reused: number, computed: number, 
/**
 * In the cache before, and thrown away.
 */
discarded: number, 
/**
 * In the cache before, and of tokens that the text before had at the same place.
 */
shared: number, 
/**
 * Whether runs reuse keys and values.
 */
cache: boolean, layers: number, 
/**
 * Tokens of the prompt; those after it in `tokens` are the text's.
 */
promptTokens: number, 
/**
 * Those that the pass was to read, and the ones that it has not read yet.
 */
tokens: TokenColumn, };

/**
 * A call of the console API (docs/scripting.md).
 */
export type Call = { "method": "tokenize", text: string, } | { "method": "detokenize", ids: Array<number>, } | { "method": "logits", ids: Array<number>, positions?: Positions, 
/**
 * Where the prompt of a run ends: what follows is then read as the run read it, one token at a time.
 */
promptLength?: number, cache?: boolean, kernel?: string, } | { "method": "predict", ids: Array<number>, promptLength: number, settings?: Settings, seed: number, rows: number, 
/**
 * A token whose row is wanted whatever its rank: the answer's `pickedId`.
 */
markedId?: number, cache?: boolean, kernel?: string, } | { "method": "sampleStep", logits: Array<number>, history?: Array<number>, settings?: Settings, uniform?: number, seed?: number, promptLength?: number, eosId?: number, } | { "method": "generate", prompt: Prompt, settings?: Settings, seed: number, limits: Limits, cache?: boolean, kernel?: string, } | { "method": "draws", logits?: Array<number>, settings?: Settings, seed: number, draws: number, } | { "method": "samples", prompt: Prompt, settings?: Settings, seed: number, count: number, limits: Limits, cache?: boolean, kernel?: string, } | { "method": "cacheCheck", 
/**
 * The prompt.
 */
ids: Array<number>, continuation: CheckContinuation, first: CheckPath, second: CheckPath, 
/**
 * The output head for every position that a call reads; absent: for the last one.
 */
allPositions?: boolean, } | { "method": "cacheState", } | { "method": "memoryUse", } | { "method": "headTime", repeats: number, } | { "method": "benchmark" } & BenchmarkCall | { "method": "summarize", first: Array<Outcome>, 
/**
 * Run n of it was made beside run n of the first. Empty: there is nothing to compare.
 */
second?: Array<Outcome>, } | { "method": "replay", ids: Array<number>, parts: Array<ReplayPart>, forced?: Array<ForcedToken>, cache?: boolean, kernel?: string, } | { "method": "beam", prompt: Prompt, beams: number, 
/**
 * 1 if absent.
 */
numReturn?: number, 
/**
 * 1 if absent.
 */
lengthPenalty?: number, earlyStopping?: EarlyStopping, maxNewTokens: number, 
/**
 * The end token: absent is the configuration's, `null` is none.
 */
eosId?: number | null, kernel?: string, } | { "method": "batch" } & BatchCall | { "method": "score" } & ScoreCall | { "method": "weightsDigest", } | { "method": "fiveMeanings" } | { "method": "precisionReport", prompt: Prompt, precisions?: Array<string>, kernel?: string, } | { "method": "describeNumber", value: number, largest?: number, } | { "method": "quantizeBlock", values: Array<number>, blockSize: number, format: string, } | { "method": "packedBytes", weights: number, codeBits: number, group: number, scaleBytes: number, };

export type ChainKind = "temperature" | "topK" | "topP" | "minP";

/**
 * One filter of the chain. `value` is a number of tokens for `topK`.
 */
export type ChainStep = { kind: ChainKind, value: number, };

/**
 * What both paths read after the prompt.
 */
export type CheckContinuation = { "ids": Array<number> } | { "greedy": number };

/**
 * One of two paths that are compared.
 */
export type CheckPath = { 
/**
 * Absent: the kernel that is loaded.
 */
kernel?: string, 
/**
 * Absent: with the cache.
 */
cache?: boolean, };

/**
 * What the page asks of a worker.
 */
export type Command = { "type": "prepare", revision: number, prompt: Prompt, settings: Settings, seed: number, rows: number, } | { "type": "configure", revision: number, settings: Settings, seed: number, rows: number, } | { "type": "start", runId: number, revision: number, from: StartFrom, settings: Settings, seed: number, rows: number, limits: Limits, pace: Pace, } | { "type": "advance", runId: number, } | { "type": "setPace", runId: number, pace: Pace, } | { "type": "stop", runId: number, } | { "type": "clearText", revision: number, settings: Settings, seed: number, rows: number, } | { "type": "inspect", revision: number, position: number, settings: Settings, rows: number, } | { "type": "branch", revision: number, newIds: Array<number>, settings: Settings, seed: number, rows: number, } | { "type": "show", revision: number, step: number | null, settings: Settings | null, seed: number | null, select: Select, } | { "type": "compare", revision: number, step: number | null, settings: Settings | null, seed: number | null, firstId: number, secondId: number, } | { "type": "useCache", cache: boolean, } | { "type": "call", runId: number, call: Call, };

/**
 * Two tokens: gaps of their logits, first minus second, and the odds that follow.
 */
export type Comparison = { 
/**
 * Of the raw logits.
 */
rawGap: number, 
/**
 * The model's own odds: e to the power of `rawGap`.
 */
baseOdds: number, 
/**
 * Of the processed logits divided by the temperature; null where one of the two is not kept.
 */
scaledGap: number | null, 
/**
 * The odds with the settings: e to the power of `scaledGap`.
 */
odds: number | null, };

export type ConvertedTensor = { name: string, from: string, to: string, };

export type Cut = { kind: ChainKind, value: number, keptBefore: number, keptAfter: number, };

/**
 * A projection of one sampling step for display: its top rows and everything else together.
 *
 * Rows are in the order of the ranking (processed logits, descending, ties by id). A token that was picked, or that these
 * settings pick, is among them even when it stands below the top rows. Columns are parallel to `tokens.ids`.
 */
export type Distribution = { 
/**
 * Positions before the predicted one.
 */
contextTokens: number, tokens: TokenColumn, 
/**
 * Rank of each row, from 0.
 */
ranks: Uint32Array, rawLogits: Float32Array, 
/**
 * After penalties and bans, before the chain; minus infinity for banned tokens.
 */
processedLogits: Float32Array, 
/**
 * The processed logit divided by the temperature, minus the largest such.
 */
scaledLogits: Float32Array, 
/**
 * The model's own chances: softmax of the raw logits.
 */
baseProbabilities: Float64Array, 
/**
 * What is drawn from; 0 for cut tokens.
 */
probabilities: Float64Array, 
/**
 * Chance of the row and all above it: as top-p sees it in its place of the chain, or, where top-p is off, of what is
 * drawn from.
 */
cumulative: Float64Array, 
/**
 * The row's interval on the strip from 0 to 1: a uniform number from `lows` to below `highs` picks it. Both are 1 for
 * tokens that are not kept.
 */
lows: Float64Array, highs: Float64Array, 
/**
 * 0: kept; 1 + n: cut by entry n of `cuts`; 255: banned before the chain.
 */
cutBy: Uint8Array, cuts: Array<Cut>, 
/**
 * All tokens that are not rows.
 */
rest: Rest, vocabulary: number, kept: number, greedy: boolean, 
/**
 * What these settings pick with this step's uniform number.
 */
draw: Draw, 
/**
 * The token that was in fact picked from these logits, if one was.
 */
pickedId: number | null, 
/**
 * Of the model's own chances.
 */
baseEntropy: Entropy, 
/**
 * Of what is drawn from.
 */
entropy: Entropy, 
/**
 * By how much the first row of the ranking leads the second; null where it is alone.
 */
margin: Margin | null, };

/**
 * The pick: the first rank whose cumulative chance exceeds `uniform`. Greedy uses no uniform number.
 */
export type Draw = { id: number, uniform: number | null, 
/**
 * The token's interval on the cumulative strip.
 */
low: number, high: number, };

/**
 * Many draws from one distribution, beside what was to be expected. Columns are parallel to `tokens.ids`.
 */
export type Draws = { seed: number, draws: number, 
/**
 * Tokens that were drawn at least once, in the order of the ranking.
 */
tokens: TokenColumn, counts: Uint32Array, 
/**
 * What they are drawn with.
 */
probabilities: Float64Array, 
/**
 * Largest difference between a token's share of the draws and its chance, over all tokens.
 */
largestDeviation: number, 
/**
 * Pearson's statistic, with rare tokens in one bin.
 */
chiSquare: number, degreesOfFreedom: number, 
/**
 * What the statistic exceeds in 5 of 100 honest runs.
 */
chiSquare95: number, };

/**
 * When a search with as many finished texts as beams ends, as in transformers: `true` at once, `false` when a better one
 * is unlikely, `"never"` when none is possible.
 */
export type EarlyStopping = boolean | Never;

/**
 * How spread out a distribution is.
 */
export type Entropy = { nats: number, bits: number, 
/**
 * How many equally likely tokens have this entropy: e to the power of `nats`.
 */
effectiveVocabulary: number, };

/**
 * Codes that the engine's shell gives out. The page adds those of download and worker.
 */
export type ErrorCode = "config" | "checkpoint" | "memory" | "tokenizer" | "settings" | "context" | "numeric" | "compute" | "command" | "noModel";

export type ErrorDetails = { subject: string | null, expected: string | null, found: string | null, };

/**
 * What a worker tells the page.
 */
export type Event = { "type": "tokenized", revision: number, tokens: TokenColumn, tokenizeMs: number, } | { "type": "prefilled", revision: number, tokens: number, reusedTokens: number, discardedTokens: number, prefillMs: number, memory: Memory, } | { "type": "previewed", revision: number, distribution: Distribution, } | { "type": "stepped", runId: number, revision: number, steps: Array<Step>, distribution: Distribution | null, memory: Memory, } | { "type": "inspected", revision: number, position: number, distribution: Distribution, nextId: number | null, shapes: Array<Shape>, } | { "type": "branched", revision: number, tokens: TokenColumn, texts: Array<string>, 
/**
 * Positions, prompt included, that were computed before.
 */
reusedTokens: number, } | { "type": "shown", revision: number, step: number, distribution: Distribution, } | { "type": "compared", revision: number, step: number, firstId: number, secondId: number, comparison: Comparison, } | { "type": "stopped", runId: number, reason: StopReason, summary: RunSummary, } | { "type": "failed", runId: number | null, revision: number | null, error: WireError, } | { "type": "callStepped", runId: number, step: Step, } | { "type": "callProgressed", runId: number, done: number, total: number, } | { "type": "beamStepped", runId: number, tree: BeamTree, } | { "type": "answered", runId: number, answer: Answer, };

/**
 * Exponents are those of powers of two.
 */
export type FloatFacts = { exponentField: number, bias: number, spacingFromOneExponent: number, smallestNormalExponent: number, smallestSubnormalExponent: number, };

/**
 * A token that is put in and not drawn.
 */
export type ForcedToken = { 
/**
 * Among the new tokens, from 0.
 */
index: number, id: number, };

/**
 * Every stage of one sampling step over the full vocabulary; arrays are indexed by token id.
 */
export type FullStep = { rawLogits: Float32Array, 
/**
 * After penalties and bans, before the chain.
 */
processedLogits: Float32Array, 
/**
 * The processed logit divided by the temperature, minus the largest such.
 */
scaledLogits: Float32Array, baseProbabilities: Float64Array, probabilities: Float64Array, 
/**
 * As in a `Distribution`.
 */
cumulative: Float64Array, lows: Float64Array, highs: Float64Array, 
/**
 * 0: kept; 1 + n: cut by entry n of `cuts`; 255: banned before the chain.
 */
cutBy: Uint8Array, 
/**
 * All ids, best first.
 */
ranking: Uint32Array, cuts: Array<Cut>, draw: Draw, baseEntropy: Entropy, entropy: Entropy, margin: Margin | null, };

export type Generated = { ids: Uint32Array, newIds: Uint32Array, text: string | null, stopReason: StopReason, forwardCalls: number, seed: number, timingsMs: TimingsMs, 
/**
 * What a person waits for, from the call on.
 */
latency: Latency, memoryBytes: Memory, };

export type IgnoredTensor = { name: string, reason: string, };

/**
 * What a person waits for, in milliseconds. The request starts when work on its prompt starts.
 */
export type Latency = { outputTokens: number, 
/**
 * Time to first token.
 */
firstTokenMs: number | null, 
/**
 * Until the last token.
 */
requestMs: number | null, 
/**
 * (t_N - t_1) / (N - 1), null where N is 1.
 */
meanIntervalMs: number | null, 
/**
 * Inter-token latencies.
 */
intervalMs: Spread | null, 
/**
 * Over the whole request.
 */
outputTokensPerSecond: number | null, 
/**
 * After the first token.
 */
decodeTokensPerSecond: number | null, 
/**
 * Of the prefill.
 */
inputTokensPerSecond: number | null, 
/**
 * 0 where the clock was not seen to move.
 */
clockStepMs: number, 
/**
 * Tokens that were timed together, so that each group lasts ten steps of the clock.
 */
groupTokens: number, 
/**
 * Whether each does: a run may be too short for that even as one group.
 */
resolved: boolean, groups: TokenGroups, };

/**
 * When a run ends by itself.
 */
export type Limits = { maxNewTokens: number, 
/**
 * Stop strings; the text up to one is shown, nothing after.
 */
stop?: Array<string>, 
/**
 * Go on past the end token.
 */
ignoreEos?: boolean, 
/**
 * The end token: absent is the configuration's, `null` is none.
 */
eosId?: number | null, };

export type LoadReport = { 
/**
 * Bytes of the weight files.
 */
bytes: number, 
/**
 * Stored dtypes, most bytes first.
 */
dtypes: Array<string>, tensors: number, ignored: Array<IgnoredTensor>, converted: Array<ConvertedTensor>, };

/**
 * Between ranks 0 and 1.
 */
export type Margin = { 
/**
 * Of the processed logits.
 */
logit: number, probability: number, };

/**
 * Of several repeats.
 */
export type MeasuredSpeed = { median: number, lowest: number, highest: number, };

export type Memory = { weightBytes: number, kvUsedBytes: number, kvReservedBytes: number, 
/**
 * The WebAssembly memory as a whole.
 */
wasmBytes: number, };

/**
 * What the model takes with its context full, in bytes by part, and what there may be.
 */
export type MemoryNeed = { weightBytes: number, kvCacheBytes: number, workBytes: number, tokenizerBytes: number, totalBytes: number, limitBytes: number, };

/**
 * What is allocated, counted, in bytes; `wasmBytes` is measured.
 */
export type MemoryUse = { 
/**
 * Weights as the kernel computes with them.
 */
weightBytes: number, 
/**
 * The file's own numbers, where the kernel has made others of them.
 */
fileCopyBytes: number, 
/**
 * Weights of a second kernel that comparisons have asked for.
 */
secondKernelBytes: number, kvUsedBytes: number, kvReservedBytes: number, activationBytes: number, workspaceBytes: number, 
/**
 * The WebAssembly memory as a whole.
 */
wasmBytes: number, 
/**
 * What is not counted of it; null where more was counted than measured.
 */
otherBytes: number | null, 
/**
 * 2 x layers x hidden size x bytes of a number.
 */
kvBytesPerPosition: number, kvNumberBytes: number, 
/**
 * Positions in the cache.
 */
positions: number, };

export type MetricName = "prefillMs" | "decodeMsPerToken" | "totalMs" | "tokensPerSecond";

/**
 * Second by first, pair by pair.
 */
export type MetricRatio = { metric: MetricName, ratios: Array<number>, ratio: Spread | null, verdict: Verdict, };

/**
 * One metric of one configuration.
 */
export type MetricValues = { metric: MetricName, 
/**
 * Null where no run has it.
 */
spread: Spread | null, };

/**
 * What was loaded.
 */
export type ModelCard = { vocabSize: number, hiddenSize: number, numHiddenLayers: number, numAttentionHeads: number, intermediateSize: number, maxPositionEmbeddings: number, rotaryDimensions: number, hiddenAct: string, useParallelResidual: boolean, tieWordEmbeddings: boolean, eosTokenId: number | null, 
/**
 * Entries of the tokenizer, or null without one.
 */
tokenizerEntries: number | null, 
/**
 * Ids of the tokenizer that have no row in the model.
 */
tokenizerIdsBeyond: number, parameters: number, report: LoadReport, memory: Memory, 
/**
 * What was reckoned before the weights came, or null where nothing was.
 */
memoryNeed: MemoryNeed | null, kernel: string, 
/**
 * One name, or the classes of weights that are not f32: `head=int8`.
 */
precision: string, 
/**
 * How keys and values are kept.
 */
kvCache: string, simd: SimdLevel, };

export type Never = "never";

/**
 * A number as each format stores it.
 */
export type NumberDescription = { value: number, formats: Array<StoredNumber>, 
/**
 * The largest number that shares a scale with it, in the formats with one.
 */
largestOfScale: number, 
/**
 * As FP32 stores the number itself; as FP16 does; and as FP32 stores what FP16 stored.
 */
direct: StoredNumber, saved: StoredNumber, widened: StoredNumber, 
/**
 * Whether narrowing it again gives the bits that were saved.
 */
narrowsBack: boolean, 
/**
 * Every value that a code of 4 bits names, from -1 to 1.
 */
int4Codes: Float64Array, nf4Codes: Float64Array, };

export type NumberKind = "normal" | "subnormal" | "zero" | "infinite" | "notANumber" | "code" | "clipped";

/**
 * Another run of the same request.
 */
export type OtherText = { newIds: Uint32Array, text: string | null, 
/**
 * The first new token, from 0, in which it differs from the batch; null where it does not.
 */
firstDifference: number | null, };

/**
 * One run of a benchmark.
 */
export type Outcome = { 
/**
 * It counts in no figure.
 */
warmUp: boolean, outputTokens: number, prefillMs: number, 
/**
 * The model alone, of all tokens after the first.
 */
decodeMs: number, 
/**
 * The engine's work from the prompt's ids to the last token's text.
 */
totalMs: number, clockStepMs: number, };

/**
 * How fast a run goes.
 */
export type Pace = "full" | "stepped";

/**
 * Bytes of packed weights, before alignment, metadata and any other tensor. 1 MiB is 2^20 bytes.
 */
export type PackedBytes = { codeBytes: number, groups: number, scaleBytes: number, totalBytes: number, codeMib: number, scaleMib: number, totalMib: number, };

export type PaddingSide = "left" | "right";

export type Positions = "last" | "all" | { "some": { first: number, count: number, } };

export type PrecisionFact = { part: string, format: string, detail: string, };

export type PrecisionFigures = { 
/**
 * All weights as the kernel keeps them, scales included.
 */
weightBytes: number, scaleBytes: number, 
/**
 * Keys and values of one position.
 */
kvTokenBytes: number, largestLogitError: number, rmsLogitError: number, 
/**
 * KL(reference || this), mean over the positions.
 */
klDivergenceNats: number, 
/**
 * Share of the positions.
 */
top1Agreement: number, 
/**
 * Tokens whose own log-probability was read: all but the first.
 */
scoredTokens: number, 
/**
 * Null for a text of one token.
 */
perplexity: number | null, prefillTokensPerSecond: MeasuredSpeed | null, decodeTokensPerSecond: MeasuredSpeed | null, };

/**
 * One of the five things that "precision" can mean, for the model that is loaded.
 */
export type PrecisionMeaning = { name: string, question: string, facts: Array<PrecisionFact>, };

export type PrecisionRow = { 
/**
 * As it was asked for.
 */
name: string, 
/**
 * Why it equals the F32 row or differs from it, by the formats of the file.
 */
note: string | null, 
/**
 * Null where there are none: then `refused` says why.
 */
figures: PrecisionFigures | null, refused: string | null, };

/**
 * Precisions compared on one text.
 */
export type PrecisionTable = { 
/**
 * Of the text.
 */
tokens: number, kernel: string, 
/**
 * Tokens of the timed prefill, decode steps after it, and how often both were timed.
 */
prefillTokens: number, decodeSteps: number, repeats: number, 
/**
 * Those that are done, all of them unless the call was stopped.
 */
rows: Array<PrecisionRow>, };

/**
 * A prompt, as text or as token ids.
 */
export type Prompt = { "text": string } | { "ids": Array<number> };

export type Quantised = { blockSize: number, 
/**
 * One for each block, in BF16.
 */
scales: Float64Array, codes: Uint32Array, 
/**
 * What the codes stand for, times their scale.
 */
values: Float64Array, 
/**
 * What was stored less what was given.
 */
errors: Float64Array, largestError: number, rmsError: number, 
/**
 * Numbers that became 0.
 */
lost: number, bytes: PackedBytes, };

/**
 * One of the runs that made a text.
 */
export type ReplayPart = { 
/**
 * Index among the new tokens of the first that it makes.
 */
first: number, 
/**
 * `uniform` decides about that token.
 */
settings: Settings, seed: number, limits: Limits, };

/**
 * What came of it.
 */
export type Replayed = { 
/**
 * The new tokens.
 */
tokens: TokenColumn, text: string | null, 
/**
 * Null where the text ends with a token that was put in.
 */
stopReason: StopReason | null, };

export type Rest = { count: number, baseProbability: number, probability: number, 
/**
 * How many of them are kept.
 */
kept: number, };

/**
 * What a run amounted to. Pauses between steps are in no figure.
 */
export type RunSummary = { seed: number, promptTokens: number, 
/**
 * New tokens since the prompt.
 */
newTokens: number, 
/**
 * Text held back during the run and released at its end.
 */
finalText: string, 
/**
 * Forward calls since the prompt: one prefill, then one a token.
 */
forwardCalls: number, canContinue: boolean, timing: RunTiming, };

/**
 * Times of a run of the page. Pauses between tokens are in none of them.
 */
export type RunTiming = { 
/**
 * Of the prompt, when it was read; null where the run went on from a text.
 */
tokenizeMs: number | null, 
/**
 * Of the prompt, when it was read; null where the run went on from a text.
 */
prefillMs: number | null, 
/**
 * Positions that the prefill computed, and those that it had from the prompt before.
 */
prefillTokens: number, reusedTokens: number, 
/**
 * Forward passes of this run after the prefill, and their time.
 */
decodeSteps: number, decodeMs: number, 
/**
 * All picks of the run.
 */
samplingMs: number, 
/**
 * All texts of the run.
 */
detokenizeMs: number, 
/**
 * What is left of the time from the start of the run to its last token: bars, messages, the page's history.
 */
otherMs: number, 
/**
 * From the start of the run to its first token, where the prompt had been read before.
 */
afterStartMs: number | null, 
/**
 * Whether the run waited after a token.
 */
paced: boolean, 
/**
 * Counts the runs and timed calls of this worker since its model was loaded; the first one is cold.
 */
runOfModel: number, latency: Latency, };

/**
 * One of several texts after the same prompt.
 */
export type Sample = { 
/**
 * The seed that repeats it.
 */
seed: number, newIds: Uint32Array, text: string | null, stopReason: StopReason, };

/**
 * Which text, and what stands before it.
 */
export type ScoreCall = { prompt: Prompt, 
/**
 * A token in front of the text, from which its first token is predicted; absent is none.
 */
startId?: number, kernel?: string, };

/**
 * Which rows of a step.
 */
export type Select = { "top": { count: number, } } | { "ranks": { first: number, count: number, } } | { "ids": Array<number> } | { "text": { text: string, count: number, } };

/**
 * Sampling settings; what is absent is off.
 */
export type Settings = { greedy?: boolean, chain?: Array<ChainStep>, repetitionPenalty?: number, noRepeatNgram?: number, suppress?: Array<number>, minNewTokens?: number, boundary?: Boundary, 
/**
 * Decides about the token that the bars show, or with `start` about the first of the run, in place of the seed's
 * number; from 0 to below 1.
 */
uniform?: number, };

export type Shape = { name: string, 
/**
 * The field's term, such as "embedding" or "logits".
 */
dimensions: Array<number>, };

/**
 * Which build of the engine.
 */
export type SimdLevel = "baseline" | "relaxed";

/**
 * Some values in short, in their own unit. Quantiles between two values are interpolated linearly.
 */
export type Spread = { count: number, smallest: number, lowerQuartile: number, median: number, upperQuartile: number, p95: number, largest: number, };

/**
 * Where a run starts.
 */
export type StartFrom = "prompt" | "end";

/**
 * One generated token.
 */
export type Step = { 
/**
 * Index among the new tokens, from 0.
 */
index: number, id: number, 
/**
 * Text that became showable with this token; empty while a character or a stop string may still be forming.
 */
text: string, shown: string, spoken: string, kind: TokenKind, 
/**
 * What it was drawn with.
 */
probability: number, 
/**
 * Its place in the ranking, from 0.
 */
rank: number, 
/**
 * The model alone; 0 where the logits were already there.
 */
forwardMs: number, samplingMs: number, detokenizeMs: number, 
/**
 * The step in short, for runs of the page; null for console calls.
 */
history: StepHistory | null, };

/**
 * What a history keeps of a step; the whole can be asked for again.
 */
export type StepHistory = { 
/**
 * The first ranks.
 */
top: TokenColumn, probabilities: Float64Array, 
/**
 * Chance of all other tokens together.
 */
rest: number, kept: number, 
/**
 * The number that decided; null for greedy.
 */
uniform: number | null, 
/**
 * The model's own chance of the picked token.
 */
baseProbability: number, 
/**
 * Of what was drawn from.
 */
entropy: Entropy, margin: Margin | null, };

export type StopReason = "endToken" | "maxNewTokens" | "stopString" | "contextFull" | "user";

export type StoredNumber = { format: string, fields: Array<BitField>, kind: NumberKind, value: number, 
/**
 * The stored value less the number.
 */
error: number, relativeError: number | null, 
/**
 * To the next larger number in size.
 */
spacing: number | null, 
/**
 * The same as a power of two, where it is one.
 */
spacingExponent: number | null, largest: number, 
/**
 * What becomes of larger numbers.
 */
overflow: string, 
/**
 * Null for a format with a scale.
 */
float: FloatFacts | null, scale: number | null, };

/**
 * The model's own chances at temperature 1, of one pass over the text. Columns are parallel to the scored tokens: those of
 * `tokens` from `unscored` on.
 */
export type TextScores = { tokens: TokenColumn, 
/**
 * Tokens at the beginning without a score: 1, or 0 after a start token.
 */
unscored: number, 
/**
 * In nats.
 */
logProbabilities: Float64Array, probabilities: Float64Array, 
/**
 * From 0.
 */
ranks: Uint32Array, 
/**
 * The likeliest token of each position.
 */
topTokens: TokenColumn, topProbabilities: Float64Array, 
/**
 * Null where nothing was scored.
 */
summary: TextSummary | null, };

export type TextSummary = { 
/**
 * Tokens that were scored.
 */
tokens: number, 
/**
 * Sum of the log-probabilities, in nats.
 */
logProbability: number, 
/**
 * exp of the mean negative log-probability.
 */
perplexity: number, 
/**
 * UTF-8 bytes of the scored tokens; null without a tokenizer.
 */
bytes: number | null, characters: number | null, natsPerByte: number | null, natsPerCharacter: number | null, };

/**
 * Times of one generation; `total` runs from the call to the last token, without waiting in the queue.
 */
export type TimingsMs = { tokenize: number, prefill: number, 
/**
 * N-1 times of the model alone.
 */
decodeSteps: Float64Array, sampling: number, detokenize: number, 
/**
 * Null before there is one.
 */
firstToken: number | null, total: number, };

/**
 * Tokens as columns; `text`, `spoken` and `kind` are parallel to `ids`.
 */
export type TokenColumn = { ids: Uint32Array, 
/**
 * What is shown: white space and partial bytes are visible.
 */
text: Array<string>, 
/**
 * What is said: "space, the", "newline", "byte E2".
 */
spoken: Array<string>, kind: Array<TokenKind>, };

/**
 * Output tokens as they were timed, one row a group; times are those of one token of the group.
 */
export type TokenGroups = { 
/**
 * The first token of each group, from 0 among the run's tokens.
 */
first: Uint32Array, tokens: Uint32Array, intervalMs: Float64Array, modelMs: Float64Array, samplingMs: Float64Array, detokenizeMs: Float64Array, };

export type TokenKind = "text" | "bytes" | "special" | "unused";

/**
 * Who is faster, or why nobody is said to be.
 */
export type Verdict = "first" | "second" | "lengthsDiffer" | "spreadCoversOne" | "tooFewPairs" | "clockTooCoarse" | "notMeasured";

/**
 * SHA-256 in hexadecimal.
 */
export type WeightsDigest = { 
/**
 * Of the tensors as their file stores them.
 */
checkpoint: string, checkpointBytes: number, 
/**
 * Of what the kernel computes with.
 */
model: string, 
/**
 * What is shared with the checkpoint counts here too.
 */
modelBytes: number, kernel: string, precision: string, };

/**
 * An error as it crosses; `www/src/errors.js` has a title, advice and an action for every code.
 */
export type WireError = { code: ErrorCode, message: string, details: ErrorDetails, };
