//! INT8 by row: each row of a weight matrix has one f32 scale, and each weight is a whole number of steps of it.
//!
//! # What is stored
//!
//! `scale = largest |w| of the row / 127` and `code = w / scale`, rounded to the nearest integer: -127 to 127, one byte.
//! A weight is off by at most half a step (0.501 of one, as `scale` itself is rounded). A row of zeros has scale 0. A row
//! with a weight that is NaN or infinite has scale NaN: its outputs are NaN, which the session reports, as it would for
//! the same weights in f32.
//!
//! # What is computed
//!
//! `y = (sum of code * input code) as f32 * input scale * scale`, from left to right, with the inputs of each position
//! rounded to integers by [`super::integer_inputs`] (at most 8191). Operands are i8 and i16. Sums are kept in i32 for at
//! most 2,048 columns: 2,048 * 127 * 8191 = 2,130,446,336 < 2^31 = 2,147,483,648, so neither a lane nor the sum of all
//! lanes can overflow. Sums of longer rows are added in i64. The integer sum is exact; only its conversion to f32 and
//! the two multiplications round. So the bits do not depend on the order of summing, the machine, the number of
//! positions in the call or the position's place among them.
//!
//! # How far off
//!
//! With K columns, weight step s and input step t, against the exact product:
//!
//! ```text
//! |error| <= 0.501 s Σ|x| + 0.501 t Σ|w| + 0.26 K s t + 2^-22 |y|
//! ```
//!
//! (inputs so small that they count as zero, below 1e-30, and weights so small that their scale is subnormal aside).
//! Inputs and weights above about 1e30 may overflow to infinity.

use super::integer_inputs::{Scratch, check_shapes};

/// Largest code of a weight.
const LARGEST_CODE: f32 = 127.0;
/// Columns whose sum is safe in 32 bits.
const BLOCK_COLUMNS: usize = 2048;
/// Rows that the portable loop takes through all positions while they are in the processor's nearest memory.
const BLOCK_ROWS: usize = 16;

/// A weight matrix in INT8.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Int8Rows {
    /// `[rows, columns]`
    pub codes: Vec<i8>,
    /// `[rows]`
    pub scales: Vec<f32>,
}

impl Int8Rows {
    /// Bytes of codes and scales.
    pub fn stored_bytes(&self) -> usize {
        self.codes.len() + size_of_val(self.scales.as_slice())
    }
}

/// Rounds `weights`, `[rows, columns]`, to INT8. What is left after the last whole row is not taken.
pub fn quantise(weights: &[f32], columns: usize) -> Int8Rows {
    let columns = columns.max(1);
    let mut rows = Int8Rows {
        codes: Vec::with_capacity(weights.len()),
        scales: Vec::with_capacity(weights.len() / columns),
    };
    for row in weights.chunks_exact(columns) {
        let largest = row.iter().fold(0.0f32, |largest, w| largest.max(w.abs()));
        let finite = row.iter().all(|w| w.is_finite());
        let scale = if finite { largest / LARGEST_CODE } else { f32::NAN };
        // In f64, where no f32 has a reciprocal out of range.
        let reciprocal = if scale > 0.0 { 1.0 / f64::from(scale) } else { 0.0 };
        let limit = f64::from(LARGEST_CODE);
        rows.codes.extend(row.iter().map(|w| {
            let steps = (f64::from(*w) * reciprocal).round_ties_even();
            steps.clamp(-limit, limit) as i8
        }));
        rows.scales.push(scale);
    }
    rows
}

/// Writes the weights of one row as they are stored, `code * scale`, to `out`, `[columns]`: the look-up in an embedding
/// table. A row that is not there leaves `out` as it was.
pub fn dequantise_row(rows: &Int8Rows, columns: usize, row: usize, out: &mut [f32]) {
    let codes = rows.codes.chunks_exact(columns.max(1)).nth(row);
    let (Some(codes), Some(scale)) = (codes, rows.scales.get(row)) else { return };
    for (weight, code) in out.iter_mut().zip(codes) {
        *weight = f32::from(*code) * scale;
    }
}

/// `inputs [n, columns]` times the rows: `outputs [n, rows]`.
///
/// Panics when the shapes do not fit together.
pub fn multiply(rows: &Int8Rows, columns: usize, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
    check(rows, columns, inputs, outputs);
    scratch.quantise(inputs, columns);
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd::multiply(rows, columns, outputs, scratch);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable(rows, columns, outputs, scratch);
}

