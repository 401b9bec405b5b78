//! A fixed workload measured again and again, and what may be said of two.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::{Deserialize, Serialize};

use super::{Limits, Settings, Spread};

/// A fixed workload, and how often it is run: `warm_ups` runs that are marked so, then `repeats`.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BenchmarkCall {
    /// The prompt, cut into tokens once and for all.
    pub ids: Vec<u32>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
    pub settings: Settings,
    pub seed: u32,
    pub limits: Limits,
    /// Makes exactly `maxNewTokens` tokens: no end token and no stop string ends a run.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub forced: bool,
    pub warm_ups: usize,
    pub repeats: usize,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub cache: Option<bool>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub kernel: Option<String>,
}

/// One run of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Outcome {
    /// It counts in no figure.
    pub warm_up: bool,
    pub output_tokens: usize,
    pub prefill_ms: f64,
    /// The model alone, of all tokens after the first.
    pub decode_ms: f64,
    /// The engine's work from the prompt's ids to the last token's text.
    pub total_ms: f64,
    pub clock_step_ms: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum MetricName {
    PrefillMs,
    DecodeMsPerToken,
    TotalMs,
    TokensPerSecond,
}

/// Outcomes in short, warm-ups left out.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BenchmarkSummary {
    pub first: Vec<MetricValues>,
    pub second: Vec<MetricValues>,
    /// Null without a second configuration.
    pub comparison: Option<BenchmarkComparison>,
}

/// One metric of one configuration.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MetricValues {
    pub metric: MetricName,
    /// Null where no run has it.
    pub spread: Option<Spread>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BenchmarkComparison {
    pub pairs: usize,
    /// Chance that all pairs are on one side where neither is faster.
    pub chance_of_one_side: f64,
    pub metrics: Vec<MetricRatio>,
}

/// Second by first, pair by pair.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MetricRatio {
    pub metric: MetricName,
    pub ratios: Vec<f64>,
    pub ratio: Option<Spread>,
    pub verdict: Verdict,
}

/// Who is faster, or why nobody is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    First,
    Second,
    LengthsDiffer,
    SpreadCoversOne,
    TooFewPairs,
    ClockTooCoarse,
    NotMeasured,
}
