//! Sampling settings: what can be set, in which ranges, checked once.

use crate::error::{EngineError, Result};

/// One entry of the chain, with its value. A value stated as off leaves the distribution as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ChainStep {
    /// Divides logits by this number, which lies in (0, 100]; 1 is off. 0 is not a temperature: greedy is its own
    /// variant, [`Decoding::Greedy`].
    Temperature(f64),
    /// Keeps exactly this many of the highest-ranked tokens (all, if there are fewer); 0 is off.
    TopK(usize),
    /// Keeps the smallest non-empty prefix of the ranking whose mass reaches this number in [0, 1]; 1 is off and 0
    /// keeps one token.
    TopP(f64),
    /// Keeps the tokens that have at least this number in [0, 1] times the top probability; 0 is off.
    MinP(f64),
}

impl ChainStep {
    /// The setting's name in snake case, as on the command line and in errors.
    pub fn name(self) -> &'static str {
        match self {
            Self::Temperature(_) => "temperature",
            Self::TopK(_) => "top_k",
            Self::TopP(_) => "top_p",
            Self::MinP(_) => "min_p",
        }
    }

    /// Whether this value is the one stated as off.
    pub fn is_off(self) -> bool {
        match self {
            Self::Temperature(temperature) => temperature == 1.0,
            Self::TopK(count) => count == 0,
            Self::TopP(mass) => mass == 1.0,
            Self::MinP(share) => share == 0.0,
        }
    }

    fn check(self, boundary: BoundaryRule) -> Result<()> {
        match self {
            Self::Temperature(0.0) if boundary == BoundaryRule::Listing => Ok(()),
            Self::Temperature(0.0) => Err(EngineError::Settings {
                name: self.name(),
                expected: "a number above 0, up to 100; for no randomness choose greedy decoding".to_owned(),
                found: "0".to_owned(),
            }),
            Self::Temperature(value) => {
                check_range(self.name(), value, value > 0.0 && value <= 100.0, "above 0, up to 100")
            }
            Self::TopK(_) => Ok(()),
            Self::TopP(value) => {
                check_range(self.name(), value, (0.0..=1.0).contains(&value), "from 0 to 1 (1 is off)")
            }
            Self::MinP(value) => {
                check_range(self.name(), value, (0.0..=1.0).contains(&value), "from 0 to 1 (0 is off)")
            }
        }
    }
}

/// What the filters do with a token that stands exactly on the border.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BoundaryRule {
    /// Top-p keeps the smallest prefix whose mass reaches p, and top-k exactly k tokens.
    #[default]
    Smallest,
    /// As a listing that is often taught: top-p keeps every token before which there is no more mass than p, which is one
    /// token more where a prefix has the mass p exactly; top-k keeps all that tie with the k-th; temperature 0 is read
    /// as 1e-5.
    Listing,
}

impl BoundaryRule {
    /// Reads a name as it stands on the command line.
    ///
    /// Errors: another name.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "smallest" => Ok(Self::Smallest),
            "listing" => Ok(Self::Listing),
            _ => Err(EngineError::Settings {
                name: "boundary",
                expected: "smallest or listing".to_owned(),
                found: name.chars().take(40).collect(),
            }),
        }
    }
}

/// The order that Hugging Face transformers applies when all are set: temperature, top-k, top-p, min-p. The values are
/// the ones that mean off.
pub const DEFAULT_ORDER: [ChainStep; 4] =
    [ChainStep::Temperature(1.0), ChainStep::TopK(0), ChainStep::TopP(1.0), ChainStep::MinP(0.0)];

/// How the next token is chosen from the processed logits.
#[derive(Debug, Clone, PartialEq)]
pub enum Decoding {
    /// The highest processed logit, at a tie the lowest id. No chain, no random number.
    Greedy,
    /// A random pick from the distribution that the chain leaves.
    Sample {
        /// Applied in this order; each kind at most once.
        chain: Vec<ChainStep>,
    },
}

/// Values as they come from a control or a command line; [`SamplingSettings::new`] checks them.
///
/// The default samples at temperature 1 with everything off.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsValues {
    /// Greedy, or sampling with a chain.
    pub decoding: Decoding,
    /// Divides the positive and multiplies the negative logits of tokens in the history; in (0, 10], 1 is off.
    pub repetition_penalty: f64,
    /// Bans tokens that would complete an n-gram of this length for the second time; 0 is off, and 1 bans every token
    /// of the history.
    pub no_repeat_ngram: usize,
    /// Banned token ids; each must exist in the vocabulary of the logits.
    pub suppress: Vec<u32>,
    /// Bans the end token while there are fewer new tokens than this; 0 is off.
    pub min_new_tokens: usize,
    /// What the filters do at the border.
    pub boundary: BoundaryRule,
}

impl Default for SettingsValues {
    fn default() -> Self {
        Self {
            decoding: Decoding::Sample { chain: DEFAULT_ORDER.to_vec() },
            repetition_penalty: 1.0,
            no_repeat_ngram: 0,
            suppress: Vec::new(),
            min_new_tokens: 0,
            boundary: BoundaryRule::default(),
        }
    }
}

