//! The numbers of one tensor where they lie in the file, shared and not copied.

use std::ops::{Deref, Range};
use std::sync::Arc;

use half::{bf16, f16};

use crate::precision::Precision;

/// A part of a file's bytes. Cloning shares them.
#[derive(Debug, Clone)]
pub struct SharedBytes {
    file: Arc<Vec<u8>>,
    part: Range<usize>,
}

impl SharedBytes {
    /// `part` of `file`; nothing where the file does not reach.
    pub fn new(file: Arc<Vec<u8>>, part: Range<usize>) -> Self {
        Self { file, part }
    }
}

impl From<Vec<u8>> for SharedBytes {
    fn from(bytes: Vec<u8>) -> Self {
        let part = 0..bytes.len();
        Self { file: Arc::new(bytes), part }
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.file.get(self.part.clone()).unwrap_or_default()
    }
}

/// How the numbers of a weight matrix are kept, little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFormat {
    /// f32
    F32,
    /// f16
    F16,
    /// f16 that were multiplied by 2^10 by [`lift`].
    LiftedF16,
    /// bf16
    Bf16,
}

impl NumberFormat {
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::LiftedF16 | Self::Bf16 => 2,
        }
    }

    /// Numbers of this format as f32, exactly.
    pub fn widen(self, bytes: &[u8], out: &mut [f32]) {
        match self {
            Self::F32 => each(bytes, out, f32::from_le_bytes),
            Self::F16 => each(bytes, out, |word| f16::from_le_bytes(word).to_f32()),
            Self::LiftedF16 => each(bytes, out, lowered),
            Self::Bf16 => each(bytes, out, |word| bf16::from_le_bytes(word).to_f32()),
        }
    }
}

fn each<const N: usize>(bytes: &[u8], out: &mut [f32], decode: impl Fn([u8; N]) -> f32) {
    for (out, word) in out.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *out = decode(*word);
    }
}

/// The numbers of one tensor, row-major.
#[derive(Debug, Clone)]
pub struct StoredNumbers {
    /// What the bytes mean.
    pub format: NumberFormat,
    /// The numbers.
    pub bytes: SharedBytes,
}

impl StoredNumbers {
    /// The numbers rounded to a precision and kept in its format.
    pub(super) fn rounded(values: &[f32], precision: Precision) -> Self {
        let (format, bytes) = match precision {
            Precision::F32 => (NumberFormat::F32, values.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Precision::BF16 => {
                let words = values.iter().flat_map(|v| bf16::from_f32(*v).to_le_bytes());
                (NumberFormat::Bf16, words.collect())
            }
            Precision::F16 => {
                let mut words: Vec<u8> =
                    values.iter().flat_map(|v| f16::from_f32(*v).to_le_bytes()).collect();
                let lifted = lift(&mut words);
                (if lifted { NumberFormat::LiftedF16 } else { NumberFormat::F16 }, words)
            }
        };
        Self { format, bytes: SharedBytes::from(bytes) }
    }
}

const MAGNITUDE: u16 = 0x7fff;
const EXPONENT: u16 = 0x7c00;
const THIRTY_TWO: u16 = 0x5000;
const TEN_IN_THE_EXPONENT: u16 = 10 << 10;

/// Multiplies f16 numbers by 2^10, in place, if all are below 32 in magnitude; says whether it did.
///
/// That is exact, and [`lowered`] undoes it. It turns subnormal numbers, of which trained weights have some in a thousand,
/// into normal ones: a processor takes a hundred times as long to multiply a subnormal f32, and a subnormal f16 becomes
/// one in the fast kernel, which leaves the exponent as it is.
pub fn lift(bytes: &mut [u8]) -> bool {
    let words = bytes.as_chunks_mut::<2>().0;
    // Not `all`: without an early end the comparisons are made eight at a time.
    if !words.iter().fold(true, |all, word| all & (u16::from_le_bytes(*word) & MAGNITUDE < THIRTY_TWO)) {
        return false;
    }
    for word in words {
        *word = lifted(u16::from_le_bytes(*word)).to_le_bytes();
    }
    true
}

fn lifted(bits: u16) -> u16 {
    if bits & EXPONENT != 0 {
        return bits + TEN_IN_THE_EXPONENT;
    }
    if bits & MAGNITUDE == 0 {
        return bits;
    }
    f16::from_f32(f16::from_bits(bits).to_f32() * 1024.0).to_bits()
}

/// The number that was lifted to these bytes.
pub(super) fn lowered(word: [u8; 2]) -> f32 {
    f16::from_le_bytes(word).to_f32() * (1.0 / 1024.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn lifting_every_small_f16_is_exact_and_leaves_no_subnormal() {
        let all: Vec<u16> = (0..=u16::MAX).filter(|bits| bits & MAGNITUDE < THIRTY_TWO).collect();
        let mut bytes: Vec<u8> = all.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        assert!(lift(&mut bytes));
        for (bits, word) in all.iter().zip(bytes.as_chunks::<2>().0) {
            assert_eq!(lowered(*word).to_bits(), f16::from_bits(*bits).to_f32().to_bits(), "{bits:#x}");
            let lifted = u16::from_le_bytes(*word);
            assert!(lifted & EXPONENT != 0 || lifted & MAGNITUDE == 0, "{bits:#x}");
            assert_eq!(lifted >> 15, bits >> 15);
        }
    }

    #[test]
    fn numbers_that_cannot_be_lifted_stay_as_they_are() {
        for bits in [THIRTY_TWO, 0xd000, 0x7bff, 0x7c00, 0xfc00, 0x7e00] {
            let mut bytes = [1, 0, 0, 0];
            bytes[2..].copy_from_slice(&u16::to_le_bytes(bits));
            let before = bytes;
            assert!(!lift(&mut bytes));
            assert_eq!(bytes, before);
        }
    }
}
