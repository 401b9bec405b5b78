//! The generation loop with a clock: each part of a token is timed alone.
//!
//! Boundaries: `prefill_ms` is the forward pass over the prompt and the head for its last position; a decode step is the
//! forward pass over one token and its head; sampling is everything from logits to the picked id; detokenizing is from the
//! id to showable text. What happens between calls (messages, painting) is in no part, only in the total and in the moments
//! of the tokens; a pause ([`TimedRun::pause`]) is in nothing.

use super::latency::TokenTimes;
use crate::error::Result;
use crate::sampling::{SamplingSettings, StepSummary};
use crate::session::Session;

/// A clock in milliseconds. Only differences are used.
pub type Clock = fn() -> f64;

/// Times of one generation, in milliseconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Timings {
    /// The prompt's forward pass.
    pub prefill_ms: f64,
    /// The model alone, for each token after the first: N-1 times.
    pub decode_steps_ms: Vec<f64>,
    /// All picks together.
    pub sampling_ms: f64,
    /// All texts together.
    pub detokenize_ms: f64,
    /// From the start to the first token; `None` before there is one.
    pub first_token_ms: Option<f64>,
}

/// A token as it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedToken {
    /// Index among the new tokens of the text, from 0.
    pub index: usize,
    /// The token.
    pub id: u32,
    /// Text that became showable with it.
    pub text: String,
    /// Chance that it was drawn with.
    pub probability: f64,
    /// Its place in the ranking, from 0.
    pub rank: usize,
    /// The forward pass that led to it; 0 where the logits were already there.
    pub forward_ms: f64,
    /// Its pick.
    pub sampling_ms: f64,
    /// Its text.
    pub detokenize_ms: f64,
    /// The step in short, where the run keeps a history.
    pub summary: Option<StepSummary>,
}

/// Drives a [`Session`] token by token and keeps the times.
#[derive(Debug, Clone)]
pub struct TimedRun {
    clock: Clock,
    started_ms: f64,
    /// All pauses that have ended.
    paused_ms: f64,
    /// When the present one began.
    pause_began_ms: Option<f64>,
    /// The forward pass under way.
    forward_ms: f64,
    timings: Timings,
    tokens: Vec<TokenTimes>,
    text: String,
    /// Rows of a step's summary; none where no history is kept.
    summary_rows: Option<usize>,
}

impl TimedRun {
    /// Starts now.
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            started_ms: clock(),
            paused_ms: 0.0,
            pause_began_ms: None,
            forward_ms: 0.0,
            timings: Timings::default(),
            tokens: Vec::new(),
            text: String::new(),
            summary_rows: None,
        }
    }

    /// The same, with a summary of that many rows for every step. It costs up to two passes over the vocabulary, which are
    /// in no part of the timings but the total.
    pub fn with_history(clock: Clock, rows: usize) -> Self {
        Self { summary_rows: Some(rows), ..Self::new(clock) }
    }

    /// Stops the clock until the next [`TimedRun::advance`] or [`TimedRun::resume`].
    pub fn pause(&mut self) {
        self.pause_began_ms.get_or_insert((self.clock)());
    }

    /// Lets the clock go on, where it was stopped.
    pub fn resume(&mut self) {
        if let Some(began_ms) = self.pause_began_ms.take() {
            self.paused_ms += (self.clock)() - began_ms;
        }
    }

    /// Does one chunk of forward pass or one pick; `Some` when a token was made. The session's run must be running.
    ///
    /// Errors: those of [`Session::forward_chunk`] and [`Session::pick`].
    pub fn advance(
        &mut self,
        session: &mut Session,
        settings: &SamplingSettings,
        seed: u32,
    ) -> Result<Option<TimedToken>> {
        self.resume();
        let before = (self.clock)();
        if session.logits_at() != session.ids().len() {
            let result = session.forward_chunk();
            self.forward_ms += (self.clock)() - before;
            return result.map(|_| None);
        }
        let mut picked = session.pick(settings, seed)?;
        let (index, draw) = (picked.index, picked.step.draw());
        let after_pick = (self.clock)();
        let summary = self.summary_rows.map(|rows| picked.step.summary(rows));
        let before_read = (self.clock)();
        let text = session.read();
        let after_read = (self.clock)();

        let (sampling_ms, detokenize_ms) = (after_pick - before, after_read - before_read);
        let at_ms = after_read - self.started_ms - self.paused_ms;
        let forward_ms = std::mem::take(&mut self.forward_ms);
        if index == 0 {
            self.timings.prefill_ms = forward_ms;
        } else {
            self.timings.decode_steps_ms.push(forward_ms);
        }
        self.timings.first_token_ms.get_or_insert(at_ms);
        self.timings.sampling_ms += sampling_ms;
        self.timings.detokenize_ms += detokenize_ms;
        self.tokens.push(TokenTimes { at_ms, model_ms: forward_ms, sampling_ms, detokenize_ms });
        self.text.push_str(&text);
        Ok(Some(TimedToken {
            index,
            id: draw.id,
            text,
            probability: draw.high - draw.low,
            rank: draw.rank,
            forward_ms,
            sampling_ms,
            detokenize_ms,
            summary,
        }))
    }

    /// The text of this run so far, without what is still held back.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The times so far.
    pub fn timings(&self) -> &Timings {
        &self.timings
    }

    /// When each token was there, and what it took.
    pub fn tokens(&self) -> &[TokenTimes] {
        &self.tokens
    }

    /// Milliseconds since the start, pauses left out.
    pub fn elapsed_ms(&self) -> f64 {
        self.pause_began_ms.unwrap_or_else(self.clock) - self.started_ms - self.paused_ms
    }
}