/// Settings whose values are all in range. Values outside are an error, never silently changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SamplingSettings {
    values: SettingsValues,
}

impl SamplingSettings {
    /// Checks every value against its stated range.
    ///
    /// # Errors
    ///
    /// [`EngineError::Settings`] with the setting's name, its range and the value: a number outside its range or not
    /// a number, or a kind that the chain lists twice.
    pub fn new(values: SettingsValues) -> Result<Self> {
        if let Decoding::Sample { chain } = &values.decoding {
            for (index, step) in chain.iter().enumerate() {
                step.check(values.boundary)?;
                if chain.iter().take(index).any(|earlier| earlier.name() == step.name()) {
                    return Err(EngineError::Settings {
                        name: step.name(),
                        expected: "each kind at most once in the chain".to_owned(),
                        found: format!("a second {} at place {}", step.name(), index + 1),
                    });
                }
            }
        }
        let penalty = values.repetition_penalty;
        check_range(
            "repetition_penalty",
            penalty,
            penalty > 0.0 && penalty <= 10.0,
            "above 0, up to 10 (1 is off)",
        )?;
        Ok(Self { values })
    }

    /// The checked values.
    pub fn values(&self) -> &SettingsValues {
        &self.values
    }
}

fn check_range(name: &'static str, value: f64, in_range: bool, range: &str) -> Result<()> {
    // A comparison with NaN is false, so NaN is outside every range.
    if in_range {
        return Ok(());
    }
    Err(EngineError::Settings { name, expected: format!("a number {range}"), found: value.to_string() })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    fn chain(steps: &[ChainStep]) -> Result<SamplingSettings> {
        let decoding = Decoding::Sample { chain: steps.to_vec() };
        SamplingSettings::new(SettingsValues { decoding, ..SettingsValues::default() })
    }

    #[test]
    fn the_default_samples_with_everything_off() {
        let settings = SamplingSettings::default();
        assert_eq!(SamplingSettings::new(SettingsValues::default()).unwrap(), settings);
        let Decoding::Sample { chain } = &settings.values().decoding else { panic!("the default is greedy") };
        assert_eq!(chain.as_slice(), DEFAULT_ORDER);
        assert!(chain.iter().all(|step| step.is_off()));
    }

    #[test]
    fn both_ends_of_every_range_are_accepted() {
        for step in [
            ChainStep::Temperature(f64::MIN_POSITIVE),
            ChainStep::Temperature(100.0),
            ChainStep::TopK(0),
            ChainStep::TopK(usize::MAX),
            ChainStep::TopP(0.0),
            ChainStep::TopP(1.0),
            ChainStep::MinP(0.0),
            ChainStep::MinP(1.0),
        ] {
            assert!(chain(&[step]).is_ok(), "{step:?}");
        }
    }

    #[test]
    fn a_value_outside_its_range_is_an_error_that_names_setting_range_and_value() {
        let cases = [
            (
                ChainStep::Temperature(-0.5),
                "setting temperature: expected a number above 0, up to 100, found -0.5",
            ),
            (
                ChainStep::Temperature(100.5),
                "setting temperature: expected a number above 0, up to 100, found 100.5",
            ),
            (
                ChainStep::Temperature(f64::INFINITY),
                "setting temperature: expected a number above 0, up to 100, found inf",
            ),
            (ChainStep::TopP(f64::NAN), "setting top_p: expected a number from 0 to 1 (1 is off), found NaN"),
            (ChainStep::TopP(1.5), "setting top_p: expected a number from 0 to 1 (1 is off), found 1.5"),
            (ChainStep::MinP(-0.1), "setting min_p: expected a number from 0 to 1 (0 is off), found -0.1"),
        ];
        for (step, message) in cases {
            assert_eq!(chain(&[step]).unwrap_err().to_string(), message);
        }
        for penalty in [0.0, -1.0, 10.1, f64::NAN] {
            let values = SettingsValues { repetition_penalty: penalty, ..SettingsValues::default() };
            let message = SamplingSettings::new(values).unwrap_err().to_string();
            assert!(
                message.starts_with("setting repetition_penalty: expected a number above 0, up to 10"),
                "{message}"
            );
        }
    }

    #[test]
    fn temperature_zero_is_an_error_that_points_to_greedy() {
        for zero in [0.0, -0.0] {
            let message = chain(&[ChainStep::Temperature(zero)]).unwrap_err().to_string();
            assert!(message.contains("greedy"), "{message}");
        }
    }

    #[test]
    fn a_kind_listed_twice_is_an_error() {
        let twice = [ChainStep::TopK(3), ChainStep::Temperature(0.5), ChainStep::TopK(0)];
        let message = chain(&twice).unwrap_err().to_string();
        assert_eq!(
            message,
            "setting top_k: expected each kind at most once in the chain, found a second top_k at place 3"
        );
    }
}
