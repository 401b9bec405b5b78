//! A fixed workload, measured again and again: every outcome is kept, and what is said of them is said with their spread.
//!
//! Two configurations are compared pair by pair: run n of one beside run n of the other, made in turns (A B A B), so that
//! whatever slows the machine down for a while slows both. A winner is named only where the work was equal and all
//! pairs agree.

use std::sync::Arc;

use super::latency::{FEWEST_CLOCK_STEPS, per_second};
use super::spread::Spread;
use super::{Clock, TimedRun};
use crate::error::{EngineError, Result};
use crate::model::Forward;
use crate::sampling::SamplingSettings;
use crate::session::{CachePolicy, Limits, Session, StartFrom};
use crate::tokenizer::Tokenizer;

/// With fewer pairs no winner is named: all of four on one side is what chance alone brings in one of eight cases.
pub const FEWEST_PAIRS: usize = 5;

/// What is done in each run. Prompt ids are fixed, so that no text is cut into tokens again.
#[derive(Debug, Clone)]
pub struct Workload {
    /// The prompt.
    pub ids: Vec<u32>,
    /// How tokens are picked.
    pub settings: SamplingSettings,
    /// With which numbers.
    pub seed: u32,
    /// When a run ends.
    pub limits: Limits,
    /// What each step reuses.
    pub cache: CachePolicy,
}

impl Workload {
    /// The same with exactly so many output tokens: no end token and no stop string ends a run.
    ///
    /// Errors: no token, or more than fit into the model's positions beside the prompt.
    pub fn with_forced_length(mut self, output_tokens: usize, positions: usize) -> Result<Self> {
        let room = positions.saturating_sub(self.ids.len());
        if output_tokens == 0 || output_tokens > room {
            return Err(EngineError::Context {
                subject: "output tokens",
                expected: format!("from 1 to the {room} that fit beside the prompt"),
                found: output_tokens.to_string(),
            });
        }
        self.limits = Limits { max_new_tokens: output_tokens, ignore_eos: true, ..Limits::default() };
        Ok(self)
    }
}

/// One run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Made to bring caches and the browser's compiler into their usual state: it counts in no figure.
    pub warm_up: bool,
    /// N.
    pub output_tokens: usize,
    /// The prompt's forward pass.
    pub prefill_ms: f64,
    /// The forward passes of the N-1 further tokens together.
    pub decode_ms: f64,
    /// All work from the prompt's ids to the last token's text; what happens between two units of it is left out.
    pub total_ms: f64,
    /// The smallest step of the clock; 0 where it is not known.
    pub clock_step_ms: f64,
}

/// What is compared of two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Milliseconds of the prompt's forward pass.
    Prefill,
    /// Milliseconds of the model alone for each token after the first.
    DecodePerToken,
    /// Milliseconds of the whole run.
    Total,
    /// Output tokens by the seconds of the whole run.
    TokensPerSecond,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Prefill, Self::DecodePerToken, Self::Total, Self::TokensPerSecond];

    /// Its value in a run; `None` where the run does not have it, as a time for each further token when there is none.
    pub fn of(self, outcome: &Outcome) -> Option<f64> {
        match self {
            Self::Prefill => Some(outcome.prefill_ms),
            Self::DecodePerToken => {
                let steps = outcome.output_tokens.checked_sub(1).filter(|steps| *steps > 0)?;
                Some(outcome.decode_ms / steps as f64)
            }
            Self::Total => Some(outcome.total_ms),
            Self::TokensPerSecond => per_second(outcome.output_tokens, outcome.total_ms),
        }
    }

    /// The time that it was read from, in milliseconds.
    fn timed_ms(self, outcome: &Outcome) -> f64 {
        match self {
            Self::Prefill => outcome.prefill_ms,
            Self::DecodePerToken => outcome.decode_ms,
            Self::Total | Self::TokensPerSecond => outcome.total_ms,
        }
    }
}

/// A workload under way on one model; call [`Benchmark::advance`] until it says `true`.
pub struct Benchmark {
    model: Box<dyn Forward>,
    tokenizer: Option<Arc<Tokenizer>>,
    workload: Workload,
    warm_ups: usize,
    runs: usize,
    clock: Clock,
    clock_step_ms: f64,
    running: Option<(Session, TimedRun)>,
    outcomes: Vec<Outcome>,
}

impl Benchmark {
    /// `warm_ups` runs that are marked so, then `repeats`. Each has a session of its own on the weights of `model`, with
    /// nothing in its cache.
    pub fn new(
        model: Box<dyn Forward>,
        tokenizer: Option<Arc<Tokenizer>>,
        workload: Workload,
        (warm_ups, repeats): (usize, usize),
        (clock, clock_step_ms): (Clock, f64),
    ) -> Self {
        let runs = warm_ups.saturating_add(repeats);
        let outcomes = Vec::new();
        Self { model, tokenizer, workload, warm_ups, runs, clock, clock_step_ms, running: None, outcomes }
    }

    /// One chunk of forward pass or one pick; `true` at the end. Errors as those of [`TimedRun::advance`] and
    /// [`Session::set_prompt`].
    pub fn advance(&mut self) -> Result<bool> {
        if self.outcomes.len() >= self.runs {
            return Ok(true);
        }
        let (mut session, mut timed) = match self.running.take() {
            Some(running) => running,
            None => self.begin()?,
        };
        // A run that may make no token at all ends at once.
        if session.stopped().is_none() {
            timed.advance(&mut session, &self.workload.settings, self.workload.seed)?;
        }
        // What a worker does between two units, such as a run of its page, is no part of the workload.
        timed.pause();
        if session.stopped().is_none() {
            self.running = Some((session, timed));
            return Ok(false);
        }
        let timings = timed.timings();
        self.outcomes.push(Outcome {
            warm_up: self.outcomes.len() < self.warm_ups,
            output_tokens: timed.tokens().len(),
            prefill_ms: timings.prefill_ms,
            decode_ms: timings.decode_steps_ms.iter().sum(),
            total_ms: timed.tokens().last().map_or(0.0, |token| token.at_ms),
            clock_step_ms: self.clock_step_ms,
        });
        Ok(self.outcomes.len() >= self.runs)
    }

