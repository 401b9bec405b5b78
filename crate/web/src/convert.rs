//! From wire types to the engine's and back.

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::prompt_logits::Positions;
use logit_lab_engine::sampling;
use logit_lab_engine::search::EarlyStopping;
use logit_lab_engine::session::{CachePolicy, Limits, StopReason};
use logit_lab_engine::stop::StopStrings;

use crate::protocol as wire;

impl From<EngineError> for wire::WireError {
    fn from(error: EngineError) -> Self {
        use wire::ErrorCode as Code;
        let message = match &error {
            // The tensor library's own account is in the source; the reader wants both.
            EngineError::Compute { source, .. } => format!("{error}: {source}"),
            _ => error.to_string(),
        };
        let (code, details) = match error {
            EngineError::Config { field, expected, found } => (Code::Config, details(field, expected, found)),
            EngineError::Checkpoint { subject, expected, found } => {
                (Code::Checkpoint, details(subject, expected, found))
            }
            EngineError::Memory { expected, found } => (Code::Memory, details("memory", expected, found)),
            EngineError::Tokenizer { subject, expected, found } => {
                (Code::Tokenizer, details(subject, expected, found))
            }
            EngineError::Settings { name, expected, found } => {
                (Code::Settings, details(name, expected, found))
            }
            EngineError::Context { subject, expected, found } => {
                (Code::Context, details(subject, expected, found))
            }
            EngineError::Numeric { step, expected, found } => {
                (Code::Numeric, details(format!("step {step}"), expected, found))
            }
            EngineError::Compute { operation, source } => {
                (Code::Compute, details(operation, "a result".into(), source.to_string()))
            }
            other => (Code::Compute, details("engine", "a result".into(), other.to_string())),
        };
        Self { code, message, details }
    }
}

fn details(subject: impl Into<String>, expected: String, found: String) -> wire::ErrorDetails {
    wire::ErrorDetails { subject: Some(subject.into()), expected: Some(expected), found: Some(found) }
}

/// Wire settings as the engine's; what is absent is off.
pub fn settings(settings: &wire::Settings) -> Result<sampling::SamplingSettings, EngineError> {
    let decoding = if settings.greedy.unwrap_or(false) {
        sampling::Decoding::Greedy
    } else {
        let chain = settings.chain.iter().flatten().map(chain_step).collect::<Result<_, _>>()?;
        sampling::Decoding::Sample { chain }
    };
    sampling::SamplingSettings::new(sampling::SettingsValues {
        decoding,
        repetition_penalty: settings.repetition_penalty.unwrap_or(1.0),
        no_repeat_ngram: count("no_repeat_ngram", settings.no_repeat_ngram.unwrap_or(0.0))?,
        suppress: settings.suppress.clone().unwrap_or_default(),
        min_new_tokens: count("min_new_tokens", settings.min_new_tokens.unwrap_or(0.0))?,
        boundary: match settings.boundary {
            None | Some(wire::Boundary::Smallest) => sampling::BoundaryRule::Smallest,
            Some(wire::Boundary::Listing) => sampling::BoundaryRule::Listing,
        },
    })
}

fn chain_step(step: &wire::ChainStep) -> Result<sampling::ChainStep, EngineError> {
    Ok(match step.kind {
        wire::ChainKind::Temperature => sampling::ChainStep::Temperature(step.value),
        wire::ChainKind::TopK => sampling::ChainStep::TopK(count("top_k", step.value)?),
        wire::ChainKind::TopP => sampling::ChainStep::TopP(step.value),
        wire::ChainKind::MinP => sampling::ChainStep::MinP(step.value),
    })
}

/// A whole number of tokens; JavaScript has only doubles.
fn count(name: &'static str, value: f64) -> Result<usize, EngineError> {
    if value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value) {
        Ok(value as usize)
    } else {
        Err(EngineError::Settings {
            name,
            expected: "a whole number from 0".into(),
            found: value.to_string(),
        })
    }
}

/// An engine's chain step as the wire has it.
pub fn chain_kind(step: sampling::ChainStep) -> wire::ChainStep {
    match step {
        sampling::ChainStep::Temperature(value) => {
            wire::ChainStep { kind: wire::ChainKind::Temperature, value }
        }
        sampling::ChainStep::TopK(value) => {
            wire::ChainStep { kind: wire::ChainKind::TopK, value: value as f64 }
        }
        sampling::ChainStep::TopP(value) => wire::ChainStep { kind: wire::ChainKind::TopP, value },
        sampling::ChainStep::MinP(value) => wire::ChainStep { kind: wire::ChainKind::MinP, value },
    }
}

/// Wire limits as the engine's; `config_eos` is the configuration's end token.
pub fn limits(limits: &wire::Limits, config_eos: Option<u32>) -> Result<Limits, EngineError> {
    let eos_id = limits.eos_id.unwrap_or(config_eos);
    Ok(Limits {
        max_new_tokens: limits.max_new_tokens,
        eos_id,
        ignore_eos: limits.ignore_eos,
        stop: StopStrings::new(limits.stop.clone())?,
    })
}

impl From<wire::EarlyStopping> for EarlyStopping {
    fn from(early_stopping: wire::EarlyStopping) -> Self {
        match early_stopping {
            wire::EarlyStopping::Flag(true) => Self::Always,
            wire::EarlyStopping::Flag(false) => Self::WhenUnlikely,
            wire::EarlyStopping::Word(wire::Never::Never) => Self::Never,
        }
    }
}

impl From<StopReason> for wire::StopReason {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::EndToken => Self::EndToken,
            StopReason::MaxNewTokens => Self::MaxNewTokens,
            StopReason::StopString => Self::StopString,
            StopReason::ContextFull => Self::ContextFull,
            StopReason::User => Self::User,
        }
    }
}

impl From<wire::Positions> for Positions {
    fn from(positions: wire::Positions) -> Self {
        match positions {
            wire::Positions::Last => Self::Last,
            wire::Positions::All => Self::All,
            wire::Positions::Some { first, count } => Self::Some { first, count },
        }
    }
}

/// `cache: false` recomputes every prefix; absent means with the cache.
pub fn cache_policy(cache: Option<bool>) -> CachePolicy {
    if cache.unwrap_or(true) { CachePolicy::Reuse } else { CachePolicy::Recompute }
}

/// Errors with more than what can be done in one call.
pub fn at_most(name: &'static str, found: usize, most: usize) -> Result<(), EngineError> {
    if found <= most {
        return Ok(());
    }
    Err(EngineError::Settings { name, expected: format!("at most {most}"), found: found.to_string() })
}
