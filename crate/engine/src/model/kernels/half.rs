//! F16 (IEEE half precision) and back, for a KV cache that is rounded to F16.
//!
//! Integer operations and two exact additions only, the same in the vector code and its portable twin, so that the bits
//! do not depend on what a machine's own conversion instructions do. To F16: nearest, ties to even; from 65,520 on
//! infinite; subnormal results kept; every NaN becomes the one NaN 0x7e00, with its sign. To f32: exact.

/// Bits of the absolute value from which the result is infinite without looking further: 65,536.
const INFINITE_FROM: u32 = (127 + 16) << 23;
/// Bits of the absolute value below which the result is subnormal: 2^-14.
const SUBNORMAL_BELOW: u32 = (127 - 14) << 23;
/// 0.5, whose last bit is worth 2^-24, as the last bit of a subnormal F16: adding it rounds at the right place.
const ROUND_SUBNORMAL: f32 = 0.5;
/// Exponents of f32 and F16 differ by this.
const EXPONENT_SHIFT: u32 = (127 - 15) << 23;
const F16_INFINITY: u32 = 0x7c00;
const F16_NAN: u32 = 0x7e00;
const F16_SMALLEST_NORMAL: u32 = 0x0400;
/// 2^-14, the smallest normal F16.
const TWO_TO_MINUS_14: f32 = f32::from_bits(SUBNORMAL_BELOW);

/// The bits of the nearest F16.
pub fn to_f16(value: f32) -> u16 {
    let absolute = value.to_bits() & 0x7fff_ffff;
    let sign = (value.to_bits() ^ absolute) >> 16;
    let bits = if absolute > f32::INFINITY.to_bits() {
        F16_NAN
    } else if absolute >= INFINITE_FROM {
        F16_INFINITY
    } else if absolute < SUBNORMAL_BELOW {
        (f32::from_bits(absolute) + ROUND_SUBNORMAL).to_bits() - ROUND_SUBNORMAL.to_bits()
    } else {
        // Half a step less one, and one more if the last kept bit is odd: a tie goes to the even neighbour. What carries
        // over into the exponent is right there too.
        let odd = absolute >> 13 & 1;
        (absolute - EXPONENT_SHIFT + 0x0fff + odd) >> 13
    };
    (sign | bits) as u16
}

/// The value of an F16 given by its bits.
pub fn from_f16(bits: u16) -> f32 {
    let absolute = u32::from(bits) & 0x7fff;
    let sign = (u32::from(bits) ^ absolute) << 16;
    let shifted = absolute << 13;
    let value = if absolute >= F16_INFINITY {
        shifted + 2 * EXPONENT_SHIFT
    } else if absolute < F16_SMALLEST_NORMAL {
        // As if normal with exponent -14, less the leading one that it does not have. Exact.
        (f32::from_bits(shifted + SUBNORMAL_BELOW) - TWO_TO_MINUS_14).to_bits()
    } else {
        shifted + EXPONENT_SHIFT
    };
    f32::from_bits(sign | value)
}

/// Rounds to F16. As many as both slices hold.
pub fn narrow(values: &[f32], bits: &mut [u16]) {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd::narrow(values, bits);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    narrow_portable(values, bits);
}

/// The portable twin of [`narrow`], with the same bits.
pub fn narrow_portable(values: &[f32], bits: &mut [u16]) {
    for (bits, value) in bits.iter_mut().zip(values) {
        *bits = to_f16(*value);
    }
}

/// Widens F16 to f32. As many as both slices hold.
pub fn widen(bits: &[u16], values: &mut [f32]) {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd::widen(bits, values);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    widen_portable(bits, values);
}

