//! Four numbers in an array: every machine has this, and a compiler may make vector instructions of it.

use super::{Arithmetic, Lanes};

/// [`Lanes`] without any machine's vector instructions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portable([f32; 4]);

impl Portable {
    #[inline(always)]
    fn with(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([operation(a, e), operation(b, f), operation(c, g), operation(d, h)])
    }
}

/// Eight words of N bytes, each decoded to the bits of an f32: those at even places, then those at odd ones.
#[inline(always)]
fn decode<const N: usize>(bytes: &[u8], bits: impl Fn([u8; N]) -> u32) -> [Portable; 2] {
    let mut values = [0.0; 8];
    for (value, word) in values.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *value = f32::from_bits(bits(*word));
    }
    let [a, b, c, d, e, f, g, h] = values;
    [Portable([a, c, e, g]), Portable([b, d, f, h])]
}

impl Arithmetic for Portable {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| a / b)
    }

    #[inline(always)]
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self {
        let mut result = no.0;
        for (lane, result) in result.iter_mut().enumerate() {
            if self.0[lane] < other.0[lane] {
                *result = yes.0[lane];
            }
        }
        Self(result)
    }

    #[inline(always)]
    fn if_number(self, yes: Self) -> Self {
        self.with(yes, |value, yes| if value.is_nan() { value } else { yes })
    }

    #[inline(always)]
    fn shift_into_exponent_of(self, fraction: Self) -> Self {
        self.with(fraction, |exponent, fraction| {
            f32::from_bits(fraction.to_bits().wrapping_add(exponent.to_bits() << 23))
        })
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn load(values: &[f32; 4]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn store(self, values: &mut [f32; 4]) {
        *values = self.0;
    }

    #[inline(always)]
    fn sums(vectors: [Self; 4]) -> Self {
        Self(vectors.map(Self::sum))
    }

    #[inline(always)]
    fn from_f32(bytes: &[u8; 32]) -> [Self; 2] {
        decode(bytes, u32::from_le_bytes)
    }

    #[inline(always)]
    fn from_bf16(bytes: &[u8; 16]) -> [Self; 2] {
        decode(bytes, |word| u32::from(u16::from_le_bytes(word)) << 16)
    }

    #[inline(always)]
    fn from_f16_unscaled(bytes: &[u8; 16]) -> [Self; 2] {
        decode(bytes, |word| {
            let half = u32::from(u16::from_le_bytes(word));
            (half & 0x8000) << 16 | (half & 0x7fff) << 13
        })
    }
}
