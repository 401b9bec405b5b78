//! Q4 in groups: 64 neighbouring weights of a row share a two-byte scale, and each weight is half a byte.
//!
//! # What is stored
//!
//! A row of K columns is cut into groups of 64; where 64 does not divide K, the last group of the row is shorter. 2^20
//! weights in whole groups take 2^20 / 2 bytes of codes and 2^20 / 64 * 2 bytes of scales: 557,056 bytes, 0.53125 MiB.
//!
//! - The scale is `-m / 8`, rounded to the upper half of an f32 (bf16), where m is the weight of the group that is
//!   largest by absolute value. It may be negative. So m gets the code -8, and the uneven range -8 to 7 is used to its
//!   end. bf16 because it decodes with one shift and has the range of f32, so that no weight is too large or too small
//!   for its scale, as it would be in F16. Its rounding costs little, as the codes are found with the rounded scale.
//! - A code is `w / scale` rounded to the nearest integer and cut to -8 to 7, stored with 8 added: 0 to 15.
//! - A whole group is 32 bytes: two halves of 32 columns, 16 bytes each. A half is eight 16-bit words, little-endian;
//!   word i holds the columns i, 8 + i, 16 + i and 24 + i of the half, from its low bits to its high bits, so that
//!   masks and one shift give vectors of neighbouring columns. A shorter group of n columns is `ceil(n / 2)` bytes,
//!   column 2i in the low bits of byte i and 2i + 1 in the high ones.
//!
//! A weight is off by at most 0.501 steps of |scale|; one whose sign is not m's and which is nearly as large by at most
//! 1.04, as the code 8 does not exist. A group of zeros has scale 0. A group with a weight that is NaN or infinite has
//! the scale NaN: outputs of its row are NaN, which the session reports, as it would for the same weights in f32.
//!
//! # What is computed
//!
//! Inputs are rounded to integers by position ([`super::integer_inputs`], at most 8191). In each group, products of
//! codes and input codes are summed exactly, in i32, in four lanes: column c of a whole group goes to lane `c % 8 / 2`,
//! every column of a shorter one to lane 0. 64 * 8 * 8191 = 4,193,792 bounds every such sum: no overflow, and below 2^24,
//! so that its conversion to f32 is exact too. Then, group by group from the left, `total[lane] += sum[lane] as f32 *
//! scale`, and at the end `y = ((total[0] + total[1]) + (total[2] + total[3])) * input scale`. That order is fixed, so
//! the bits are the same everywhere. Weights and inputs above about 1e30 may overflow to infinity or NaN.
//!
//! The vector code sums stored codes and corrects by 8; with codes of 0 to 15, some shifted by four bits, a lane stays
//! below 8 * 240 * 8191 = 15,726,720.
//!
//! # How far off
//!
//! With K columns, a largest step s of the row's groups and an input step t, against the exact product:
//!
//! ```text
//! |error| <= 1.04 s Σ|x| + 0.501 t Σ|w| + 0.53 K s t + (groups + 6) 2^-24 Σ|w' x'|
//! ```
//!
//! where w' and x' are weights and inputs as rounded.

use half::bf16;

use super::integer_inputs::{Scratch, check_shapes};
pub use crate::precision::q4_layout::{GROUP, groups, row_bytes};

/// Bytes of the codes of a whole group.
const GROUP_BYTES: usize = GROUP / 2;
/// What is added to a code to store it.
const OFFSET: i16 = 8;

/// A weight matrix in Q4.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Q4Rows {
    /// `[rows, row_bytes(columns)]`
    pub codes: Vec<u8>,
    /// `[rows, groups(columns)]`: bits of bf16.
    pub scales: Vec<u16>,
}

impl Q4Rows {
    /// Bytes of codes and scales.
    pub fn stored_bytes(&self) -> usize {
        self.codes.len() + size_of_val(self.scales.as_slice())
    }
}

