//! The weights of the fused kernel: matrices as the file stores them or quantised, vectors as f32.

use std::sync::Arc;

use crate::checkpoint::{Checkpoint, LoadReport, TensorReader};
use crate::config::ModelConfig;
use crate::error::Result;
use crate::model::kernels::matrix::WeightMatrix;
use crate::model::rotary::RotaryTables;
use crate::model::tensors::{self, EMBEDDING, TensorSource, Tensors};
use crate::precision::WeightPrecision;

pub(super) type Linear = tensors::Linear<WeightMatrix, Vec<f32>>;
pub(super) type Block = tensors::Block<WeightMatrix, Vec<f32>>;
pub(super) type Norm = tensors::Norm<Vec<f32>>;

/// All that does not change while a model runs.
pub(super) struct Weights {
    pub(super) config: ModelConfig,
    pub(super) tensors: Tensors<WeightMatrix, Vec<f32>>,
    pub(super) rotary: RotaryTables,
    pub(super) bytes: usize,
    /// Of these, what is shared with the checkpoint.
    pub(super) file_bytes: usize,
}

/// Reads tensors by name and shape, and counts their bytes.
struct Loader<'a> {
    reader: TensorReader<'a>,
    precision: WeightPrecision,
    bytes: usize,
    file_bytes: usize,
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
            let numbers = self.reader.stored(name, &[rows, columns])?;
            // The checkpoint holds the other reference of what was not converted.
            if Arc::strong_count(&numbers) > 1 {
                self.file_bytes += numbers.bytes();
            }
            WeightMatrix::new(rows, columns, numbers)
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
        precision: WeightPrecision,
    ) -> Result<(Self, LoadReport)> {
        let mut loader = Loader { reader: checkpoint.reader(precision), precision, bytes: 0, file_bytes: 0 };
        let mut tensors = Tensors::read(&mut loader, &config)?;
        if tensors.embed_out.is_none() && precision.head != precision.embedding {
            // Tied embeddings: the head is the table, in its own precision.
            let precision = WeightPrecision::uniform(precision.head);
            let mut head =
                Loader { reader: checkpoint.reader(precision), precision, bytes: 0, file_bytes: 0 };
            tensors.embed_out = Some(head.matrix(EMBEDDING, config.vocab_size, config.hidden_size)?);
            loader.bytes += head.bytes;
            loader.file_bytes += head.file_bytes;
        }
        let rotary = RotaryTables::new(&config)?;
        let (bytes, file_bytes) = (loader.bytes, loader.file_bytes);
        Ok((Self { config, tensors, rotary, bytes, file_bytes }, loader.reader.report()))
    }
}
