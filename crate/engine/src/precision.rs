//! The format in which a weight matrix is stored, and the bytes that it takes.
//!
//! F32, F16 and BF16 round each weight on its own. INT8 and Q4 store whole numbers of steps, with a scale for each row
//! ([`crate::model::kernels::int8`]) or for each group of 64 weights ([`crate::model::kernels::q4`]).
//!
//! The readable kernel of [`crate::model::gpt_neox`] always computes in f32. There a precision says to which format the
//! weights are rounded before they are widened again, so that a student sees what storage alone does to the logits.

use crate::error::{EngineError, Result};
use crate::model::kernels::q4;

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
    /// One byte a weight and one f32 scale a row.
    Int8,
    /// Half a byte a weight and a two-byte scale for each group of 64.
    Q4,
}

impl Precision {
    /// Every precision, the most exact first.
    pub const ALL: [Self; 5] = [Self::F32, Self::F16, Self::BF16, Self::Int8, Self::Q4];

    /// Reads a name as it stands on the command line and on the page. Not every kernel has every precision; the one
    /// that lacks it says so when it loads.
    pub fn parse(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|precision| precision.name() == name).ok_or_else(|| {
            EngineError::Settings {
                name: "precision",
                expected: "f32, f16, bf16, int8 or q4".to_owned(),
                found: name.chars().take(40).collect(),
            }
        })
    }

    /// The name that [`Precision::parse`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::Int8 => "int8",
            Self::Q4 => "q4",
        }
    }

    /// Whether weights are stored as whole numbers of steps.
    pub fn is_quantised(self) -> bool {
        matches!(self, Self::Int8 | Self::Q4)
    }

    /// The nearest value that the format holds. Too large for F16 becomes infinite, as it would in a file. INT8 and Q4
    /// have no values of their own, only those of a row or a group: the value stays as it is.
    pub fn round(self, value: f32) -> f32 {
        match self {
            Self::F32 | Self::Int8 | Self::Q4 => value,
            Self::F16 => half::f16::from_f32(value).to_f32(),
            Self::BF16 => half::bf16::from_f32(value).to_f32(),
        }
    }
}

/// Bytes of a matrix `[rows, columns]`, scales included: 2^20 weights in Q4 take 557,056 bytes, 0.53125 MiB.
///
/// A matrix that no memory could hold has `usize::MAX` bytes.
pub fn stored_bytes(precision: Precision, rows: usize, columns: usize) -> usize {
    let row_bytes = match precision {
        Precision::F32 => columns.saturating_mul(size_of::<f32>()),
        Precision::F16 | Precision::BF16 => columns.saturating_mul(size_of::<u16>()),
        Precision::Int8 => columns.saturating_add(size_of::<f32>()),
        Precision::Q4 => q4::row_bytes(columns).saturating_add(q4::groups(columns) * size_of::<u16>()),
    };
    rows.saturating_mul(row_bytes)
}

/// A precision for each class of weight matrix. Biases and layer norms are few and always f32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WeightPrecision {
    /// The output head: the largest matrix of a small model, read whole for every token.
    pub head: Precision,
    /// The embedding table. One row of it is read for each token, so a narrow format saves memory and no time; a row of
    /// INT8 or Q4 is widened when it is looked up.
    pub embedding: Precision,
    /// The four matrices of each block.
    pub blocks: Precision,
}

impl WeightPrecision {
    /// The same for all, the embedding table included: then bytes are weights times bytes a weight, as one reckons on
    /// paper, and a table that is also the head (tied embeddings) can be kept once.
    pub const fn uniform(precision: Precision) -> Self {
        Self { head: precision, embedding: precision, blocks: precision }
    }

    /// The precision of the matrix of that name in a checkpoint.
    pub fn of(self, name: &str) -> Precision {
        match name {
            "embed_out.weight" | "lm_head.weight" => self.head,
            "gpt_neox.embed_in.weight" => self.embedding,
            _ => self.blocks,
        }
    }
}

impl From<Precision> for WeightPrecision {
    fn from(precision: Precision) -> Self {
        Self::uniform(precision)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn names_are_read_back() {
        for precision in Precision::ALL {
            assert_eq!(Precision::parse(precision.name()).unwrap(), precision);
        }
    }

    #[test]
    fn another_name_is_refused_in_words() {
        let error = Precision::parse("int4").unwrap_err().to_string();
        assert!(error.contains("int8 or q4") && error.contains("int4"), "{error}");
    }

    #[test]
    fn rounding_keeps_the_bits_of_the_format() {
        assert_eq!(Precision::F16.round(1.0 + 1.0 / 4096.0), 1.0);
        assert_eq!(Precision::BF16.round(1.0 + 1.0 / 512.0), 1.0);
        assert_eq!(Precision::F32.round(0.1), 0.1);
    }

    #[test]
    fn stored_bytes_count_codes_and_scales() {
        // 2^20 weights, in whatever shape has whole groups.
        for columns in [64, 128, 1024] {
            let bytes = |precision| stored_bytes(precision, (1 << 20) / columns, columns);
            assert_eq!(bytes(Precision::Q4), 557_056);
            assert_eq!(bytes(Precision::Q4) as f64 / 1_048_576.0, 0.53125);
            assert_eq!(bytes(Precision::F32), 4 << 20);
            assert_eq!(bytes(Precision::F16), 2 << 20);
            assert_eq!(bytes(Precision::BF16), 2 << 20);
            assert_eq!(bytes(Precision::Int8), (1 << 20) + (1 << 20) / columns * 4);
        }
        // The output head of Pythia-14M.
        assert_eq!(stored_bytes(Precision::Int8, 50_304, 128), 6_640_128);
        assert_eq!(stored_bytes(Precision::Q4, 50_304, 128), 3_420_672);
        assert_eq!(stored_bytes(Precision::Q4, 3, 65), 3 * (32 + 1 + 2 * 2));
        assert_eq!(stored_bytes(Precision::F32, usize::MAX, 2), usize::MAX);
    }

    #[test]
    fn one_precision_holds_for_all_classes() {
        let all = WeightPrecision::from(Precision::Q4);
        assert_eq!((all.head, all.embedding, all.blocks), (Precision::Q4, Precision::Q4, Precision::Q4));
    }
}
