//! The contract of a forward pass. The model is split where a student sees it split: [`Forward::extend`] turns token ids
//! into final hidden states and grows the KV cache, [`Forward::logits`] applies the output head to the rows one wants.
//! So prefill can run the head for the last position only, and any earlier position can be looked at later.

use crate::config::ModelConfig;
use crate::error::Result;

/// Bytes of a KV cache: what holds positions, and what is allocated for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KvBytes {
    /// Bytes of the positions that have been computed.
    pub used: usize,
    /// Bytes allocated, at least `used`.
    pub reserved: usize,
}

/// A model with one sequence's KV cache. Weights are shared between values made by [`Forward::fresh`] and
/// [`Forward::fork`]; caches are not.
pub trait Forward {
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

    /// The output head: hidden states `[rows, hidden_size]` to logits `[rows, vocab_size]`, both row-major.
    fn logits(&self, hidden: &[f32]) -> Result<Vec<f32>>;

    /// The same weights with an empty cache.
    fn fresh(&self) -> Box<dyn Forward>;

    /// The same weights with a copy of this cache.
    fn fork(&self) -> Result<Box<dyn Forward>>;

    /// Bytes of this KV cache.
    fn kv_bytes(&self) -> KvBytes;

    /// Bytes of the weights in memory, in the form this implementation computes with.
    fn weight_bytes(&self) -> usize;
}
