//! GPT-NeoX without tensor objects: the default kernel, and the fast one.
//!
//! The forward pass runs tiles of up to `TILE` positions through the blocks, so that each weight is read once for all
//! of them, with buffers that are allocated once. The bits of a position do not depend on the tile it is computed in, nor
//! on what shares its cache: every sum has one order, fixed by [`super::kernels`]. They are also the same natively and in
//! every browser, because nothing here calls a function of the platform's C library.
//!
//! Axes: `t` positions of a tile, `h` hidden_size, `a` attention heads, `d` head size, `f` intermediate_size, `v`
//! vocab_size.

mod buffers;
mod pages;
mod weights;

use std::sync::Arc;

use super::forward::{Forward, KvBytes, WorkBytes, check_extension, check_finish, check_head};
use super::kernels::elementwise::{add, bias_and_activation, layer_norm};
use super::kernels::matrix::Scratch;
use super::tensors::Part;
use crate::checkpoint::{Checkpoint, LoadReport};
use crate::config::ModelConfig;
use crate::error::Result;
use crate::precision::{CachePrecision, WeightPrecision};
use buffers::Buffers;
use pages::Pages;
use weights::{Block, Linear, Norm, Weights};

/// Positions that are run together. More would read the weights less often and want larger buffers; a session asks for as
/// many at a time.
const TILE: usize = 32;

/// GPT-NeoX on the kernels of this crate, with the KV cache of one sequence.
pub struct Fused {
    weights: Arc<Weights>,
    cache: Pages,
    buffers: Buffers,
}

impl Fused {
    /// Builds the model from its configuration and its weights. Matrices stay in the checkpoint's bytes where the
    /// precision asks for no rounding. Keys and values are kept as `kv_cache` says.
    ///
    /// Errors: a tensor that is missing, misshapen or not finite, a precision that its numbers do not fit, memory that
    /// lacks.
    pub fn load(
        config: ModelConfig,
        checkpoint: Checkpoint,
        precision: WeightPrecision,
        kv_cache: CachePrecision,
    ) -> Result<(Self, LoadReport)> {
        let (weights, report) = Weights::load(config, &checkpoint, precision)?;
        Ok((Self::empty(Arc::new(weights), kv_cache), report))
    }

    fn empty(weights: Arc<Weights>, kv_cache: CachePrecision) -> Self {
        let cache = Pages::new(&weights.config, kv_cache);
        Self { weights, cache, buffers: Buffers::default() }
    }

    /// Runs a tile through all blocks, the last one no further than keys and values: what that one is given stands in
    /// `x [t, h]`, its queries in `fused`.
    fn run_tile(&mut self, weights: &Weights, ids: &[u32]) {
        let start = self.cache.positions();
        self.enter(weights, ids);
        let last = weights.tensors.blocks.len().saturating_sub(1);
        for (layer, block) in weights.tensors.blocks.iter().enumerate() {
            self.project(weights, block, start);
            self.remember(&weights.config, layer);
            if layer < last {
                self.attention(&weights.config, block, layer, start);
                self.feed_forward(&weights.config, block);
            }
        }
        self.cache.commit(ids.len());
    }

    /// What [`Fused::run_tile`] has left: the last block, and the final hidden states `[t, h]` of the positions from `start`
    /// on.
    fn last_block(&mut self, weights: &Weights, start: usize) -> &[f32] {
        if let Some((layer, block)) = weights.tensors.blocks.iter().enumerate().next_back() {
            self.attention(&weights.config, block, layer, start);
            self.feed_forward(&weights.config, block);
        }
        let Buffers { x, normal, .. } = &mut self.buffers;
        normalise(x, &weights.tensors.final_layer_norm, &weights.config, normal);
        normal
    }

    /// Makes room for a tile behind the positions that are cached, and looks its ids up: `x [t, h]`.
    fn enter(&mut self, weights: &Weights, ids: &[u32]) {
        self.cache.reserve(ids.len());
        self.buffers.resize(&weights.config, ids.len());
        for (row, id) in self.buffers.x.chunks_exact_mut(weights.config.hidden_size).zip(ids) {
            weights.tensors.embed_in.row(*id as usize, row);
        }
    }

