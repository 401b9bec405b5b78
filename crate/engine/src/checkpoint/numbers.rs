//! The formats that weights are kept in, and what their bytes mean.

use half::{bf16, f16};

/// How the numbers of a weight matrix are kept, little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFormat {
    /// f32
    F32,
    /// f16
    F16,
    /// f16 that were multiplied by 2^10 by `lift`.
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
            Self::LiftedF16 => each(bytes, out, |word| lowered(u16::from_le_bytes(word))),
            Self::Bf16 => each(bytes, out, |word| bf16::from_le_bytes(word).to_f32()),
        }
    }
}

fn each<const N: usize>(bytes: &[u8], out: &mut [f32], decode: impl Fn([u8; N]) -> f32) {
    for (out, word) in out.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *out = decode(*word);
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
pub(super) fn lift(numbers: &mut [u16]) -> bool {
    // Not `all`: without an early end the comparisons are made eight at a time.
    if !numbers.iter().fold(true, |all, bits| all & (bits & MAGNITUDE < THIRTY_TWO)) {
        return false;
    }
    for bits in numbers {
        *bits = lifted(*bits);
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

/// The number that was lifted to these bits.
pub(super) fn lowered(bits: u16) -> f32 {
    f16::from_bits(bits).to_f32() * (1.0 / 1024.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn lifting_every_small_f16_is_exact_and_leaves_no_subnormal() {
        let all: Vec<u16> = (0..=u16::MAX).filter(|bits| bits & MAGNITUDE < THIRTY_TWO).collect();
        let mut words = all.clone();
        assert!(lift(&mut words));
        for (bits, lifted) in all.iter().zip(words) {
            assert_eq!(lowered(lifted).to_bits(), f16::from_bits(*bits).to_f32().to_bits(), "{bits:#x}");
            assert!(lifted & EXPONENT != 0 || lifted & MAGNITUDE == 0, "{bits:#x}");
            assert_eq!(lifted >> 15, bits >> 15);
        }
    }

    #[test]
    fn numbers_that_cannot_be_lifted_stay_as_they_are() {
        for bits in [THIRTY_TWO, 0xd000, 0x7bff, 0x7c00, 0xfc00, 0x7e00] {
            let mut words = [1, bits];
            assert!(!lift(&mut words));
            assert_eq!(words, [1, bits]);
        }
    }
}
