//! What can be chosen when a model is loaded. Apart from [`crate::model`], because what a model will take of memory is reckoned
//! from it before there is one.

use crate::error::{EngineError, Result};
use crate::precision::{CachePrecision, WeightPrecision};

/// Which implementation of [`Forward`](crate::model::Forward) runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kernel {
    /// [`Fused`](crate::model::fused::Fused), the fast one.
    #[default]
    Fused,
    /// [`GptNeox`](crate::model::gpt_neox::GptNeox), the readable one.
    Candle,
}

impl Kernel {
    /// Reads a name as it stands on the command line and on the page.
    ///
    /// Errors: another name.
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

/// What can be chosen when a model is loaded. The default is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LoadChoice {
    /// Which implementation runs.
    pub kernel: Kernel,
    /// How the weights are stored.
    pub precision: WeightPrecision,
    /// How keys and values are stored.
    pub kv_cache: CachePrecision,
}

impl LoadChoice {
    /// A kernel with nothing rounded.
    pub fn exact(kernel: Kernel) -> Self {
        Self { kernel, ..Self::default() }
    }
}
