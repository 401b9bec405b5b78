//! A model from the bytes of its files.

use std::sync::Arc;

use logit_lab_engine::EngineError;
use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::{self, Forward, Kernel};
use logit_lab_engine::precision::Precision;
use logit_lab_engine::session::{CachePolicy, Session};
use logit_lab_engine::tokenizer::Tokenizer;
use serde::Deserialize;

use super::{Result, Shell};
use crate::project;
use crate::protocol::ModelCard;

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
}

/// A loaded model: the page's session on one kernel, and what the other is made of when a call asks for it.
pub(super) struct Loaded {
    pub(super) session: Session,
    pub(super) tokenizer: Option<Arc<Tokenizer>>,
    pub(super) eos_id: Option<u32>,
    /// The files' bytes. The fused kernel computes with them where they lie, so that keeping them costs it nothing.
    checkpoint: Checkpoint,
    precision: Precision,
    kernel: Kernel,
    /// The kernel that the page does not use, once a call has used it.
    other: Option<Box<dyn Forward>>,
}

impl Loaded {
    /// The weights on the kernel of that name, by default the page's.
    pub(super) fn model_on(&mut self, kernel: Option<&str>) -> Result<&dyn Forward> {
        let kernel = kernel.map_or(Ok(self.kernel), Kernel::parse)?;
        if kernel == self.kernel {
            return Ok(self.session.model());
        }
        let other = match self.other.take() {
            Some(model) => model,
            None => {
                let config = self.session.model().config().clone();
                model::load(config, self.checkpoint.clone(), kernel, self.precision)?.0
            }
        };
        Ok(&**self.other.insert(other))
    }
}

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
        let kernel = options.kernel.as_deref().map_or(Ok(Kernel::default()), Kernel::parse)?;
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
        let (model, report) = model::load(config.clone(), checkpoint.clone(), kernel, precision)?;
        let session = Session::new(model, tokenizer.clone(), CachePolicy::Reuse);
        let card = project::model_card(
            &config,
            &report,
            tokenizer.as_deref(),
            kernel.name(),
            precision,
            self.memory_of(&session),
        );
        let eos_id = config.eos_token_id;
        self.loaded = Some(Loaded { session, tokenizer, eos_id, checkpoint, precision, kernel, other: None });
        self.display = None;
        self.preparing = None;
        self.prompt_fault = true;
        Ok(card)
    }
}
