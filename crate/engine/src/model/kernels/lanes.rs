//! Four f32 side by side: the one vector type that the kernels are written for.
//!
//! A kernel is written once, over [`Lanes`], and compiled twice: over [`Portable`], four numbers in an array, and in a
//! browser over the 128-bit registers of WebAssembly. Lane count, accumulators and order of every sum are those of the
//! one text, and IEEE 754 fixes each operation, so both give the same bits. Neither multiplies and adds in one rounding:
//! that is left to a third, `Relaxed`, in builds with the feature `relaxed-simd`, which promise no equal bits.

use std::array::from_fn;

mod portable;
#[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
mod relaxed;
#[cfg(target_arch = "wasm32")]
mod simd;

pub use portable::Portable;
#[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
pub use relaxed::Relaxed;
#[cfg(target_arch = "wasm32")]
pub use simd::Simd;

/// The fastest lanes whose bits are the same everywhere.
#[cfg(not(target_arch = "wasm32"))]
pub type Fastest = Portable;
/// The fastest lanes whose bits are the same everywhere.
#[cfg(target_arch = "wasm32")]
pub type Fastest = Simd;

/// Numbers in a vector.
pub const LANES: usize = 4;

/// f32 side by side, in one vector or several. Every operation is done number by number, in a fixed way.
///
/// An array of vectors is worked on operation by operation, not vector by vector: a constant, once loaded, serves them
/// all, and none waits for the result of the operation before.
pub trait Arithmetic: Copy {
    /// The same number everywhere.
    fn splat(value: f32) -> Self;
    /// self + other
    fn add(self, other: Self) -> Self;
    /// self - other
    fn sub(self, other: Self) -> Self;
    /// self * other
    fn mul(self, other: Self) -> Self;
    /// self / other
    fn div(self, other: Self) -> Self;
    /// `yes` where self < other, `no` where not or where either is no number.
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self;
    /// `yes` where self is a number, self where it is NaN.
    fn if_number(self, yes: Self) -> Self;
    /// Adds the low bits of self, shifted into the place of the exponent, to the bits of `fraction`.
    fn shift_into_exponent_of(self, fraction: Self) -> Self;

    /// 0 where self < limit, `no` where not or where either is no number.
    #[inline(always)]
    fn zero_if_less(self, limit: Self, no: Self) -> Self {
        self.if_less(limit, Self::splat(0.0), no)
    }

    /// The larger, self where either is NaN.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.if_less(other, other, self)
    }
}

impl<A: Arithmetic, const N: usize> Arithmetic for [A; N] {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        [A::splat(value); N]
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        from_fn(|i| self[i].add(other[i]))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        from_fn(|i| self[i].sub(other[i]))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        from_fn(|i| self[i].mul(other[i]))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        from_fn(|i| self[i].div(other[i]))
    }

    #[inline(always)]
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self {
        from_fn(|i| self[i].if_less(other[i], yes[i], no[i]))
    }

    #[inline(always)]
    fn zero_if_less(self, limit: Self, no: Self) -> Self {
        from_fn(|i| self[i].zero_if_less(limit[i], no[i]))
    }

    #[inline(always)]
    fn if_number(self, yes: Self) -> Self {
        from_fn(|i| self[i].if_number(yes[i]))
    }

    #[inline(always)]
    fn shift_into_exponent_of(self, fraction: Self) -> Self {
        from_fn(|i| self[i].shift_into_exponent_of(fraction[i]))
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        from_fn(|i| self[i].larger(other[i]))
    }
}

/// Four f32 in a vector.
pub trait Lanes: Arithmetic {
    /// From memory, lane 0 first.
    fn load(values: &[f32; 4]) -> Self;
    /// To memory, lane 0 first.
    fn store(self, values: &mut [f32; 4]);

    /// Eight from memory, in two vectors.
    #[inline(always)]
    fn load_block(values: &[f32; 8]) -> [Self; 2] {
        let [a, b, c, d, e, f, g, h] = *values;
        [Self::load(&[a, b, c, d]), Self::load(&[e, f, g, h])]
    }

    /// (lane 0 + lane 2) + (lane 1 + lane 3) of each of four vectors.
    fn sums(vectors: [Self; 4]) -> Self;

    /// Eight f32 as a file stores them: those at even places, then those at odd ones. Halves stand in pairs in the words of
    /// a register, and come apart in this order with the fewest instructions.
    fn from_f32(bytes: &[u8; 32]) -> [Self; 2];
    /// Eight bf16 as a file stores them, in the same order.
    fn from_bf16(bytes: &[u8; 16]) -> [Self; 2];
    /// Eight f16 in the same order, their exponents left as they are: each number comes out 2^-112 times what it is. Right for zeros and
    /// normal numbers; infinities and NaN come out finite.
    fn from_f16_unscaled(bytes: &[u8; 16]) -> [Self; 2];

    /// sum + a * b, rounded twice except where relaxed.
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        self.add(a.mul(b))
    }

    /// (lane 0 + lane 2) + (lane 1 + lane 3)
    #[inline(always)]
    fn sum(self) -> f32 {
        let [a, b, c, d] = self.to_array();
        (a + c) + (b + d)
    }

    /// The largest lane.
    #[inline(always)]
    fn largest(self) -> f32 {
        let larger = |a: f32, b: f32| if a < b { b } else { a };
        let [a, b, c, d] = self.to_array();
        larger(larger(a, b), larger(c, d))
    }

    /// The lanes, lane 0 first.
    #[inline(always)]
    fn to_array(self) -> [f32; 4] {
        let mut values = [0.0; 4];
        self.store(&mut values);
        values
    }

    /// The first lanes of a slice that may be shorter than a vector, then `rest`.
    #[inline(always)]
    fn load_some(values: &[f32], rest: f32) -> Self {
        let mut padded = [rest; 4];
        for (to, from) in padded.iter_mut().zip(values) {
            *to = *from;
        }
        Self::load(&padded)
    }

    /// As many lanes as the slice takes.
    #[inline(always)]
    fn store_some(self, values: &mut [f32]) {
        for (to, from) in values.iter_mut().zip(self.to_array()) {
            *to = from;
        }
    }
}
