//! What a model that is running has in memory, by what it has it for, and what more text would take.
//!
//! The budget of a request: weights, KV cache, live activations, workspace, other. The first four are counted here, from the
//! lengths of the buffers that are allocated; "other" can only be the difference to a measured whole.
//! [`crate::memory`] reckons the same before there is a model.

use crate::checkpoint::Checkpoint;
use crate::config::ModelConfig;
use crate::model::{Forward, KvBytes, WorkBytes};
use crate::precision::CachePrecision;
use crate::session::Session;

/// Bytes that are allocated, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryUse {
    /// Weights as the kernel computes with them.
    pub weight_bytes: usize,
    /// The file's own numbers, where they are kept beside and the kernel has made others of them.
    pub file_copy_bytes: usize,
    /// Weights of a second kernel that comparisons have asked for.
    pub second_kernel_bytes: usize,
    /// Keys and values of the positions that are computed, and the room set aside for them and for more.
    pub kv: KvBytes,
    /// Live activations and workspace.
    pub work: WorkBytes,
}

impl MemoryUse {
    /// Of a session, with the checkpoint that is kept beside it and a second kernel, where there are such.
    pub fn of(
        session: &Session,
        checkpoint: Option<&Checkpoint>,
        second_kernel: Option<&dyn Forward>,
    ) -> Self {
        let model = session.model();
        let kept = checkpoint.map_or(0, Checkpoint::kept_bytes);
        Self {
            weight_bytes: model.weight_bytes(),
            file_copy_bytes: kept.saturating_sub(model.file_weight_bytes()),
            // What it shares with the checkpoint is counted already.
            second_kernel_bytes: second_kernel
                .map_or(0, |model| model.weight_bytes().saturating_sub(model.file_weight_bytes())),
            kv: session.kv_bytes(),
            work: session.work_bytes(),
        }
    }

    /// All that is counted, the KV cache with its reserve.
    pub fn counted_bytes(&self) -> usize {
        self.weight_bytes
            + self.file_copy_bytes
            + self.second_kernel_bytes
            + self.kv.reserved
            + self.work.activations
            + self.work.workspace
    }

    /// What is not counted of a measured whole: the tokenizer, the program itself, results on their way, and room that was
    /// given back and stays. None where counting found more than was measured, which would be a fault of one of the two.
    pub fn other_bytes(&self, measured_bytes: usize) -> Option<usize> {
        measured_bytes.checked_sub(self.counted_bytes())
    }
}

/// Bytes of the KV cache for one position of one sequence: a key and a value of `hidden_size` numbers in every layer.
pub fn kv_bytes_per_position(config: &ModelConfig, precision: CachePrecision) -> usize {
    2 * config.num_hidden_layers * config.hidden_size * number_bytes(precision)
}

/// Bytes of one number of the KV cache.
pub fn number_bytes(precision: CachePrecision) -> usize {
    match precision {
        CachePrecision::F32 => size_of::<f32>(),
        CachePrecision::F16 => size_of::<u16>(),
    }
}
