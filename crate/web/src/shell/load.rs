//! A model from the bytes of its files.

use std::sync::Arc;

use logit_lab_engine::EngineError;
use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::precision::Precision;
use logit_lab_engine::session::{CachePolicy, Session};
use logit_lab_engine::tokenizer::Tokenizer;
use serde::Deserialize;

use super::{Loaded, Result, Shell};
use crate::project;
use crate::protocol::{ModelCard, SimdLevel};

/// One weight file, named as in the index.
pub struct WeightFile {
    /// File name.
    pub name: String,
    /// The whole file.
    pub bytes: Vec<u8>,
}

/// How a model is loaded; what is absent is the default.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LoadOptions {
    /// Rounding of the weights.
    pub precision: Option<String>,
    /// Which forward pass.
    pub kernel: Option<String>,
    /// Which build of the engine the page believes to have started.
    pub simd: Option<SimdLevel>,
}

/// The only kernel so far.
const KERNEL: &str = "candle";

impl Shell {
    /// Loads a model from the bytes of its files. Errors as the engine's loaders; a model loaded before stays.
    pub fn load(
        &mut self,
        config: &[u8],
        tokenizer: Option<&[u8]>,
        weights: Vec<WeightFile>,
        index: Option<&[u8]>,
        options: &LoadOptions,
    ) -> Result<ModelCard> {
        check_simd(options.simd)?;
        let kernel = check_kernel(options.kernel.as_deref())?;
        let precision = options.precision.as_deref().map_or(Ok(Precision::F32), Precision::parse)?;
        let config = ModelConfig::from_json(config)?;
        let tokenizer = tokenizer.map(Tokenizer::from_bytes).transpose()?.map(Arc::new);
        let mut files: Vec<(String, Vec<u8>)> =
            weights.into_iter().map(|file| (file.name, file.bytes)).collect();
        let checkpoint = match (index, files.pop()) {
            (None, Some((_, bytes))) if files.is_empty() => Checkpoint::from_file(bytes)?,
            (Some(index), Some(last)) => {
                files.push(last);
                Checkpoint::from_shards(index, files)?
            }
            (_, last) => {
                return Err(EngineError::Checkpoint {
                    subject: "weight files".into(),
                    expected: "one file, or shards with an index".into(),
                    found: format!(
                        "{} and {}",
                        files.len() + usize::from(last.is_some()),
                        if index.is_some() { "an index" } else { "no index" }
                    ),
                }
                .into());
            }
        };
        let (model, report) = GptNeox::load(config.clone(), checkpoint, precision)?;
        let session = Session::new(Box::new(model), tokenizer.clone(), CachePolicy::Reuse);
        let card = project::model_card(
            &config,
            &report,
            tokenizer.as_deref(),
            kernel,
            precision,
            self.memory_of(&session),
        );
        let eos_id = config.eos_token_id;
        self.loaded = Some(Loaded { session, tokenizer, eos_id });
        self.display = None;
        self.preparing = None;
        self.prompt_fault = true;
        Ok(card)
    }
}

/// The kernel of that name, or the default.
pub(super) fn check_kernel(name: Option<&str>) -> Result<&'static str> {
    match name {
        None | Some(KERNEL) => Ok(KERNEL),
        Some(other) => {
            Err(EngineError::Settings { name: "kernel", expected: KERNEL.into(), found: other.to_owned() }
                .into())
        }
    }
}

/// A run must never be told to be of another build than it is.
fn check_simd(wanted: Option<SimdLevel>) -> Result<()> {
    match wanted {
        None | Some(SimdLevel::BUILT) => Ok(()),
        Some(other) => Err(EngineError::Settings {
            name: "simd",
            expected: format!("{}, which is what this build of the engine is", SimdLevel::BUILT.name()),
            found: other.name().to_owned(),
        }
        .into()),
    }
}
