//! What a forward pass computed and what it could use again, counted in positions; and what a session holds in memory.
//!
//! A position is reused or computed in all layers together: its keys and values in one layer come of its hidden state after
//! the layer below, so a position that is known in one layer is known in all.

use super::{CachePolicy, Session};
use crate::error::Result;
use crate::model::WorkBytes;

/// The newest forward pass, in positions. Each stands for a key and a value in every layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pass {
    /// Entries that were in the cache and were read again.
    pub reused: usize,
    /// Entries that this pass computed.
    pub computed: usize,
    /// Entries that were in the cache before and were thrown away, because a token before or at them is another one, or
    /// because nothing was to be reused.
    pub discarded: usize,
    /// Entries that were in the cache and belong to tokens that the text before had at the same place. More than `reused`
    /// where a prompt's chunk is not reused in part, or where nothing is to be.
    pub shared: usize,
}

impl Session {
    /// What the newest forward pass computed, or the one under way has computed so far.
    pub fn last_pass(&self) -> Pass {
        self.pass
    }

    /// What forward passes may reuse.
    pub fn cache_policy(&self) -> CachePolicy {
        self.cache
    }

    /// What forward passes may reuse, from the next one on. The text and the kept logits stay.
    pub fn set_cache_policy(&mut self, cache: CachePolicy) {
        self.cache = cache;
    }

    /// Bytes that this session has allocated beside weights and KV cache: those of the model's buffers, the rows that
    /// are kept for looking back, two vectors of logits, and the sampler's own room.
    pub fn work_bytes(&self) -> WorkBytes {
        let WorkBytes { activations, workspace } = self.model.work_bytes();
        let logits = self.logits.capacity() + self.inspected.capacity();
        WorkBytes {
            activations: activations + self.known.bytes() + logits * size_of::<f32>(),
            workspace: workspace + self.sampler.bytes(),
        }
    }

    /// Before another text takes the place of this one: how much of the cache the two have in common.
    pub(super) fn note_shared(&mut self, ids: &[u32]) {
        let cached = self.model.cached();
        self.shared = Some(self.ids.iter().take(cached).zip(ids).take_while(|(old, new)| old == new).count());
    }

    /// A pass over the present ids begins; without a cache it begins at the first position.
    pub(super) fn begin_pass(&mut self) -> Result<()> {
        let from_scratch = self.cache == CachePolicy::Recompute && self.ids.len() > self.prompt_length;
        if from_scratch {
            // While the keys and values are there that open rows want: the policy may have been another one before.
            self.known.hidden(self.model.as_mut(), 0..self.known.positions())?;
        }
        self.pass_reads = self.ids.len();
        let shared = self.shared.take().unwrap_or(self.model.cached());
        if from_scratch {
            self.dropped += self.model.cached();
            self.model.truncate(0);
            self.computed = 0;
        }
        let discarded = std::mem::take(&mut self.dropped);
        self.pass = Pass { reused: self.computed, computed: 0, discarded, shared };
        Ok(())
    }
}
