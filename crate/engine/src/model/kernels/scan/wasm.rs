//! The passes of [`super`] in WebAssembly's SIMD.

use core::arch::wasm32::*;

use super::super::registers::{load, store};
use super::{GROUP, portable};

/// See [`super::all_finite`].
pub(super) fn all_finite(values: &[f32]) -> bool {
    let (blocks, rest) = values.as_chunks::<4>();
    let mut faults = f32x4_splat(0.0);
    for block in blocks {
        let values = load(block);
        // A finite number less itself is 0, with no bit set; infinity and NaN leave NaN.
        faults = v128_or(faults, f32x4_sub(values, values));
    }
    !v128_any_true(faults) && portable::all_finite(rest)
}

/// See [`super::lane_maxima`].
pub(super) fn lane_maxima(values: &[f32], maxima: &mut Vec<[f32; 4]>) {
    maxima.clear();
    let (groups, rest) = values.as_chunks::<GROUP>();
    maxima.extend(groups.iter().map(|group| store(largest_of_rows(group.as_chunks::<4>().0))));
    if !rest.is_empty() {
        maxima.push(portable::largest_of_lanes(rest));
    }
}

/// See [`portable::largest_of_lanes`].
pub(super) fn largest_of_lanes(values: &[f32]) -> [f32; 4] {
    let (rows, rest) = values.as_chunks::<4>();
    let mut lanes = store(largest_of_rows(rows));
    for (lane, value) in lanes.iter_mut().zip(rest) {
        if *lane < *value {
            *lane = *value;
        }
    }
    lanes
}

#[inline(always)]
fn largest_of_rows(rows: &[[f32; 4]]) -> v128 {
    // pmax(a, b) is b where a < b, else a.
    rows.iter().fold(f32x4_splat(f32::NEG_INFINITY), |largest, row| f32x4_pmax(largest, load(row)))
}

/// See [`super::for_each_in_band`].
pub(super) fn for_each_in_band(
    values: &[f32],
    maxima: &[[f32; 4]],
    least: f32,
    end: f32,
    mut keep: impl FnMut(u32, f32),
) {
    let (leasts, ends) = (f32x4_splat(least), f32x4_splat(end));
    let (groups, rest) = values.as_chunks::<GROUP>();
    let mut first = 0u32;
    for (group, lanes) in groups.iter().zip(maxima) {
        if v128_any_true(f32x4_ge(load(lanes), leasts)) {
            for (row, index) in group.as_chunks::<4>().0.iter().zip((first..).step_by(4)) {
                let values = load(row);
                let mut wanted = i32x4_bitmask(v128_and(f32x4_ge(values, leasts), f32x4_lt(values, ends)));
                while wanted != 0 {
                    let lane = wanted.trailing_zeros();
                    wanted &= wanted - 1;
                    keep(index + lane, row[lane as usize & 3]);
                }
            }
        }
        first += GROUP as u32;
    }
    portable::keep_band_of_group(first, rest, least, end, &mut keep);
}