    /// Queries, keys and values of `x [t, h]`, which stands from position `start` on, in `fused [t, a, 3, d]`.
    fn project(&mut self, weights: &Weights, block: &Block, start: usize) {
        let config = &weights.config;
        let (h, d) = (config.hidden_size, config.head_size());
        let Buffers { x, normal, fused, scratch, .. } = &mut self.buffers;
        normalise(x, &block.input_layernorm, config, normal);
        linear(&block.query_key_value, normal, fused, scratch);
        // The 3h outputs are laid out head by head, each with its query, its key and its value.
        let pairs = weights.rotary.pairs;
        let scale = 1.0 / (d as f32).sqrt();
        for (row, fused) in fused.chunks_exact_mut(3 * h).enumerate() {
            let angles = (start + row) * pairs..(start + row + 1) * pairs;
            let cosines = weights.rotary.cosines.get(angles.clone()).unwrap_or_default();
            let sines = weights.rotary.sines.get(angles).unwrap_or_default();
            for fused in fused.chunks_exact_mut(3 * d) {
                let (query, rest) = fused.split_at_mut(d);
                rotate(query, cosines, sines);
                query.iter_mut().for_each(|query| *query *= scale);
                rotate(rest.split_at_mut(d).0, cosines, sines);
            }
        }
    }

    /// Writes keys and values of the tile to the cache, behind the positions that are complete.
    fn remember(&mut self, config: &ModelConfig, layer: usize) {
        let (h, d, start) = (config.hidden_size, config.head_size(), self.cache.positions());
        for (row, fused) in self.buffers.fused.chunks_exact(3 * h).enumerate() {
            for (head, fused) in fused.chunks_exact(3 * d).enumerate() {
                let (key, value) = fused.split_at(d).1.split_at(d);
                self.cache.write(layer, head, start + row, key, value);
            }
        }
    }

    /// The queries of the tile, which stands from position `start` on, against keys and values up to their own: what the
    /// block's attention adds to `x [t, h]`, in `attended [t, h]`; sequential blocks add it at once.
    fn attention(&mut self, config: &ModelConfig, block: &Block, layer: usize, start: usize) {
        let buffers = &mut self.buffers;
        buffers.attend(config, &self.cache, layer, start);
        linear(&block.dense, &buffers.mixed, &mut buffers.attended, &mut buffers.scratch);
        if !config.use_parallel_residual {
            add(&mut buffers.x, &buffers.attended);
        }
    }

    /// Adds what the feed-forward block makes of `x [t, h]` to it, and, in parallel blocks, what attention made of it.
    fn feed_forward(&mut self, config: &ModelConfig, block: &Block) {
        let Buffers { x, normal, wide, attended, scratch, .. } = &mut self.buffers;
        normalise(x, &block.post_attention_layernorm, config, normal);
        let (up, down) = (&block.dense_h_to_4h, &block.dense_4h_to_h);
        up.weight.multiply(normal, wide, scratch); // [t, f]
        bias_and_activation(wide, up.bias.as_deref().unwrap_or_default(), config.hidden_act);
        linear(down, wide, normal, scratch); // [t, h]
        if config.use_parallel_residual {
            // x + attn(ln1 x) + mlp(ln2 x); otherwise x has the attention's part already.
            add(normal, attended);
        }
        add(x, normal);
    }
}

/// `x [t, h]` to `out [t, h]`.
fn normalise(x: &[f32], norm: &Norm, config: &ModelConfig, out: &mut [f32]) {
    let h = config.hidden_size;
    for (x, out) in x.chunks_exact(h).zip(out.chunks_exact_mut(h)) {
        layer_norm(x, &norm.weight, &norm.bias, config.layer_norm_eps as f32, out);
    }
}

/// `x [t, inputs]` to `out [t, outputs]`.
fn linear(linear: &Linear, x: &[f32], out: &mut [f32], scratch: &mut Scratch) {
    linear.weight.multiply(x, out, scratch);
    if let Some(bias) = &linear.bias {
        for row in out.chunks_exact_mut(bias.len()) {
            add(row, bias);
        }
    }
}

