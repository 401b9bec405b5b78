//! Figures of one sampling step beside its rows.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::Serialize;

use super::TokenColumn;
use crate::columns::{F64Column, U32Column};

/// How spread out a distribution is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Entropy {
    pub nats: f64,
    pub bits: f64,
    /// How many equally likely tokens have this entropy: e to the power of `nats`.
    pub effective_vocabulary: f64,
}

/// Between ranks 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Margin {
    /// Of the processed logits.
    pub logit: f64,
    pub probability: f64,
}

/// Two tokens: gaps of their logits, first minus second, and the odds that follow.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Of the raw logits.
    pub raw_gap: f64,
    /// The model's own odds: e to the power of `rawGap`.
    pub base_odds: f64,
    /// Of the processed logits divided by the temperature; null where one of the two is not kept.
    pub scaled_gap: Option<f64>,
    /// The odds with the settings: e to the power of `scaledGap`.
    pub odds: Option<f64>,
}

/// What a history keeps of a step; the whole can be asked for again.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepHistory {
    /// The first ranks.
    pub top: TokenColumn,
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub probabilities: F64Column,
    /// Chance of all other tokens together.
    pub rest: f64,
    pub kept: usize,
    /// The number that decided; null for greedy.
    pub uniform: Option<f64>,
    /// The model's own chance of the picked token.
    pub base_probability: f64,
    /// Of what was drawn from.
    pub entropy: Entropy,
    pub margin: Option<Margin>,
}

/// Many draws from one distribution, beside what was to be expected. Columns are parallel to `tokens.ids`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Draws {
    pub seed: u32,
    pub draws: usize,
    /// Tokens that were drawn at least once, in the order of the ranking.
    pub tokens: TokenColumn,
    #[cfg_attr(test, ts(type = "Uint32Array"))]
    pub counts: U32Column,
    /// What they are drawn with.
    #[cfg_attr(test, ts(type = "Float64Array"))]
    pub probabilities: F64Column,
    /// Largest difference between a token's share of the draws and its chance, over all tokens.
    pub largest_deviation: f64,
    /// Pearson's statistic, with rare tokens in one bin.
    pub chi_square: f64,
    pub degrees_of_freedom: usize,
    /// What the statistic exceeds in 5 of 100 honest runs.
    pub chi_square95: f64,
}
