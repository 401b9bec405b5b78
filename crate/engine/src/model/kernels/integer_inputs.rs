//! Inputs of a quantised product, rounded to integers, so that products and sums are exact.
//!
//! Each position has its own scale, the largest absolute input / 8191, and each input becomes the nearest integer
//! multiple of it (ties to even), a code of -8191 to 8191. Why these 14 bits:
//!
//! - They are no source of error next to weights of 8 or 4 bits: half a step is 1/16,382 of the largest input, against
//!   1/254 of the largest weight of a row in INT8.
//! - Sums stay inside 32 bits for long rows: |weight code| <= 127 gives products of at most 127 * 8191 = 1,040,257,
//!   and 2^31 - 1 holds 2,064 of them ([`super::int8`] counts on 2,048).
//! - A code splits into two of 7 bits, which is what the 8-bit dot product of relaxed SIMD takes.
//!
//! Integer sums do not depend on their order, so a vector version has the bits of the plain loop for free.

/// Largest code of an input.
pub const LARGEST_CODE: i16 = 8191;

/// A position whose inputs are all smaller than this, 2^-100, counts as all zeros: the reciprocal of its scale would
/// come near the end of f32.
const SMALLEST_LARGEST: f32 = f32::from_bits((127 - 100) << 23);

/// Buffers of [`super::int8::multiply`] and [`super::q4::multiply`], kept from call to call. They grow to the largest
/// product that was asked for.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// `[positions, columns]`
    pub(super) codes: Vec<i16>,
    /// `[positions]`
    pub(super) scales: Vec<f32>,
    /// `[4, columns]`: weight codes of four rows, widened once for many positions.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub(super) wide: Vec<i16>,
    /// `[columns / 64, 4]`: what makes codes of 0 to 15 equal to codes of -8 to 7, one sum a lane.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub(super) offsets: Vec<i32>,
}

impl Scratch {
    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        let bytes = self.codes.capacity() * size_of::<i16>() + self.scales.capacity() * size_of::<f32>();
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let bytes =
            bytes + self.wide.capacity() * size_of::<i16>() + self.offsets.capacity() * size_of::<i32>();
        bytes
    }

    /// Fills codes and scales from `inputs`, `[positions, columns]`.
    ///
    /// A position with an input that is not finite has the scale NaN, so that its outputs are NaN and nobody mistakes
    /// them for logits.
    pub fn quantise(&mut self, inputs: &[f32], columns: usize) {
        self.prepare(inputs, columns, quantise_position);
    }

    /// The portable twin of [`Scratch::quantise`], with the same bits.
    pub fn quantise_portable(&mut self, inputs: &[f32], columns: usize) {
        self.prepare(inputs, columns, quantise_position_portable);
    }

    /// Codes, `[positions, columns]`, and scales, `[positions]`.
    pub fn quantised(&self) -> (&[i16], &[f32]) {
        (&self.codes, &self.scales)
    }

    fn prepare(&mut self, inputs: &[f32], columns: usize, position: fn(&[f32], &mut [i16]) -> f32) {
        let columns = columns.max(1);
        self.codes.resize(inputs.len(), 0);
        self.scales.clear();
        let codes = self.codes.chunks_exact_mut(columns);
        self.scales.extend(inputs.chunks_exact(columns).zip(codes).map(|(from, to)| position(from, to)));
    }
}

/// Panics unless weights, inputs and outputs fit together: a mistake of the caller, who has checked what files say.
/// Returns the number of positions.
pub(super) fn check_shapes(rows: usize, columns: usize, inputs: &[f32], outputs: &[f32]) -> usize {
    assert!(columns > 0 && inputs.len().is_multiple_of(columns), "inputs are rows of {columns}");
    let positions = inputs.len() / columns;
    assert!(Some(outputs.len()) == positions.checked_mul(rows), "outputs are {positions} rows of {rows}");
    positions
}

