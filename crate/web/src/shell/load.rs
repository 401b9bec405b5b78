//! A model from the bytes of its files: the small ones whole, the weights as they arrive.

use std::sync::Arc;

use logit_lab_engine::EngineError;
use logit_lab_engine::checkpoint::CheckpointBuilder;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::{KnownLogits, self_test};
use logit_lab_engine::memory::{MemoryBudget, MemoryLimit, MemoryNeed};
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, WeightPrecision};
use logit_lab_engine::session::Session;
use logit_lab_engine::tokenizer::Tokenizer;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{Loaded, Result, Shell};
use crate::project;
use crate::protocol::{
    ErrorCode, ErrorDetails, ModelCard, SelfTestOutcome, SelfTestReference, SimdLevel, WireError,
};

/// How a model is loaded; what is absent is the default.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LoadOptions {
    /// How the weights are stored: one name, or one for each class, as in `head=int8,blocks=f16`.
    pub precision: Option<String>,
    /// How keys and values are stored.
    pub kv_cache: Option<String>,
    /// Which forward pass.
    pub kernel: Option<String>,
    /// Which build of the engine the page believes to have started.
    pub simd: Option<SimdLevel>,
    /// What the device says of its memory, in units of 2^30 bytes (`navigator.deviceMemory`).
    pub device_memory: Option<f64>,
}

impl LoadOptions {
    /// How much memory there may be.
    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::of_device(self.device_memory.map(|memory| (memory * f64::from(1 << 30)) as u64))
    }

    /// What the engine is asked for.
    fn choice(&self) -> Result<LoadChoice> {
        let default = LoadChoice::default();
        Ok(LoadChoice {
            kernel: self.kernel.as_deref().map_or(Ok(default.kernel), Kernel::parse)?,
            precision: self.precision.as_deref().map_or(Ok(default.precision), WeightPrecision::parse)?,
            kv_cache: self.kv_cache.as_deref().map_or(Ok(default.kv_cache), CachePrecision::parse)?,
        })
    }
}

/// A load whose weights are arriving. It is apart from the loaded model, which stays until this one is ready.
pub(super) struct Loading {
    choice: LoadChoice,
    config: ModelConfig,
    tokenizer: Option<Arc<Tokenizer>>,
    /// The tensors so far, or what is wrong with the files; then only the digests go on.
    weights: std::result::Result<CheckpointBuilder, EngineError>,
    hash: Sha256,
}

impl Loading {
    /// One step with the weights; whether they are sound so far.
    fn step(
        &mut self,
        step: impl FnOnce(&mut CheckpointBuilder) -> std::result::Result<(), EngineError>,
    ) -> bool {
        if let Ok(builder) = &mut self.weights
            && let Err(fault) = step(builder)
        {
            // What has been decoded is dropped here.
            self.weights = Err(fault);
        }
        self.weights.is_ok()
    }
}

impl Shell {
    /// Begins to load a model; a load that was going on is dropped. The tokenizer is read here and now: what that needs
    /// for a moment is free again before the weights come.
    ///
    /// # Errors
    ///
    /// As the engine's loaders of configuration, tokenizer and index.
    pub fn begin_load(
        &mut self,
        config: &[u8],
        tokenizer: Option<&[u8]>,
        index: Option<&[u8]>,
        options: &LoadOptions,
    ) -> Result<()> {
        check_simd(options.simd)?;
        self.loading = None;
        let choice = options.choice()?;
        let config = ModelConfig::from_json(config)?;
        let need = MemoryNeed::of(&config, choice, tokenizer.map(|json| json.len() as u64));
        let budget = MemoryBudget { need, limit: options.memory_limit() };
        budget.check()?;
        let tokenizer = tokenizer.map(Tokenizer::from_bytes).transpose()?.map(Arc::new);
        let weights = Ok(CheckpointBuilder::new(index)?.within(budget));
        let hash = Sha256::new();
        self.loading = Some(Loading { choice, config, tokenizer, weights, hash });
        Ok(())
    }

    /// Begins the next weight file, of this length where it is known. Whether the files are sound so far, as for
    /// [`Shell::push_weights`].
    pub fn begin_file(&mut self, name: &str, announced_bytes: Option<usize>) -> Result<bool> {
        let loading = self.loading.as_mut().ok_or_else(no_load)?;
        loading.hash = Sha256::new();
        Ok(loading.step(|weights| weights.begin_file(name, announced_bytes)))
    }

