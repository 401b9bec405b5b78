//! The Q4 product in WebAssembly SIMD. The arithmetic is that of the portable loop in [`super`].

use super::super::integer_inputs::Scratch;
use super::{GROUP, OFFSET, Q4Rows, dot, groups, row_bytes, short_group, unpack, unpack_row};
use core::arch::wasm32::*;

/// Shapes have been checked by [`super::check`].
pub fn multiply(rows: &Q4Rows, row_count: usize, columns: usize, outputs: &mut [f32], scratch: &mut Scratch) {
    let positions = scratch.scales.len();
    let Scratch { codes: inputs, scales: input_scales, wide, offsets } = scratch;
    wide.resize(4 * columns, 0);
    if let [input_scale] = input_scales[..] {
        offset_lanes(inputs, offsets);
        one_position(rows, columns, (inputs, input_scale), offsets, outputs);
        return;
    }
    let mut code_blocks = rows.codes.chunks_exact(4 * row_bytes(columns));
    let mut scale_blocks = rows.scales.chunks_exact(4 * groups(columns));
    for ((first, codes), scales) in (0..).step_by(4).zip(&mut code_blocks).zip(&mut scale_blocks) {
        // Unpacked once for all positions.
        for (row, codes) in wide.chunks_exact_mut(columns).zip(codes.chunks_exact(row_bytes(columns))) {
            unpack_whole_groups(codes, row);
        }
        for (position, inputs) in inputs.chunks_exact(columns).enumerate() {
            let totals = four_unpacked_rows(wide, columns, inputs, scales);
            let values = f32x4_mul(sum_of_four(totals), f32x4_splat(input_scales[position]));
            store(values, &mut outputs[position * row_count + first..][..4]);
        }
    }
    let codes = code_blocks.remainder().chunks_exact(row_bytes(columns));
    let rest = codes.zip(scale_blocks.remainder().chunks_exact(groups(columns)));
    for (row, (codes, scales)) in (row_count / 4 * 4..).zip(rest) {
        let unpacked = &mut wide[..columns];
        unpack_row(codes, unpacked);
        for position in 0..positions {
            let total = dot(unpacked, &inputs[position * columns..][..columns], scales);
            outputs[position * row_count + row] = total * input_scales[position];
        }
    }
}

/// The decode step: the codes stay packed.
fn one_position(
    rows: &Q4Rows,
    columns: usize,
    (inputs, input_scale): (&[i16], f32),
    offsets: &[i32],
    outputs: &mut [f32],
) {
    let (row_bytes, row_groups) = (row_bytes(columns), groups(columns));
    let (whole, rest) = inputs.as_chunks::<GROUP>();
    let (quads, last) = outputs.as_chunks_mut::<4>();
    let mut code_blocks = rows.codes.chunks_exact(4 * row_bytes);
    let mut scale_blocks = rows.scales.chunks_exact(4 * row_groups);
    for ((codes, scales), outputs) in (&mut code_blocks).zip(&mut scale_blocks).zip(quads) {
        let mut totals = [f32x4_splat(0.0); 4];
        for (group, (inputs, offsets)) in whole.iter().zip(offsets.as_chunks::<4>().0).enumerate() {
            for (row, total) in totals.iter_mut().enumerate() {
                let bytes = &codes[row * row_bytes + group * GROUP / 2..][..GROUP / 2];
                let sums = packed_group(bytes, inputs, offsets);
                let scale = splat_scale(&scales[row * row_groups + group]);
                *total = f32x4_add(*total, f32x4_mul(f32x4_convert_i32x4(sums), scale));
            }
        }
        if !rest.is_empty() {
            for (row, total) in totals.iter_mut().enumerate() {
                let mut unpacked = [0; GROUP];
                let unpacked = &mut unpacked[..rest.len()];
                unpack(&codes[row * row_bytes + whole.len() * GROUP / 2..(row + 1) * row_bytes], unpacked);
                let scales = &scales[row * row_groups..(row + 1) * row_groups];
                *total = add_to_lane_0(*total, short_group(unpacked, rest, scales));
            }
        }
        store(f32x4_mul(sum_of_four(totals), f32x4_splat(input_scale)), outputs);
    }
    let mut unpacked = vec![0; if last.is_empty() { 0 } else { columns }];
    let codes = code_blocks.remainder().chunks_exact(row_bytes);
    let scales = scale_blocks.remainder().chunks_exact(row_groups);
    for ((codes, scales), output) in codes.zip(scales).zip(last) {
        unpack_row(codes, &mut unpacked);
        *output = dot(&unpacked, inputs, scales) * input_scale;
    }
}

/// The lane sums of a whole group whose codes are packed.
#[inline(always)]
fn packed_group(bytes: &[u8], inputs: &[i16; GROUP], offsets: &[i32; 4]) -> v128 {
    assert!(bytes.len() == GROUP / 2);
    // Codes of 0 to 15 are summed; `offsets` holds -8 times the inputs of each lane.
    // SAFETY: 16 bytes are read; no alignment is needed.
    let mut sums = unsafe { v128_load(offsets.as_ptr().cast()) };
    // Those in the upper half of a byte are left there, times 16, and shifted once at the end.
    let mut sixteenfold = i32x4_splat(0);
    for half in 0..2 {
        // SAFETY: 16 of the 32 bytes and 4 * 16 of the 128 bytes of inputs, at halves 0 and 1; no alignment is needed.
        let (words, inputs): (v128, [v128; 4]) = unsafe {
            let inputs = inputs.as_ptr().add(32 * half);
            (
                v128_load(bytes.as_ptr().add(16 * half).cast()),
                std::array::from_fn(|quarter| v128_load(inputs.add(8 * quarter).cast())),
            )
        };
        let upper = u16x8_shr(words, 8);
        let (low, high) = (i16x8_splat(0x0f), i16x8_splat(0xf0));
        sums = i32x4_add(sums, i32x4_dot_i16x8(v128_and(words, low), inputs[0]));
        sixteenfold = i32x4_add(sixteenfold, i32x4_dot_i16x8(v128_and(words, high), inputs[1]));
        sums = i32x4_add(sums, i32x4_dot_i16x8(v128_and(upper, low), inputs[2]));
        sixteenfold = i32x4_add(sixteenfold, i32x4_dot_i16x8(v128_and(upper, high), inputs[3]));
    }
    i32x4_add(sums, i32x4_shr(sixteenfold, 4))
}

