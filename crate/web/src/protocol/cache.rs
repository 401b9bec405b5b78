//! What forward passes compute and reuse, two paths compared step by step, and what the engine has in memory.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::{Deserialize, Serialize};

use super::TokenColumn;
use crate::columns::{F32Column, F64Column, U8Column, U32Column};

/// The newest forward pass, in positions. Each stands for a key and a value in every layer.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CacheState {
    pub reused: usize,
    pub computed: usize,
    /// In the cache before, and thrown away.
    pub discarded: usize,
    /// In the cache before, and of tokens that the text before had at the same place.
    pub shared: usize,
    /// Whether runs reuse keys and values.
    pub cache: bool,
    pub layers: usize,
    /// Tokens of the prompt; those after it in `tokens` are the text's.
    pub prompt_tokens: usize,
    /// Those that the pass was to read, and the ones that it has not read yet.
    pub tokens: TokenColumn,
}

/// One of two paths that are compared.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CheckPath {
    /// Absent: the kernel that is loaded.
    #[cfg_attr(test, ts(optional))]
    pub kernel: Option<String>,
    /// Absent: with the cache.
    #[cfg_attr(test, ts(optional))]
    pub cache: Option<bool>,
}

/// What both paths read after the prompt.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum CheckContinuation {
    /// These tokens: as many steps as there are. The last is predicted and not read.
    Ids(Vec<u32>),
    /// So many steps, each with the first path's likeliest token.
    Greedy(usize),
}

/// Two paths on one text, as columns: one entry a step.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CacheCheckResult {
    /// Prompt and continuation.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub ids: U32Column,
    pub prompt_length: usize,
    /// Steps that were asked for; the columns have fewer after a stop.
    pub total: usize,
    /// Positions that the step's logits have read.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub contexts: U32Column,
    /// Largest logit difference.
    #[cfg_attr(test, ts(type = "Float32Array"))]
    pub differences: F32Column,
    /// The token whose logits differ most.
    pub most_different: TokenColumn,
    /// 1: every logit has the same bits.
    #[cfg_attr(test, ts(type = "Uint8Array"))]
    pub same_bits: U8Column,
    /// The token with the largest logit on each path.
    pub first_best: TokenColumn,
    pub second_best: TokenColumn,
    /// Forward pass and output head on each path.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub first_ms: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub second_ms: F64Column,
}

/// What is allocated, counted, in bytes; `wasmBytes` is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MemoryUse {
    /// Weights as the kernel computes with them.
    pub weight_bytes: usize,
    /// The file's own numbers, where the kernel has made others of them.
    pub file_copy_bytes: usize,
    /// Weights of a second kernel that comparisons have asked for.
    pub second_kernel_bytes: usize,
    pub kv_used_bytes: usize,
    pub kv_reserved_bytes: usize,
    pub activation_bytes: usize,
    pub workspace_bytes: usize,
    /// The WebAssembly memory as a whole.
    pub wasm_bytes: usize,
    /// What is not counted of it; null where more was counted than measured.
    pub other_bytes: Option<usize>,
    /// 2 x layers x hidden size x bytes of a number.
    pub kv_bytes_per_position: usize,
    pub kv_number_bytes: usize,
    /// Positions in the cache.
    pub positions: usize,
}