/// Turns the first dimensions of a head, as many pairs as there are angles, and leaves the rest as they are.
fn rotate(head: &mut [f32], cosines: &[f32], sines: &[f32]) {
    let (first, second) = head.split_at_mut(cosines.len());
    for (((a, b), cosine), sine) in first.iter_mut().zip(second).zip(cosines).zip(sines) {
        (*a, *b) = (*a * cosine - *b * sine, *b * cosine + *a * sine);
    }
}

impl Forward for Fused {
    fn config(&self) -> &ModelConfig {
        &self.weights.config
    }

    fn cached(&self) -> usize {
        self.cache.positions()
    }

    fn truncate(&mut self, positions: usize) {
        self.cache.truncate(positions);
    }

    fn extend(&mut self, ids: &[u32]) -> Result<Vec<f32>> {
        check_extension(self.config(), self.cached(), ids)?;
        let weights = Arc::clone(&self.weights);
        let mut hidden = Vec::with_capacity(ids.len() * weights.config.hidden_size);
        for tile in ids.chunks(TILE) {
            let start = self.cache.positions();
            self.run_tile(&weights, tile);
            hidden.extend_from_slice(self.last_block(&weights, start));
        }
        Ok(hidden)
    }

    fn prefill(&mut self, ids: &[u32]) -> Result<Vec<f32>> {
        check_extension(self.config(), self.cached(), ids)?;
        let weights = Arc::clone(&self.weights);
        let mut rows = Vec::with_capacity(ids.len() * weights.config.hidden_size);
        for tile in ids.chunks(TILE) {
            self.run_tile(&weights, tile);
            rows.extend_from_slice(&self.buffers.x);
        }
        self.buffers.keep_last(&weights.config);
        rows.truncate(rows.len() - weights.config.hidden_size);
        rows.extend_from_slice(self.last_block(&weights, self.cache.positions() - 1));
        Ok(rows)
    }

    fn finish(&mut self, first: usize, rows: &mut [f32]) -> Result<()> {
        check_finish(self.config(), self.cached(), first, rows)?;
        let weights = Arc::clone(&self.weights);
        let h = weights.config.hidden_size;
        for (index, tile) in rows.chunks_mut(TILE * h).enumerate() {
            let start = first + index * TILE;
            self.buffers.resize(&weights.config, tile.len() / h);
            self.buffers.x.copy_from_slice(tile);
            if let Some(block) = weights.tensors.blocks.last() {
                self.project(&weights, block, start);
            }
            tile.copy_from_slice(self.last_block(&weights, start));
        }
        Ok(())
    }

    fn logits_into(&self, hidden: &[f32], logits: &mut [f32]) -> Result<()> {
        check_head(self.config(), hidden, logits)?;
        let tensors = &self.weights.tensors;
        let head = tensors.embed_out.as_ref().unwrap_or(&tensors.embed_in);
        head.multiply(hidden, logits, &mut Scratch::default());
        Ok(())
    }

    fn fresh(&self) -> Box<dyn Forward> {
        Box::new(Self::empty(Arc::clone(&self.weights), self.cache.precision()))
    }

    fn fork(&self) -> Result<Box<dyn Forward>> {
        let (weights, cache) = (Arc::clone(&self.weights), self.cache.clone());
        Ok(Box::new(Self { weights, cache, buffers: Buffers::default() }))
    }

    fn kv_bytes(&self) -> KvBytes {
        self.cache.bytes()
    }

    fn weight_bytes(&self) -> usize {
        self.weights.bytes
    }

    fn with_weights(&self, part: usize, see: &mut dyn FnMut(&[u8])) -> bool {
        match self.weights.tensors.parts().get(part) {
            Some(Part::Matrix(matrix)) => matrix.with_bytes(see),
            Some(Part::Vector(vector)) => see(bytemuck::cast_slice(vector)),
            None => return false,
        }
        true
    }

    fn file_weight_bytes(&self) -> usize {
        self.weights.file_bytes
    }

    fn work_bytes(&self) -> WorkBytes {
        let WorkBytes { activations, workspace } = self.buffers.bytes();
        WorkBytes { activations, workspace: workspace + self.weights.rotary.bytes() }
    }
}
