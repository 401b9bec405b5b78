//! GPT-NeoX on candle's tensors: the readable kernel, and the reference for the fast one. The architecture is that of
//! Black et al., "GPT-NeoX-20B: An Open-Source Autoregressive Language Model", 2022, as transformers computes it.
//!
//! Axes, as they stand beside each step:
//!
//! - `r` rows of a batch; 1 for a single sequence
//! - `t` new positions, `n` all positions: the cached ones and the new ones
//! - `h` hidden_size, `a` attention heads, `d` head size (h = a d), `f` intermediate_size, `v` vocab_size
//!
//! Everything is computed in f32, whatever the file stores.

mod weights;

use std::any::Any;
use std::sync::Arc;

use candle_core::{D, Device, Tensor};
use candle_nn::ops::softmax_last_dim;
use candle_nn::rotary_emb::rope;

use super::forward::{Forward, KvBytes, WorkBytes, check_extension, check_head};
use super::kv_cache::KvCache;
use super::tensors::Part;
use crate::checkpoint::{Checkpoint, LoadReport};
use crate::config::{Activation, ModelConfig};
use crate::error::{EngineError, Result};
use crate::precision::Precision;
pub(super) use weights::Weights;
use weights::{Layer, product};

/// Long prompts are run in pieces of this many positions: the scores take a·t·n numbers, which a context of many
/// thousand tokens would not leave room for.
const MOST_NEW_POSITIONS: usize = 512;

/// Turns an error of candle into ours, with the operation in the terms of the model.
pub(super) fn compute(operation: &'static str) -> impl FnOnce(candle_core::Error) -> EngineError {
    move |source| EngineError::Compute { operation, source }
}

impl Weights {
    /// Token ids `[r, t]` at the positions after the cached ones, to final hidden states `[r, t, h]`.
    ///
    /// `rotary` holds cosines and sines `[t, d/2]` or `[r, t, d/2]` of the part that turns; `mask`, `[1 or r, 1, t, n]`,
    /// is added to the scores. The cache is written but not committed.
    pub(super) fn hidden(
        &self,
        cache: &mut KvCache,
        ids: &Tensor,
        rotary: (&Tensor, &Tensor),
        mask: Option<&Tensor>,
    ) -> Result<Tensor> {
        let (r, t) = ids.dims2().map_err(compute("the embedding"))?;
        let eps = self.config.layer_norm_eps;
        let mut x = self
            .tensors
            .embed_in
            .index_select(&ids.flatten_all().map_err(compute("the embedding"))?, 0)
            .and_then(|rows| rows.reshape((r, t, self.config.hidden_size)))
            .map_err(compute("the embedding"))?; // [r, t, h]
        for (index, layer) in self.tensors.blocks.iter().enumerate() {
            let attended =
                self.attention(layer, index, cache, &x, rotary, mask).map_err(compute("attention"))?; // [r, t, h]
            x = self.residual(layer, &x, &attended).map_err(compute("the feed-forward block"))?; // [r, t, h]
        }
        self.tensors.final_layer_norm.forward(&x, eps).map_err(compute("the final layer norm"))
    }

    fn attention(
        &self,
        layer: &Layer,
        index: usize,
        cache: &mut KvCache,
        x: &Tensor,
        (cosines, sines): (&Tensor, &Tensor),
        mask: Option<&Tensor>,
    ) -> candle_core::Result<Tensor> {
        let (r, t, h) = x.dims3()?;
        let (a, d) = (self.config.num_attention_heads, self.config.head_size());
        let fused =
            layer.query_key_value.forward(&layer.input_layernorm.forward(x, self.config.layer_norm_eps)?)?; // [r, t, 3h]
        // The 3h outputs are laid out head by head, each with its query, its key and its value.
        let fused = fused.reshape((r, t, a, 3 * d))?.transpose(1, 2)?; // [r, a, t, 3d]
        let query = rotate(&fused.narrow(3, 0, d)?, cosines, sines)?; // [r, a, t, d]
        let key = rotate(&fused.narrow(3, d, d)?, cosines, sines)?; // [r, a, t, d]
        let value = fused.narrow(3, 2 * d, d)?; // [r, a, t, d]
        let (keys, values) = cache.write(index, &key, &value)?; // [r, a, n, d]
        let scores = (query.matmul(&keys.t()?)? * (1.0 / (d as f64).sqrt()))?; // [r, a, t, n]
        let scores = match mask {
            Some(mask) => scores.broadcast_add(mask)?,
            None => scores,
        };
        let shares = softmax_last_dim(&scores)?; // [r, a, t, n]
        let mixed = shares.matmul(&values)?.transpose(1, 2)?.reshape((r, t, h))?; // [r, t, h]
        layer.dense.forward(&mixed)
    }

