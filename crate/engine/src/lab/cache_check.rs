//! One text through two paths, step by step: with the KV cache and without, or two kernels. Do they predict the same, and
//! what does each step take?
//!
//! Both paths read the very same ids, whatever either of them would have picked, so that a difference of their logits is
//! one of the paths and never one of the texts. Step n stands after the prompt and n tokens of the continuation. A path with
//! the cache runs the prompt once and then one position a step; a path without runs all positions again at each step.
//!
//! Cached and uncached logits need not have the same bits in general: a product may be summed in another order for one
//! row than for many. The fused kernel sums in one order whatever the number of positions, so here its difference is 0;
//! candle's products differ in their last digits.

use super::Clock;
use crate::error::{EngineError, Result};
use crate::model::Forward;
use crate::session::{CachePolicy, PREFILL_CHUNK, check_ids};

/// Which positions a call's output head is applied to. Only the last one predicts the next token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeadRows {
    /// The last position that the call reads.
    #[default]
    Last,
    /// Every position that the call reads, as a plain full-prefix call returns them. With the cache that is one a step.
    All,
}

/// What both paths read after the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Continuation {
    /// These tokens; as many steps as there are. The last of them is predicted and not read.
    Given(Vec<u32>),
    /// So many steps, each with the token that has the first path's largest logit.
    Greedy(usize),
}

/// One step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckStep {
    /// Positions that the step's logits have read.
    pub context: usize,
    /// Largest difference between the two paths' logits; infinite where one is no number.
    pub difference: f32,
    /// The token whose logits differ most; 0 where none differ.
    pub id: u32,
    /// Whether all logits have the same bits.
    pub same_bits: bool,
    /// The token with the largest logit on each path, lowest id at a tie.
    pub best: [u32; 2],
    /// Time of the forward pass and the output head on each path. Comparing is in neither.
    pub forward_ms: [f64; 2],
}

struct Path {
    model: Box<dyn Forward>,
    cache: CachePolicy,
    /// `[vocab_size]`
    logits: Vec<f32>,
    /// The step's time so far; none before it has begun.
    elapsed_ms: Option<f64>,
}

/// A comparison under way; call [`CacheCheck::advance`] until it says `true`.
pub struct CacheCheck {
    paths: [Path; 2],
    head: HeadRows,
    clock: Clock,
    /// Prompt and continuation, as far as it is known.
    ids: Vec<u32>,
    prompt_length: usize,
    greedy: bool,
    steps: Vec<CheckStep>,
    total: usize,
    /// Paths that have done the present step.
    ready: usize,
    /// `[chunk, vocab_size]` where every position's logits are wanted.
    rows: Vec<f32>,
}

impl CacheCheck {
    /// A comparison of two models, each with an empty cache and its own policy.
    ///
    /// Errors: a prompt or a continuation that a model cannot read; no step; vocabularies that differ.
    pub fn new(
        paths: [(Box<dyn Forward>, CachePolicy); 2],
        prompt: Vec<u32>,
        continuation: Continuation,
        head: HeadRows,
        clock: Clock,
    ) -> Result<Self> {
        let [first, second] = &paths;
        let (config, other) = (first.0.config(), second.0.config());
        if config.vocab_size != other.vocab_size {
            return Err(EngineError::Context {
                subject: "vocabulary of the second path",
                expected: config.vocab_size.to_string(),
                found: other.vocab_size.to_string(),
            });
        }
        let positions = config.max_position_embeddings.min(other.max_position_embeddings);
        check_ids(&prompt, config.vocab_size, positions)?;
        let prompt_length = prompt.len();
        let (continuation, total, greedy) = match continuation {
            Continuation::Given(ids) => {
                let steps = ids.len();
                (ids, steps, false)
            }
            Continuation::Greedy(steps) => (Vec::new(), steps, true),
        };
        // The prediction after the last position has a step too.
        let most = positions - prompt_length + 1;
        if total == 0 || total > most {
            return Err(EngineError::Settings {
                name: "steps",
                expected: format!("1 to {most} after a prompt of {prompt_length} tokens"),
                found: total.to_string(),
            });
        }
        let mut ids = prompt;
        if !continuation.is_empty() {
            check_ids(&continuation, config.vocab_size, positions + 1)?;
            ids.extend(continuation);
        }
        let rows = if head == HeadRows::All { PREFILL_CHUNK * config.vocab_size } else { 0 };
        let paths = paths.map(|(model, cache)| Path { model, cache, logits: Vec::new(), elapsed_ms: None });
        let rows = vec![0.0; rows];
        Ok(Self { paths, head, clock, ids, prompt_length, greedy, steps: Vec::new(), total, ready: 0, rows })
    }