/// For each whole group of one position, -8 times the sum of the inputs of each lane.
fn offset_lanes(inputs: &[i16], offsets: &mut Vec<i32>) {
    offsets.clear();
    for group in inputs.as_chunks::<GROUP>().0 {
        let mut sums = [0; 4];
        for inputs in group.as_chunks::<8>().0 {
            for (sum, pair) in sums.iter_mut().zip(inputs.as_chunks::<2>().0) {
                *sum -= i32::from(OFFSET) * (i32::from(pair[0]) + i32::from(pair[1]));
            }
        }
        offsets.extend(sums);
    }
}

/// The totals of four rows of codes, `[4, columns]`, with one position.
#[inline(always)]
fn four_unpacked_rows(codes: &[i16], columns: usize, inputs: &[i16], scales: &[u16]) -> [v128; 4] {
    let row_groups = groups(columns);
    let rows: [&[i16]; 4] = std::array::from_fn(|row| &codes[row * columns..][..columns]);
    let (whole, rest) = inputs.as_chunks::<GROUP>();
    let mut totals = [f32x4_splat(0.0); 4];
    for (group, inputs) in whole.iter().enumerate() {
        for (row, total) in totals.iter_mut().enumerate() {
            let codes = &rows[row][group * GROUP..][..GROUP];
            let mut sums = i32x4_splat(0);
            for at in (0..GROUP).step_by(8) {
                // SAFETY: both slices hold 64 numbers, of which `at` to `at + 8` are read; no alignment is needed.
                let (codes, inputs) = unsafe {
                    (v128_load(codes.as_ptr().add(at).cast()), v128_load(inputs.as_ptr().add(at).cast()))
                };
                sums = i32x4_add(sums, i32x4_dot_i16x8(codes, inputs));
            }
            let scale = splat_scale(&scales[row * row_groups + group]);
            *total = f32x4_add(*total, f32x4_mul(f32x4_convert_i32x4(sums), scale));
        }
    }
    if !rest.is_empty() {
        for (row, total) in totals.iter_mut().enumerate() {
            let scales = &scales[row * row_groups..(row + 1) * row_groups];
            *total = add_to_lane_0(*total, short_group(&rows[row][whole.len() * GROUP..], rest, scales));
        }
    }
    totals
}

/// [`unpack_row`] with whole groups by vectors.
fn unpack_whole_groups(bytes: &[u8], codes: &mut [i16]) {
    let (groups, rest) = codes.as_chunks_mut::<GROUP>();
    let (packed, packed_rest) = bytes.split_at(groups.len() * GROUP / 2);
    let (low, offset) = (i16x8_splat(0x0f), i16x8_splat(OFFSET));
    for (group, bytes) in groups.iter_mut().zip(packed.as_chunks::<{ GROUP / 2 }>().0) {
        for half in 0..2 {
            // SAFETY: 16 of the 32 bytes are read, at halves 0 and 1; no alignment is needed.
            let words = unsafe { v128_load(bytes.as_ptr().add(16 * half).cast()) };
            let quarters = [
                v128_and(words, low),
                v128_and(u16x8_shr(words, 4), low),
                v128_and(u16x8_shr(words, 8), low),
                u16x8_shr(words, 12),
            ];
            for (quarter, stored) in quarters.into_iter().enumerate() {
                // SAFETY: 16 of the 128 bytes of the group are written; no alignment is needed.
                unsafe {
                    let to = group.as_mut_ptr().add(32 * half + 8 * quarter);
                    v128_store(to.cast(), i16x8_sub(stored, offset));
                }
            }
        }
    }
    unpack(packed_rest, rest);
}

/// A scale in all lanes.
#[inline(always)]
fn splat_scale(bits: &u16) -> v128 {
    // SAFETY: two bytes are read.
    let twice = unsafe { v128_load16_splat(bits) };
    i32x4_shl(twice, 16)
}

fn add_to_lane_0(total: v128, value: f32) -> v128 {
    // The other lanes are not minus zero, the only number that adding zero would change: sums begin at plus zero.
    f32x4_add(total, f32x4(value, 0.0, 0.0, 0.0))
}

#[inline(always)]
fn store(values: v128, to: &mut [f32]) {
    assert!(to.len() == 4);
    // SAFETY: `to` is 16 bytes; no alignment is needed.
    unsafe { v128_store(to.as_mut_ptr().cast(), values) };
}

/// `(lane 0 + lane 1) + (lane 2 + lane 3)` of four vectors of f32.
#[inline(always)]
fn sum_of_four([a, b, c, d]: [v128; 4]) -> v128 {
    let ab = f32x4_add(i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<1, 3, 5, 7>(a, b));
    let cd = f32x4_add(i32x4_shuffle::<0, 2, 4, 6>(c, d), i32x4_shuffle::<1, 3, 5, 7>(c, d));
    f32x4_add(i32x4_shuffle::<0, 2, 4, 6>(ab, cd), i32x4_shuffle::<1, 3, 5, 7>(ab, cd))
}
