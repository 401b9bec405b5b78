//! Rotary position embedding: the angles, by absolute position.
//!
//! Pair i of a head's first `rotary_dimensions` is turned by `position * base^(-2i / rotary_dimensions)`. In the NeoX
//! form a pair is dimension i and dimension i + half, not two neighbours. (Su et al., "RoFormer", 2021; Black et al.,
//! "GPT-NeoX-20B", 2022.)

use crate::config::ModelConfig;
use crate::error::{EngineError, Result};

/// Cosines and sines, row-major `[positions, rotary_dimensions / 2]`.
#[derive(Debug, Clone, PartialEq)]
pub struct RotaryTables {
    /// Pairs of dimensions, the length of a row.
    pub pairs: usize,
    /// Cosine of each angle.
    pub cosines: Vec<f32>,
    /// Sine of each angle.
    pub sines: Vec<f32>,
}

impl RotaryTables {
    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        (self.cosines.capacity() + self.sines.capacity()) * size_of::<f32>()
    }

    /// The tables of all positions that the model has.
    ///
    /// Hugging Face transformers computes frequency and angle in f32, and a checkpoint's reference values contain that
    /// rounding: at position 2,047 an angle in f32 is off by up to 6e-5, and f64 throughout would differ by as
    /// much. So the frequency is rounded to f32 and multiplied in f32, while the power, the cosine and the sine are
    /// taken in f64 and rounded once, which is the value that every good f32 library approximates. `libm` and not the
    /// standard library, whose last digit changes from system to system.
    ///
    /// An error where memory lacks for them: their number comes from a file.
    pub fn new(config: &ModelConfig) -> Result<Self> {
        let dimensions = config.rotary_dimensions();
        let pairs = dimensions / 2;
        let frequencies: Vec<f32> = (0..pairs)
            .map(|pair| {
                // The exponent, the power and the reciprocal are each an f32 tensor in the reference.
                let exponent = (2 * pair) as f32 / dimensions as f32;
                1.0 / (libm::pow(config.rotary_emb_base, f64::from(exponent)) as f32)
            })
            .collect();
        let angles = (0..config.max_position_embeddings)
            .flat_map(|position| frequencies.iter().map(move |frequency| position as f32 * frequency));
        let (mut cosines, mut sines) = (Vec::new(), Vec::new());
        let numbers = config.max_position_embeddings.saturating_mul(pairs);
        for table in [&mut cosines, &mut sines] {
            table.try_reserve_exact(numbers).map_err(|_| EngineError::Memory {
                expected: format!("{numbers} numbers of free memory for a rotary table"),
                found: "less".to_owned(),
            })?;
        }
        for angle in angles {
            cosines.push(libm::cos(f64::from(angle)) as f32);
            sines.push(libm::sin(f64::from(angle)) as f32);
        }
        Ok(Self { pairs, cosines, sines })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    #![expect(
        clippy::disallowed_methods,
        reason = "the standard library is what the tables are compared with"
    )]
    use super::*;

    #[test]
    fn tables_follow_the_f32_angles_of_the_reference_at_every_position() {
        let json =
            br#"{"vocab_size": 1, "hidden_size": 128, "num_hidden_layers": 1, "num_attention_heads": 4,
            "intermediate_size": 1, "max_position_embeddings": 2048}"#;
        let tables = RotaryTables::new(&ModelConfig::from_json(json).unwrap()).unwrap();
        assert_eq!((tables.pairs, tables.cosines.len(), tables.sines.len()), (4, 4 * 2048, 4 * 2048));
        for position in 0..2048 {
            for (pair, exact) in [1.0, 0.1, 0.01, 0.001].into_iter().enumerate() {
                let (cosine, sine) = (tables.cosines[position * 4 + pair], tables.sines[position * 4 + pair]);
                let angle = position as f32 * (exact as f32);
                assert!((cosine - angle.cos()).abs() < 1e-6 && (sine - angle.sin()).abs() < 1e-6);
                // And the f32 angle is itself near the mathematical one.
                let angle = position as f64 * exact;
                assert!((f64::from(cosine) - angle.cos()).abs() < 5e-5);
                assert!((f64::from(sine) - angle.sin()).abs() < 5e-5);
            }
        }
    }
}
