//! The contract of a forward pass. The model is split where a student sees it split: [`Forward::extend`] turns token ids
//! into final hidden states and grows the KV cache, [`Forward::logits`] applies the output head to the rows one wants.
//! So the head can run for the last position only, and any earlier position can be looked at later. [`Forward::prefill`] goes
//! further, and leaves most of the last block undone for all positions but the last one, until [`Forward::finish`].

use std::any::Any;

use crate::config::ModelConfig;
use crate::error::{EngineError, Result};

/// Bytes of a KV cache: what holds positions, and what is allocated for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KvBytes {
    /// Bytes of the positions that have been computed.
    pub used: usize,
    /// Bytes allocated, at least `used`.
    pub reserved: usize,
}

/// Bytes that a forward pass has allocated for its own work and keeps between calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkBytes {
    /// Live activations: hidden states, queries, keys, values, the wide layer, logits.
    pub activations: usize,
    /// Workspace: room of the products, tables of angles, the sampler's ranking.
    pub workspace: usize,
}

/// A model with one sequence's KV cache. Weights are shared between values made by [`Forward::fresh`] and
/// [`Forward::fork`]; caches are not. Who needs one implementation and no other asks it for its type
/// ([`super::gpt_neox::GptNeox::of`]).
pub trait Forward: Any {
    /// The model's configuration.
    fn config(&self) -> &ModelConfig;

    /// Positions in the KV cache; the next id given to [`Forward::extend`] stands at this absolute position.
    fn cached(&self) -> usize;

    /// Forgets every cached position from `positions` on. Does nothing when fewer are cached.
    fn truncate(&mut self, positions: usize);

    /// Runs `ids` at the positions after the cached ones and adds them to the cache.
    ///
    /// Returns the hidden states after the final layer norm, row-major `[ids.len(), hidden_size]`. Errors: no id, an id
    /// outside the vocabulary, more positions than `max_position_embeddings`; the cache is then as it was.
    fn extend(&mut self, ids: &[u32]) -> Result<Vec<f32>>;

    /// [`Forward::extend`] for the sake of the last id. Its row is the same; the other rows, `[ids.len(), hidden_size]` in all,
    /// may be left as they come to the last block, which then computes no more for them than the keys and values that later
    /// positions read. [`Forward::finish`] makes hidden states of such rows.
    ///
    /// Errors as [`Forward::extend`].
    fn prefill(&mut self, ids: &[u32]) -> Result<Vec<f32>> {
        self.extend(ids)
    }

    /// Makes the hidden states of [`Forward::extend`] of `rows [n, hidden_size]`, in their place: rows that
    /// [`Forward::prefill`] has left open, for the positions from `first` on. The last row of a prefill is not open.
    ///
    /// Errors: a length that is no row, a position that is not in the cache; nothing is then written.
    fn finish(&mut self, first: usize, rows: &mut [f32]) -> Result<()> {
        check_finish(self.config(), self.cached(), first, rows)
    }

    /// The output head: hidden states `[rows, hidden_size]` to `logits [rows, vocab_size]`, both row-major.
    ///
    /// Errors: lengths that do not fit together; nothing is then written.
    fn logits_into(&self, hidden: &[f32], logits: &mut [f32]) -> Result<()>;

    /// [`Forward::logits_into`] a new buffer.
    fn logits(&self, hidden: &[f32]) -> Result<Vec<f32>> {
        let config = self.config();
        let mut logits = vec![0.0; hidden.len() / config.hidden_size.max(1) * config.vocab_size];
        self.logits_into(hidden, &mut logits)?;
        Ok(logits)
    }

    /// The same weights with an empty cache.
    fn fresh(&self) -> Box<dyn Forward>;

    /// The same weights with a copy of this cache.
    fn fork(&self) -> Result<Box<dyn Forward>>;

    /// Bytes of this KV cache.
    fn kv_bytes(&self) -> KvBytes;

    /// Bytes of the weights in memory, in the form this implementation computes with.
    fn weight_bytes(&self) -> usize;

    /// Lends part `part` (from 0, in an order that never changes) of the weights in the form this implementation computes
    /// with, and says whether there is one. Together the parts are [`Forward::weight_bytes`] long.
    fn with_weights(&self, part: usize, see: &mut dyn FnMut(&[u8])) -> bool;

    /// Of [`Forward::weight_bytes`], the bytes that are the checkpoint's own and not a copy.
    fn file_weight_bytes(&self) -> usize {
        0
    }

    /// Bytes of the buffers that this model keeps between calls. None for an implementation that takes each tensor when
    /// it needs it and gives it back.
    fn work_bytes(&self) -> WorkBytes {
        WorkBytes::default()
    }
}

/// An error unless the model can run `ids` after `cached` positions.
pub(super) fn check_extension(config: &ModelConfig, cached: usize, ids: &[u32]) -> Result<()> {
    let most = config.max_position_embeddings;
    let left = most.saturating_sub(cached);
    if ids.is_empty() || ids.len() > left {
        return Err(EngineError::Context {
            subject: "number of tokens",
            expected: format!("1 to {left} more, with {cached} of {most} positions in use"),
            found: ids.len().to_string(),
        });
    }
    check_ids(ids, config)
}

/// An error unless `rows` are one or more rows of positions from `first` on, all of them among the `cached` ones.
pub(super) fn check_finish(config: &ModelConfig, cached: usize, first: usize, rows: &[f32]) -> Result<()> {
    let h = config.hidden_size;
    let is_cached = first.checked_add(rows.len() / h).is_some_and(|end| end <= cached);
    if rows.is_empty() || !rows.len().is_multiple_of(h) || !is_cached {
        return Err(EngineError::Context {
            subject: "open rows",
            expected: format!("rows of {h} numbers, for some of {cached} cached positions"),
            found: format!("{} numbers for the positions from {first} on", rows.len()),
        });
    }
    Ok(())
}

/// An error unless the ids are in the vocabulary.
pub(super) fn check_ids(ids: &[u32], config: &ModelConfig) -> Result<()> {
    match ids.iter().find(|id| usize::try_from(**id).map_or(true, |id| id >= config.vocab_size)) {
        None => Ok(()),
        Some(id) => Err(EngineError::Context {
            subject: "token id",
            expected: format!("an id below vocab_size ({})", config.vocab_size),
            found: id.to_string(),
        }),
    }
}

/// An error unless `hidden` is one or more rows of hidden states, and `logits` as many rows of logits.
pub(super) fn check_head(config: &ModelConfig, hidden: &[f32], logits: &[f32]) -> Result<()> {
    let h = config.hidden_size;
    if hidden.is_empty() || !hidden.len().is_multiple_of(h) {
        return Err(EngineError::Context {
            subject: "hidden states",
            expected: format!("rows of {h} numbers"),
            found: format!("{} numbers", hidden.len()),
        });
    }
    let (rows, v) = (hidden.len() / h, config.vocab_size);
    if rows.checked_mul(v) != Some(logits.len()) {
        return Err(EngineError::Context {
            subject: "buffer for logits",
            expected: format!("{rows} rows of {v} numbers"),
            found: format!("{} numbers", logits.len()),
        });
    }
    Ok(())
}
