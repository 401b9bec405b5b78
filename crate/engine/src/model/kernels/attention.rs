//! One query of one head against one page of the KV cache.
//!
//! The softmax is taken page by page: whenever a page brings a larger score, what was summed before is scaled down. Pages
//! stand at fixed positions and are visited in order, so the bits of a position depend on nothing but its prefix.
//!
//! Keys are stored position by position beside each other, so that the scores of 4 positions fill a vector and no sum
//! crosses lanes: the score of a position is a sum over the head's dimensions in their order. Values are stored row by
//! row: the mix of a dimension is a sum over positions in their order.

use super::elementwise;
use super::exp;
use super::lanes::{LANES, Lanes};

/// Positions of a page.
pub const PAGE_POSITIONS: usize = 64;
/// Positions whose keys stand side by side.
pub const GROUP_POSITIONS: usize = 32;
/// Dimension i of the keys of 32 positions, in vectors of 4.
pub type KeyGroup = [[f32; LANES]; GROUP_POSITIONS / LANES];
/// Four dimensions of the value of one position.
pub type ValueVector = [f32; LANES];

/// A softmax under way: the largest score so far, and the sum of exponentials relative to it, in four parts.
#[derive(Debug, Clone, Copy)]
pub struct Running {
    top: f32,
    total: [f32; LANES],
}

impl Default for Running {
    fn default() -> Self {
        Self { top: f32::NEG_INFINITY, total: [0.0; LANES] }
    }
}

/// Adds the first `count` positions of a page to a query's mix.
///
/// `query [d]`, scaled; `keys [2, d]` groups of 32 positions; `values [64, d / 4]` vectors; `mixed [d / 4]` vectors.
pub fn attend(
    query: &[f32],
    keys: &[KeyGroup],
    values: &[ValueVector],
    count: usize,
    running: &mut Running,
    mixed: &mut [ValueVector],
) {
    #[cfg(not(all(feature = "relaxed-simd", target_arch = "wasm32")))]
    attend_on::<super::lanes::Fastest>(query, keys, values, count, running, mixed);
    #[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
    attend_relaxed(query, keys, values, count, running, mixed);
}

/// [`attend`] with relaxed multiply-add.
#[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
#[target_feature(enable = "relaxed-simd")]
fn attend_relaxed(
    query: &[f32],
    keys: &[KeyGroup],
    values: &[ValueVector],
    count: usize,
    running: &mut Running,
    mixed: &mut [ValueVector],
) {
    attend_on::<super::lanes::Relaxed>(query, keys, values, count, running, mixed);
}

/// [`attend`] on a given kind of lanes.
#[inline(always)]
pub fn attend_on<L: Lanes>(
    query: &[f32],
    keys: &[KeyGroup],
    values: &[ValueVector],
    count: usize,
    running: &mut Running,
    mixed: &mut [ValueVector],
) {
    let mut scores = [[f32::NEG_INFINITY; LANES]; PAGE_POSITIONS / LANES];
    let count = count.min(PAGE_POSITIONS);
    score_page::<L>(query, keys, count, &mut scores);
    // What lies behind the last position is whatever was there before.
    for score in scores.as_flattened_mut().iter_mut().skip(count) {
        *score = f32::NEG_INFINITY;
    }
    let used = &mut scores[..count.div_ceil(LANES)];

    let top = used.iter().fold(L::splat(running.top), |top, score| top.larger(L::load(score))).largest();
    let keep = exp::exp(running.top - top);
    let mut total = L::load(&running.total).mul(L::splat(keep));
    for score in used.iter_mut() {
        let share = elementwise::exp(L::load(score).sub(L::splat(top)));
        total = total.add(share);
        share.store(score);
    }
    running.top = top;
    total.store(&mut running.total);

    let shares = &scores.as_flattened()[..count];
    let width = mixed.len();
    let mut first = 0;
    while let Some(wide) = mixed.get_mut(first..).and_then(|rest| rest.first_chunk_mut::<8>()) {
        mix::<L, 8>(shares, values, width, first, keep, wide);
        first += 8;
    }
    while let Some(narrow) = mixed.get_mut(first..).and_then(|rest| rest.first_chunk_mut::<1>()) {
        mix::<L, 1>(shares, values, width, first, keep, narrow);
        first += 1;
    }
}

/// The mix of a query that has seen all its pages, to `out [d]`.
pub fn finish(running: &Running, mixed: &[ValueVector], out: &mut [f32]) {
    let [a, b, c, d] = running.total;
    let total = (a + c) + (b + d);
    for (out, mixed) in out.iter_mut().zip(mixed.as_flattened()) {
        *out = mixed / total;
    }
}

#[inline(always)]
fn score_page<L: Lanes>(
    query: &[f32],
    keys: &[KeyGroup],
    count: usize,
    scores: &mut [[f32; LANES]; PAGE_POSITIONS / LANES],
) {
    const VECTORS: usize = GROUP_POSITIONS / LANES;
    let groups = keys.chunks_exact(query.len().max(1)).zip(scores.as_chunks_mut::<VECTORS>().0);
    for (index, (keys, scores)) in groups.enumerate() {
        match count.saturating_sub(index * GROUP_POSITIONS) {
            0 => {}
            1..=16 => score_group::<L, 4>(query, keys, scores),
            _ => score_group::<L, VECTORS>(query, keys, scores),
        }
    }
}

/// The scores of the first 4 V positions of a group.
#[inline(always)]
fn score_group<L: Lanes, const V: usize>(query: &[f32], keys: &[KeyGroup], scores: &mut [[f32; LANES]]) {
    let mut sums = [L::splat(0.0); V];
    for (query, keys) in query.iter().zip(keys) {
        let query = L::splat(*query);
        for (sum, key) in sums.iter_mut().zip(keys) {
            *sum = sum.add_product(query, L::load(key));
        }
    }
    for (sum, score) in sums.iter().zip(scores) {
        sum.store(score);
    }
}

/// mixed * keep + the sum of shares times values, in C vectors of each value from the `first` on.
#[inline(always)]
fn mix<L: Lanes, const C: usize>(
    shares: &[f32],
    values: &[ValueVector],
    width: usize,
    first: usize,
    keep: f32,
    mixed: &mut [ValueVector; C],
) {
    let mut sums: [L; C] = std::array::from_fn(|index| L::load(&mixed[index]).mul(L::splat(keep)));
    for (share, value) in shares.iter().zip(values.chunks_exact(width)) {
        let share = L::splat(*share);
        if let Some(value) = value.get(first..).and_then(|value| value.first_chunk::<C>()) {
            for (sum, value) in sums.iter_mut().zip(value) {
                *sum = sum.add_product(share, L::load(value));
            }
        }
    }
    for (sum, mixed) in sums.iter().zip(mixed) {
        sum.store(mixed);
    }
}
