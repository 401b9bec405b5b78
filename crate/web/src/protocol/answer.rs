//! Answers to console calls.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::Serialize;

use super::{
    BatchResult, BeamResult, BenchmarkSummary, BlockScaling, CacheCheckResult, CacheState, Cut, Distribution,
    Draw, Draws, Entropy, Latency, Margin, Memory, MemoryUse, NumberDescription, Outcome, PackedBytes,
    PrecisionMeaning, PrecisionTable, Replayed, StopReason, TextScores, TokenColumn, WeightsDigest,
};
use crate::columns::{F32Column, F64Column, U8Column, U32Column};

/// An answer to a console call.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "method", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Answer {
    Tokenize {
        tokens: TokenColumn,
    },
    Detokenize {
        tokens: TokenColumn,
        text: String,
    },
    Logits {
        #[cfg_attr(test, ts(type = "Float32Array"))]
        logits: F32Column,
    },
    Predict {
        distribution: Box<Distribution>,
    },
    SampleStep {
        step: FullStep,
    },
    Generate {
        result: Box<Generated>,
    },
    CacheCheck {
        result: Box<CacheCheckResult>,
    },
    CacheState {
        result: CacheState,
    },
    MemoryUse {
        result: MemoryUse,
    },
    HeadTime {
        /// Of one application, on average.
        ms: f64,
    },
    Beam {
        result: BeamResult,
    },
    Draws {
        result: Draws,
    },
    Samples {
        samples: Vec<Sample>,
        /// How many of them differ in their tokens.
        distinct: usize,
    },
    Batch {
        result: Box<BatchResult>,
    },
    Score {
        result: Box<TextScores>,
    },
    WeightsDigest {
        result: WeightsDigest,
    },
    FiveMeanings {
        meanings: Vec<PrecisionMeaning>,
    },
    PrecisionReport {
        result: PrecisionTable,
    },
    DescribeNumber {
        result: Box<NumberDescription>,
    },
    QuantizeBlock {
        result: BlockScaling,
    },
    PackedBytes {
        result: PackedBytes,
    },
    Benchmark {
        outcomes: Vec<Outcome>,
    },
    Summarize {
        summary: BenchmarkSummary,
    },
    Replay {
        result: Box<Replayed>,
    },
}

/// One of several texts after the same prompt.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// The seed that repeats it.
    pub seed: u32,
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub new_ids: U32Column,
    pub text: Option<String>,
    pub stop_reason: StopReason,
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
    /// The processed logit divided by the temperature, minus the largest such.
    #[cfg_attr(test, ts(type = "Float32Array"))]
    pub scaled_logits: F32Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub base_probabilities: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub probabilities: F64Column,
    /// As in a `Distribution`.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub cumulative: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub lows: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub highs: F64Column,
    /// 0: kept; 1 + n: cut by entry n of `cuts`; 255: banned before the chain.
    #[cfg_attr(test, ts(type = "Uint8Array"))]
    pub cut_by: U8Column,
    /// All ids, best first.
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub ranking: U32Column,
    pub cuts: Vec<Cut>,
    pub draw: Draw,
    pub base_entropy: Entropy,
    pub entropy: Entropy,
    pub margin: Option<Margin>,
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
    /// What a person waits for, from the call on.
    pub latency: Latency,
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
