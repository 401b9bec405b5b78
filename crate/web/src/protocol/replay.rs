//! A recorded text that is repeated.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::{Deserialize, Serialize};

use super::{Limits, Settings, StopReason, TokenColumn};

/// One of the runs that made a text.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReplayPart {
    /// Index among the new tokens of the first that it makes.
    pub first: usize,
    /// `uniform` decides about that token.
    pub settings: Settings,
    pub seed: u32,
    pub limits: Limits,
}

/// A token that is put in and not drawn.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ForcedToken {
    /// Among the new tokens, from 0.
    pub index: usize,
    pub id: u32,
}

/// What came of it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Replayed {
    /// The new tokens.
    pub tokens: TokenColumn,
    pub text: Option<String>,
    /// Null where the text ends with a token that was put in.
    pub stop_reason: Option<StopReason>,
}
