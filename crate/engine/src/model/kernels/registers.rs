//! Moving four f32 between memory and a SIMD register.

use core::arch::wasm32::{v128, v128_load, v128_store};

/// The four numbers, the first in lane 0.
#[inline(always)]
pub(super) fn load(numbers: &[f32; 4]) -> v128 {
    // SAFETY: the reference is valid for reading 16 bytes, which is what the instruction reads; it needs no alignment.
    unsafe { v128_load(numbers.as_ptr().cast()) }
}

/// The lanes, lane 0 first.
#[inline(always)]
pub(super) fn store(lanes: v128) -> [f32; 4] {
    let mut numbers = [0.0; 4];
    // SAFETY: the array is valid for writing 16 bytes, which is what the instruction writes; it needs no alignment.
    unsafe { v128_store(numbers.as_mut_ptr().cast(), lanes) };
    numbers
}
