//! Safetensors bytes to named tensors, with a report of what was read, ignored and converted.
//!
//! [`CheckpointBuilder`] takes the bytes as they arrive and keeps each tensor once, in its own format; a model asks for
//! them by name and shape. Cloning shares the tensors, so that a model can be built again in another precision, or on
//! another kernel, without reading a file twice.

mod builder;
mod data;
mod file;
mod header;
mod index;
mod numbers;
mod report;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

pub use builder::CheckpointBuilder;
pub use data::TensorData;
use header::shown_shape;
pub use header::{StoredDtype, TensorInfo};
pub use numbers::NumberFormat;
pub use report::{ConvertedTensor, IgnoredTensor, LoadReport};

use crate::error::{EngineError, Result};
use crate::precision::{Precision, WeightPrecision};

pub(crate) fn checkpoint_error(
    subject: &str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> EngineError {
    // A hostile header may hold a name of megabytes.
    let subject = subject.chars().take(200).collect();
    EngineError::Checkpoint { subject, expected: expected.into(), found: found.into() }
}

/// A lack of memory is an error in words, not an abort.
fn no_room(subject: &str, bytes: usize) -> EngineError {
    checkpoint_error(subject, format!("{bytes} bytes of free memory for it"), "less")
}

/// The tensors of one or more weight files, checked, each in its own format.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    bytes: usize,
    tensors: BTreeMap<String, Tensor>,
}

#[derive(Debug, Clone)]
struct Tensor {
    info: TensorInfo,
    /// `None` where no model reads it.
    data: Option<Arc<TensorData>>,
    /// The first number that is infinite or none, with its place: found when the tensor is decoded, a fault when a
    /// model asks for it.
    not_finite: Option<(usize, f32)>,
    /// Which file it came in, counted from 0.
    file: usize,
}

impl Checkpoint {
    /// A checkpoint of one file, `model.safetensors`.
    ///
    /// Errors, as all of a checkpoint with the name of the tensor or file, what was expected and what was found: bytes
    /// that are no whole safetensors file, headers that contradict themselves or the length.
    pub fn from_file(bytes: Vec<u8>) -> Result<Self> {
        let mut builder = CheckpointBuilder::new(None)?;
        add_file(&mut builder, "model.safetensors", bytes)?;
        builder.finish()
    }

    /// A checkpoint of several files, `(name, bytes)`, with the bytes of its `model.safetensors.index.json`.
    ///
    /// Errors: those of [`Checkpoint::from_file`] and of the index; a shard that is missing, comes twice or is not
    /// named; a tensor that is not where the index places it.
    pub fn from_shards(index_json: &[u8], shards: Vec<(String, Vec<u8>)>) -> Result<Self> {
        let mut builder = CheckpointBuilder::new(Some(index_json))?;
        for (name, bytes) in shards {
            add_file(&mut builder, &name, bytes)?;
        }
        builder.finish()
    }

    /// The files that an index names, each once, in the order of their names.
    ///
    /// Errors: more than 8 MiB, no JSON object with a `weight_map` of names, a tensor twice, no tensor at all.
    pub fn shard_names(index_json: &[u8]) -> Result<Vec<String>> {
        let names: BTreeSet<String> = index::parse(index_json)?.into_values().collect();
        Ok(names.into_iter().collect())
    }

    /// Bytes of all files, headers included.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes that the tensors take in memory.
    pub fn kept_bytes(&self) -> usize {
        self.tensors.values().filter_map(|tensor| tensor.data.as_ref()).map(|data| data.bytes()).sum()
    }

    /// Names and descriptions of all tensors, by name.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &TensorInfo)> {
        self.tensors.iter().map(|(name, tensor)| (name.as_str(), &tensor.info))
    }

    /// Whether there is a tensor of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The description and the numbers of one tensor, which must have this shape and a format that a model reads.
    ///
    /// Errors: no tensor of that name, another shape, a number that is infinite or NaN, a format that no model reads.
    pub fn tensor(&self, name: &str, shape: &[usize]) -> Result<(&TensorInfo, &Arc<TensorData>)> {
        let Some(Tensor { info, data, not_finite, .. }) = self.tensors.get(name) else {
            let found = format!("none of that name among {} tensors", self.tensors.len());
            return Err(checkpoint_error(name, format!("a tensor of shape {shape:?}"), found));
        };
        if info.shape != shape {
            let found = format!("shape {}", shown_shape(&info.shape));
            return Err(checkpoint_error(name, format!("shape {shape:?}"), found));
        }
        if let Some((place, value)) = not_finite {
            let found = format!("{value} at number {place} of {}", shape.iter().product::<usize>());
            return Err(checkpoint_error(name, "weights that are finite numbers", found));
        }
        match data {
            Some(data) => Ok((info, data)),
            None if report::is_old_buffer(name) => {
                Err(checkpoint_error(name, "a tensor of the model", "an old buffer, which is not kept"))
            }
            None => Err(checkpoint_error(name, "F16, BF16, F32 or F64", info.dtype.name())),
        }
    }

    /// Starts reading a model's tensors.
    pub fn reader(&self, precision: impl Into<WeightPrecision>) -> TensorReader<'_> {
        let precision = precision.into();
        TensorReader { checkpoint: self, precision, used: HashSet::new(), converted: Vec::new() }
    }
}

