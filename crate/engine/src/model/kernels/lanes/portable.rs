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

/// Eight halves in pairs, the one at the even place in the low bits. A compiler works on the four words at once.
#[inline(always)]
fn pairs(bytes: &[u8; 16]) -> [u32; 4] {
    let mut pairs = [0; 4];
    for (pair, word) in pairs.iter_mut().zip(bytes.as_chunks().0) {
        *pair = u32::from_le_bytes(*word);
    }
    pairs
}

#[inline(always)]
fn bits(words: [u32; 4]) -> Portable {
    Portable(words.map(f32::from_bits))
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
        let mut values = [0.0; 8];
        for (value, word) in values.iter_mut().zip(bytes.as_chunks().0) {
            *value = f32::from_le_bytes(*word);
        }
        let [a, b, c, d, e, f, g, h] = values;
        [Self([a, c, e, g]), Self([b, d, f, h])]
    }

    #[inline(always)]
    fn from_bf16(bytes: &[u8; 16]) -> [Self; 2] {
        let pairs = pairs(bytes);
        [bits(pairs.map(|pair| pair << 16)), bits(pairs.map(|pair| pair & 0xffff_0000))]
    }

    #[inline(always)]
    fn from_f16_unscaled(bytes: &[u8; 16]) -> [Self; 2] {
        // The shift to the right leaves the sign four times, and the odd ones with their neighbours' bits behind.
        let wide = |pair: u32| (pair.cast_signed() >> 3).cast_unsigned() & 0x8fff_e000;
        let pairs = pairs(bytes);
        [bits(pairs.map(|pair| wide(pair << 16))), bits(pairs.map(wide))]
    }
}
