//! Multiply-add that may round once or twice, as the machine does it best: WebAssembly's relaxed SIMD.
//!
//! Only in builds with the feature `relaxed-simd`, which the page loads where the browser has these instructions and the
//! student asked for them: two machines may differ in the last digits here, so nothing that promises equal bits may
//! call this module. The baseline build does not contain it.
//!
//! The instructions are switched on for each function by `#[target_feature(enable = "relaxed-simd")]`, not for the whole
//! build, so that all dependencies compile once for both builds. A function with that attribute is inlined only into
//! functions that carry it too: a loop over [`multiply_add`] needs the attribute itself, or each turn is a call.
//! On WebAssembly such a function may be called from anywhere, without `unsafe`: a module with an instruction that the
//! browser lacks is refused as a whole before any of it runs.

use core::arch::wasm32::{
    f32x4, f32x4_add, f32x4_extract_lane, f32x4_relaxed_madd, f32x4_splat, v128, v128_load,
};

/// `a * b + c` in four lanes.
#[inline]
#[target_feature(enable = "relaxed-simd")]
pub fn multiply_add(a: v128, b: v128, c: v128) -> v128 {
    f32x4_relaxed_madd(a, b, c)
}

/// The sum of the products of two slices; what the longer has beyond the shorter does not count.
#[inline]
#[target_feature(enable = "relaxed-simd")]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let (a_blocks, a_rest) = a.as_chunks::<16>();
    let (b_blocks, b_rest) = b.as_chunks::<16>();
    // Four sums, so that a multiply-add need not wait for the one before it.
    let mut sums = [f32x4_splat(0.0); 4];
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum = multiply_add(load(x, lane), load(y, lane), *sum);
        }
    }
    let total = f32x4_add(f32x4_add(sums[0], sums[1]), f32x4_add(sums[2], sums[3]));
    let halves = [
        f32x4_extract_lane::<0>(total) + f32x4_extract_lane::<2>(total),
        f32x4_extract_lane::<1>(total) + f32x4_extract_lane::<3>(total),
    ];
    a_rest.iter().zip(b_rest).fold(halves[0] + halves[1], |sum, (x, y)| sum + x * y)
}

/// Values `4 * lane .. 4 * lane + 4` of a block; zeros past its end, where no caller goes.
#[inline]
#[target_feature(enable = "relaxed-simd")]
fn load(block: &[f32; 16], lane: usize) -> v128 {
    let (quads, _) = block.as_chunks::<4>();
    match quads.get(lane) {
        // SAFETY: the reference makes all sixteen bytes readable, and a load of WebAssembly needs no alignment.
        Some(quad) => unsafe { v128_load(quad.as_ptr().cast()) },
        None => f32x4(0.0, 0.0, 0.0, 0.0),
    }
}