    /// Adds bytes to the file and to its digest, and tells whether the files are sound so far. Bytes that are not are
    /// no error yet: the digest, which has to be read to the end, says whether they are the published ones, and
    /// [`Shell::finish_load`] what is wrong with them.
    pub fn push_weights(&mut self, bytes: &[u8]) -> Result<bool> {
        let loading = self.loading.as_mut().ok_or_else(no_load)?;
        loading.hash.update(bytes);
        Ok(loading.step(|weights| weights.push(bytes)))
    }

    /// Ends the file and returns its SHA-256 in lower-case hexadecimal.
    pub fn finish_file(&mut self) -> Result<String> {
        let loading = self.loading.as_mut().ok_or_else(no_load)?;
        loading.step(CheckpointBuilder::finish_file);
        Ok(hexadecimal(&loading.hash.finalize_reset()))
    }

    /// Builds the model, which takes the place of the one before. Errors as the engine's loaders; the model before
    /// stays then.
    pub fn finish_load(&mut self) -> Result<ModelCard> {
        let loading = self.loading.take().ok_or_else(no_load)?;
        let Loading { choice, config, tokenizer, weights, .. } = loading;
        let weights = weights?;
        let budget = weights.budget().copied();
        let checkpoint = weights.finish()?;
        let (model, report) = model::load(config.clone(), checkpoint.clone(), choice)?;
        let session = Session::new(model, tokenizer.clone(), self.cache);
        let memory = (self.memory_of(&session), budget);
        let card = project::model_card(&config, &report, tokenizer.as_deref(), choice, memory);
        let eos_id = config.eos_token_id;
        self.loaded = Some(Loaded {
            session,
            tokenizer,
            eos_id,
            choice,
            config,
            checkpoint,
            report,
            budget,
            other_kernel: None,
        });
        self.display = None;
        self.preparing = None;
        self.prompt_fault = true;
        self.timed_runs = 0;
        Ok(card)
    }

    /// Runs a short prompt whose logits are known, on the loaded model and beside its text.
    ///
    /// # Errors
    ///
    /// No model; a prompt or an id that it cannot have; a digest that is not 16 hexadecimal digits.
    pub fn self_test(&mut self, reference: &SelfTestReference) -> Result<SelfTestOutcome> {
        let loaded = self.loaded_mut()?;
        let digest = reference.digest.as_deref().map(|text| u64::from_str_radix(text, 16)).transpose();
        let digest = digest.map_err(|error| WireError {
            code: ErrorCode::Command,
            message: format!("the digest of the self-test is no hexadecimal number: {error}"),
            details: ErrorDetails::default(),
        })?;
        let known = KnownLogits { ids: reference.ids.clone(), logits: reference.logits.clone(), digest };
        let tolerance = self_test::tolerance(loaded.choice, &loaded.report);
        let mut model = loaded.session.model().fresh();
        let test = self_test::run(&mut *model, &known, tolerance)?;
        Ok(SelfTestOutcome {
            passed: test.passed,
            tokens: known.ids.len(),
            largest_difference: test.largest_difference,
            tolerance: test.tolerance,
        })
    }

    /// Drops a load that is going on.
    pub fn abandon_load(&mut self) {
        self.loading = None;
    }
}

/// A digest as text.
pub(crate) fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn no_load() -> WireError {
    WireError {
        code: ErrorCode::Command,
        message: "no load was begun".into(),
        details: ErrorDetails::default(),
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

impl Loaded {
    /// The model on the kernel of that name with an empty cache; absent is the kernel that was loaded. Another one is
    /// derived from the checkpoint when it is first asked for, and dropped when the first is asked for again.
    pub(super) fn fresh_model(&mut self, kernel: Option<&str>) -> Result<Box<dyn Forward>> {
        let kernel = kernel.map_or(Ok(self.choice.kernel), Kernel::parse)?;
        if kernel == self.choice.kernel {
            self.other_kernel = None;
            return Ok(self.session.model().fresh());
        }
        let other = match self.other_kernel.take() {
            Some(model) => model,
            None => {
                let choice = LoadChoice { kernel, ..self.choice };
                model::load(self.config.clone(), self.checkpoint.clone(), choice)?.0
            }
        };
        let fresh = other.fresh();
        self.other_kernel = Some(other);
        Ok(fresh)
    }
}
