//! What was loaded.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::{Deserialize, Serialize};

use super::Memory;

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
    /// Ids of the tokenizer that have no row in the model.
    pub tokenizer_ids_beyond: usize,
    pub parameters: usize,
    pub report: LoadReport,
    pub memory: Memory,
    /// What was reckoned before the weights came, or null where nothing was.
    pub memory_need: Option<MemoryNeed>,
    pub kernel: String,
    /// One name, or the classes of weights that are not f32: `head=int8`.
    pub precision: String,
    /// How keys and values are kept.
    pub kv_cache: String,
    pub simd: SimdLevel,
}

/// What the model takes with its context full, in bytes by part, and what there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MemoryNeed {
    pub weight_bytes: u64,
    pub kv_cache_bytes: u64,
    pub work_bytes: u64,
    pub tokenizer_bytes: u64,
    pub total_bytes: u64,
    pub limit_bytes: u64,
}

/// One prompt of a model and what a sound machine makes of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SelfTestReference {
    /// SHA-256 of the weights that it is true of.
    pub weights: String,
    pub ids: Vec<u32>,
    /// Some logits after the last id, as `[id, logit]`.
    pub logits: Vec<(u32, f32)>,
    /// FNV-1a of the bits of all logits of the exact engine, 16 hexadecimal digits.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub digest: Option<String>,
}

/// Whether this browser computes as it should.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SelfTestOutcome {
    pub passed: bool,
    /// Tokens of the prompt.
    pub tokens: usize,
    /// Of the known logits.
    pub largest_difference: f32,
    /// What was allowed; null where every bit of every logit had to be right.
    pub tolerance: Option<f32>,
}

/// Which build of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SimdLevel {
    /// The same bits on every machine.
    Baseline,
    /// Relaxed multiply-add: faster, and its last digits may differ from machine to machine.
    Relaxed,
}

impl SimdLevel {
    /// That of this build.
    pub const BUILT: Self =
        if logit_lab_engine::model::kernels::RELAXED_SIMD { Self::Relaxed } else { Self::Baseline };

    /// As on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Relaxed => "relaxed",
        }
    }
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
