//! A checkpoint from bytes that arrive in pieces: nothing is held twice, and no file is ever held as a whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::file::FileDecoder;
use super::{Checkpoint, Tensor, TensorData, checkpoint_error, index};
use crate::error::{EngineError, Result};
use crate::memory::MemoryBudget;

/// Takes weight files one after the other, each in pieces of any length.
///
/// Every tensor is allocated once, in its own format and when its first byte arrives, and its bytes are decoded into
/// place. Formats that no model reads, and the old buffers of masks and frequencies, pass by without being kept.
#[derive(Debug)]
pub struct CheckpointBuilder {
    /// Tensors by name, each with its shard, where there is an index.
    places: Option<BTreeMap<String, String>>,
    /// Files that are complete.
    files: Vec<String>,
    current: Option<FileDecoder>,
    checkpoint: Checkpoint,
    budget: Option<MemoryBudget>,
    /// Bytes that the tensors of all headers so far take in memory.
    announced_bytes: u64,
}

impl CheckpointBuilder {
    /// For a checkpoint of one file, or of shards with the bytes of their `model.safetensors.index.json`.
    ///
    /// Errors: those of [`Checkpoint::shard_names`].
    pub fn new(index_json: Option<&[u8]>) -> Result<Self> {
        let places = index_json.map(index::parse).transpose()?;
        let checkpoint = Checkpoint { bytes: 0, tensors: BTreeMap::new() };
        let (files, current, budget) = (Vec::new(), None, None);
        Ok(Self { places, files, current, checkpoint, budget, announced_bytes: 0 })
    }

    /// Refuses tensors that do not fit this budget, by their headers and before any of them is allocated.
    #[must_use]
    pub fn within(mut self, budget: MemoryBudget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// What the model takes, as far as the headers are known; `None` where no budget was set.
    pub fn budget(&self) -> Option<&MemoryBudget> {
        self.budget.as_ref()
    }

    /// Begins a file. Where its length is known beforehand, a file that cannot be whole is refused by its header.
    ///
    /// Errors: the file before has not ended, the name comes twice or is not the index's, a second file without an
    /// index.
    pub fn begin_file(&mut self, name: &str, announced_bytes: Option<usize>) -> Result<()> {
        if let Some(open) = &self.current {
            let expected = format!("the end of {} first", open.name());
            return Err(checkpoint_error(name, expected, "another file's beginning"));
        }
        if self.files.iter().any(|file| file == name) {
            return Err(checkpoint_error(name, "each shard once", "two files of that name"));
        }
        match &self.places {
            Some(places) if !places.values().any(|file| file == name) => {
                return Err(checkpoint_error(
                    name,
                    "a shard that the index names",
                    "a file it does not name",
                ));
            }
            None if !self.files.is_empty() => return Err(not_one_file("two files and no index")),
            _ => {}
        }
        self.current = Some(FileDecoder::new(name, announced_bytes));
        Ok(())
    }

    /// Adds the next bytes of the file. After an error the builder is of no use.
    ///
    /// Errors: no file was begun; a header that is no JSON, too long, contradicts itself or the announced length;
    /// tensors beyond the budget or what can be allocated; bytes after the last tensor.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        let file = self.current.as_mut().ok_or_else(no_file)?;
        let (rest, announced) = file.push_head(bytes)?;
        if let Some(announced) = announced {
            self.announced_bytes = self.announced_bytes.saturating_add(announced);
            if let Some(budget) = &mut self.budget {
                budget.announce_tensors(self.announced_bytes)?;
            }
        }
        file.push_body(rest)
    }

    /// Ends the file.
    ///
    /// Errors: no file was begun, it ends before its last tensor does, or one of its tensors was in another file too.
    pub fn finish_file(&mut self) -> Result<()> {
        let file = self.current.take().ok_or_else(no_file)?;
        let (name, bytes) = (file.name().to_owned(), file.bytes());
        for (tensor, info, data) in file.finish()? {
            if self.checkpoint.tensors.contains_key(&tensor) {
                let found = format!("in two, the second is {name}");
                return Err(checkpoint_error(&tensor, "in one shard", found));
            }
            let not_finite = data.as_ref().and_then(TensorData::first_not_finite);
            let file = self.files.len();
            let tensor_of_file = Tensor { info, data: data.map(Arc::new), not_finite, file };
            self.checkpoint.tensors.insert(tensor, tensor_of_file);
        }
        self.files.push(name);
        self.checkpoint.bytes = self.checkpoint.bytes.saturating_add(bytes);
        Ok(())
    }

    /// The checkpoint, if every tensor of the index is where that places it.
    ///
    /// Errors: a file that has not ended, none at all, a shard of the index that did not come, a tensor that is in
    /// another file.
    pub fn finish(self) -> Result<Checkpoint> {
        if let Some(open) = &self.current {
            return Err(checkpoint_error(open.name(), "the end of the file", "a file that was broken off"));
        }
        let places = self.places.unwrap_or_default();
        if self.files.is_empty() && places.is_empty() {
            return Err(not_one_file("no file"));
        }
        for (tensor, file) in &places {
            if !self.files.contains(file) {
                let expected = format!("the shard that the index places {tensor} in");
                return Err(checkpoint_error(file, expected, "no file of that name"));
            }
        }
        for (tensor, file) in &places {
            let place = self.checkpoint.tensors.get(tensor).and_then(|tensor| self.files.get(tensor.file));
            if place != Some(file) {
                let found = place.map_or_else(|| "in no shard".to_owned(), |other| format!("in {other}"));
                return Err(checkpoint_error(tensor, format!("in {file}, where the index places it"), found));
            }
        }
        Ok(self.checkpoint)
    }
}

fn not_one_file(found: &str) -> EngineError {
    checkpoint_error("weight files", "one file, or shards with an index", found)
}

fn no_file() -> EngineError {
    checkpoint_error("weight files", "a file to be begun first", "bytes of none")
}