    /// Making the session is no part of a run.
    fn begin(&self) -> Result<(Session, TimedRun)> {
        let mut session = Session::new(self.model.fresh(), self.tokenizer.clone(), self.workload.cache);
        session.set_prompt(self.workload.ids.clone())?;
        session.start(StartFrom::Prompt, self.workload.limits.clone());
        Ok((session, TimedRun::new(self.clock)))
    }

    /// The runs that are finished, in order.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Runs done, and in all.
    pub fn progress(&self) -> (usize, usize) {
        (self.outcomes.len(), self.runs)
    }
}

/// The runs of one configuration in short, warm-ups left out; `None` where no run has that metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Runs that count.
    pub runs: usize,
    /// Output tokens of each, where they are equal.
    pub output_tokens: Option<usize>,
    /// As [`Metric::ALL`].
    pub metrics: [Option<Spread>; 4],
}

impl Summary {
    /// Of outcomes in any order.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let counted: Vec<&Outcome> = measured(outcomes).collect();
        let first = counted.first().map(|outcome| outcome.output_tokens);
        let output_tokens =
            first.filter(|tokens| counted.iter().all(|outcome| outcome.output_tokens == *tokens));
        let metrics =
            Metric::ALL.map(|metric| Spread::of(counted.iter().filter_map(|outcome| metric.of(outcome))));
        Self { runs: counted.len(), output_tokens, metrics }
    }
}

/// Who is faster, or why nobody is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// In every pair the first configuration was faster.
    First,
    /// In every pair the second one was.
    Second,
    /// The runs made different numbers of tokens: other work, not faster work.
    LengthsDiffer,
    /// Some pairs say one thing and some the other: the ratio's spread, smallest to largest, covers 1.
    SpreadCoversOne,
    /// Fewer pairs than [`FEWEST_PAIRS`].
    TooFewPairs,
    /// A time is shorter than ten steps of the clock.
    ClockTooCoarse,
    /// No run has this metric.
    NotMeasured,
}

/// One metric of two configurations.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricComparison {
    /// Which.
    pub metric: Metric,
    /// Second by first, pair by pair.
    pub ratios: Vec<f64>,
    /// In short.
    pub ratio: Option<Spread>,
    /// What may be said.
    pub verdict: Verdict,
}

/// Two configurations, pair by pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Pairs that count.
    pub pairs: usize,
    /// The chance that all pairs are on one side where neither is faster and nothing but chance decides: 2 / 2^pairs.
    pub chance_of_one_side: f64,
    /// As [`Metric::ALL`].
    pub metrics: [MetricComparison; 4],
}

impl Comparison {
    /// Of the outcomes of both in the order in which they were made; warm-ups and what has no partner are left out.
    pub fn of(first: &[Outcome], second: &[Outcome]) -> Self {
        let pairs: Vec<(&Outcome, &Outcome)> = measured(first).zip(measured(second)).collect();
        let halvings = i32::try_from(pairs.len()).unwrap_or(i32::MAX).saturating_sub(1);
        Self {
            pairs: pairs.len(),
            chance_of_one_side: libm::ldexp(1.0, halvings.saturating_neg()).min(1.0),
            metrics: Metric::ALL.map(|metric| compare(metric, &pairs)),
        }
    }
}

fn measured(outcomes: &[Outcome]) -> impl Iterator<Item = &Outcome> {
    outcomes.iter().filter(|outcome| !outcome.warm_up)
}

fn compare(metric: Metric, pairs: &[(&Outcome, &Outcome)]) -> MetricComparison {
    let ratios: Vec<f64> = pairs
        .iter()
        .filter_map(|(first, second)| Some(metric.of(second)? / metric.of(first)?))
        .filter(|ratio| ratio.is_finite())
        .collect();
    let ratio = Spread::of(ratios.iter().copied());
    MetricComparison { metric, verdict: verdict(metric, pairs, ratio), ratios, ratio }
}

fn verdict(metric: Metric, pairs: &[(&Outcome, &Outcome)], ratio: Option<Spread>) -> Verdict {
    let all = || pairs.iter().flat_map(|(first, second)| [*first, *second]);
    let length = all().next().map(|outcome| outcome.output_tokens);
    if all().any(|outcome| Some(outcome.output_tokens) != length) {
        return Verdict::LengthsDiffer;
    }
    let Some(ratio) = ratio else { return Verdict::NotMeasured };
    if all().any(|outcome| metric.timed_ms(outcome) < FEWEST_CLOCK_STEPS * outcome.clock_step_ms) {
        return Verdict::ClockTooCoarse;
    }
    if ratio.count < FEWEST_PAIRS {
        return Verdict::TooFewPairs;
    }
    if ratio.covers(1.0) {
        return Verdict::SpreadCoversOne;
    }
    let second_is_more = ratio.smallest > 1.0;
    // More milliseconds is slower, more tokens a second is faster.
    if second_is_more == (metric == Metric::TokensPerSecond) { Verdict::Second } else { Verdict::First }
}
