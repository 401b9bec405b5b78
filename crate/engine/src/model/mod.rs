//! The forward pass: token ids in, logits out, with a KV cache.
//!
//! [`forward`] holds the contract, [`tensors`] the names of what a checkpoint must have. Two implementations keep the
//! contract: [`gpt_neox`], the readable one on candle, with its [`kv_cache`], and [`fused`], the fast one on [`kernels`].
//! Both use [`rotary`] tables. [`batch`] runs several prompts at once on candle. [`load`] makes either.

pub mod batch;
pub mod forward;
pub mod fused;
pub mod gpt_neox;
pub mod kernels;
pub mod kv_cache;
pub mod rotary;
mod tensors;

pub use forward::{Forward, KvBytes};

use crate::checkpoint::{Checkpoint, LoadReport};
use crate::config::ModelConfig;
use crate::error::{EngineError, Result};
use crate::precision::Precision;

/// Which implementation of [`Forward`] runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kernel {
    /// [`fused::Fused`], the fast one.
    #[default]
    Fused,
    /// [`gpt_neox::GptNeox`], the readable one.
    Candle,
}

impl Kernel {
    /// Reads a name as it stands on the command line and on the page.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "fused" => Ok(Self::Fused),
            "candle" => Ok(Self::Candle),
            _ => Err(EngineError::Settings {
                name: "kernel",
                expected: "fused or candle".to_owned(),
                found: name.chars().take(40).collect(),
            }),
        }
    }

    /// The name that [`Kernel::parse`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fused => "fused",
            Self::Candle => "candle",
        }
    }
}

/// Builds a model of the given kind. The checkpoint may be cloned before, which shares its bytes.
pub fn load(
    config: ModelConfig,
    checkpoint: Checkpoint,
    kernel: Kernel,
    precision: Precision,
) -> Result<(Box<dyn Forward>, LoadReport)> {
    Ok(match kernel {
        Kernel::Fused => {
            let (model, report) = fused::Fused::load(config, checkpoint, precision)?;
            (Box::new(model), report)
        }
        Kernel::Candle => {
            let (model, report) = gpt_neox::GptNeox::load(config, checkpoint, precision)?;
            (Box::new(model), report)
        }
    })
}