/// Scale and reciprocal for inputs of which `largest_bits` are the bits of the largest absolute value. Bits of absolute
/// values are ordered as the values are, with NaN above infinity above all numbers.
fn scale_of(largest_bits: u32) -> (f32, f32) {
    let largest = f32::from_bits(largest_bits);
    let steps = f32::from(LARGEST_CODE);
    if !largest.is_finite() {
        (f32::NAN, 0.0)
    } else if largest < SMALLEST_LARGEST {
        (0.0, 0.0)
    } else {
        // |x| * (8191 / largest) exceeds 8191 by less than 0.002, so no code exceeds 8191.
        (largest / steps, steps / largest)
    }
}

/// Codes of one position; returns its scale.
fn quantise_position_portable(inputs: &[f32], codes: &mut [i16]) -> f32 {
    let largest = inputs.iter().map(|x| x.to_bits() & 0x7fff_ffff).max().unwrap_or(0);
    let (scale, reciprocal) = scale_of(largest);
    for (code, x) in codes.iter_mut().zip(inputs) {
        *code = code_of(*x, reciprocal);
    }
    scale
}

/// The cast saturates and makes NaN (infinity times 0) zero.
fn code_of(x: f32, reciprocal: f32) -> i16 {
    (x * reciprocal).round_ties_even() as i16
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use quantise_position_portable as quantise_position;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use simd::{quantise_position, sum_of_four};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd {
    use super::{code_of, scale_of};
    use core::arch::wasm32::*;

    /// Codes of one position, eight at a time; returns its scale.
    pub fn quantise_position(inputs: &[f32], codes: &mut [i16]) -> f32 {
        let (blocks, rest) = inputs.as_chunks::<8>();
        let (code_blocks, code_rest) = codes.as_chunks_mut::<8>();
        let mut most = u32x4_splat(0);
        for block in blocks {
            let (low, high) = load(block);
            most = u32x4_max(most, u32x4_max(absolute_bits(low), absolute_bits(high)));
        }
        let lanes = [
            u32x4_extract_lane::<0>(most),
            u32x4_extract_lane::<1>(most),
            u32x4_extract_lane::<2>(most),
            u32x4_extract_lane::<3>(most),
        ];
        let rest_bits = rest.iter().map(|x| x.to_bits() & 0x7fff_ffff);
        let (scale, reciprocal) = scale_of(lanes.into_iter().chain(rest_bits).max().unwrap_or(0));
        for (block, codes) in blocks.iter().zip(code_blocks) {
            let (low, high) = load(block);
            let narrow = i16x8_narrow_i32x4(rounded(low, reciprocal), rounded(high, reciprocal));
            // SAFETY: `codes` is 16 bytes; the store needs no alignment.
            unsafe { v128_store(codes.as_mut_ptr().cast(), narrow) };
        }
        for (code, x) in code_rest.iter_mut().zip(rest) {
            *code = code_of(*x, reciprocal);
        }
        scale
    }

    fn load(block: &[f32; 8]) -> (v128, v128) {
        let from = block.as_ptr();
        // SAFETY: `block` is 32 bytes; the loads need no alignment.
        unsafe { (v128_load(from.cast()), v128_load(from.add(4).cast())) }
    }

    fn absolute_bits(x: v128) -> v128 {
        v128_and(x, u32x4_splat(0x7fff_ffff))
    }

    fn rounded(x: v128, reciprocal: f32) -> v128 {
        i32x4_trunc_sat_f32x4(f32x4_nearest(f32x4_mul(x, f32x4_splat(reciprocal))))
    }

    /// The four sums of the lanes of four vectors of i32.
    #[inline(always)]
    pub fn sum_of_four([a, b, c, d]: [v128; 4]) -> v128 {
        let ab = i32x4_add(i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<1, 3, 5, 7>(a, b));
        let cd = i32x4_add(i32x4_shuffle::<0, 2, 4, 6>(c, d), i32x4_shuffle::<1, 3, 5, 7>(c, d));
        i32x4_add(i32x4_shuffle::<0, 2, 4, 6>(ab, cd), i32x4_shuffle::<1, 3, 5, 7>(ab, cd))
    }
}
