//! The wire format between page and worker: two closed unions, [`Command`] and [`Event`].
//!
//! Commands return nothing; every answer is an event that carries the id of what it answers. `www/src/protocol.d.ts` is
//! written from these types and a test holds it fresh. Bulk numbers are columns ([`crate::columns`]), never arrays of
//! objects; seeds are `u32`; names carry their units.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use crate::columns::{F32Column, F64Column, U8Column, U32Column};
use serde::{Deserialize, Serialize};

// ---------------------------------------------------------------------------------------------------- page to worker

/// What the page asks of a worker.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Command {
    /// Text or ids under the prompt box: tokenize at once, prefill in chunks, then preview. A newer one replaces it.
    /// Answers: `tokenized`, `prefilled`, `previewed`; or `failed` with this revision.
    Prepare { revision: u32, prompt: Prompt, settings: Settings, seed: u32, rows: usize },
    /// New settings: they govern the next token of a running run, and redraw the bars from the kept logits otherwise.
    /// Answer: `previewed` (none while a run is making tokens; its `stepped` events carry the revision).
    Configure { revision: u32, settings: Settings, seed: u32, rows: usize },
    /// Makes tokens. One run ends in exactly one `stopped` or `failed`.
    Start {
        run_id: u32,
        revision: u32,
        from: StartFrom,
        settings: Settings,
        seed: u32,
        rows: usize,
        limits: Limits,
        pace: Pace,
    },
    /// One more token of a run whose pace is `stepped`.
    Advance { run_id: u32 },
    /// Changes the pace of a run.
    SetPace { run_id: u32, pace: Pace },
    /// Ends a run or a console call; its `stopped` event has the reason `user`.
    Stop { run_id: u32 },
    /// Forgets the generated text; the prompt stays prefilled. Answer: `previewed`.
    ClearText { revision: u32, settings: Settings, seed: u32, rows: usize },
    /// The model's prediction after prompt token `position` (from 0). Answer: `inspected`.
    Inspect { revision: u32, position: usize, settings: Settings, rows: usize },
    /// A call of the console API. Answers: `answered` or `failed` with this id; `generate` also sends `callStepped`.
    Call { run_id: u32, call: Call },
}

/// Where a run starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StartFrom {
    /// At the end of the prompt; text generated before is forgotten.
    Prompt,
    /// At the end of the text so far; the random words go on where they were.
    End,
}

/// How fast a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Pace {
    /// As fast as it can.
    Full,
    /// One token for each `advance`.
    Stepped,
}

/// A prompt, as text or as token ids.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Prompt {
    Text(String),
    Ids(Vec<u32>),
}

/// When a run ends by itself.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Limits {
    pub max_new_tokens: usize,
    /// Stop strings; the text up to one is shown, nothing after.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub stop: Vec<String>,
    /// Go on past the end token.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub ignore_eos: bool,
    /// The end token: absent is the configuration's, `null` is none.
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(test, ts(optional, as = "Option<Option<u32>>"))]
    pub eos_id: Option<Option<u32>>,
}

/// Sampling settings; what is absent is off.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Settings {
    pub greedy: Option<bool>,
    pub chain: Option<Vec<ChainStep>>,
    pub repetition_penalty: Option<f64>,
    pub no_repeat_ngram: Option<f64>,
    pub suppress: Option<Vec<u32>>,
    pub min_new_tokens: Option<f64>,
}

/// One filter of the chain. `value` is a number of tokens for `topK`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChainStep {
    pub kind: ChainKind,
    pub value: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ChainKind {
    Temperature,
    TopK,
    TopP,
    MinP,
}

