//! The weights of the fused kernel: matrices as the file stores them or quantised, vectors as f32.

use crate::checkpoint::{Checkpoint, LoadReport, TensorReader};
use crate::config::ModelConfig;
use crate::error::Result;
use crate::model::kernels::matrix::WeightMatrix;
use crate::model::rotary::RotaryTables;
use crate::model::tensors::{self, TensorSource, Tensors};
use crate::precision::{Precision, WeightPrecision};

pub(super) type Linear = tensors::Linear<WeightMatrix, Vec<f32>>;
pub(super) type Block = tensors::Block<WeightMatrix, Vec<f32>>;
pub(super) type Norm = tensors::Norm<Vec<f32>>;

/// All that does not change while a model runs.
pub(super) struct Weights {
    pub(super) config: ModelConfig,
    pub(super) tensors: Tensors<WeightMatrix, Vec<f32>>,
    pub(super) rotary: RotaryTables,
    pub(super) bytes: usize,
}

/// Reads tensors by name and shape, and counts their bytes.
struct Loader<'a> {
    reader: TensorReader<'a>,
    precision: WeightPrecision,
    bytes: usize,
}

impl TensorSource for Loader<'_> {
    type Matrix = WeightMatrix;
    type Vector = Vec<f32>;

    fn contains(&self, name: &str) -> bool {
        self.reader.contains(name)
    }

    fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<WeightMatrix> {
        let precision = self.precision.of(name);
        let matrix = if precision.is_quantised() {
            WeightMatrix::quantised(rows, columns, self.reader.f32(name, &[rows, columns])?, precision)
        } else {
            WeightMatrix::new(rows, columns, self.reader.stored(name, &[rows, columns])?)
        };
        self.bytes += matrix.bytes();
        Ok(matrix)
    }

    fn vector(&mut self, name: &str, length: usize) -> Result<Vec<f32>> {
        self.bytes += length * size_of::<f32>();
        self.reader.f32(name, &[length])
    }
}

impl Weights {
    pub(super) fn load(
        config: ModelConfig,
        checkpoint: &Checkpoint,
        precision: Precision,
    ) -> Result<(Self, LoadReport)> {
        let mut loader =
            Loader { reader: checkpoint.reader(precision), precision: precision.into(), bytes: 0 };
        let tensors = Tensors::read(&mut loader, &config)?;
        let rotary = RotaryTables::new(&config);
        let bytes = loader.bytes;
        Ok((Self { config, tensors, rotary, bytes }, loader.reader.report()))
    }
}