    /// One chunk of one path; `true` after the last step. Which path goes first changes from step to step, so that neither
    /// always finds the weights in the processor's caches.
    ///
    /// Errors: as [`Forward::extend`].
    pub fn advance(&mut self) -> Result<bool> {
        if self.steps.len() >= self.total {
            return Ok(true);
        }
        let context = self.prompt_length + self.steps.len();
        let turn = (self.steps.len() + self.ready) % 2;
        let ids = self.ids.get(..context).unwrap_or_default();
        let Some(path) = self.paths.get_mut(turn) else { return Ok(true) };
        if !path.advance(ids, self.head, &mut self.rows, self.clock)? {
            return Ok(false);
        }
        self.ready += 1;
        if self.ready < 2 {
            return Ok(false);
        }
        self.ready = 0;
        let step = self.compare(context);
        if self.greedy && self.ids.len() == context && self.steps.len() + 1 < self.total {
            self.ids.push(step.best[0]);
        }
        self.steps.push(step);
        Ok(self.steps.len() == self.total)
    }

    /// The steps so far.
    pub fn steps(&self) -> &[CheckStep] {
        &self.steps
    }

    /// How many steps there will be.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Prompt and continuation, as far as it is known.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Tokens of the prompt.
    pub fn prompt_length(&self) -> usize {
        self.prompt_length
    }

    fn compare(&mut self, context: usize) -> CheckStep {
        let [first, second] = &mut self.paths;
        let forward_ms = [first, second].map(|path| path.elapsed_ms.take().unwrap_or(0.0));
        let [first, second] = &self.paths;
        let (mut difference, mut id, mut same_bits) = (0.0_f32, 0_u32, true);
        for (token, (one, other)) in (0_u32..).zip(first.logits.iter().zip(&second.logits)) {
            if one.to_bits() == other.to_bits() {
                continue;
            }
            same_bits = false;
            let apart = (one - other).abs();
            let apart = if apart.is_nan() { f32::INFINITY } else { apart };
            if apart > difference {
                (difference, id) = (apart, token);
            }
        }
        let best = [first, second].map(|path| largest(&path.logits));
        CheckStep { context, difference, id, same_bits, best, forward_ms }
    }
}

/// The step whose logits differ most, the earliest of several.
pub fn largest_difference(steps: &[CheckStep]) -> Option<&CheckStep> {
    steps.iter().reduce(|most, step| if step.difference > most.difference { step } else { most })
}

fn largest(logits: &[f32]) -> u32 {
    let mut best = (0_u32, f32::NEG_INFINITY);
    for (id, &logit) in (0_u32..).zip(logits) {
        if logit > best.1 {
            best = (id, logit);
        }
    }
    best.0
}

impl Path {
    /// One chunk towards the logits after `ids`, whose caller asks again until it is `true`.
    fn advance(&mut self, ids: &[u32], head: HeadRows, rows: &mut [f32], clock: Clock) -> Result<bool> {
        let before_ms = clock();
        if self.elapsed_ms.is_none() && self.cache == CachePolicy::Recompute {
            self.model.truncate(0);
        }
        let start = self.model.cached();
        let end = ids.len().min((start / PREFILL_CHUNK + 1) * PREFILL_CHUNK);
        let piece = ids.get(start..end).unwrap_or_default();
        let hidden = match head {
            HeadRows::Last => self.model.prefill(piece)?,
            HeadRows::All => self.model.extend(piece)?,
        };
        let config = self.model.config();
        let (width, vocab_size) = (config.hidden_size, config.vocab_size);
        let done = end == ids.len();
        self.logits.resize(vocab_size, 0.0);
        match head {
            HeadRows::Last if done => {
                let last = hidden.get(hidden.len().saturating_sub(width)..).unwrap_or_default();
                self.model.logits_into(last, &mut self.logits)?;
            }
            HeadRows::Last => {}
            HeadRows::All => {
                let rows = rows.get_mut(..(end - start) * vocab_size).unwrap_or_default();
                self.model.logits_into(&hidden, rows)?;
                if let Some(last) = rows.chunks_exact(vocab_size).last() {
                    self.logits.copy_from_slice(last);
                }
            }
        }
        self.elapsed_ms = Some(self.elapsed_ms.unwrap_or(0.0) + clock() - before_ms);
        Ok(done)
    }
}
