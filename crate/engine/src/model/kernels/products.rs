//! The two loops of a matrix product: one input against rows of weights as they are stored, and two inputs against
//! rows of weights that were widened before.
//!
//! Both compute every dot product in the same way, so that a position's bits do not depend on how many are computed
//! together: inputs and weights are filled up with zeros to a multiple of eight; product i is added to lane i % 4 of one
//! vector, in the order of i; the lanes are added as (0 + 2) + (1 + 3).

use half::f16;

use super::lanes::Lanes;

/// Inputs in a block, the unit in which rows are read.
pub(super) const BLOCK: usize = 8;
/// Rows of weights that are computed together.
pub(super) const TILE_ROWS: usize = 4;

/// Eight columns of four rows of weights.
pub(super) type WeightTile = [[f32; BLOCK]; TILE_ROWS];
/// Eight columns of two inputs.
pub(super) type InputPair = [[f32; BLOCK]; 2];

/// How numbers are stored.
pub(super) trait Stored {
    /// Eight numbers as bytes.
    type Bytes: Copy;
    /// What [`Stored::lanes`] is to be multiplied by.
    const SCALE: f32 = 1.0;

    /// The whole blocks of a row.
    fn blocks(row: &[u8]) -> &[Self::Bytes];

    /// What is left of a row behind its whole blocks, filled up with zeros.
    fn rest(row: &[u8]) -> Self::Bytes;

    /// Eight numbers, each to be multiplied by [`Stored::SCALE`].
    fn lanes<L: Lanes>(bytes: &Self::Bytes) -> [L; 2];
}

fn rest<const N: usize>(row: &[u8]) -> [u8; N] {
    let mut block = [0; N];
    for (to, from) in block.iter_mut().zip(row.as_chunks::<N>().1) {
        *to = *from;
    }
    block
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
    fn blocks(row: &[u8]) -> &[[u8; 32]] {
        row.as_chunks().0
    }

    fn rest(row: &[u8]) -> [u8; 32] {
        rest(row)
    }

    #[inline(always)]
    fn lanes<L: Lanes>(bytes: &[u8; 32]) -> [L; 2] {
        L::from_f32(bytes)
    }
}

impl Stored for Bf16 {
    type Bytes = [u8; 16];

    #[inline(always)]
    fn blocks(row: &[u8]) -> &[[u8; 16]] {
        row.as_chunks().0
    }

    fn rest(row: &[u8]) -> [u8; 16] {
        rest(row)
    }

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
    fn blocks(row: &[u8]) -> &[[u8; 16]] {
        row.as_chunks().0
    }

    fn rest(row: &[u8]) -> [u8; 16] {
        rest(row)
    }

    #[inline(always)]
    fn lanes<L: Lanes>(bytes: &[u8; 16]) -> [L; 2] {
        L::from_f16_unscaled(bytes)
    }
}

impl Stored for F16 {
    type Bytes = [u8; 16];

    #[inline(always)]
    fn blocks(row: &[u8]) -> &[[u8; 16]] {
        row.as_chunks().0
    }

    fn rest(row: &[u8]) -> [u8; 16] {
        rest(row)
    }

    #[inline(always)]
    fn lanes<L: Lanes>(bytes: &[u8; 16]) -> [L; 2] {
        let mut values = [0.0; BLOCK];
        for (value, half) in values.iter_mut().zip(bytes.as_chunks().0) {
            *value = f16::from_le_bytes(*half).to_f32();
        }
        L::load_block(&values)
    }
}

/// One input `[columns]`, in blocks, against four rows of weights: the four dot products.
#[inline(always)]
pub(super) fn four_rows<L: Lanes, S: Stored>(rows: [&[u8]; TILE_ROWS], input: &[[f32; BLOCK]]) -> L {
    let [a, b, c, d] = rows;
    let whole = S::blocks(a);
    let mut sums = [L::splat(0.0); TILE_ROWS];
    let blocks = whole.iter().zip(S::blocks(b)).zip(S::blocks(c)).zip(S::blocks(d));
    for ((((a, b), c), d), x) in blocks.zip(input) {
        add_block::<L, S>(&mut sums, x, [a, b, c, d]);
    }
    if let Some(x) = input.get(whole.len()) {
        add_block::<L, S>(&mut sums, x, [&S::rest(a), &S::rest(b), &S::rest(c), &S::rest(d)]);
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
        let blocks = S::blocks(row);
        for (tile, bytes) in tiles.iter_mut().zip(blocks) {
            widen_block::<L, S>(bytes, &mut tile[index]);
        }
        if let Some(tile) = tiles.get_mut(blocks.len()) {
            widen_block::<L, S>(&S::rest(row), &mut tile[index]);
        }
    }
}

#[inline(always)]
fn widen_block<L: Lanes, S: Stored>(bytes: &S::Bytes, out: &mut [f32; BLOCK]) {
    let [low, high] = S::lanes::<L>(bytes);
    let scale = L::splat(S::SCALE);
    if let ([to_low, to_high], _) = out.as_chunks_mut() {
        low.mul(scale).store(to_low);
        high.mul(scale).store(to_high);
    }
}

/// Two inputs against four widened rows: the four dot products of each.
#[inline(always)]
pub(super) fn four_rows_by_two<L: Lanes>(tiles: &[WeightTile], inputs: &[InputPair]) -> [L; 2] {
    let mut first = [L::splat(0.0); TILE_ROWS];
    let mut second = first;
    for (weights, [a, b]) in tiles.iter().zip(inputs) {
        let [a_low, a_high] = L::load_block(a);
        let [b_low, b_high] = L::load_block(b);
        for ((weights, first), second) in weights.iter().zip(&mut first).zip(&mut second) {
            let [low, high] = L::load_block(weights);
            *first = first.add_products([low, a_low], [high, a_high]);
            *second = second.add_products([low, b_low], [high, b_high]);
        }
    }
    [L::sums(first), L::sums(second)]
}
