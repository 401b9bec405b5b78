//! Safetensors bytes to named tensors, with a report of what was read, ignored and converted.
//!
//! A checkpoint keeps the bytes of its files and decodes a tensor when a model asks for it by name and shape; nothing
//! else of the file is ever interpreted. Cloning shares the bytes, so that a model can be built again in another
//! precision or for another kernel without reading the file twice; the fused kernel computes with them where they lie.

mod header;
mod numbers;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use half::{bf16, f16};
use serde::Deserialize;

use header::{Pairs, shown_shape};
pub use header::{StoredDtype, TensorInfo};
pub use numbers::{NumberFormat, SharedBytes, StoredNumbers};

use crate::config::starts_with;
use crate::error::{EngineError, Result};
use crate::precision::Precision;

pub(crate) fn checkpoint_error(
    subject: &str,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> EngineError {
    // A hostile header may hold a name of megabytes.
    let subject = subject.chars().take(200).collect();
    EngineError::Checkpoint { subject, expected: expected.into(), found: found.into() }
}

/// One or more weight files, checked, not yet decoded.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    files: Vec<Arc<Vec<u8>>>,
    tensors: BTreeMap<String, (usize, TensorInfo)>,
}

impl Checkpoint {
    /// A checkpoint of one file, `model.safetensors`.
    pub fn from_file(bytes: Vec<u8>) -> Result<Self> {
        let mut checkpoint = Self { files: Vec::new(), tensors: BTreeMap::new() };
        checkpoint.add_file("model.safetensors", bytes)?;
        Ok(checkpoint)
    }

    /// A checkpoint of several files, `(name, bytes)`, with the bytes of its `model.safetensors.index.json`.
    pub fn from_shards(index_json: &[u8], shards: Vec<(String, Vec<u8>)>) -> Result<Self> {
        let places = parse_index(index_json)?;
        for (tensor, file) in &places {
            if !shards.iter().any(|(name, _)| name == file) {
                let expected = format!("the shard that the index places {tensor} in");
                return Err(checkpoint_error(file, expected, "no file of that name"));
            }
        }
        let mut checkpoint = Self { files: Vec::new(), tensors: BTreeMap::new() };
        let mut names = Vec::new();
        for (name, bytes) in shards {
            if !places.values().any(|file| *file == name) {
                return Err(checkpoint_error(
                    &name,
                    "a shard that the index names",
                    "a file it does not name",
                ));
            }
            if names.contains(&name) {
                return Err(checkpoint_error(&name, "each shard once", "two files of that name"));
            }
            checkpoint.add_file(&name, bytes)?;
            names.push(name);
        }
        for (tensor, file) in &places {
            let place = checkpoint.tensors.get(tensor).and_then(|(index, _)| names.get(*index));
            if place != Some(file) {
                let found = place.map_or_else(|| "in no shard".to_owned(), |other| format!("in {other}"));
                return Err(checkpoint_error(tensor, format!("in {file}, where the index places it"), found));
            }
        }
        Ok(checkpoint)
    }

    /// The files that an index names, each once, in the order of their names.
    pub fn shard_names(index_json: &[u8]) -> Result<Vec<String>> {
        let names: BTreeSet<String> = parse_index(index_json)?.into_values().collect();
        Ok(names.into_iter().collect())
    }

    fn add_file(&mut self, file: &str, mut bytes: Vec<u8>) -> Result<()> {
        let index = self.files.len();
        for (name, mut tensor) in header::parse(file, &bytes)? {
            if self.tensors.contains_key(&name) {
                return Err(checkpoint_error(&name, "in one shard", format!("in two, the second is {file}")));
            }
            // Here, where the bytes have one owner: what computes with them shares them.
            let numbers = bytes.get_mut(tensor.begin..tensor.end).unwrap_or_default();
            tensor.lifted = tensor.dtype == StoredDtype::F16 && numbers::lift(numbers);
            self.tensors.insert(name, (index, tensor));
        }
        self.files.push(Arc::new(bytes));
        Ok(())
    }

    /// Bytes of all files, headers included.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.len()).sum()
    }

    /// Names and descriptions of all tensors, by name.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &TensorInfo)> {
        self.tensors.iter().map(|(name, (_, info))| (name.as_str(), info))
    }

    /// Whether there is a tensor of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The description of one tensor, which must have this shape, and the file that it is in.
    fn place(&self, name: &str, shape: &[usize]) -> Result<(&TensorInfo, &Arc<Vec<u8>>)> {
        let Some((info, file)) =
            self.tensors.get(name).and_then(|(file, info)| Some((info, self.files.get(*file)?)))
        else {
            let found = format!("none of that name among {} tensors", self.tensors.len());
            return Err(checkpoint_error(name, format!("a tensor of shape {shape:?}"), found));
        };
        if info.shape != shape {
            let found = format!("shape {}", shown_shape(&info.shape));
            return Err(checkpoint_error(name, format!("shape {shape:?}"), found));
        }
        Ok((info, file))
    }

    /// Starts reading a model's tensors.
    pub fn reader(&self, precision: Precision) -> TensorReader<'_> {
        TensorReader { checkpoint: self, precision, used: HashSet::new(), converted: Vec::new() }
    }
}

