//! Page to worker.

#![allow(missing_docs, reason = "fields are documented where their meaning is not their name")]

use serde::{Deserialize, Serialize};

use super::{EarlyStopping, ForcedToken, ReplayPart};

/// What the page asks of a worker.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Command {
    /// Text or ids under the prompt box: tokenize at once, prefill in chunks, then preview. A newer one replaces it.
    /// Answers: `tokenized`, `prefilled`, `previewed`; or `failed` with this revision.
    Prepare { revision: u32, prompt: Prompt, settings: Settings, seed: u32, rows: usize },
    /// New settings: they govern the next token of a running run, and redraw the bars from the kept logits otherwise.
    /// Answer: `previewed` (none while a run is making tokens; its `stepped` events carry the revision).
    Configure { revision: u32, settings: Settings, seed: u32, rows: usize },
    /// Makes tokens. One run ends in exactly one `stopped` or `failed`.
    Start {
        run_id: u32,
        revision: u32,
        from: StartFrom,
        settings: Settings,
        seed: u32,
        rows: usize,
        limits: Limits,
        pace: Pace,
    },
    /// One more token of a run whose pace is `stepped`.
    Advance { run_id: u32 },
    /// Changes the pace of a run.
    SetPace { run_id: u32, pace: Pace },
    /// Ends a run or a console call; its `stopped` event has the reason `user`.
    Stop { run_id: u32 },
    /// Forgets the generated text; the prompt stays prefilled. Answer: `previewed`.
    ClearText { revision: u32, settings: Settings, seed: u32, rows: usize },
    /// The model's prediction after prompt token `position` (from 0). Answer: `inspected`.
    Inspect { revision: u32, position: usize, settings: Settings, rows: usize },
    /// Puts these tokens in the place of the text after the prompt: a token replaced or forced, a branch gone back to.
    /// Ends a run. What is computed already is used again, and token n keeps its random number. Answers: `branched`,
    /// then `previewed` with the bars of the next token; `start` from the end goes on.
    Branch { revision: u32, new_ids: Vec<u32>, settings: Settings, seed: u32, rows: usize },
    /// Rows of a step of the present text. Absent `step`: that of the bars. Absent settings: those that it was picked
    /// with, or else the shown ones. Runs no forward pass. Answer: `shown`.
    Show { revision: u32, step: Option<usize>, settings: Option<Settings>, seed: Option<u32>, select: Select },
    /// Two tokens of a step side by side; the rest as for `show`. Answer: `compared`.
    Compare {
        revision: u32,
        step: Option<usize>,
        settings: Option<Settings>,
        seed: Option<u32>,
        first_id: u32,
        second_id: u32,
    },
    /// A call of the console API. Answers: `answered` or `failed` with this id; `generate` also sends `callStepped`, `beam`
    /// sends `beamStepped`.
    Call { run_id: u32, call: Call },
}

/// Which rows of a step.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Select {
    /// The first ranks, and with them the picked token.
    Top { count: usize },
    /// Ranks from `first` (from 0) on.
    Ranks { first: usize, count: usize },
    /// These tokens.
    Ids(Vec<u32>),
    /// Tokens whose text is this one, then tokens that contain it, the likeliest of them; in the order of the ranking.
    Text { text: String, count: usize },
}

/// Where a run starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StartFrom {
    /// At the end of the prompt; text generated before is forgotten.
    Prompt,
    /// At the end of the text so far; the random words go on where they were.
    End,
}

/// How fast a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Pace {
    /// As fast as it can.
    Full,
    /// One token for each `advance`.
    Stepped,
}

/// A prompt, as text or as token ids.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Prompt {
    Text(String),
    Ids(Vec<u32>),
}

/// When a run ends by itself.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Limits {
    pub max_new_tokens: usize,
    /// Stop strings; the text up to one is shown, nothing after.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub stop: Vec<String>,
    /// Go on past the end token.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub ignore_eos: bool,
    /// The end token: absent is the configuration's, `null` is none.
    #[serde(default, deserialize_with = "present")]
    #[cfg_attr(test, ts(optional, as = "Option<Option<u32>>"))]
    pub eos_id: Option<Option<u32>>,
}

/// Sampling settings; what is absent is off.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Settings {
    pub greedy: Option<bool>,
    pub chain: Option<Vec<ChainStep>>,
    pub repetition_penalty: Option<f64>,
    pub no_repeat_ngram: Option<f64>,
    pub suppress: Option<Vec<u32>>,
    pub min_new_tokens: Option<f64>,
    pub boundary: Option<Boundary>,
    /// Decides about the token that the bars show, or with `start` about the first of the run, in place of the seed's
    /// number; from 0 to below 1.
    pub uniform: Option<f64>,
}

/// What the filters do with a token exactly on the border: keep as few as reach it, or as the often taught listing does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Boundary {
    /// Top-p keeps the smallest prefix that reaches p, top-k exactly k.
    Smallest,
    /// Top-p keeps one token more where the mass is p exactly, top-k keeps ties, temperature 0 is read as 1e-5.
    Listing,
}

/// One filter of the chain. `value` is a number of tokens for `topK`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChainStep {
    pub kind: ChainKind,
    pub value: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ChainKind {
    Temperature,
    TopK,
    TopP,
    MinP,
}

/// A call of the console API (docs/scripting.md).
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "method", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Call {
    Tokenize {
        text: String,
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

/// Tells an absent field (`None`) from an explicit null (`Some(None)`).
fn present<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
