//! The weights of GPT-NeoX as candle's tensors, and the two kinds of layer that own them.
//!
//! Axes as in [`super`].

use candle_core::{CpuStorage, D, Device, Storage, Tensor};

use super::compute;
use crate::checkpoint::{Checkpoint, LoadReport, TensorReader};
use crate::config::ModelConfig;
use crate::error::Result;
use crate::model::rotary::RotaryTables;
use crate::model::tensors::{self, TensorSource, Tensors};
use crate::precision::Precision;

/// On candle every tensor is a [`Tensor`].
pub(super) type Linear = tensors::Linear<Tensor, Tensor>;
pub(super) type Layer = tensors::Block<Tensor, Tensor>;

impl Linear {
    /// `[r, t, inputs]` to `[r, t, outputs]`.
    pub(super) fn forward(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        let y = product(x, &self.weight)?;
        match &self.bias {
            Some(bias) => y.broadcast_add(bias),
            None => Ok(y),
        }
    }
}

/// `x [r, t, inputs]` times the transpose of `weight [outputs, inputs]`: `[r, t, outputs]`.
pub(super) fn product(x: &Tensor, weight: &Tensor) -> candle_core::Result<Tensor> {
    let (r, t, inputs) = x.dims3()?;
    x.reshape((r * t, inputs))?.matmul(&weight.t()?)?.reshape((r, t, ()))
}

impl tensors::Norm<Tensor> {
    /// Every position on its own: mean 0, variance 1, then a weight and a bias for each of the h dimensions.
    ///
    /// Spelt out because candle's fused version takes the variance as `E[x²] - E[x]²` in f32, which cancels.
    pub(super) fn forward(&self, x: &Tensor, eps: f64) -> candle_core::Result<Tensor> {
        let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
        let normal = centred.broadcast_div(&(variance + eps)?.sqrt()?)?;
        normal.broadcast_mul(&self.weight)?.broadcast_add(&self.bias)
    }
}

/// All that does not change while a model runs.
pub(in crate::model) struct Weights {
    pub(in crate::model) config: ModelConfig,
    pub(super) tensors: Tensors<Tensor, Tensor>,
    /// `[max_position_embeddings, rotary_dimensions / 2]`
    pub(in crate::model) cosines: Tensor,
    pub(in crate::model) sines: Tensor,
    pub(super) bytes: usize,
}

/// Lends the numbers of a tensor as bytes. They are f32 in memory; of anything else there is nothing to lend.
pub(super) fn with_bytes(tensor: &Tensor, see: &mut dyn FnMut(&[u8])) -> bool {
    let (storage, _) = tensor.storage_and_layout();
    let Storage::Cpu(CpuStorage::F32(numbers)) = &*storage else { return false };
    see(bytemuck::cast_slice(numbers));
    true
}

/// Reads tensors by name and shape, and counts their bytes.
struct Loader<'a> {
    reader: TensorReader<'a>,
    bytes: usize,
}

impl Loader<'_> {
    fn tensor(&mut self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let values = self.reader.f32(name, shape)?;
        self.bytes += values.len() * size_of::<f32>();
        Tensor::from_vec(values, shape, &Device::Cpu).map_err(compute("loading a tensor"))
    }
}

impl TensorSource for Loader<'_> {
    type Matrix = Tensor;
    type Vector = Tensor;

    fn contains(&self, name: &str) -> bool {
        self.reader.contains(name)
    }

    fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Tensor> {
        self.tensor(name, &[rows, columns])
    }

    fn vector(&mut self, name: &str, length: usize) -> Result<Tensor> {
        self.tensor(name, &[length])
    }
}

impl Weights {
    pub(super) fn load(
        config: ModelConfig,
        checkpoint: &Checkpoint,
        precision: Precision,
    ) -> Result<(Self, LoadReport)> {
        let mut loader = Loader { reader: checkpoint.reader(precision), bytes: 0 };
        let tensors = Tensors::read(&mut loader, &config)?;
        let tables = RotaryTables::new(&config)?;
        let table = |values: Vec<f32>| {
            Tensor::from_vec(values, (config.max_position_embeddings, tables.pairs), &Device::Cpu)
                .map_err(compute("the rotary tables"))
        };
        let (cosines, sines) = (table(tables.cosines)?, table(tables.sines)?);
        let bytes = loader.bytes;
        Ok((Self { config, tensors, cosines, sines, bytes }, loader.reader.report()))
    }
}
