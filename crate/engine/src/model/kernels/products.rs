//! The two loops of a matrix product: one input against rows of weights as they are stored, and two inputs against
//! rows of weights that were widened before.
//!
//! Both compute every dot product in the same way, so that a position's bits do not depend on how many are computed
//! together: inputs and weights are filled up with zeros to a multiple of eight; product i is added to lane (i / 2) % 4 of
//! one vector, in the order of i; the lanes are added as (0 + 2) + (1 + 3). So a block of eight is two vectors, its even
//! columns and its odd ones.

use half::f16;

use super::lanes::{LANES, Lanes};

/// Inputs in a block, the unit in which rows are read.
pub(super) const BLOCK: usize = 8;
/// Rows of weights that are computed together.
pub(super) const TILE_ROWS: usize = 4;

/// Inputs that are computed together.
pub(super) const TILE_INPUTS: usize = 2;

/// Eight columns of four rows of weights in two steps, even columns and odd ones, in the order in which they are read.
pub(super) type WeightTile = [[[f32; LANES]; TILE_ROWS]; BLOCK / LANES];
/// Eight columns of the inputs that are computed together, in the same order.
pub(super) type InputTile = [[[f32; LANES]; TILE_INPUTS]; BLOCK / LANES];

/// Eight numbers as bytes.
pub(super) trait Bytes: Copy {
    /// The whole blocks of a row.
    fn blocks(row: &[u8]) -> &[Self];
    /// What is left of a row behind its whole blocks, filled up with zeros.
    fn rest(row: &[u8]) -> Self;
}

impl<const N: usize> Bytes for [u8; N] {
    #[inline(always)]
    fn blocks(row: &[u8]) -> &[Self] {
        row.as_chunks().0
    }

    fn rest(row: &[u8]) -> Self {
        let mut block = [0; N];
        for (to, from) in block.iter_mut().zip(row.as_chunks::<N>().1) {
            *to = *from;
        }
        block
    }
}

/// How numbers are stored.
pub(super) trait Stored {
    /// A block of them.
    type Bytes: Bytes;
    /// What [`Stored::lanes`] is to be multiplied by.
    const SCALE: f32 = 1.0;

    /// Eight numbers, even columns and odd ones, each to be multiplied by [`Stored::SCALE`].
    fn lanes<L: Lanes>(bytes: &Self::Bytes) -> [L; 2];
}

pub(super) struct F32;
pub(super) struct Bf16;
/// f16 of which all are finite and none but zero is subnormal, multiplied by 2^10.
pub(super) struct LiftedF16;
/// Any f16.
pub(super) struct F16;

impl Stored for F32 {
    type Bytes = [u8; 32];

    #[inline(always)]
    fn lanes<L: Lanes>(bytes: &[u8; 32]) -> [L; 2] {
        L::from_f32(bytes)
    }
}

impl Stored for Bf16 {
    type Bytes = [u8; 16];

    #[inline(always)]
    fn lanes<L: Lanes>(bytes: &[u8; 16]) -> [L; 2] {
        L::from_bf16(bytes)
    }
}

impl Stored for LiftedF16 {
    type Bytes = [u8; 16];
    /// 2^102: 2^112 for the exponent that is left as it is, 2^-10 for the lifting.
    const SCALE: f32 = f32::from_bits((102 + 127) << 23);

    #[inline(always)]
    fn lanes<L: Lanes>(bytes: &[u8; 16]) -> [L; 2] {
        L::from_f16_unscaled(bytes)
    }
}

impl Stored for F16 {
    type Bytes = [u8; 16];

    #[inline(always)]
    fn lanes<L: Lanes>(bytes: &[u8; 16]) -> [L; 2] {
        let mut values = [0.0; BLOCK];
        let (even, odd) = values.split_at_mut(LANES);
        for ((even, odd), [a, b, c, d]) in even.iter_mut().zip(odd).zip(bytes.as_chunks().0) {
            *even = f16::from_le_bytes([*a, *b]).to_f32();
            *odd = f16::from_le_bytes([*c, *d]).to_f32();
        }
        L::load_block(&values)
    }
}

/// One input `[columns]`, in blocks of even columns and then odd ones, against four rows of weights: the four dot products.
#[inline(always)]
pub(super) fn four_rows<L: Lanes, S: Stored>(rows: [&[u8]; TILE_ROWS], input: &[[f32; BLOCK]]) -> L {
    let [a, b, c, d] = rows;
    let whole = S::Bytes::blocks(a);
    let mut sums = [L::splat(0.0); TILE_ROWS];
    let blocks = whole.iter().zip(S::Bytes::blocks(b)).zip(S::Bytes::blocks(c)).zip(S::Bytes::blocks(d));
    for ((((a, b), c), d), x) in blocks.zip(input) {
        add_block::<L, S>(&mut sums, x, [a, b, c, d]);
    }
    if let Some(x) = input.get(whole.len()) {
        add_block::<L, S>(
            &mut sums,
            x,
            [&S::Bytes::rest(a), &S::Bytes::rest(b), &S::Bytes::rest(c), &S::Bytes::rest(d)],
        );
    }
    L::sums(sums)
}

#[inline(always)]
fn add_block<L: Lanes, S: Stored>(
    sums: &mut [L; TILE_ROWS],
    x: &[f32; BLOCK],
    weights: [&S::Bytes; TILE_ROWS],
) {
    let [x_low, x_high] = L::load_block(x);
    for (sum, bytes) in sums.iter_mut().zip(weights) {
        let [low, high] = S::lanes::<L>(bytes);
        *sum = sum.add_product(low, x_low).add_product(high, x_high);
    }
}

/// Widens four rows of weights, exactly, into `tiles [blocks of columns]`.
#[inline(always)]
pub(super) fn widen<L: Lanes, S: Stored>(rows: [&[u8]; TILE_ROWS], tiles: &mut [WeightTile]) {
    for (index, row) in rows.into_iter().enumerate() {
        let blocks = S::Bytes::blocks(row);
        for (tile, bytes) in tiles.iter_mut().zip(blocks) {
            widen_block::<L, S>(bytes, index, tile);
        }
        if let Some(tile) = tiles.get_mut(blocks.len()) {
            widen_block::<L, S>(&S::Bytes::rest(row), index, tile);
        }
    }
}

#[inline(always)]
fn widen_block<L: Lanes, S: Stored>(bytes: &S::Bytes, row: usize, tile: &mut WeightTile) {
    let scale = L::splat(S::SCALE);
    for (step, lanes) in tile.iter_mut().zip(S::lanes::<L>(bytes)) {
        lanes.mul(scale).store(&mut step[row]);
    }
}

/// Two inputs against four widened rows: the four dot products of each.
#[inline(always)]
pub(super) fn four_rows_by_two<L: Lanes>(tiles: &[WeightTile], inputs: &[InputTile]) -> [L; TILE_INPUTS] {
    let mut sums = [[L::splat(0.0); TILE_ROWS]; TILE_INPUTS];
    // A step at a time: two would want more registers than there are.
    for (weights, [a, b]) in tiles.as_flattened().iter().zip(inputs.as_flattened()) {
        let (a, b) = (L::load(a), L::load(b));
        for (row, weights) in weights.iter().enumerate() {
            let weights = L::load(weights);
            sums[0][row] = sums[0][row].add_product(weights, a);
            sums[1][row] = sums[1][row].add_product(weights, b);
        }
    }
    sums.map(L::sums)
}
