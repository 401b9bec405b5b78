//! [`super::exp`] on four lanes, and what is made of it.

use core::arch::wasm32::*;
use std::array::from_fn;

use super::super::registers::{load, store};
use super::{LN_2_HIGH, LN_2_LOW, OVERFLOW, POLYNOMIAL, ROUND_TO_INTEGER, UNDERFLOW};

/// Registers that are worked on side by side: a constant, once loaded, serves them all.
const SIDE_BY_SIDE: usize = 4;

/// [`super::exp`] of each lane of each register: the same operations in the same order.
#[inline(always)]
pub(in crate::model::kernels) fn exp<const N: usize>(x: [v128; N]) -> [v128; N] {
    let log2_e = f32x4_splat(std::f32::consts::LOG2_E);
    let round = f32x4_splat(ROUND_TO_INTEGER);
    let shifted = x.map(|x| f32x4_add(f32x4_mul(x, log2_e), round));
    let n = shifted.map(|shifted| f32x4_sub(shifted, round));
    let ln_2 = f32x4_splat(LN_2_HIGH);
    let r: [v128; N] = from_fn(|i| f32x4_sub(x[i], f32x4_mul(n[i], ln_2)));
    let ln_2 = f32x4_splat(LN_2_LOW);
    let r: [v128; N] = from_fn(|i| f32x4_sub(r[i], f32x4_mul(n[i], ln_2)));

    let mut tail = [f32x4_splat(POLYNOMIAL[0]); N];
    for coefficient in &POLYNOMIAL[1..] {
        let coefficient = f32x4_splat(*coefficient);
        tail = from_fn(|i| f32x4_add(f32x4_mul(tail[i], r[i]), coefficient));
    }
    let one = f32x4_splat(1.0);
    let fraction: [v128; N] =
        from_fn(|i| f32x4_add(f32x4_add(f32x4_mul(tail[i], f32x4_mul(r[i], r[i])), r[i]), one));
    let scaled: [v128; N] = from_fn(|i| i32x4_add(fraction[i], i32x4_shl(shifted[i], 23)));

    // There is no clamp as in the portable twin: lanes outside the range hold nonsense, and are replaced. Below it by 0,
    // beyond it by infinity, and NaN by NaN.
    let underflow = f32x4_splat(UNDERFLOW);
    let scaled: [v128; N] = from_fn(|i| v128_andnot(scaled[i], f32x4_lt(x[i], underflow)));
    let (overflow, infinity) = (f32x4_splat(OVERFLOW), f32x4_splat(f32::INFINITY));
    from_fn(|i| v128_bitselect(scaled[i], f32x4_add(x[i], infinity), f32x4_lt(x[i], overflow)))
}

/// `exp((value - top) * scale)` of some blocks of four values.
#[inline(always)]
fn weights<const N: usize>(blocks: &[[f32; 4]; N], top: f32, scale: f32) -> [v128; N] {
    let (tops, scales) = (f32x4_splat(top), f32x4_splat(scale));
    exp(from_fn(|i| f32x4_mul(f32x4_sub(load(&blocks[i]), tops), scales)))
}

/// See [`super::sum_of_exponentials`].
pub(super) fn sum_of_exponentials(values: &[f32], top: f32, scale: f32) -> f64 {
    // Sums 0 and 1, sums 2 and 3.
    let mut sums = [f64x2_splat(0.0); 2];
    let mut add = |weights: v128| {
        let back = i64x2_shuffle::<1, 1>(weights, weights);
        sums = [
            f64x2_add(sums[0], f64x2_promote_low_f32x4(weights)),
            f64x2_add(sums[1], f64x2_promote_low_f32x4(back)),
        ];
    };
    let (blocks, rest) = values.as_chunks::<4>();
    let (groups, singles) = blocks.as_chunks::<SIDE_BY_SIDE>();
    for group in groups {
        weights(group, top, scale).into_iter().for_each(&mut add);
    }
    for single in singles {
        weights(&[*single], top, scale).into_iter().for_each(&mut add);
    }
    let mut sums = [
        f64x2_extract_lane::<0>(sums[0]),
        f64x2_extract_lane::<1>(sums[0]),
        f64x2_extract_lane::<0>(sums[1]),
        f64x2_extract_lane::<1>(sums[1]),
    ];
    for (sum, value) in sums.iter_mut().zip(rest) {
        *sum += f64::from(super::exp((value - top) * scale));
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// See [`super::exponentials`].
pub(super) fn exponentials(values: &[f32], top: f32, scale: f32, results: &mut Vec<f32>) {
    let start = results.len();
    results.resize(start + values.len(), 0.0);
    let (blocks, rest) = values.as_chunks::<4>();
    let (out, out_rest) = results[start..].as_chunks_mut::<4>();
    let (groups, singles) = blocks.as_chunks::<SIDE_BY_SIDE>();
    let (out_groups, out_singles) = out.as_chunks_mut::<SIDE_BY_SIDE>();
    for (group, out) in groups.iter().zip(out_groups) {
        *out = weights(group, top, scale).map(store);
    }
    for (single, out) in singles.iter().zip(out_singles) {
        *out = store(weights(&[*single], top, scale)[0]);
    }
    for (value, out) in rest.iter().zip(out_rest) {
        *out = super::exp((value - top) * scale);
    }
}