/// The portable twin of [`widen`], with the same bits.
pub fn widen_portable(bits: &[u16], values: &mut [f32]) {
    for (value, bits) in values.iter_mut().zip(bits) {
        *value = from_f16(*bits);
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd {
    use super::*;
    use core::arch::wasm32::*;

    pub fn narrow(values: &[f32], bits: &mut [u16]) {
        let length = values.len().min(bits.len());
        let (blocks, rest) = values[..length].as_chunks::<8>();
        let (bit_blocks, bit_rest) = bits[..length].as_chunks_mut::<8>();
        for (values, bits) in blocks.iter().zip(bit_blocks) {
            // SAFETY: 32 bytes are read and 16 written; no alignment is needed.
            unsafe {
                let low = narrow_four(v128_load(values.as_ptr().cast()));
                let high = narrow_four(v128_load(values.as_ptr().add(4).cast()));
                // The lower halves of the eight lanes.
                let both = i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(low, high);
                v128_store(bits.as_mut_ptr().cast(), both);
            }
        }
        narrow_portable(rest, bit_rest);
    }

    pub fn widen(bits: &[u16], values: &mut [f32]) {
        let length = values.len().min(bits.len());
        let (blocks, rest) = bits[..length].as_chunks::<8>();
        let (value_blocks, value_rest) = values[..length].as_chunks_mut::<8>();
        for (bits, values) in blocks.iter().zip(value_blocks) {
            // SAFETY: 16 bytes are read and 32 written; no alignment is needed.
            unsafe {
                let words = v128_load(bits.as_ptr().cast());
                let to: *mut f32 = values.as_mut_ptr();
                v128_store(to.cast(), widen_four(u32x4_extend_low_u16x8(words)));
                v128_store(to.add(4).cast(), widen_four(u32x4_extend_high_u16x8(words)));
            }
        }
        widen_portable(rest, value_rest);
    }

    /// The branches of [`to_f16`], all taken, in four lanes.
    #[inline(always)]
    fn narrow_four(value: v128) -> v128 {
        let absolute = v128_and(value, u32x4_splat(0x7fff_ffff));
        let sign = u32x4_shr(v128_xor(value, absolute), 16);
        let odd = v128_and(u32x4_shr(absolute, 13), u32x4_splat(1));
        let rounding = i32x4_add(odd, u32x4_splat(0x0fff_u32.wrapping_sub(EXPONENT_SHIFT)));
        let normal = u32x4_shr(i32x4_add(absolute, rounding), 13);
        let half = f32x4_splat(ROUND_SUBNORMAL);
        let subnormal = i32x4_sub(f32x4_add(absolute, half), half);
        let below = u32x4_lt(absolute, u32x4_splat(SUBNORMAL_BELOW));
        let finite = v128_bitselect(subnormal, normal, below);
        let is_nan = u32x4_gt(absolute, u32x4_splat(f32::INFINITY.to_bits()));
        let special = v128_bitselect(u32x4_splat(F16_NAN), u32x4_splat(F16_INFINITY), is_nan);
        let too_large = u32x4_ge(absolute, u32x4_splat(INFINITE_FROM));
        v128_or(sign, v128_bitselect(special, finite, too_large))
    }

    /// The branches of [`from_f16`], all taken, in four lanes.
    #[inline(always)]
    fn widen_four(bits: v128) -> v128 {
        let absolute = v128_and(bits, u32x4_splat(0x7fff));
        let sign = u32x4_shl(v128_xor(bits, absolute), 16);
        let shifted = u32x4_shl(absolute, 13);
        let normal = i32x4_add(shifted, u32x4_splat(EXPONENT_SHIFT));
        let special = i32x4_add(shifted, u32x4_splat(2 * EXPONENT_SHIFT));
        let with_leading_one = i32x4_add(shifted, u32x4_splat(SUBNORMAL_BELOW));
        let subnormal = f32x4_sub(with_leading_one, f32x4_splat(TWO_TO_MINUS_14));
        let below = u32x4_lt(absolute, u32x4_splat(F16_SMALLEST_NORMAL));
        let finite = v128_bitselect(subnormal, normal, below);
        let above = u32x4_ge(absolute, u32x4_splat(F16_INFINITY));
        v128_or(sign, v128_bitselect(special, finite, above))
    }
}