/// Adds a file that is there as a whole.
fn add_file(builder: &mut CheckpointBuilder, name: &str, bytes: Vec<u8>) -> Result<()> {
    builder.begin_file(name, Some(bytes.len()))?;
    builder.push(&bytes)?;
    builder.finish_file()
}

/// Decodes tensors for a model and notes which, for the [`LoadReport`].
#[derive(Debug)]
pub struct TensorReader<'a> {
    checkpoint: &'a Checkpoint,
    precision: WeightPrecision,
    used: HashSet<String>,
    converted: Vec<ConvertedTensor>,
}

impl TensorReader<'_> {
    /// Whether the checkpoint has a tensor of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.checkpoint.contains(name)
    }

    /// One tensor as f32, its values rounded to the precision of its class first.
    ///
    /// The numbers are row-major, as many as `shape` multiplies to. Errors: those of [`Checkpoint::tensor`]; a weight
    /// too large for F16; memory that lacks.
    pub fn f32(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let (info, data) = self.checkpoint.tensor(name, shape)?;
        let precision = self.precision.of(name);
        let values = data.to_f32(name, |value| precision.round(value))?;
        // A weight of a sound file that its new format cannot hold would be a NaN some layers later.
        if precision == Precision::F16
            && info.dtype != StoredDtype::F16
            && values.iter().any(|v| v.is_infinite())
        {
            return Err(checkpoint_error(name, "weights that f16 can hold, up to 65504", "a larger one"));
        }
        let target = match (precision, info.dtype) {
            (Precision::F16, from) if from != StoredDtype::F16 => StoredDtype::F16,
            (Precision::BF16, from) if from != StoredDtype::BF16 => StoredDtype::BF16,
            _ => StoredDtype::F32,
        };
        self.note(name, info.dtype, target);
        Ok(values)
    }

    /// One tensor in the format that the file stores it in, or rounded to the precision of its class. What need not
    /// be converted is shared with the checkpoint, not copied.
    ///
    /// Errors: those of [`TensorReader::f32`].
    pub fn stored(&mut self, name: &str, shape: &[usize]) -> Result<Arc<TensorData>> {
        let (info, data) = self.checkpoint.tensor(name, shape)?;
        let precision = self.precision.of(name);
        let (kept, dtype) = match data.format() {
            NumberFormat::F32 => (precision == Precision::F32, StoredDtype::F32),
            NumberFormat::F16 | NumberFormat::LiftedF16 => {
                (matches!(precision, Precision::F32 | Precision::F16), StoredDtype::F16)
            }
            NumberFormat::Bf16 => (matches!(precision, Precision::F32 | Precision::BF16), StoredDtype::BF16),
        };
        if !kept {
            return Ok(Arc::new(TensorData::rounded(name, self.f32(name, shape)?, precision)?));
        }
        self.note(name, info.dtype, dtype);
        Ok(Arc::clone(data))
    }

    fn note(&mut self, name: &str, from: StoredDtype, to: StoredDtype) {
        if self.used.insert(name.to_owned()) && from != to {
            self.converted.push(ConvertedTensor { name: name.to_owned(), from, to });
        }
    }

    /// What was read, and what was not.
    pub fn report(self) -> LoadReport {
        let mut stored: BTreeMap<StoredDtype, usize> = BTreeMap::new();
        let mut ignored = Vec::new();
        for (name, info) in self.checkpoint.tensors() {
            if self.used.contains(name) {
                *stored.entry(info.dtype).or_default() += info.bytes();
            } else {
                let reason = report::ignored_reason(name);
                ignored.push(IgnoredTensor { name: name.to_owned(), reason });
            }
        }
        let mut dtypes: Vec<(StoredDtype, usize)> = stored.into_iter().collect();
        dtypes.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        LoadReport {
            bytes: self.checkpoint.bytes(),
            dtypes: dtypes.into_iter().map(|(dtype, _)| dtype).collect(),
            tensors: self.used.len(),
            ignored,
            converted: self.converted,
        }
    }
}