/// Rounds `weights`, `[rows, columns]`, to Q4. What is left after the last whole row is not taken.
pub fn quantise(weights: &[f32], columns: usize) -> Q4Rows {
    let columns = columns.max(1);
    let rows = weights.len() / columns;
    let mut quantised = Q4Rows {
        codes: Vec::with_capacity(rows * row_bytes(columns)),
        scales: Vec::with_capacity(rows * groups(columns)),
    };
    for group in weights.chunks_exact(columns).flat_map(|row| row.chunks(GROUP)) {
        let scale = scale_of(group);
        // In f64, where no f32 has a reciprocal out of range.
        let reciprocal = if scale.to_f32() == 0.0 { 0.0 } else { 1.0 / f64::from(scale.to_f32()) };
        let stored = |weight: f32| {
            let steps = (f64::from(weight) * reciprocal).round_ties_even();
            (steps.clamp(-8.0, 7.0) + f64::from(OFFSET)) as u8
        };
        match <&[f32; GROUP]>::try_from(group) {
            Ok(group) => quantised.codes.extend(packed(&group.map(stored))),
            Err(_) => {
                let pairs = group.chunks(2);
                let byte = |pair: &[f32]| pair.iter().rev().fold(0, |byte, w| byte << 4 | stored(*w));
                quantised.codes.extend(pairs.map(byte));
            }
        }
        quantised.scales.push(scale.to_bits());
    }
    quantised
}

fn scale_of(group: &[f32]) -> bf16 {
    if !group.iter().all(|w| w.is_finite()) {
        return bf16::NAN;
    }
    let largest = group.iter().fold(0.0f32, |largest, w| if w.abs() > largest.abs() { *w } else { largest });
    bf16::from_f32(largest / -f32::from(OFFSET))
}

/// The bytes of a whole group.
fn packed(stored: &[u8; GROUP]) -> [u8; GROUP_BYTES] {
    let mut bytes = [0; GROUP_BYTES];
    for (column, code) in stored.iter().enumerate() {
        let (byte, shift) = place(column);
        bytes[byte] |= code << shift;
    }
    bytes
}

/// Byte and shift of a column of a whole group.
const fn place(column: usize) -> (usize, usize) {
    let (half, quarter, word) = (column / 32, column % 32 / 8, column % 8);
    (16 * half + 2 * word + quarter / 2, quarter % 2 * 4)
}

/// The codes of one group, whole or shorter, in the order of their columns: -8 to 7.
fn unpack(bytes: &[u8], codes: &mut [i16]) {
    if let Ok(codes) = <&mut [i16; GROUP]>::try_from(&mut *codes) {
        for (codes, bytes) in codes.as_chunks_mut::<32>().0.iter_mut().zip(bytes.as_chunks::<16>().0) {
            for (word, bytes) in bytes.as_chunks::<2>().0.iter().enumerate() {
                let stored = i16::from(bytes[0]) | i16::from(bytes[1]) << 8;
                for (quarter, codes) in codes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                    codes[word] = (stored >> (4 * quarter) & 0x0f) - OFFSET;
                }
            }
        }
        return;
    }
    for (codes, byte) in codes.chunks_mut(2).zip(bytes) {
        for (nibble, code) in codes.iter_mut().enumerate() {
            *code = i16::from(byte >> (4 * nibble) & 0x0f) - OFFSET;
        }
    }
}

