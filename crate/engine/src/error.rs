//! What can go wrong, by stage. Every variant says what was expected and what was found, so that a shell can put the
//! error into a sentence without knowing the engine.
//!
//! Nothing in the engine panics on input: a file, a setting or a prompt that cannot be used ends here.

/// The one error type of the engine, one variant for each stage of inference.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// `config.json` is not JSON, lacks a field, or describes a model that cannot be run.
    #[error("config.json, {field}: expected {expected}, found {found}")]
    Config {
        /// Field name as in `config.json`.
        field: String,
        /// What would have been accepted.
        expected: String,
        /// What the file says.
        found: String,
    },
    /// A weight file or one of its tensors is missing, misshapen, truncated or inconsistent.
    #[error("checkpoint, {subject}: expected {expected}, found {found}")]
    Checkpoint {
        /// The tensor or file that is at fault.
        subject: String,
        /// What would have been accepted.
        expected: String,
        /// What the bytes say.
        found: String,
    },
    /// The model takes more memory than there is.
    #[error("memory: expected {expected}, found {found}")]
    Memory {
        /// What there is, and why no more.
        expected: String,
        /// What the model takes, by part.
        found: String,
    },
    /// `tokenizer.json` cannot be used, or text cannot be handled without one.
    #[error("tokenizer, {subject}: expected {expected}, found {found}")]
    Tokenizer {
        /// The part of the tokenizer, or the call, that is at fault.
        subject: String,
        /// What would have been accepted.
        expected: String,
        /// What was found.
        found: String,
    },
    /// A setting is outside its stated range, or names something that does not exist here.
    #[error("setting {name}: expected {expected}, found {found}")]
    Settings {
        /// The setting's name in snake case, as on the command line.
        name: &'static str,
        /// The stated range.
        expected: String,
        /// The value given.
        found: String,
    },
    /// The token ids do not fit the model: too many, none, or outside the vocabulary.
    #[error("context, {subject}: expected {expected}, found {found}")]
    Context {
        /// What about the ids is at fault.
        subject: &'static str,
        /// What would have been accepted.
        expected: String,
        /// What was given.
        found: String,
    },
    /// The model produced a value that is not a finite number, or sampling has nothing left to pick from.
    #[error("step {step}: expected {expected}, found {found}")]
    Numeric {
        /// Index of the new token that was being made, counted from 0.
        step: usize,
        /// What a sound step has.
        expected: String,
        /// What was found, with the token id.
        found: String,
    },
    /// The tensor library refused an operation that the checks above should have made safe.
    #[error("computing {operation} failed")]
    Compute {
        /// The operation, in the terms of the model.
        operation: &'static str,
        /// The library's own account.
        #[source]
        source: candle_core::Error,
    },
}

/// Shorthand for the engine's results.
pub type Result<T> = std::result::Result<T, EngineError>;
