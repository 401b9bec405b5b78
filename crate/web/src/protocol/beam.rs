//! Beam search on the wire: its options, its texts, and its tree as columns.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::{Deserialize, Serialize};

use super::{StopReason, TokenColumn};
use crate::columns::{F64Column, U8Column, U32Column};

/// When a search with as many finished texts as beams ends, as in transformers: `true` at once, `false` when a better one
/// is unlikely, `"never"` when none is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum EarlyStopping {
    Flag(bool),
    Word(Never),
}

impl Default for EarlyStopping {
    fn default() -> Self {
        Self::Flag(false)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Never {
    Never,
}

/// What a beam search found, best first.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BeamResult {
    pub sequences: Vec<BeamSequence>,
    pub tree: BeamTree,
    pub forward_calls: usize,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BeamSequence {
    /// The end token included.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub new_ids: U32Column,
    /// Without the end token; null without a tokenizer.
    pub text: Option<String>,
    /// `sum` divided by the number of new tokens to the power of the length penalty.
    pub score: f64,
    /// Sum of the tokens' log-probabilities.
    pub sum: f64,
    pub stop_reason: StopReason,
    /// Its last token: an index into the rows of the tree.
    pub leaf: usize,
}

/// The continuations that a search looked at, one row each, step by step and best first. Columns are parallel to
/// `tokens.ids`. A part of a tree counts its rows from the beginning of the whole, so that parts can be put together.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BeamTree {
    /// How many new tokens come before the row's own.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub steps: U32Column,
    /// 0: continues the prompt; 1 + n: continues row n of the whole tree.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub parents: U32Column,
    pub tokens: TokenColumn,
    /// Natural logarithm of the token's probability after its parent.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub log_probabilities: F64Column,
    /// Sum of the log-probabilities from the prompt to this row.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub sums: F64Column,
    /// The sum under the length penalty.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub scores: F64Column,
    /// 0: dropped; 1: kept, a beam of the next step; 2: finished.
    #[cfg_attr(test, ts(type = "Uint8Array"))]
    pub fates: U8Column,
}
