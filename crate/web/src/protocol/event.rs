//! Worker to page.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::Serialize;

use super::{Answer, BeamTree, ChainKind, Comparison, Entropy, Margin, RunTiming, StepHistory};
use crate::columns::{F32Column, F64Column, U8Column, U32Column};

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
    /// The prompt's keys and values are in the cache. `discardedTokens` were in it before and had to go.
    Prefilled {
        revision: u32,
        tokens: usize,
        reused_tokens: usize,
        discarded_tokens: usize,
        prefill_ms: f64,
        memory: Memory,
    },
    /// The bars, from the kept logits.
    Previewed {
        revision: u32,
        distribution: Distribution,
    },
    /// Tokens of a run, in order, with the bars of the newest of them. At full speed the bars come about as often as a
    /// display shows a picture: `distribution` is null where they are not due, and the ones before stay. Whenever the run
    /// waits or ends they are up to date, for which an event may come that has bars and no step. Settings that leave
    /// nothing to pick from are told by `failed`, never by null.
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
    /// The text after the prompt is this now. `texts` is what each token makes showable, empty without a tokenizer.
    Branched {
        revision: u32,
        tokens: TokenColumn,
        texts: Vec<String>,
        /// Positions, prompt included, that were computed before.
        reused_tokens: usize,
    },
    /// Rows of step `step` (index among the new tokens; the one after the last is the next token's).
    Shown {
        revision: u32,
        step: usize,
        distribution: Distribution,
    },
    Compared {
        revision: u32,
        step: usize,
        first_id: u32,
        second_id: u32,
        comparison: Comparison,
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
    /// How far an experiment of a lab panel is, in units of its own; about a hundred times in all.
    CallProgressed {
        run_id: u32,
        done: usize,
        total: usize,
    },
    /// The next steps of a beam search under way; the answer holds the whole tree.
    BeamStepped {
        run_id: u32,
        tree: BeamTree,
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
    /// After penalties and bans, before the chain; minus infinity for banned tokens.
    #[cfg_attr(test, ts(type = "Float32Array"))]
    pub processed_logits: F32Column,
    /// The processed logit divided by the temperature, minus the largest such.
    #[cfg_attr(test, ts(type = "Float32Array"))]
    pub scaled_logits: F32Column,
    /// The model's own chances: softmax of the raw logits.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub base_probabilities: F64Column,
    /// What is drawn from; 0 for cut tokens.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub probabilities: F64Column,
    /// Chance of the row and all above it: as top-p sees it in its place of the chain, or, where top-p is off, of what is
    /// drawn from.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub cumulative: F64Column,
    /// The row's interval on the strip from 0 to 1: a uniform number from `lows` to below `highs` picks it. Both are 1 for
    /// tokens that are not kept.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub lows: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub highs: F64Column,
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
    /// Of the model's own chances.
    pub base_entropy: Entropy,
    /// Of what is drawn from.
    pub entropy: Entropy,
    /// By how much the first row of the ranking leads the second; null where it is alone.
    pub margin: Option<Margin>,
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
    pub detokenize_ms: f64,
    /// The step in short, for runs of the page; null for console calls.
    pub history: Option<StepHistory>,
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
    pub timing: RunTiming,
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
    /// The model takes more memory than there is.
    Memory,
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
