//! The format in which a weight matrix is stored, and the bytes that it takes.
//!
//! F32, F16 and BF16 round each weight on its own. INT8 and Q4 store whole numbers of steps, with a scale for each row
//! ([`crate::model::kernels::int8`]) or for each group of 64 weights ([`crate::model::kernels::q4`]).
//!
//! The readable kernel of [`crate::model::gpt_neox`] always computes in f32. There a precision says to which format the
//! weights are rounded before they are widened again, so that a student sees what storage alone does to the logits.
//!
//! The KV cache has a format of its own, [`CachePrecision`].

pub mod q4_layout;

use std::fmt;

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
    ///
    /// Errors: another name.
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
        Precision::Q4 => {
            q4_layout::row_bytes(columns).saturating_add(q4_layout::groups(columns) * size_of::<u16>())
        }
    };
    rows.saturating_mul(row_bytes)
}

/// A precision for each class of weight matrix. Biases and layer norms are few and kept as f32; where blocks are F16 or
/// BF16 they are rounded to that first, as a file of that format would hold them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WeightPrecision {
    /// The output head: the largest matrix of a small model, read whole for every token. With tied embeddings, a head
    /// in another precision than the table is kept beside it.
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

    /// Reads one name, which holds for all, or classes with a name each: `head=int8,embedding=f16,blocks=f32`. A class
    /// that is absent is F32.
    ///
    /// Errors: another name or class, a class twice.
    pub fn parse(text: &str) -> Result<Self> {
        let fault = |expected: &str, found: &str| EngineError::Settings {
            name: "precision",
            expected: expected.to_owned(),
            found: found.chars().take(40).collect(),
        };
        if !text.contains('=') {
            return Precision::parse(text).map(Self::uniform);
        }
        let (mut head, mut embedding, mut blocks) = (None, None, None);
        for part in text.split(',') {
            let Some((class, name)) = part.split_once('=') else {
                return Err(fault("a class of weights with its precision, such as head=int8", part));
            };
            let place = match class.trim() {
                "head" => &mut head,
                "embedding" => &mut embedding,
                "blocks" => &mut blocks,
                _ => return Err(fault("a class of weights: head, embedding or blocks", class)),
            };
            if place.replace(Precision::parse(name.trim())?).is_some() {
                return Err(fault("each class of weights once", text));
            }
        }
        let [head, embedding, blocks] = [head, embedding, blocks].map(Option::unwrap_or_default);
        Ok(Self { head, embedding, blocks })
    }

    /// The precision of all classes, where they have one.
    pub fn as_uniform(self) -> Option<Precision> {
        (self == Self::uniform(self.head)).then_some(self.head)
    }

    /// The precision of the tensor of that name in a checkpoint.
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

/// As [`WeightPrecision::parse`] reads it: one name, or the classes that are not F32.
impl fmt::Display for WeightPrecision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(precision) = self.as_uniform() {
            return formatter.write_str(precision.name());
        }
        let classes = [("head", self.head), ("embedding", self.embedding), ("blocks", self.blocks)];
        let mut separator = "";
        for (class, precision) in classes {
            if precision != Precision::F32 {
                write!(formatter, "{separator}{class}={}", precision.name())?;
                separator = ",";
            }
        }
        Ok(())
    }
}

/// The format in which keys and values are kept. Computing is in f32 in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CachePrecision {
    /// As computed.
    #[default]
    F32,
    /// Rounded to IEEE half precision, in half the bytes.
    F16,
}

impl CachePrecision {
    /// Reads a name as it stands on the command line and on the page.
    ///
    /// Errors: another name.
    pub fn parse(name: &str) -> Result<Self> {
        match name {
            "f32" => Ok(Self::F32),
            "f16" => Ok(Self::F16),
            _ => Err(EngineError::Settings {
                name: "kv_cache",
                expected: "f32 or f16".to_owned(),
                found: name.chars().take(40).collect(),
            }),
        }
    }

    /// The name that [`CachePrecision::parse`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
        }
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
    fn precisions_by_class_are_read_back() {
        for head in Precision::ALL {
            for embedding in Precision::ALL {
                for blocks in Precision::ALL {
                    let precision = WeightPrecision { head, embedding, blocks };
                    let text = precision.to_string();
                    assert_eq!(WeightPrecision::parse(&text).unwrap(), precision, "{text}");
                    let spelt_out = format!(
                        "blocks={}, head={}, embedding={}",
                        blocks.name(),
                        head.name(),
                        embedding.name()
                    );
                    assert_eq!(WeightPrecision::parse(&spelt_out).unwrap(), precision, "{spelt_out}");
                }
            }
        }
        let printed = |text| WeightPrecision::parse(text).unwrap().to_string();
        assert_eq!(printed("int8"), "int8");
        assert_eq!(printed("head=int8"), "head=int8");
        assert_eq!(printed("blocks=f32,embedding=f16,head=int8"), "head=int8,embedding=f16");
        assert_eq!(printed("head=q4,embedding=q4,blocks=q4"), "q4");
        assert_eq!(printed("head=f32"), "f32");
    }

    #[test]
    fn what_is_no_precision_of_a_class_is_refused_in_words() {
        for (text, words) in [
            ("", "int8 or q4"),
            ("int4", "int8 or q4"),
            ("head=", "int8 or q4"),
            ("head=int4", "int8 or q4"),
            ("tail=int8", "head, embedding or blocks, found tail"),
            ("head=int8,", "such as head=int8"),
            ("head=int8,f16", "such as head=int8, found f16"),
            ("head=int8,head=int8", "once"),
            ("head=int8=q4", "int8 or q4"),
        ] {
            let error = WeightPrecision::parse(text).unwrap_err().to_string();
            assert!(error.starts_with("setting precision: ") && error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn formats_of_the_cache_are_read_back_and_others_refused() {
        for precision in [CachePrecision::F32, CachePrecision::F16] {
            assert_eq!(CachePrecision::parse(precision.name()).unwrap(), precision);
        }
        let error = CachePrecision::parse("int8").unwrap_err().to_string();
        assert!(error.contains("kv_cache") && error.contains("f32 or f16, found int8"), "{error}");
    }

    #[test]
    fn one_precision_holds_for_all_classes() {
        let all = WeightPrecision::from(Precision::Q4);
        assert_eq!((all.head, all.embedding, all.blocks), (Precision::Q4, Precision::Q4, Precision::Q4));
    }
}