    /// Adds attention and feed-forward to the residual stream.
    fn residual(&self, layer: &Layer, x: &Tensor, attended: &Tensor) -> candle_core::Result<Tensor> {
        if self.config.use_parallel_residual {
            // Both blocks have read x: x + attn(ln1 x) + mlp(ln2 x).
            self.feed_forward(layer, x)? + attended + x
        } else {
            // One after the other: y = x + attn(ln1 x), then y + mlp(ln2 y).
            let y = (x + attended)?;
            self.feed_forward(layer, &y)? + y
        }
    }

    fn feed_forward(&self, layer: &Layer, x: &Tensor) -> candle_core::Result<Tensor> {
        let wide = layer
            .dense_h_to_4h
            .forward(&layer.post_attention_layernorm.forward(x, self.config.layer_norm_eps)?)?; // [r, t, f]
        let wide = match self.config.hidden_act {
            Activation::Gelu => wide.gelu_erf()?,
            // candle's plain `gelu` is the approximation.
            Activation::GeluTanh => wide.gelu()?,
            Activation::Relu => wide.relu()?,
        };
        layer.dense_4h_to_h.forward(&wide) // [r, t, h]
    }

    /// Hidden states `[r, t, h]` to logits `[r, t, v]`.
    pub(super) fn head(&self, hidden: &Tensor) -> Result<Tensor> {
        let weight = self.tensors.embed_out.as_ref().unwrap_or(&self.tensors.embed_in);
        product(hidden, weight).map_err(compute("the output head"))
    }
}

/// Turns the first dimensions of each head, as many as the tables have, and leaves the rest as they are.
fn rotate(x: &Tensor, cosines: &Tensor, sines: &Tensor) -> candle_core::Result<Tensor> {
    let turned = 2 * cosines.dim(D::Minus1)?;
    let d = x.dim(D::Minus1)?;
    if turned == 0 {
        return x.contiguous();
    }
    let head = rope(&x.narrow(D::Minus1, 0, turned)?.contiguous()?, cosines, sines)?;
    if turned == d {
        return Ok(head);
    }
    Tensor::cat(&[&head, &x.narrow(D::Minus1, turned, d - turned)?.contiguous()?], D::Minus1)
}

/// GPT-NeoX with the KV cache of one sequence.
pub struct GptNeox {
    pub(super) weights: Arc<Weights>,
    pub(super) cache: KvCache,
}

impl GptNeox {
    /// A model that is one of this kind; `None` of another.
    pub fn of(model: &dyn Forward) -> Option<&Self> {
        let model: &dyn Any = model;
        model.downcast_ref()
    }

    /// Builds the model from its configuration and its weights, which are rounded to `precision`.
    ///
    /// INT8 and Q4 are an error: they are forms to compute with, and this kernel computes with f32 tensors.
    pub fn load(
        config: ModelConfig,
        checkpoint: Checkpoint,
        precision: Precision,
    ) -> Result<(Self, LoadReport)> {
        if precision.is_quantised() {
            return Err(EngineError::Settings {
                name: "precision",
                expected: "f32, f16 or bf16, because int8 and q4 are not available for the candle kernel"
                    .into(),
                found: precision.name().into(),
            });
        }
        let (weights, report) = Weights::load(config, &checkpoint, precision)?;
        Ok((Self::empty(Arc::new(weights)), report))
    }

    /// The same weights with an empty cache.
    pub fn sharing(&self) -> Self {
        Self::empty(Arc::clone(&self.weights))
    }