/// The portable twin of [`multiply`], with the same bits.
pub fn multiply_portable(
    rows: &Int8Rows,
    columns: usize,
    inputs: &[f32],
    outputs: &mut [f32],
    scratch: &mut Scratch,
) {
    check(rows, columns, inputs, outputs);
    scratch.quantise_portable(inputs, columns);
    portable(rows, columns, outputs, scratch);
}

fn check(rows: &Int8Rows, columns: usize, inputs: &[f32], outputs: &[f32]) {
    check_shapes(rows.scales.len(), columns, inputs, outputs);
    assert!(Some(rows.codes.len()) == rows.scales.len().checked_mul(columns), "codes are rows of {columns}");
}

fn portable(rows: &Int8Rows, columns: usize, outputs: &mut [f32], scratch: &Scratch) {
    let row_count = rows.scales.len().max(1);
    let mut first = 0;
    for (codes, scales) in rows.codes.chunks(BLOCK_ROWS * columns).zip(rows.scales.chunks(BLOCK_ROWS)) {
        let positions = scratch.codes.chunks_exact(columns).zip(&scratch.scales);
        for ((inputs, input_scale), outputs) in positions.zip(outputs.chunks_exact_mut(row_count)) {
            let weights = codes.chunks_exact(columns).zip(scales);
            for (output, (codes, scale)) in outputs.iter_mut().skip(first).zip(weights) {
                *output = dot(codes, inputs) as f32 * input_scale * scale;
            }
        }
        first += BLOCK_ROWS;
    }
}

/// The exact sum of products.
fn dot(codes: &[i8], inputs: &[i16]) -> i64 {
    let blocks = codes.chunks(BLOCK_COLUMNS).zip(inputs.chunks(BLOCK_COLUMNS));
    blocks.map(|(codes, inputs)| i64::from(dot_block(codes, inputs))).sum()
}