fn parse_index(json: &[u8]) -> Result<BTreeMap<String, String>> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: Pairs,
    }
    const FILE: &str = "model.safetensors.index.json";
    let index: Index = serde_json::from_slice(json).map_err(|error| {
        let found = format!("{} ({error})", starts_with(json));
        checkpoint_error(FILE, "a JSON object with a weight_map", found)
    })?;
    let mut places = BTreeMap::new();
    for (tensor, file) in index.weight_map.0 {
        let Some(file) = file.as_str() else {
            return Err(checkpoint_error(&tensor, "the name of a shard in the index", "another value"));
        };
        if places.insert(tensor.clone(), file.to_owned()).is_some() {
            return Err(checkpoint_error(&tensor, "once in the index", "twice"));
        }
    }
    if places.is_empty() {
        return Err(checkpoint_error(FILE, "a weight_map that places tensors", "an empty one"));
    }
    Ok(places)
}

/// Decodes tensors for a model and notes which, for the [`LoadReport`].
#[derive(Debug)]
pub struct TensorReader<'a> {
    checkpoint: &'a Checkpoint,
    precision: Precision,
    used: HashSet<String>,
    converted: Vec<ConvertedTensor>,
}

impl TensorReader<'_> {
    /// Whether the checkpoint has a tensor of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.checkpoint.contains(name)
    }

    /// One tensor as f32, its values rounded to the reader's precision first.
    pub fn f32(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let (info, file) = self.checkpoint.place(name, shape)?;
        let bytes = file.get(info.begin..info.end).unwrap_or_default();
        let precision = self.precision;
        let round = |value: f32| precision.round(value);
        let values: Vec<f32> = match info.dtype {
            StoredDtype::F32 => numbers(bytes, |word| round(f32::from_le_bytes(word))),
            StoredDtype::F16 if info.lifted => numbers(bytes, |word| round(numbers::lowered(word))),
            StoredDtype::F16 => numbers(bytes, |word| round(f16::from_le_bytes(word).to_f32())),
            StoredDtype::BF16 => numbers(bytes, |word| round(bf16::from_le_bytes(word).to_f32())),
            // Rounded twice when the precision is narrower still; one value in some thousands then differs by a bit.
            StoredDtype::F64 => numbers(bytes, |word| round(f64::from_le_bytes(word) as f32)),
            other => {
                return Err(checkpoint_error(name, "F16, BF16, F32 or F64", other.name()));
            }
        };
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

    /// One tensor in the format that the file stores it in, or rounded to the reader's precision. What need not be
    /// converted is shared with the checkpoint.
    pub fn stored(&mut self, name: &str, shape: &[usize]) -> Result<StoredNumbers> {
        let (info, file) = self.checkpoint.place(name, shape)?;
        let format = match (self.precision, info.dtype) {
            (Precision::F32, StoredDtype::F32) => NumberFormat::F32,
            (Precision::F32 | Precision::F16, StoredDtype::F16) if info.lifted => NumberFormat::LiftedF16,
            (Precision::F32 | Precision::F16, StoredDtype::F16) => NumberFormat::F16,
            (Precision::F32 | Precision::BF16, StoredDtype::BF16) => NumberFormat::Bf16,
            _ => return Ok(StoredNumbers::rounded(&self.f32(name, shape)?, self.precision)),
        };
        self.note(name, info.dtype, info.dtype);
        Ok(StoredNumbers { format, bytes: SharedBytes::new(Arc::clone(file), info.begin..info.end) })
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
                let reason = ignored_reason(name);
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

/// Little-endian words of N bytes, decoded one by one straight from the file.
fn numbers<const N: usize>(bytes: &[u8], decode: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes.as_chunks::<N>().0.iter().map(|word| decode(*word)).collect()
}

fn ignored_reason(name: &str) -> &'static str {
    if name.ends_with(".attention.bias") {
        "an old buffer: the causal mask, which is computed"
    } else if name.ends_with(".attention.masked_bias") {
        "an old buffer: the value of masked scores, which is minus infinity here"
    } else if name.ends_with(".rotary_emb.inv_freq") {
        "an old buffer: the rotary frequencies, which are computed from config.json"
    } else if name == "embed_out.weight" || name == "lm_head.weight" {
        "a second output head: the embedding (tie_word_embeddings) or the other name is used"
    } else {
        "not part of the model"
    }
}

/// What became of the tensors of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadReport {
    /// Bytes of all weight files.
    pub bytes: usize,
    /// Formats of the tensors that were read, as stored, the one with most bytes first.
    pub dtypes: Vec<StoredDtype>,
    /// Tensors that were read.
    pub tensors: usize,
    /// Tensors that the model did not ask for.
    pub ignored: Vec<IgnoredTensor>,
    /// Tensors whose numbers were changed into another format, in the order of reading.
    pub converted: Vec<ConvertedTensor>,
}

/// A tensor that the model did not ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredTensor {
    /// Its name in the file.
    pub name: String,
    /// Why it is not needed.
    pub reason: &'static str,
}

/// A tensor whose numbers were changed into another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertedTensor {
    /// Its name in the file.
    pub name: String,
    /// The format in the file.
    pub from: StoredDtype,
    /// The format that it was rounded or widened to. Computing is in f32 in any case.
    pub to: StoredDtype,
}
