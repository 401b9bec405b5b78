//! What can be set of a beam search, in which ranges.

use crate::error::{EngineError, Result};

/// Most beams: each has a KV cache of its own where it differs from the others.
pub const MAX_BEAMS: usize = 8;

/// When a search with as many finished texts as beams ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EarlyStopping {
    /// When the best running beam, were it to end now, would score no better than the worst of the finished texts
    /// (`False` in transformers).
    #[default]
    WhenUnlikely,
    /// At once (`True` in transformers).
    Always,
    /// When the best running beam could not score better at any length (`"never"` in transformers).
    Never,
}

impl EarlyStopping {
    /// Reads a value as it stands on the command line: `false`, `true` or `never`.
    ///
    /// Errors: another value.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "false" => Ok(Self::WhenUnlikely),
            "true" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            _ => Err(EngineError::Settings {
                name: "early_stopping",
                expected: "false, true or never".to_owned(),
                found: name.chars().take(40).collect(),
            }),
        }
    }
}

/// Options of a beam search, named as in transformers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BeamOptions {
    /// Continuations kept at every step, 1 to [`MAX_BEAMS`].
    pub beams: usize,
    /// Texts that are returned, 1 to `beams`.
    pub num_return: usize,
    /// Exponent of the length by which a score is divided: above 0 favours longer texts (log-probabilities are
    /// negative), 0 compares the sums. From -100 to 100.
    pub length_penalty: f64,
    /// When to end before every beam has.
    pub early_stopping: EarlyStopping,
    /// Most new tokens of a text, at least 1.
    pub max_new_tokens: usize,
    /// The token that ends a text, or none.
    pub eos_id: Option<u32>,
}

impl BeamOptions {
    /// The score of a text of `length` new tokens.
    pub(super) fn score(&self, sum: f64, length: usize) -> f64 {
        sum / libm::pow(length as f64, self.length_penalty)
    }

    pub(super) fn check(&self) -> Result<()> {
        let fault =
            |name, expected: String, found: String| Err(EngineError::Settings { name, expected, found });
        if !(1..=MAX_BEAMS).contains(&self.beams) {
            return fault("beams", format!("1 to {MAX_BEAMS}"), self.beams.to_string());
        }
        if !(1..=self.beams).contains(&self.num_return) {
            return fault(
                "num_return",
                format!("1 to the number of beams, {}", self.beams),
                self.num_return.to_string(),
            );
        }
        if !(-100.0..=100.0).contains(&self.length_penalty) {
            return fault(
                "length_penalty",
                "a number from -100 to 100".to_owned(),
                self.length_penalty.to_string(),
            );
        }
        if self.max_new_tokens == 0 {
            return fault("max_new_tokens", "at least 1 in a beam search".to_owned(), "0".to_owned());
        }
        Ok(())
    }
}
