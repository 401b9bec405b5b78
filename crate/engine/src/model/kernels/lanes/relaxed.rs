//! [`Simd`] with a product and a sum in one instruction, which rounds once or twice, as the machine does it best.
//!
//! Only in builds with the feature `relaxed-simd`, which the page loads where the browser has these instructions and the
//! student asked for them: two machines may differ in the last digits here. The baseline build does not contain it.
//!
//! The instructions are switched on by `#[target_feature(enable = "relaxed-simd")]` at the few functions that the model
//! calls, not for the whole build, so that all dependencies compile once for both builds. The instruction is inlined only
//! into functions with that attribute: whatever stands between such a function and [`Relaxed::add_product`] must be
//! `#[inline(always)]`, or each multiply-add is a call. On WebAssembly such a function may be called from anywhere,
//! without `unsafe`: a module with an instruction that the browser lacks is refused as a whole before any of it runs.

use core::arch::wasm32::f32x4_relaxed_madd;

use super::{Arithmetic, Lanes, Simd};

/// [`Lanes`] in a vector register, with relaxed multiply-add.
#[derive(Debug, Clone, Copy)]
pub struct Relaxed(Simd);

impl Arithmetic for Relaxed {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(Simd::splat(value))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.mul(other.0))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0.div(other.0))
    }

    #[inline(always)]
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self {
        Self(self.0.if_less(other.0, yes.0, no.0))
    }

    #[inline(always)]
    fn zero_if_less(self, limit: Self, no: Self) -> Self {
        Self(self.0.zero_if_less(limit.0, no.0))
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(self.0.larger(other.0))
    }

    #[inline(always)]
    fn if_number(self, yes: Self) -> Self {
        Self(self.0.if_number(yes.0))
    }

    #[inline(always)]
    fn shift_into_exponent_of(self, fraction: Self) -> Self {
        Self(self.0.shift_into_exponent_of(fraction.0))
    }
}

impl Lanes for Relaxed {
    #[inline(always)]
    fn load(values: &[f32; 4]) -> Self {
        Self(Simd::load(values))
    }

    #[inline(always)]
    fn load_block(values: &[f32; 8]) -> [Self; 2] {
        pair(Simd::load_block(values))
    }

    #[inline(always)]
    fn store(self, values: &mut [f32; 4]) {
        self.0.store(values);
    }

    /// sum + a * b, rounded once or twice.
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Self(Simd(f32x4_relaxed_madd(a.0.0, b.0.0, self.0.0)))
    }

    #[inline(always)]
    fn sums([a, b, c, d]: [Self; 4]) -> Self {
        Self(Simd::sums([a.0, b.0, c.0, d.0]))
    }

    #[inline(always)]
    fn from_f32(bytes: &[u8; 32]) -> [Self; 2] {
        pair(Simd::from_f32(bytes))
    }

    #[inline(always)]
    fn from_bf16(bytes: &[u8; 16]) -> [Self; 2] {
        pair(Simd::from_bf16(bytes))
    }

    #[inline(always)]
    fn from_f16_unscaled(bytes: &[u8; 16]) -> [Self; 2] {
        pair(Simd::from_f16_unscaled(bytes))
    }
}

#[inline(always)]
fn pair([low, high]: [Simd; 2]) -> [Relaxed; 2] {
    [Relaxed(low), Relaxed(high)]
}
