//! Digests of the weights in memory: equal before and after a generation, because generating changes none of them. What
//! changes is the KV cache and the text.
//!
//! Two things are hashed, in SHA-256. The checkpoint: every tensor that is kept, in the order of the names, each with its
//! name, its shape and its numbers in the format of its file. And the model: what the kernel computes with, in the order of
//! the blocks. Where nothing had to be derived the kernel shares the checkpoint's numbers; with INT8 or Q4 the model's are
//! codes and scales that exist in no file.

use sha2::{Digest, Sha256};

use crate::checkpoint::Checkpoint;
use crate::model::Forward;

/// Bytes of one [`WeightsDigest::advance`]: some milliseconds.
const BYTES_PER_UNIT: usize = 1 << 20;

/// What was hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digests {
    /// SHA-256 of the checkpoint in memory, in hexadecimal.
    pub checkpoint: String,
    /// Bytes of its tensors.
    pub checkpoint_bytes: usize,
    /// SHA-256 of what the kernel computes with, in hexadecimal.
    pub model: String,
    /// Its bytes. What is shared with the checkpoint counts here too.
    pub model_bytes: usize,
}

/// Digests under way; call [`WeightsDigest::advance`] until it says `true`.
pub struct WeightsDigest {
    model: Box<dyn Forward>,
    checkpoint: Checkpoint,
    names: Vec<(String, Vec<usize>)>,
    /// Which tensor of the checkpoint, then which part of the model, and from which byte on.
    part: usize,
    offset: usize,
    checkpoint_hash: Sha256,
    checkpoint_bytes: usize,
    model_hash: Sha256,
    model_bytes: usize,
    total_bytes: usize,
}

impl WeightsDigest {
    /// Of a checkpoint, and of the model that was built from it. Both are shared, not copied.
    pub fn new(checkpoint: &Checkpoint, model: &dyn Forward) -> Self {
        let names = checkpoint.tensors().map(|(name, info)| (name.to_owned(), info.shape.clone())).collect();
        Self {
            total_bytes: checkpoint.kept_bytes() + model.weight_bytes(),
            model: model.fresh(),
            checkpoint: checkpoint.clone(),
            names,
            part: 0,
            offset: 0,
            checkpoint_hash: Sha256::new(),
            checkpoint_bytes: 0,
            model_hash: Sha256::new(),
            model_bytes: 0,
        }
    }

    /// About a million bytes; `true` at the end.
    pub fn advance(&mut self) -> bool {
        let mut left = BYTES_PER_UNIT;
        while left > 0 {
            let Some(hashed) = (if self.part < self.names.len() {
                Some(self.hash_tensor(left))
            } else {
                self.hash_part(self.part - self.names.len(), left)
            }) else {
                return true;
            };
            // A whole part hashed less than it might have: the next one.
            left = left.saturating_sub(hashed.max(1));
        }
        false
    }

    /// Bytes hashed, and all.
    pub fn progress(&self) -> (usize, usize) {
        (self.checkpoint_bytes + self.model_bytes, self.total_bytes)
    }

    /// The digests of everything that has been hashed.
    pub fn digests(self) -> Digests {
        Digests {
            checkpoint: hexadecimal(&self.checkpoint_hash.finalize()),
            checkpoint_bytes: self.checkpoint_bytes,
            model: hexadecimal(&self.model_hash.finalize()),
            model_bytes: self.model_bytes,
        }
    }

    /// Up to `most` bytes of the tensor at work; how many.
    fn hash_tensor(&mut self, most: usize) -> usize {
        let Some((name, shape)) = self.names.get(self.part) else { return 0 };
        // A buffer that no model reads has no numbers in memory.
        let bytes = self.checkpoint.tensor(name, shape).map_or(&[][..], |(_, data)| data.as_bytes());
        if self.offset == 0 && !bytes.is_empty() {
            self.checkpoint_hash.update(format!("{name} {shape:?} {}\n", bytes.len()));
        }
        let end = bytes.len().min(self.offset + most);
        let piece = bytes.get(self.offset..end).unwrap_or_default();
        self.checkpoint_hash.update(piece);
        self.checkpoint_bytes += piece.len();
        (self.part, self.offset) = if end == bytes.len() { (self.part + 1, 0) } else { (self.part, end) };
        piece.len()
    }

    /// Up to `most` bytes of that part of the model; `None` behind the last one.
    fn hash_part(&mut self, part: usize, most: usize) -> Option<usize> {
        let (hash, start) = (&mut self.model_hash, self.offset);
        // Codes and scales come as two slices of one part.
        let (mut before, mut hashed) = (0, 0);
        let is_there = self.model.with_weights(part, &mut |bytes: &[u8]| {
            let from = start.saturating_sub(before).min(bytes.len());
            let end = bytes.len().min(from + (most - hashed));
            let piece = bytes.get(from..end).unwrap_or_default();
            hash.update(piece);
            hashed += piece.len();
            before += bytes.len();
        });
        if !is_there {
            return None;
        }
        self.model_bytes += hashed;
        let end = start + hashed;
        (self.part, self.offset) = if end >= before { (self.part + 1, 0) } else { (self.part, end) };
        Some(hashed)
    }
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
