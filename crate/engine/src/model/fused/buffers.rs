//! What a forward pass writes between embedding and hidden state.

use super::pages::{Pages, Widened};
use crate::config::ModelConfig;
use crate::model::forward::WorkBytes;
use crate::model::kernels::attention::{PAGE_POSITIONS, Query, Running, ValueVector, attend, finish};
use crate::model::kernels::lanes::LANES;
use crate::model::kernels::matrix::Scratch;

/// Buffers of a tile of t positions. They grow to the largest tile and stay.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// The residual stream, `[t, h]`.
    pub(super) x: Vec<f32>,
    /// What a layer norm or the feed-forward block gives, `[t, h]`.
    pub(super) normal: Vec<f32>,
    /// Queries, keys and values, `[t, a, 3, d]`.
    pub(super) fused: Vec<f32>,
    /// Values mixed by attention, `[t, a, d]`.
    pub(super) mixed: Vec<f32>,
    /// What attention adds to x, `[t, h]`.
    pub(super) attended: Vec<f32>,
    /// The feed-forward block's wide layer, `[t, f]`.
    pub(super) wide: Vec<f32>,
    /// Buffers of the matrix products.
    pub(super) scratch: Scratch,
    /// Softmaxes of one head, `[t]`.
    running: Vec<Running>,
    /// Mixes of one head, `[t, d / 4]` vectors.
    mixes: Vec<ValueVector>,
    /// One head's part of a page of an F16 cache, as f32.
    widened: Widened,
}

impl Buffers {
    pub(super) fn resize(&mut self, config: &ModelConfig, t: usize) {
        let (h, f) = (config.hidden_size, config.intermediate_size);
        self.x.resize(t * h, 0.0);
        self.normal.resize(t * h, 0.0);
        self.fused.resize(t * 3 * h, 0.0);
        self.mixed.resize(t * h, 0.0);
        self.attended.resize(t * h, 0.0);
        self.wide.resize(t * f, 0.0);
    }

    /// What is allocated, whether the newest tile fills it or not.
    pub(super) fn bytes(&self) -> WorkBytes {
        let activations = [&self.x, &self.normal, &self.fused, &self.mixed, &self.attended, &self.wide];
        let numbers: usize = activations.iter().map(|buffer| buffer.capacity()).sum();
        WorkBytes {
            activations: numbers * size_of::<f32>()
                + self.running.capacity() * size_of::<Running>()
                + self.mixes.capacity() * size_of::<ValueVector>(),
            workspace: self.scratch.bytes() + self.widened.bytes(),
        }
    }

    /// Forgets all positions of the tile but the last one, in what a block works on.
    pub(super) fn keep_last(&mut self, config: &ModelConfig) {
        let h = config.hidden_size;
        for (numbers, width) in [(&mut self.x, h), (&mut self.fused, 3 * h)] {
            let last = numbers.len().saturating_sub(width);
            numbers.copy_within(last.., 0);
        }
        self.resize(config, 1);
    }

    /// Every query of `fused`, which stands from position `start` on, against the positions up to its own, committed or
    /// not: `mixed`.
    ///
    /// Page by page and not query by query, so that a page's keys and values stay in the nearest cache while all queries
    /// pass.
    pub(super) fn attend(&mut self, config: &ModelConfig, cache: &Pages, layer: usize, start: usize) {
        let (h, d) = (config.hidden_size, config.head_size());
        let vectors = d.div_ceil(LANES);
        let t = self.x.len() / h;
        for head in 0..config.num_attention_heads {
            self.running.clear();
            self.running.resize(t, Running::default());
            self.mixes.clear();
            self.mixes.resize(t * vectors, [0.0; LANES]);
            let all = start + t;
            for page in 0..all.div_ceil(PAGE_POSITIONS) {
                let most = (all - page * PAGE_POSITIONS).min(PAGE_POSITIONS);
                let Some((keys, values)) = cache.of_head(layer, head, page, most, &mut self.widened) else {
                    continue;
                };
                let rows = self.fused.chunks_exact(3 * h).zip(self.mixes.chunks_exact_mut(vectors));
                let mut queries =
                    rows.zip(&mut self.running).enumerate().filter_map(|(row, ((fused, mixed), running))| {
                        let seen = start + row + 1;
                        let count = seen.saturating_sub(page * PAGE_POSITIONS).min(PAGE_POSITIONS);
                        let query = fused.get(head * 3 * d..).and_then(|rest| rest.get(..d))?;
                        (count > 0).then_some(Query { query, count, running, mixed })
                    });
                while let Some(query) = queries.next() {
                    match queries.next() {
                        Some(other) => attend([query, other], keys, values),
                        None => attend([query], keys, values),
                    }
                }
            }
            let mixes = self.mixes.chunks_exact(vectors).zip(&self.running);
            for ((mix, running), out) in mixes.zip(self.mixed.chunks_exact_mut(h)) {
                finish(running, mix, out.get_mut(head * d..(head + 1) * d).unwrap_or_default());
            }
        }
    }
}
