//! One query of one head, or two neighbours, against one page of the KV cache.
//!
//! The softmax is taken page by page: whenever a page brings a larger score, what was summed before is scaled down
//! (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018). Pages stand at fixed positions and are
//! visited in order, so the bits of a position depend on nothing but its prefix.
//!
//! Keys are stored position by position beside each other, so that the scores of 4 positions fill a vector and no sum
//! crosses lanes: the score of a position is a sum over the head's dimensions in their order. Values are stored row by
//! row: the mix of a dimension is a sum over positions in their order. Two queries share what is read from memory and
//! nothing else: each has the bits that it has alone.

use std::array::from_fn;

use super::elementwise::{self, SIDE_BY_SIDE};
use super::exp;
use super::lanes::{Arithmetic, LANES, Lanes};

/// Positions of a page.
pub const PAGE_POSITIONS: usize = 64;
/// Positions whose keys stand side by side.
pub const GROUP_POSITIONS: usize = 32;
const GROUP_VECTORS: usize = GROUP_POSITIONS / LANES;
const HALF_GROUP: usize = GROUP_VECTORS / 2;
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

/// One query on its way through the pages.
#[derive(Debug)]
pub struct Query<'a> {
    /// `[d]`, scaled.
    pub query: &'a [f32],
    /// How many positions of the page it sees, from the first on.
    pub count: usize,
    /// Its softmax.
    pub running: &'a mut Running,
    /// Values mixed so far, `[d / 4]` vectors.
    pub mixed: &'a mut [ValueVector],
}

/// Adds the positions of a page that they see to the mixes of Q queries: one, or two that read each key and value once.
///
/// `keys [2, d]` groups of 32 positions; `values [64, d / 4]` vectors.
pub fn attend<const Q: usize>(queries: [Query; Q], keys: &[KeyGroup], values: &[ValueVector]) {
    #[cfg(not(all(feature = "relaxed-simd", target_arch = "wasm32")))]
    attend_on::<super::lanes::Fastest, Q>(queries, keys, values);
    #[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
    attend_relaxed(queries, keys, values);
}

/// [`attend`] with relaxed multiply-add.
#[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
#[target_feature(enable = "relaxed-simd")]
fn attend_relaxed<const Q: usize>(queries: [Query; Q], keys: &[KeyGroup], values: &[ValueVector]) {
    attend_on::<super::lanes::Relaxed, Q>(queries, keys, values);
}

