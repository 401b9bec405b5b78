//! What became of the tensors of a checkpoint.

use super::StoredDtype;

/// Whether a tensor of that name is an old buffer, which no model reads: of a mask there may be megabytes.
pub(super) fn is_old_buffer(name: &str) -> bool {
    OLD_BUFFERS.iter().any(|(end, _)| name.ends_with(end))
}

const OLD_BUFFERS: [(&str, &str); 3] = [
    (".attention.bias", "an old buffer: the causal mask, which is computed"),
    (".attention.masked_bias", "an old buffer: the value of masked scores, which is minus infinity here"),
    (".rotary_emb.inv_freq", "an old buffer: the rotary frequencies, which are computed from config.json"),
];

pub(super) fn ignored_reason(name: &str) -> &'static str {
    if let Some((_, reason)) = OLD_BUFFERS.iter().find(|(end, _)| name.ends_with(end)) {
        reason
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
