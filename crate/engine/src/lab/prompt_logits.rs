//! Logits of a prompt without a session: of its last position or of all, with the KV cache or recomputing every prefix.
//! The two ways must agree; that is how a cache is tested on identical prefixes.

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
}

/// A computation in small units; call [`PromptLogits::advance`] until it says `true`.
pub struct PromptLogits {
    model: Box<dyn Forward>,
    ids: Vec<u32>,
    positions: Positions,
    cache: CachePolicy,
    /// Positions whose logits are there or are not wanted.
    done: usize,
    logits: Vec<f32>,
}

impl PromptLogits {
    /// Errors: ids that the model cannot read, or a result that memory cannot hold (said with its size).
    pub fn new(model: &dyn Forward, ids: Vec<u32>, positions: Positions, cache: CachePolicy) -> Result<Self> {
        let config = model.config();
        check_ids(&ids, config.vocab_size, config.max_position_embeddings)?;
        let rows = match positions {
            Positions::Last => 1,
            Positions::All => ids.len(),
        };
        let mut logits = Vec::new();
        logits.try_reserve_exact(rows.saturating_mul(config.vocab_size)).map_err(|_| {
            EngineError::Context {
                subject: "logits of all positions",
                expected: "a result that fits in memory".into(),
                found: format!("{rows} rows of {} values", config.vocab_size),
            }
        })?;
        let done = match (positions, cache) {
            (Positions::Last, CachePolicy::Recompute) => ids.len() - 1,
            _ => 0,
        };
        Ok(Self { model: model.fresh(), ids, positions, cache, done, logits })
    }

    /// One chunk of positions with the cache, one whole prefix without. `true` at the end.
    pub fn advance(&mut self) -> Result<bool> {
        let length = self.ids.len();
        match self.cache {
            CachePolicy::Reuse => {
                let end = length.min(self.done + PREFILL_CHUNK);
                let hidden = self.model.extend(self.ids.get(self.done..end).unwrap_or_default())?;
                match self.positions {
                    Positions::All => self.append_logits(&hidden)?,
                    Positions::Last if end == length => self.append_logits(self.last_row(&hidden))?,
                    Positions::Last => {}
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
        Ok(self.done == length)
    }

    /// The result, row-major: `[vocab_size]` or `[ids, vocab_size]`.
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
