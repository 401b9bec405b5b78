//! What the precision panel is told: the five meanings, the table of precisions, numbers in their formats.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::Serialize;

use crate::columns::{F64Column, U32Column};

/// One of the five things that "precision" can mean, for the model that is loaded.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PrecisionMeaning {
    pub name: String,
    pub question: String,
    pub facts: Vec<PrecisionFact>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PrecisionFact {
    pub part: String,
    pub format: String,
    pub detail: String,
}

/// Precisions compared on one text.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PrecisionTable {
    /// Of the text.
    pub tokens: usize,
    pub kernel: String,
    /// Tokens of the timed prefill, decode steps after it, and how often both were timed.
    pub prefill_tokens: usize,
    pub decode_steps: usize,
    pub repeats: usize,
    /// Those that are done, all of them unless the call was stopped.
    pub rows: Vec<PrecisionRow>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PrecisionRow {
    /// As it was asked for.
    pub name: String,
    /// Why it equals the F32 row or differs from it, by the formats of the file.
    pub note: Option<String>,
    /// Null where there are none: then `refused` says why.
    pub figures: Option<PrecisionFigures>,
    pub refused: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PrecisionFigures {
    /// All weights as the kernel keeps them, scales included.
    pub weight_bytes: usize,
    pub scale_bytes: usize,
    /// Keys and values of one position.
    pub kv_token_bytes: usize,
    pub largest_logit_error: f64,
    pub rms_logit_error: f64,
    /// KL(reference || this), mean over the positions.
    pub kl_divergence_nats: f64,
    /// Share of the positions.
    pub top1_agreement: f64,
    /// Tokens whose own log-probability was read: all but the first.
    pub scored_tokens: usize,
    /// Null for a text of one token.
    pub perplexity: Option<f64>,
    pub prefill_tokens_per_second: Option<MeasuredSpeed>,
    pub decode_tokens_per_second: Option<MeasuredSpeed>,
}

/// Of several repeats.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MeasuredSpeed {
    pub median: f64,
    pub lowest: f64,
    pub highest: f64,
}

/// A number as each format stores it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NumberDescription {
    pub value: f64,
    pub formats: Vec<StoredNumber>,
    /// The largest number that shares a scale with it, in the formats with one.
    pub largest_of_scale: f64,
    /// As FP32 stores the number itself; as FP16 does; and as FP32 stores what FP16 stored.
    pub direct: StoredNumber,
    pub saved: StoredNumber,
    pub widened: StoredNumber,
    /// Whether narrowing it again gives the bits that were saved.
    pub narrows_back: bool,
    /// Every value that a code of 4 bits names, from -1 to 1.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub int4_codes: F64Column,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub nf4_codes: F64Column,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StoredNumber {
    pub format: String,
    pub fields: Vec<BitField>,
    pub kind: NumberKind,
    pub value: f64,
    /// The stored value less the number.
    pub error: f64,
    pub relative_error: Option<f64>,
    /// To the next larger number in size.
    pub spacing: Option<f64>,
    /// The same as a power of two, where it is one.
    pub spacing_exponent: Option<i32>,
    pub largest: f64,
    /// What becomes of larger numbers.
    pub overflow: String,
    /// Null for a format with a scale.
    pub float: Option<FloatFacts>,
    pub scale: Option<f64>,
}

/// Bits with one meaning: "sign", "exponent", "fraction" or "code".
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BitField {
    pub name: String,
    pub bits: String,
}

/// Exponents are those of powers of two.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FloatFacts {
    pub exponent_field: u32,
    pub bias: i32,
    pub spacing_from_one_exponent: i32,
    pub smallest_normal_exponent: i32,
    pub smallest_subnormal_exponent: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum NumberKind {
    Normal,
    Subnormal,
    Zero,
    Infinite,
    NotANumber,
    /// A code, within the range of its scale.
    Code,
    /// The last code, for a number beyond it.
    Clipped,
}

/// A list quantised with one scale, and with a scale for each block.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BlockScaling {
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub values: F64Column,
    pub format: String,
    pub code_bits: u32,
    pub whole: Quantised,
    pub blocks: Quantised,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Quantised {
    pub block_size: usize,
    /// One for each block, in BF16.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub scales: F64Column,
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub codes: U32Column,
    /// What the codes stand for, times their scale.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub values: F64Column,
    /// What was stored less what was given.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub errors: F64Column,
    pub largest_error: f64,
    pub rms_error: f64,
    /// Numbers that became 0.
    pub lost: usize,
    pub bytes: PackedBytes,
}

/// Bytes of packed weights, before alignment, metadata and any other tensor. 1 MiB is 2^20 bytes.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PackedBytes {
    pub code_bytes: u64,
    pub groups: u64,
    pub scale_bytes: u64,
    pub total_bytes: u64,
    pub code_mib: f64,
    pub scale_mib: f64,
    pub total_mib: f64,
}