/// The exact sum of at most [`BLOCK_COLUMNS`] products.
fn dot_block(codes: &[i8], inputs: &[i16]) -> i32 {
    codes.iter().zip(inputs).map(|(code, input)| i32::from(*code) * i32::from(*input)).sum()
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd {
    use super::super::integer_inputs::{Scratch, sum_of_four};
    use super::{BLOCK_COLUMNS, Int8Rows, dot};
    use core::arch::wasm32::*;

    /// Weight codes of one width: how eight of them become eight i16.
    trait Code: Copy + Into<i16> {
        /// # Safety
        /// Eight codes can be read at `from`.
        unsafe fn load(from: *const Self) -> v128;
    }

    impl Code for i8 {
        #[inline(always)]
        unsafe fn load(from: *const Self) -> v128 {
            // SAFETY: eight bytes, as the caller promises; no alignment is needed.
            unsafe { i16x8_load_extend_i8x8(from) }
        }
    }

    impl Code for i16 {
        #[inline(always)]
        unsafe fn load(from: *const Self) -> v128 {
            // SAFETY: sixteen bytes, as the caller promises; no alignment is needed.
            unsafe { v128_load(from.cast()) }
        }
    }

    /// Shapes have been checked by [`super::check`].
    pub fn multiply(rows: &Int8Rows, columns: usize, outputs: &mut [f32], scratch: &mut Scratch) {
        let row_count = rows.scales.len();
        let positions = scratch.scales.len();
        let Scratch { codes: inputs, scales: input_scales, wide, .. } = scratch;
        let (scale_blocks, rest_scales) = rows.scales.as_chunks::<4>();
        let mut code_blocks = rows.codes.chunks_exact(4 * columns);
        for ((first, codes), scales) in (0..).step_by(4).zip(&mut code_blocks).zip(scale_blocks) {
            let scales = f32x4(scales[0], scales[1], scales[2], scales[3]);
            let mut write = |position: usize, sums: v128| {
                let input_scale = f32x4_splat(input_scales[position]);
                let values = f32x4_mul(f32x4_mul(sums, input_scale), scales);
                let to = &mut outputs[position * row_count + first..][..4];
                // SAFETY: `to` is 16 bytes; no alignment is needed.
                unsafe { v128_store(to.as_mut_ptr().cast(), values) };
            };
            if positions == 1 {
                let [sums] = dot_four(codes, [inputs.as_slice()]);
                write(0, sums);
                continue;
            }
            // Widened once for all positions, which then go two by two.
            wide.clear();
            wide.extend(codes.iter().map(|code| i16::from(*code)));
            let mut pairs = inputs.chunks_exact(2 * columns);
            for (pair, inputs) in (&mut pairs).enumerate() {
                let (one, other) = inputs.split_at(columns);
                let [first_sums, second_sums] = dot_four(wide, [one, other]);
                write(2 * pair, first_sums);
                write(2 * pair + 1, second_sums);
            }
            if !pairs.remainder().is_empty() {
                let [sums] = dot_four(wide, [pairs.remainder()]);
                write(positions - 1, sums);
            }
        }
        let done = 4 * scale_blocks.len();
        for (position, (inputs, input_scale)) in inputs.chunks_exact(columns).zip(input_scales).enumerate() {
            let outputs = &mut outputs[position * row_count + done..(position + 1) * row_count];
            let weights = code_blocks.remainder().chunks_exact(columns).zip(rest_scales);
            for (output, (codes, scale)) in outputs.iter_mut().zip(weights) {
                *output = dot(codes, inputs) as f32 * *input_scale * *scale;
            }
        }
    }

    /// The exact sums of four rows of weight codes, `[4, columns]`, with P positions, `[columns]` each, as f32.
    #[inline(always)]
    fn dot_four<C: Code, const P: usize>(codes: &[C], inputs: [&[i16]; P]) -> [v128; P] {
        let columns = codes.len() / 4;
        if columns <= BLOCK_COLUMNS {
            return dot_four_block(codes, columns, 0, columns, inputs).map(|sums| f32x4_convert_i32x4(sums));
        }
        let mut sums = [[i64x2_splat(0); 2]; P];
        for begin in (0..columns).step_by(BLOCK_COLUMNS) {
            let end = columns.min(begin + BLOCK_COLUMNS);
            let parts = dot_four_block(codes, columns, begin, end, inputs);
            for (sum, part) in sums.iter_mut().zip(parts) {
                sum[0] = i64x2_add(sum[0], i64x2_extend_low_i32x4(part));
                sum[1] = i64x2_add(sum[1], i64x2_extend_high_i32x4(part));
            }
        }
        sums.map(|[low, high]| {
            f32x4(
                i64x2_extract_lane::<0>(low) as f32,
                i64x2_extract_lane::<1>(low) as f32,
                i64x2_extract_lane::<0>(high) as f32,
                i64x2_extract_lane::<1>(high) as f32,
            )
        })
    }

    /// Four i32 sums a position, over the columns from `begin` to `end`.
    #[inline(always)]
    fn dot_four_block<C: Code, const P: usize>(
        codes: &[C],
        columns: usize,
        begin: usize,
        end: usize,
        inputs: [&[i16]; P],
    ) -> [v128; P] {
        let rows: [&[C]; 4] = std::array::from_fn(|row| &codes[row * columns + begin..row * columns + end]);
        let inputs: [&[i16]; P] = inputs.map(|inputs| &inputs[begin..end]);
        let vectors = (end - begin) / 8;
        let mut sums = [[i32x4_splat(0); 4]; P];
        for vector in 0..vectors {
            // SAFETY: every slice holds `end - begin` numbers, of which 8 * vector .. 8 * vector + 8 are read.
            unsafe {
                let inputs: [v128; P] =
                    std::array::from_fn(|p| v128_load(inputs[p].as_ptr().add(8 * vector).cast()));
                for row in 0..4 {
                    let weights = C::load(rows[row].as_ptr().add(8 * vector));
                    for p in 0..P {
                        sums[p][row] = i32x4_add(sums[p][row], i32x4_dot_i16x8(weights, inputs[p]));
                    }
                }
            }
        }
        let whole = 8 * vectors;
        std::array::from_fn(|p| {
            let sums = sum_of_four(sums[p]);
            if whole == end - begin {
                return sums;
            }
            let rest = rows.map(|row| dot_rest(&row[whole..], &inputs[p][whole..]));
            i32x4_add(sums, i32x4(rest[0], rest[1], rest[2], rest[3]))
        })
    }

    /// The columns after the last whole vector, at most seven.
    fn dot_rest<C: Code>(codes: &[C], inputs: &[i16]) -> i32 {
        codes.iter().zip(inputs).map(|(code, input)| i32::from((*code).into()) * i32::from(*input)).sum()
    }
}
