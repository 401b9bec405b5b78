//! Logits of a prompt without a session: of its last position, of some or of all, with the KV cache or recomputing every
//! prefix. The two ways must agree; that is how a cache is tested on identical prefixes.

use std::ops::Range;

use crate::error::{EngineError, Result};
use crate::model::Forward;
use crate::session::{CachePolicy, PREFILL_CHUNK, check_ids};

/// Which positions' logits are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Positions {
    /// The last one: what predicts the next token.
    #[default]
    Last,
    /// Every one.
    All,
    /// So many from this one on (from 0), as far as there are any.
    Some {
        /// The first.
        first: usize,
        /// How many.
        count: usize,
    },
}

/// A computation in small units; call [`PromptLogits::advance`] until it says `true`.
pub struct PromptLogits {
    model: Box<dyn Forward>,
    ids: Vec<u32>,
    wanted: Range<usize>,
    cache: CachePolicy,
    /// From this position on the cache grows by one position at a time.
    steps_from: usize,
    /// Positions whose logits are there or are not wanted.
    done: usize,
    logits: Vec<f32>,
}

impl PromptLogits {
    /// Errors: ids that the model cannot read, no wanted position among them, or a result that memory cannot hold (said
    /// with its size).
    pub fn new(model: &dyn Forward, ids: Vec<u32>, positions: Positions, cache: CachePolicy) -> Result<Self> {
        let config = model.config();
        check_ids(&ids, config.vocab_size, config.max_position_embeddings)?;
        let length = ids.len();
        let wanted = match positions {
            Positions::Last => length - 1..length,
            Positions::All => 0..length,
            Positions::Some { first, count } => first..first.saturating_add(count).min(length),
        };
        if wanted.is_empty() {
            return Err(EngineError::Context {
                subject: "positions",
                expected: format!("some of the {length} that there are"),
                found: format!("none from {} on", wanted.start),
            });
        }
        let rows = wanted.len();
        let mut logits = Vec::new();
        logits.try_reserve_exact(rows.saturating_mul(config.vocab_size)).map_err(|_| {
            EngineError::Context {
                subject: "logits of all positions",
                expected: "a result that fits in memory".into(),
                found: format!("{rows} rows of {} values", config.vocab_size),
            }
        })?;
        let done = if cache == CachePolicy::Recompute { wanted.start } else { 0 };
        Ok(Self { model: model.fresh(), ids, wanted, cache, steps_from: length, done, logits })
    }

    /// Reads the ids after the first `prompt_length` as a run does: with the cache one at a time, in place of chunks. A
    /// kernel that rounds differently by the number of positions then gives the very bits of that run.
    #[must_use]
    pub fn as_in_a_run(mut self, prompt_length: usize) -> Self {
        self.steps_from = prompt_length;
        self
    }

    /// One chunk of positions with the cache, one whole prefix without. `true` at the end.
    ///
    /// Errors: those of the forward pass; ids and sizes were checked by [`PromptLogits::new`].
    pub fn advance(&mut self) -> Result<bool> {
        match self.cache {
            CachePolicy::Reuse => {
                let start = self.done;
                let end = if start < self.steps_from {
                    (start + PREFILL_CHUNK).min(self.steps_from).min(self.ids.len())
                } else {
                    start + 1
                };
                let hidden = self.model.extend(self.ids.get(start..end).unwrap_or_default())?;
                let width = self.model.config().hidden_size;
                let rows = self.wanted.start.max(start)..self.wanted.end.min(end);
                if !rows.is_empty() {
                    let of_rows = (rows.start - start) * width..(rows.end - start) * width;
                    self.append_logits(hidden.get(of_rows).unwrap_or_default())?;
                }
                self.done = end;
            }
            CachePolicy::Recompute => {
                self.model.truncate(0);
                let mut hidden = Vec::new();
                for chunk in self.ids.get(..=self.done).unwrap_or_default().chunks(PREFILL_CHUNK) {
                    hidden = self.model.extend(chunk)?;
                }
                self.append_logits(self.last_row(&hidden))?;
                self.done += 1;
            }
        }
        Ok(self.done >= self.wanted.end)
    }

    /// The result, row-major: `[wanted positions, vocab_size]`.
    pub fn into_logits(self) -> Vec<f32> {
        self.logits
    }

    /// The head for `hidden [rows, hidden_size]`.
    fn append_logits(&mut self, hidden: &[f32]) -> Result<()> {
        let config = self.model.config();
        let (start, rows) = (self.logits.len(), hidden.len() / config.hidden_size.max(1));
        self.logits.resize(start + rows * config.vocab_size, 0.0);
        self.model.logits_into(hidden, self.logits.get_mut(start..).unwrap_or_default())
    }

    fn last_row<'a>(&self, hidden: &'a [f32]) -> &'a [f32] {
        let start = hidden.len().saturating_sub(self.model.config().hidden_size);
        hidden.get(start..).unwrap_or_default()
    }
}
