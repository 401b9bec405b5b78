//! A text that is there already: what the model says of each of its tokens. And digests of the weights in memory.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::{Deserialize, Serialize};

use super::{Prompt, TokenColumn};
use crate::columns::{F64Column, U32Column};

/// Which text, and what stands before it.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScoreCall {
    pub prompt: Prompt,
    /// A token in front of the text, from which its first token is predicted; absent is none.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub start_id: Option<u32>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub kernel: Option<String>,
}

/// The model's own chances at temperature 1, of one pass over the text. Columns are parallel to the scored tokens: those of
/// `tokens` from `unscored` on.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TextScores {
    pub tokens: TokenColumn,
    /// Tokens at the beginning without a score: 1, or 0 after a start token.
    pub unscored: usize,
    /// In nats.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub log_probabilities: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub probabilities: F64Column,
    /// From 0.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub ranks: U32Column,
    /// The likeliest token of each position.
    pub top_tokens: TokenColumn,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub top_probabilities: F64Column,
    /// Null where nothing was scored.
    pub summary: Option<TextSummary>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TextSummary {
    /// Tokens that were scored.
    pub tokens: usize,
    /// Sum of the log-probabilities, in nats.
    pub log_probability: f64,
    /// exp of the mean negative log-probability.
    pub perplexity: f64,
    /// UTF-8 bytes of the scored tokens; null without a tokenizer.
    pub bytes: Option<usize>,
    pub characters: Option<usize>,
    pub nats_per_byte: Option<f64>,
    pub nats_per_character: Option<f64>,
}

/// SHA-256 in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WeightsDigest {
    /// Of the tensors as their file stores them.
    pub checkpoint: String,
    pub checkpoint_bytes: usize,
    /// Of what the kernel computes with.
    pub model: String,
    /// What is shared with the checkpoint counts here too.
    pub model_bytes: usize,
    pub kernel: String,
    pub precision: String,
}
