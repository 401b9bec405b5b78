//! The 128-bit vectors of WebAssembly. The twin of [`super::Portable`], operation by operation.

use core::arch::wasm32::*;

use super::{Arithmetic, Lanes};

/// [`Lanes`] in a vector register.
#[derive(Debug, Clone, Copy)]
pub struct Simd(pub(super) v128);

/// Sixteen bytes from memory. WebAssembly's loads ask for no alignment.
#[inline(always)]
fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the reference is to sixteen readable bytes, and v128_load accepts any alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

impl Arithmetic for Simd {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(f32x4_div(self.0, other.0))
    }

    #[inline(always)]
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, f32x4_lt(self.0, other.0)))
    }

    #[inline(always)]
    fn zero_if_less(self, limit: Self, no: Self) -> Self {
        Self(v128_andnot(no.0, f32x4_lt(self.0, limit.0)))
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(f32x4_pmax(self.0, other.0))
    }

    #[inline(always)]
    fn if_number(self, yes: Self) -> Self {
        Self(v128_bitselect(yes.0, self.0, f32x4_eq(self.0, self.0)))
    }

    #[inline(always)]
    fn shift_into_exponent_of(self, fraction: Self) -> Self {
        Self(i32x4_add(fraction.0, i32x4_shl(self.0, 23)))
    }
}

impl Lanes for Simd {
    #[inline(always)]
    fn load(values: &[f32; 4]) -> Self {
        // SAFETY: the reference is to sixteen readable bytes, and v128_load accepts any alignment.
        Self(unsafe { v128_load(values.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_block(values: &[f32; 8]) -> [Self; 2] {
        // SAFETY: the reference is to 32 readable bytes, and v128_load accepts any alignment.
        let (low, high) =
            unsafe { (v128_load(values.as_ptr().cast()), v128_load(values.as_ptr().add(4).cast())) };
        [Self(low), Self(high)]
    }

    #[inline(always)]
    fn store(self, values: &mut [f32; 4]) {
        // SAFETY: the reference is to sixteen writable bytes, and v128_store accepts any alignment.
        unsafe { v128_store(values.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn sums([a, b, c, d]: [Self; 4]) -> Self {
        let (a, b, c, d) = (a.0, b.0, c.0, d.0);
        // Lanes 0 and 2, and 1 and 3, of a and b side by side; then of c and d.
        let ab = f32x4_add(i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
        let cd = f32x4_add(i32x4_shuffle::<0, 4, 1, 5>(c, d), i32x4_shuffle::<2, 6, 3, 7>(c, d));
        Self(f32x4_add(i64x2_shuffle::<0, 2>(ab, cd), i64x2_shuffle::<1, 3>(ab, cd)))
    }

    #[inline(always)]
    fn from_f32(bytes: &[u8; 32]) -> [Self; 2] {
        // SAFETY: the reference is to 32 readable bytes, and v128_load accepts any alignment.
        let (low, high) =
            unsafe { (v128_load(bytes.as_ptr().cast()), v128_load(bytes.as_ptr().add(16).cast())) };
        [Self(i32x4_shuffle::<0, 2, 4, 6>(low, high)), Self(i32x4_shuffle::<1, 3, 5, 7>(low, high))]
    }

    #[inline(always)]
    fn from_bf16(bytes: &[u8; 16]) -> [Self; 2] {
        let halves = load(bytes);
        [Self(i32x4_shl(halves, 16)), Self(v128_and(halves, u32x4_splat(0xffff_0000)))]
    }

    #[inline(always)]
    fn from_f16_unscaled(bytes: &[u8; 16]) -> [Self; 2] {
        let halves = load(bytes);
        // Both shifts leave the sign four times in front of exponent and fraction; three of them are to be zeros, and the
        // odd ones have their neighbours' bits behind. The multiplication is a shift that widens the even ones and drops
        // the odd ones in one instruction.
        let wanted = u32x4_splat(0x8fff_e000);
        let even = i32x4_dot_i16x8(halves, i16x8(1 << 13, 0, 1 << 13, 0, 1 << 13, 0, 1 << 13, 0));
        [Self(v128_and(even, wanted)), Self(v128_and(i32x4_shr(halves, 3), wanted))]
    }
}
