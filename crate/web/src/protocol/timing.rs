//! Times of a run, and what a person waits for. What each figure is from where to where, `lab/latency.rs` of the engine says.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::Serialize;

use crate::columns::{F64Column, U32Column};

/// Times of a run of the page. Pauses between tokens are in none of them.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunTiming {
    /// Of the prompt, when it was read; null where the run went on from a text.
    pub tokenize_ms: Option<f64>,
    /// Of the prompt, when it was read; null where the run went on from a text.
    pub prefill_ms: Option<f64>,
    /// Positions that the prefill computed, and those that it had from the prompt before.
    pub prefill_tokens: usize,
    pub reused_tokens: usize,
    /// Forward passes of this run after the prefill, and their time.
    pub decode_steps: usize,
    pub decode_ms: f64,
    /// All picks of the run.
    pub sampling_ms: f64,
    /// All texts of the run.
    pub detokenize_ms: f64,
    /// What is left of the time from the start of the run to its last token: bars, messages, the page's history.
    pub other_ms: f64,
    /// From the start of the run to its first token, where the prompt had been read before.
    pub after_start_ms: Option<f64>,
    /// Whether the run waited after a token.
    pub paced: bool,
    /// Counts the runs and timed calls of this worker since its model was loaded; the first one is cold.
    pub run_of_model: usize,
    pub latency: Latency,
}

/// What a person waits for, in milliseconds. The request starts when work on its prompt starts.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Latency {
    pub output_tokens: usize,
    /// Time to first token.
    pub first_token_ms: Option<f64>,
    /// Until the last token.
    pub request_ms: Option<f64>,
    /// (t_N - t_1) / (N - 1), null where N is 1.
    pub mean_interval_ms: Option<f64>,
    /// Inter-token latencies.
    pub interval_ms: Option<Spread>,
    /// Over the whole request.
    pub output_tokens_per_second: Option<f64>,
    /// After the first token.
    pub decode_tokens_per_second: Option<f64>,
    /// Of the prefill.
    pub input_tokens_per_second: Option<f64>,
    /// 0 where the clock was not seen to move.
    pub clock_step_ms: f64,
    /// Tokens that were timed together, so that each group lasts ten steps of the clock.
    pub group_tokens: usize,
    /// Whether each does: a run may be too short for that even as one group.
    pub resolved: bool,
    pub groups: TokenGroups,
}

/// Output tokens as they were timed, one row a group; times are those of one token of the group.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TokenGroups {
    /// The first token of each group, from 0 among the run's tokens.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub first: U32Column,
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub tokens: U32Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub interval_ms: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub model_ms: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub sampling_ms: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub detokenize_ms: F64Column,
}

/// Some values in short, in their own unit. Quantiles between two values are interpolated linearly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Spread {
    pub count: usize,
    pub smallest: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    pub p95: f64,
    pub largest: f64,
}
