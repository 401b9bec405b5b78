//! The forward pass: token ids in, logits out, with a KV cache.
//!
//! [`forward`] holds the contract, `tensors` the names of what a checkpoint must have. Two implementations keep the
//! contract: [`gpt_neox`], the readable one on candle, with its [`kv_cache`], and [`fused`], the fast one on [`kernels`].
//! Both use [`rotary`] tables. [`batch`] runs several prompts at once on candle. [`load`] makes either, as a
//! [`LoadChoice`] says.

pub mod batch;
pub mod forward;
pub mod fused;
pub mod gpt_neox;
pub mod kernels;
pub mod kv_cache;
pub mod rotary;
mod tensors;

pub use forward::{Forward, KvBytes, WorkBytes};

use crate::checkpoint::{Checkpoint, LoadReport};
pub use crate::choice::{Kernel, LoadChoice};
use crate::config::ModelConfig;
use crate::error::{EngineError, Result};
use crate::precision::CachePrecision;

/// Builds a model as chosen. The checkpoint may be cloned before, which shares its bytes.
///
/// Errors, besides those of the kernels' own loaders: on candle, a KV cache that is not F32, and weights whose classes
/// differ in precision.
pub fn load(
    config: ModelConfig,
    checkpoint: Checkpoint,
    choice: LoadChoice,
) -> Result<(Box<dyn Forward>, LoadReport)> {
    let LoadChoice { kernel, precision, kv_cache } = choice;
    Ok(match kernel {
        Kernel::Fused => {
            let (model, report) = fused::Fused::load(config, checkpoint, precision, kv_cache)?;
            (Box::new(model), report)
        }
        Kernel::Candle => {
            if kv_cache != CachePrecision::F32 {
                return Err(EngineError::Settings {
                    name: "kv_cache",
                    expected: "f32, because the candle kernel keeps keys and values as it computes them"
                        .into(),
                    found: kv_cache.name().into(),
                });
            }
            let precision = precision.as_uniform().ok_or_else(|| EngineError::Settings {
                name: "precision",
                expected: "one for all weights, because the candle kernel takes no precision by class".into(),
                found: precision.to_string(),
            })?;
            let (model, report) = gpt_neox::GptNeox::load(config, checkpoint, precision)?;
            (Box::new(model), report)
        }
    })
}