/// [`attend`] on a given kind of lanes.
#[inline(always)]
pub fn attend_on<L: Lanes, const Q: usize>(
    mut queries: [Query; Q],
    keys: &[KeyGroup],
    values: &[ValueVector],
) {
    let mut scores = [[[f32::NEG_INFINITY; LANES]; PAGE_POSITIONS / LANES]; Q];
    let counts: [usize; Q] = from_fn(|q| queries[q].count.min(PAGE_POSITIONS));
    score_page::<L, Q>(
        from_fn(|q| queries[q].query),
        keys,
        counts.into_iter().fold(0, usize::max),
        &mut scores,
    );
    let keep: [f32; Q] = from_fn(|q| softmax::<L>(&mut scores[q], counts[q], queries[q].running));

    let shares: [&[f32; PAGE_POSITIONS]; Q] =
        from_fn(|q| scores[q].as_flattened().first_chunk().unwrap_or(&[0.0; PAGE_POSITIONS]));
    let width = queries.iter().fold(usize::MAX, |width, query| width.min(query.mixed.len()));
    // Eight sums at a time, as many as registers hold beside what goes into them.
    let wide = width - width % (8 / Q);
    for first in (0..wide).step_by(8 / Q) {
        if Q == 1 {
            mix::<L, Q, 8>((shares, counts), values, width, first, keep, &mut queries);
        } else {
            mix::<L, Q, 4>((shares, counts), values, width, first, keep, &mut queries);
        }
    }
    for first in wide..width {
        mix::<L, Q, 1>((shares, counts), values, width, first, keep, &mut queries);
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

/// The first `count` scores of each query; whole vectors of them, and more as it comes.
#[inline(always)]
fn score_page<L: Lanes, const Q: usize>(
    queries: [&[f32]; Q],
    keys: &[KeyGroup],
    count: usize,
    scores: &mut [[[f32; LANES]; PAGE_POSITIONS / LANES]; Q],
) {
    let d = queries.iter().map(|query| query.len()).fold(keys.len(), usize::min);
    let queries = queries.map(|query| &query[..d]);
    for (index, keys) in keys.chunks_exact(d.max(1)).enumerate() {
        let first = index * GROUP_VECTORS;
        match count.saturating_sub(index * GROUP_POSITIONS) {
            0 => {}
            17.. if Q == 1 => score_group::<L, Q, GROUP_VECTORS>(queries, keys, 0, first, scores),
            more => {
                score_group::<L, Q, HALF_GROUP>(queries, keys, 0, first, scores);
                if more > HALF_GROUP * LANES {
                    score_group::<L, Q, HALF_GROUP>(queries, keys, HALF_GROUP, first + HALF_GROUP, scores);
                }
            }
        }
    }
}

/// Q times 4 V scores: from vector `from` of a group of keys on, to vector `to` on.
#[inline(always)]
fn score_group<L: Lanes, const Q: usize, const V: usize>(
    queries: [&[f32]; Q],
    keys: &[KeyGroup],
    from: usize,
    to: usize,
    scores: &mut [[[f32; LANES]; PAGE_POSITIONS / LANES]; Q],
) {
    let mut sums = [[L::splat(0.0); V]; Q];
    for (dimension, keys) in keys.iter().enumerate() {
        let query: [L; Q] = from_fn(|q| L::splat(queries[q][dimension]));
        for (vector, key) in keys[from..from + V].iter().enumerate() {
            let key = L::load(key);
            for q in 0..Q {
                sums[q][vector] = sums[q][vector].add_product(query[q], key);
            }
        }
    }
    for (sums, scores) in sums.iter().zip(scores) {
        for (sum, score) in sums.iter().zip(&mut scores[to..]) {
            sum.store(score);
        }
    }
}

/// Makes shares of the first `count` scores, relative to the largest so far. Returns what earlier shares are to be
/// multiplied by.
#[inline(always)]
fn softmax<L: Lanes>(
    scores: &mut [[f32; LANES]; PAGE_POSITIONS / LANES],
    count: usize,
    running: &mut Running,
) -> f32 {
    // What lies behind the last position is whatever was there before. Its share is to be 0.
    for score in scores.as_flattened_mut().iter_mut().skip(count) {
        *score = f32::NEG_INFINITY;
    }
    let blocks = scores.as_chunks_mut::<SIDE_BY_SIDE>().0;
    let used = &mut blocks[..count.div_ceil(SIDE_BY_SIDE * LANES)];
    let tops = used.iter().fold([L::splat(running.top); SIDE_BY_SIDE], |tops, block| {
        tops.larger(from_fn(|index| L::load(&block[index])))
    });
    let top = tops[0].larger(tops[1]).larger(tops[2].larger(tops[3])).largest();
    let keep = exp::exp(running.top - top);
    let mut total = L::load(&running.total).mul(L::splat(keep));
    for block in used {
        let scores: [L; SIDE_BY_SIDE] = from_fn(|index| L::load(&block[index]));
        let shares = elementwise::exp_of_negative(scores.sub(Arithmetic::splat(top)));
        for (share, score) in shares.into_iter().zip(block) {
            total = total.add(share);
            share.store(score);
        }
    }
    running.top = top;
    total.store(&mut running.total);
    keep
}

/// mixed * keep + the sum of shares times values, in C vectors of each value from the `first` on. Of its shares a query has
/// as many as its count says.
#[inline(always)]
fn mix<L: Lanes, const Q: usize, const C: usize>(
    (shares, counts): ([&[f32; PAGE_POSITIONS]; Q], [usize; Q]),
    values: &[ValueVector],
    width: usize,
    first: usize,
    keep: [f32; Q],
    queries: &mut [Query; Q],
) {
    let mut sums: [[L; C]; Q] = from_fn(|q| {
        let keep = L::splat(keep[q]);
        from_fn(|index| L::load(&queries[q].mixed[first + index]).mul(keep))
    });
    // Positions that all see, together; then what single queries see beyond them.
    let common = counts.into_iter().fold(PAGE_POSITIONS, usize::min);
    // As arrays of a known length, whose vectors need no check.
    let parts =
        values.get(first..).unwrap_or_default().chunks(width).map_while(|value| value.first_chunk::<C>());
    for (position, value) in parts.enumerate().take(common) {
        let share: [L; Q] = from_fn(|q| L::splat(shares[q][position]));
        for (index, value) in value.iter().enumerate() {
            let value = L::load(value);
            for q in 0..Q {
                sums[q][index] = sums[q][index].add_product(share[q], value);
            }
        }
    }
    for (q, shares) in shares.iter().enumerate() {
        let beyond = values.get(common * width..).unwrap_or_default().chunks_exact(width);
        for (share, value) in shares.get(common..counts[q]).unwrap_or_default().iter().zip(beyond) {
            for (sum, value) in sums[q].iter_mut().zip(&value[first..]) {
                *sum = sum.add_product(L::splat(*share), L::load(value));
            }
        }
        for (sum, mixed) in sums[q].iter().zip(&mut queries[q].mixed[first..]) {
            sum.store(mixed);
        }
    }
}
