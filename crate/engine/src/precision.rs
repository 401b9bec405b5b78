//! The format in which a weight matrix is stored.
//!
//! The readable kernel of [`crate::model::gpt_neox`] always computes in f32. A precision says to which format the
//! weights are rounded before they are widened again, so that a student sees what storage alone does to the logits.

use crate::error::{EngineError, Result};

/// What weights are rounded to before computing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// As stored in the file, widened to f32: nothing is lost.
    #[default]
    F32,
    /// IEEE half precision: 11 significant bits, up to 65,504.
    F16,
    /// The upper half of an f32: 8 significant bits, the range of f32.
    BF16,
}

impl Precision {
    /// Reads a name as it stands on the command line and on the page.
    pub fn parse(name: &str) -> Result<Self> {
        let expected = match name {
            "f32" => return Ok(Self::F32),
            "f16" => return Ok(Self::F16),
            "bf16" => return Ok(Self::BF16),
            "int8" | "q4" => "f32, f16 or bf16, because int8 and q4 are not available for this kernel",
            _ => "f32, f16 or bf16",
        };
        Err(EngineError::Settings {
            name: "precision",
            expected: expected.to_owned(),
            found: name.chars().take(40).collect(),
        })
    }

    /// The name that [`Precision::parse`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
        }
    }

    /// The nearest value that the format holds. Too large for F16 becomes infinite, as it would in a file.
    pub fn round(self, value: f32) -> f32 {
        match self {
            Self::F32 => value,
            Self::F16 => half::f16::from_f32(value).to_f32(),
            Self::BF16 => half::bf16::from_f32(value).to_f32(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn names_are_read_back() {
        for precision in [Precision::F32, Precision::F16, Precision::BF16] {
            assert_eq!(Precision::parse(precision.name()).unwrap(), precision);
        }
    }

    #[test]
    fn int8_and_q4_are_refused_in_words() {
        for name in ["int8", "q4"] {
            let error = Precision::parse(name).unwrap_err().to_string();
            assert!(error.contains("not available for this kernel"), "{error}");
        }
    }

    #[test]
    fn rounding_keeps_the_bits_of_the_format() {
        assert_eq!(Precision::F16.round(1.0 + 1.0 / 4096.0), 1.0);
        assert_eq!(Precision::BF16.round(1.0 + 1.0 / 512.0), 1.0);
        assert_eq!(Precision::F32.round(0.1), 0.1);
    }
}