    fn empty(weights: Arc<Weights>) -> Self {
        let cache = KvCache::new(weights.config.num_hidden_layers, weights.config.max_position_embeddings);
        Self { weights, cache }
    }

    fn extend_piece(&mut self, ids: &[u32]) -> Result<Vec<f32>> {
        const OPERATION: &str = "the input of the forward pass";
        let (start, t) = (self.cache.positions(), ids.len());
        let input = Tensor::from_slice(ids, (1, t), &Device::Cpu).map_err(compute(OPERATION))?;
        let rows_at = |table: &Tensor| table.narrow(0, start, t).map_err(compute(OPERATION));
        let (cosines, sines) = (rows_at(&self.weights.cosines)?, rows_at(&self.weights.sines)?);
        // A single new position sees everything before it.
        let mask = if t > 1 { Some(causal_mask(start, t).map_err(compute(OPERATION))?) } else { None };
        let hidden = self.weights.hidden(&mut self.cache, &input, (&cosines, &sines), mask.as_ref())?;
        let hidden = flat(&hidden).map_err(compute("the final hidden states"))?;
        self.cache.commit(t);
        Ok(hidden)
    }
}

/// `[1, 1, t, start + t]`: 0 where the key is not after the query, minus infinity where it is.
fn causal_mask(start: usize, t: usize) -> candle_core::Result<Tensor> {
    let n = start + t;
    let hides = |query: usize, key: usize| {
        if key > start + query { f32::NEG_INFINITY } else { 0.0 }
    };
    let mask: Vec<f32> = (0..t).flat_map(|query| (0..n).map(move |key| hides(query, key))).collect();
    Tensor::from_vec(mask, (1, 1, t, n), &Device::Cpu)
}

pub(super) fn flat(tensor: &Tensor) -> candle_core::Result<Vec<f32>> {
    tensor.flatten_all()?.to_vec1()
}

impl Forward for GptNeox {
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
        let start = self.cached();
        check_extension(self.config(), start, ids)?;
        let mut hidden = Vec::with_capacity(ids.len() * self.config().hidden_size);
        for piece in ids.chunks(MOST_NEW_POSITIONS) {
            match self.extend_piece(piece) {
                Ok(rows) => hidden.extend(rows),
                Err(error) => {
                    self.truncate(start);
                    return Err(error);
                }
            }
        }
        Ok(hidden)
    }

    fn logits_into(&self, hidden: &[f32], logits: &mut [f32]) -> Result<()> {
        check_head(self.config(), hidden, logits)?;
        let h = self.config().hidden_size;
        let hidden = Tensor::from_slice(hidden, (1, hidden.len() / h, h), &Device::Cpu)
            .map_err(compute("the input of the output head"))?;
        let found = flat(&self.weights.head(&hidden)?).map_err(compute("the logits"))?;
        for (logit, found) in logits.iter_mut().zip(found) {
            *logit = found;
        }
        Ok(())
    }

    fn fresh(&self) -> Box<dyn Forward> {
        Box::new(self.sharing())
    }

    fn fork(&self) -> Result<Box<dyn Forward>> {
        let cache = self.cache.fork().map_err(compute("a copy of the KV cache"))?;
        Ok(Box::new(Self { weights: Arc::clone(&self.weights), cache }))
    }

    fn kv_bytes(&self) -> KvBytes {
        self.cache.bytes()
    }

    fn weight_bytes(&self) -> usize {
        self.weights.bytes
    }

    fn with_weights(&self, part: usize, see: &mut dyn FnMut(&[u8])) -> bool {
        let parts = self.weights.tensors.parts();
        let Some(Part::Matrix(tensor) | Part::Vector(tensor)) = parts.get(part) else { return false };
        weights::with_bytes(tensor, see)
    }

    /// The tables of angles. The tensors of a pass live as long as the pass needs them.
    fn work_bytes(&self) -> WorkBytes {
        let numbers = self.weights.cosines.elem_count() + self.weights.sines.elem_count();
        WorkBytes { activations: 0, workspace: numbers * size_of::<f32>() }
    }
}