/// A call of the console API (docs/scripting.md).
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "method", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Call {
    Tokenize {
        text: String,
    },
    Logits {
        ids: Vec<u32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Positions>"))]
        positions: Positions,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        cache: Option<bool>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
    SampleStep {
        logits: Vec<f32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<u32>>"))]
        history: Vec<u32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
        settings: Settings,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        uniform: Option<f64>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seed: Option<u32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        prompt_length: Option<usize>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        eos_id: Option<u32>,
    },
    Generate {
        prompt: Prompt,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
        settings: Settings,
        seed: u32,
        limits: Limits,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        cache: Option<bool>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Positions {
    #[default]
    Last,
    All,
}

// ---------------------------------------------------------------------------------------------------- worker to page

/// What a worker tells the page.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    Tokenized {
        revision: u32,
        tokens: TokenColumn,
        tokenize_ms: f64,
    },
    /// The prompt's keys and values are in the cache.
    Prefilled {
        revision: u32,
        tokens: usize,
        reused_tokens: usize,
        prefill_ms: f64,
        memory: Memory,
    },
    /// The bars, from the kept logits.
    Previewed {
        revision: u32,
        distribution: Distribution,
    },
    /// Tokens of a run, in order; the distribution is that of the newest of them
    /// (null where new settings leave nothing to pick from).
    Stepped {
        run_id: u32,
        revision: u32,
        steps: Vec<Step>,
        distribution: Option<Distribution>,
        memory: Memory,
    },
    /// The prediction after one prompt token, and the shapes from ids to logits.
    Inspected {
        revision: u32,
        position: usize,
        distribution: Distribution,
        next_id: Option<u32>,
        shapes: Vec<Shape>,
    },
    Stopped {
        run_id: u32,
        reason: StopReason,
        summary: RunSummary,
    },
    /// A command that could not be carried out. A run or call that it belonged to has ended.
    Failed {
        run_id: Option<u32>,
        revision: Option<u32>,
        error: WireError,
    },
    CallStepped {
        run_id: u32,
        step: Step,
    },
    Answered {
        run_id: u32,
        answer: Answer,
    },
}

/// Tokens as columns; `text`, `spoken` and `kind` are parallel to `ids`.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TokenColumn {
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub ids: U32Column,
    /// What is shown: white space and partial bytes are visible.
    pub text: Vec<String>,
    /// What is said: "space, the", "newline", "byte E2".
    pub spoken: Vec<String>,
    pub kind: Vec<TokenKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum TokenKind {
    Text,
    /// Part of a UTF-8 character.
    Bytes,
    /// A special token such as the end of text.
    Special,
    /// A row of the model that no tokenizer entry names.
    Unused,
}

/// A projection of one sampling step for display: its top rows and everything else together.
///
/// Rows are in the order of the ranking (processed logits, descending, ties by id). A token that was picked, or that these
/// settings pick, is among them even when it stands below the top rows. Columns are parallel to `tokens.ids`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Distribution {
    /// Positions before the predicted one.
    pub context_tokens: usize,
    pub tokens: TokenColumn,
    /// Rank of each row, from 0.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub ranks: U32Column,
    #[cfg_attr(test, ts(type = "Float32Array"))]
    pub raw_logits: F32Column,
    /// The model's own chances: softmax of the raw logits.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub base_probabilities: F64Column,
    /// What is drawn from; 0 for cut tokens.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub probabilities: F64Column,
    /// 0: kept; 1 + n: cut by entry n of `cuts`; 255: banned before the chain.
    #[cfg_attr(test, ts(type = "Uint8Array"))]
    pub cut_by: U8Column,
    pub cuts: Vec<Cut>,
    /// All tokens that are not rows.
    pub rest: Rest,
    pub vocabulary: usize,
    pub kept: usize,
    pub greedy: bool,
    /// What these settings pick with this step's uniform number.
    pub draw: Draw,
    /// The token that was in fact picked from these logits, if one was.
    pub picked_id: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Cut {
    pub kind: ChainKind,
    pub value: f64,
    pub kept_before: usize,
    pub kept_after: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Rest {
    pub count: usize,
    pub base_probability: f64,
    pub probability: f64,
    /// How many of them are kept.
    pub kept: usize,
}

/// The pick: the first rank whose cumulative chance exceeds `uniform`. Greedy uses no uniform number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Draw {
    pub id: u32,
    pub uniform: Option<f64>,
    /// The token's interval on the cumulative strip.
    pub low: f64,
    pub high: f64,
}

/// One generated token.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Index among the new tokens, from 0.
    pub index: usize,
    pub id: u32,
    /// Text that became showable with this token; empty while a character or a stop string may still be forming.
    pub text: String,
    pub shown: String,
    pub spoken: String,
    pub kind: TokenKind,
    /// What it was drawn with.
    pub probability: f64,
    /// Its place in the ranking, from 0.
    pub rank: usize,
    /// The model alone; 0 where the logits were already there.
    pub forward_ms: f64,
    pub sampling_ms: f64,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Shape {
    pub name: String,
    /// The field's term, such as "embedding" or "logits".
    pub dimensions: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StopReason {
    EndToken,
    MaxNewTokens,
    StopString,
    ContextFull,
    User,
}

/// What a run amounted to. Pauses between steps are in no figure.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    pub seed: u32,
    pub prompt_tokens: usize,
    /// New tokens since the prompt.
    pub new_tokens: usize,
    /// Text held back during the run and released at its end.
    pub final_text: String,
    /// Forward calls since the prompt: one prefill, then one a token.
    pub forward_calls: usize,
    pub can_continue: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    pub weight_bytes: usize,
    pub kv_used_bytes: usize,
    pub kv_reserved_bytes: usize,
    /// The WebAssembly memory as a whole.
    pub wasm_bytes: usize,
}

/// What was loaded.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ModelCard {
    pub vocab_size: usize,
    pub hidden_size: usize,
    pub num_hidden_layers: usize,
    pub num_attention_heads: usize,
    pub intermediate_size: usize,
    pub max_position_embeddings: usize,
    pub rotary_dimensions: usize,
    pub hidden_act: String,
    pub use_parallel_residual: bool,
    pub tie_word_embeddings: bool,
    pub eos_token_id: Option<u32>,
    /// Entries of the tokenizer, or null without one.
    pub tokenizer_entries: Option<usize>,
    pub parameters: usize,
    pub report: LoadReport,
    pub memory: Memory,
    pub kernel: String,
    pub precision: String,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoadReport {
    /// Bytes of the weight files.
    pub bytes: usize,
    /// Stored dtypes, most bytes first.
    pub dtypes: Vec<String>,
    pub tensors: usize,
    pub ignored: Vec<IgnoredTensor>,
    pub converted: Vec<ConvertedTensor>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct IgnoredTensor {
    pub name: String,
    pub reason: String,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConvertedTensor {
    pub name: String,
    pub from: String,
    pub to: String,
}

/// An answer to a console call.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "method", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Answer {
    Tokenize {
        tokens: TokenColumn,
    },
    Logits {
        #[cfg_attr(test, ts(type = "Float32Array"))]
        logits: F32Column,
    },
    SampleStep {
        step: FullStep,
    },
    Generate {
        result: Box<Generated>,
    },
}

/// Every stage of one sampling step over the full vocabulary; arrays are indexed by token id.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FullStep {
    #[cfg_attr(test, ts(type = "Float32Array"))]
    pub raw_logits: F32Column,
    /// After penalties and bans, before the chain.
    #[cfg_attr(test, ts(type = "Float32Array"))]
    pub processed_logits: F32Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub base_probabilities: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub probabilities: F64Column,
    /// All ids, best first.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub ranking: U32Column,
    pub cuts: Vec<Cut>,
    pub draw: Draw,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Generated {
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub ids: U32Column,
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub new_ids: U32Column,
    pub text: Option<String>,
    pub stop_reason: StopReason,
    pub forward_calls: usize,
    pub seed: u32,
    pub timings_ms: TimingsMs,
    pub memory_bytes: Memory,
}

/// Times of one generation; `total` runs from the call to the last token, without waiting in the queue.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TimingsMs {
    pub tokenize: f64,
    pub prefill: f64,
    /// N-1 times of the model alone.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub decode_steps: F64Column,
    pub sampling: f64,
    pub detokenize: f64,
    /// Null before there is one.
    pub first_token: Option<f64>,
    pub total: f64,
}

/// An error as it crosses; `www/src/errors.js` has a title, advice and an action for every code.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WireError {
    pub code: ErrorCode,
    pub message: String,
    pub details: ErrorDetails,
}

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetails {
    pub subject: Option<String>,
    pub expected: Option<String>,
    pub found: Option<String>,
}

/// Codes that the engine's shell gives out. The page adds those of download and worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    Config,
    Checkpoint,
    Tokenizer,
    Settings,
    Context,
    Numeric,
    Compute,
    /// A message that is not a command.
    Command,
    /// A command that needs a model before one is loaded.
    NoModel,
}

/// Tells an absent field (`None`) from an explicit null (`Some(None)`).
fn present<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
