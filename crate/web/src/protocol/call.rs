//! Calls of the console and of the lab panels.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::Deserialize;

use super::command::present;
use super::{
    BatchCall, BenchmarkCall, CheckContinuation, CheckPath, EarlyStopping, ForcedToken, Limits, Outcome,
    Prompt, ReplayPart, ScoreCall, Settings,
};

/// A call of the console API (docs/scripting.md).
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "method", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Call {
    Tokenize {
        text: String,
    },
    /// The text of token ids, special tokens included.
    Detokenize {
        ids: Vec<u32>,
    },
    Logits {
        ids: Vec<u32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Positions>"))]
        positions: Positions,
        /// Where the prompt of a run ends: what follows is then read as the run read it, one token at a time.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        prompt_length: Option<usize>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        cache: Option<bool>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
    /// What a run of these settings sees after `ids`, its prompt and the tokens that it has made: rows of that step.
    Predict {
        ids: Vec<u32>,
        prompt_length: usize,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
        settings: Settings,
        seed: u32,
        rows: usize,
        /// A token whose row is wanted whatever its rank: the answer's `pickedId`.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        marked_id: Option<u32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        cache: Option<bool>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
    SampleStep {
        logits: Vec<f32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<u32>>"))]
        history: Vec<u32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
        settings: Settings,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        uniform: Option<f64>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        seed: Option<u32>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        prompt_length: Option<usize>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        eos_id: Option<u32>,
    },
    Generate {
        prompt: Prompt,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
        settings: Settings,
        seed: u32,
        limits: Limits,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        cache: Option<bool>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
    /// Draws many times from one distribution: that of the given logits, or of the next token of the page's text.
    Draws {
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        logits: Option<Vec<f32>>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
        settings: Settings,
        seed: u32,
        draws: usize,
    },
    /// The same prompt and settings under `count` seeds from `seed` on.
    Samples {
        prompt: Prompt,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Settings>"))]
        settings: Settings,
        seed: u32,
        count: usize,
        limits: Limits,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        cache: Option<bool>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
    /// Two paths on one text, step by step: how far their logits are apart, and what each step takes.
    CacheCheck {
        /// The prompt.
        ids: Vec<u32>,
        continuation: CheckContinuation,
        first: CheckPath,
        second: CheckPath,
        /// The output head for every position that a call reads; absent: for the last one.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        all_positions: bool,
    },
    /// What the newest forward pass for the page's text computed, reused and discarded.
    CacheState {},
    /// What the engine has in memory now.
    MemoryUse {},
    /// The output head for one position, so many times.
    HeadTime {
        repeats: usize,
    },
    /// A fixed workload run again and again.
    Benchmark(BenchmarkCall),
    /// Outcomes of one or two configurations in short. Needs no model.
    Summarize {
        first: Vec<Outcome>,
        /// Run n of it was made beside run n of the first. Empty: there is nothing to compare.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<Outcome>>"))]
        second: Vec<Outcome>,
    },
    /// A recorded text once more: its runs one after the other, and the tokens that were put in by hand.
    Replay {
        ids: Vec<u32>,
        parts: Vec<ReplayPart>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<ForcedToken>>"))]
        forced: Vec<ForcedToken>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        cache: Option<bool>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
    Beam {
        prompt: Prompt,
        beams: usize,
        /// 1 if absent.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        num_return: Option<usize>,
        /// 1 if absent.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        length_penalty: Option<f64>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<EarlyStopping>"))]
        early_stopping: EarlyStopping,
        max_new_tokens: usize,
        /// The end token: absent is the configuration's, `null` is none.
        #[serde(default, deserialize_with = "present")]
        #[cfg_attr(test, ts(optional, as = "Option<Option<u32>>"))]
        eos_id: Option<Option<u32>>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
    /// Several requests in padded batches, beside the same requests one at a time; on the candle kernel.
    Batch(BatchCall),
    /// What the model says of every token of a text.
    Score(ScoreCall),
    /// Digests of the weights in memory.
    WeightsDigest {},
    /// What "precision" means for the loaded model.
    FiveMeanings,
    /// Precisions compared on a text, by the names of `RowChoice` in the engine, all of them if absent; absent kernel: the
    /// loaded one. Stopped, it answers with the rows so far.
    PrecisionReport {
        prompt: Prompt,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        precisions: Option<Vec<String>>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        kernel: Option<String>,
    },
    /// A number in every format; `largest` (1 if absent) shares a scale with it. Needs no model.
    DescribeNumber {
        value: f64,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        largest: Option<f64>,
    },
    /// A list with one scale and with a scale for each block; format int8, int4, nf4, e4m3 or e5m2. Needs no model.
    QuantizeBlock {
        values: Vec<f64>,
        block_size: usize,
        format: String,
    },
    /// Bytes of packed weights. Needs no model.
    PackedBytes {
        weights: u64,
        code_bits: u64,
        group: u64,
        scale_bytes: u64,
    },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Positions {
    #[default]
    Last,
    All,
    /// So many from this one on (from 0), as far as there are any.
    Some {
        first: usize,
        count: usize,
    },
}
