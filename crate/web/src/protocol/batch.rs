//! Several requests in padded batches, beside the same requests one at a time.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::{Deserialize, Serialize};

use super::command::present;
use super::{Prompt, Settings, StopReason, TokenColumn};
use crate::columns::{U8Column, U32Column};

/// What is to be run, and how.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BatchCall {
    pub requests: Vec<BatchRequest>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
    pub settings: Settings,
    /// Rows of a batch; absent is all requests in one.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub rows: Option<usize>,
    /// A waiting request takes the place of a finished one.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub continuous: bool,
    /// Shortest prompts first.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub sort_by_length: bool,
    /// Rows in the opposite order.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub reversed: bool,
    /// The batch a second time, with its rows in the opposite order.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub also_reversed: bool,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<PaddingSide>"))]
    pub padding: PaddingSide,
    /// The seed of one random stream for all rows, a mistake to look at; absent: each request has its own.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub shared_seed: Option<u32>,
    /// Go on past the end token.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub ignore_eos: bool,
    /// The end token: absent is the configuration's, `null` is none.
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(test, ts(optional, as = "Option<Option<u32>>"))]
    pub eos_id: Option<Option<u32>>,
}

#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BatchRequest {
    /// What its result is attached to.
    pub name: String,
    pub prompt: Prompt,
    pub seed: u32,
    pub max_new_tokens: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PaddingSide {
    #[default]
    Left,
    /// The last column is read all the same: a mistake to look at.
    Right,
}

/// Times count the work alone, from the first prompt column on, for all requests from the same moment.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BatchResult {
    /// As they were given, whatever the order of the rows.
    pub requests: Vec<BatchedRequest>,
    /// Places of the requests in the order in which they got rows.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub order: U32Column,
    pub layouts: Vec<BatchLayout>,
    pub work: BatchWork,
    pub new_tokens: usize,
    pub batch_ms: f64,
    /// Those of `batchMs` in which newcomers were let in while the others waited.
    pub admission_ms: f64,
    /// New tokens of all requests together; null where no time passed.
    pub tokens_per_second: Option<f64>,
    /// One request after the other; null where none was finished.
    pub alone_ms: Option<f64>,
    pub tokens_per_second_alone: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BatchedRequest {
    pub name: String,
    pub seed: u32,
    pub prompt_tokens: TokenColumn,
    pub new_tokens: TokenColumn,
    pub text: Option<String>,
    /// Null where it was stopped before its end.
    pub stop_reason: Option<StopReason>,
    pub first_token_ms: Option<f64>,
    /// From the start of all to its last token.
    pub latency_ms: Option<f64>,
    /// Null where the experiment was stopped before.
    pub alone: Option<BatchAlone>,
    /// With the rows in the opposite order, where that was asked for.
    pub reversed: Option<OtherText>,
}

/// The request's run alone.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BatchAlone {
    pub run: OtherText,
    /// Of its own run.
    pub run_ms: f64,
    /// Its own run and those of all requests before it.
    pub latency_ms: f64,
    /// Of a logit, while both had made the same tokens; null where nothing could be compared.
    pub largest_logit_difference: Option<f32>,
    /// Tokens whose logits were compared.
    pub compared: usize,
}

/// Another run of the same request.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OtherText {
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub new_ids: U32Column,
    pub text: Option<String>,
    /// The first new token, from 0, in which it differs from the batch; null where it does not.
    pub first_difference: Option<usize>,
}

/// A batch from the moment it was put together.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BatchLayout {
    /// Columns that it began with.
    pub start_columns: usize,
    /// Whether those were copied from an earlier batch, and not run as prompts.
    pub carried: bool,
    /// Columns after those.
    pub steps: usize,
    pub rows: Vec<BatchRow>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BatchRow {
    /// Its place among the requests.
    pub request: usize,
    /// One for each column: 0 padding, 1 prompt, 2 new token, 3 computed although finished.
    #[cfg_attr(test, ts(type = "Uint8Array"))]
    pub cells: U8Column,
    /// 1 where the query of a column sees the key of a column: rows of `maskColumns`, the first ones of the batch.
    #[cfg_attr(test, ts(type = "Uint8Array"))]
    pub mask: U8Column,
    pub mask_columns: usize,
}

/// What went through the model, in places: one row in one column.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BatchWork {
    /// Tokens of running requests; as many as one at a time.
    pub real: usize,
    pub padding: usize,
    /// Of rows that were finished.
    pub finished: usize,
    pub forward_calls: usize,
    /// Times that the batch was put together anew.
    pub rebuilds: usize,
    /// Keys and values that this copied.
    pub copied_bytes: usize,
}