fn scale_from(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// Writes the weights of one row as they are stored, `code * scale`, to `out`, `[columns]`: the look-up in an embedding
/// table. A row that is not there leaves `out` as it was.
pub fn dequantise_row(rows: &Q4Rows, columns: usize, row: usize, out: &mut [f32]) {
    let codes = rows.codes.chunks_exact(row_bytes(columns).max(1)).nth(row);
    let scales = rows.scales.chunks_exact(groups(columns).max(1)).nth(row);
    let (Some(codes), Some(scales)) = (codes, scales) else { return };
    let mut unpacked = [0; GROUP];
    for ((weights, bytes), scale) in out.chunks_mut(GROUP).zip(codes.chunks(GROUP_BYTES)).zip(scales) {
        let unpacked = &mut unpacked[..weights.len()];
        unpack(bytes, unpacked);
        for (weight, code) in weights.iter_mut().zip(unpacked) {
            *weight = f32::from(*code) * scale_from(*scale);
        }
    }
}

/// `inputs [n, columns]` times the rows: `outputs [n, rows]`.
///
/// Panics when the shapes do not fit together.
pub fn multiply(rows: &Q4Rows, columns: usize, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
    let row_count = check(rows, columns, inputs, outputs);
    scratch.quantise(inputs, columns);
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd::multiply(rows, row_count, columns, outputs, scratch);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable(rows, row_count, columns, outputs, scratch);
}

/// The portable twin of [`multiply`], with the same bits.
pub fn multiply_portable(
    rows: &Q4Rows,
    columns: usize,
    inputs: &[f32],
    outputs: &mut [f32],
    scratch: &mut Scratch,
) {
    let row_count = check(rows, columns, inputs, outputs);
    scratch.quantise_portable(inputs, columns);
    portable(rows, row_count, columns, outputs, scratch);
}

/// Returns the number of rows.
fn check(rows: &Q4Rows, columns: usize, inputs: &[f32], outputs: &[f32]) -> usize {
    let row_count = rows.scales.len() / groups(columns).max(1);
    check_shapes(row_count, columns, inputs, outputs);
    assert!(rows.scales.len() == row_count * groups(columns), "scales are rows of {}", groups(columns));
    assert!(Some(rows.codes.len()) == row_count.checked_mul(row_bytes(columns)), "rows of {columns} codes");
    row_count
}

fn portable(rows: &Q4Rows, row_count: usize, columns: usize, outputs: &mut [f32], scratch: &Scratch) {
    let mut unpacked = vec![0; columns];
    let weights = rows.codes.chunks_exact(row_bytes(columns)).zip(rows.scales.chunks_exact(groups(columns)));
    for (row, (codes, scales)) in weights.enumerate() {
        unpack_row(codes, &mut unpacked);
        let positions = scratch.codes.chunks_exact(columns).zip(&scratch.scales);
        for ((inputs, input_scale), outputs) in positions.zip(outputs.chunks_exact_mut(row_count)) {
            let total = dot(&unpacked, inputs, scales);
            if let Some(output) = outputs.get_mut(row) {
                *output = total * input_scale;
            }
        }
    }
}

fn unpack_row(bytes: &[u8], codes: &mut [i16]) {
    for (codes, bytes) in codes.chunks_mut(GROUP).zip(bytes.chunks(GROUP_BYTES)) {
        unpack(bytes, codes);
    }
}

/// The scaled sum of a row's groups.
fn dot(codes: &[i16], inputs: &[i16], scales: &[u16]) -> f32 {
    let mut totals = [0.0f32; 4];
    let (groups, rest) = codes.as_chunks::<GROUP>();
    let (input_groups, input_rest) = inputs.as_chunks::<GROUP>();
    for ((codes, inputs), scale) in groups.iter().zip(input_groups).zip(scales) {
        for (total, sum) in totals.iter_mut().zip(lane_sums(codes, inputs)) {
            *total += sum as f32 * scale_from(*scale);
        }
    }
    totals[0] += short_group(rest, input_rest, scales);
    (totals[0] + totals[1]) + (totals[2] + totals[3])
}

/// What a shorter last group, if there is one, adds to lane 0.
fn short_group(codes: &[i16], inputs: &[i16], scales: &[u16]) -> f32 {
    let sum: i32 = codes.iter().zip(inputs).map(|(code, input)| i32::from(*code) * i32::from(*input)).sum();
    match scales.last() {
        Some(scale) if !codes.is_empty() => sum as f32 * scale_from(*scale),
        _ => 0.0,
    }
}

/// The sums of products of a whole group, lane by lane.
fn lane_sums(codes: &[i16; GROUP], inputs: &[i16; GROUP]) -> [i32; 4] {
    let mut sums = [0; 4];
    for (codes, inputs) in codes.as_chunks::<8>().0.iter().zip(inputs.as_chunks::<8>().0) {
        for (sum, (codes, inputs)) in
            sums.iter_mut().zip(codes.as_chunks::<2>().0.iter().zip(inputs.as_chunks::<2>().0))
        {
            *sum += i32::from(codes[0]) * i32::from(inputs[0]) + i32::from(codes[1]) * i32::from(inputs[1]);
        }
    }
    sums
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;
