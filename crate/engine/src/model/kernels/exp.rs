//! The exponential function of f32, with the same bits on every machine.
//!
//! The standard library's `exp` is whatever the platform's C library makes of it, so two machines can disagree in the
//! last digit, and one seed would no longer give one text everywhere. This one uses only additions, multiplications
//! and integer operations on bits, all of which IEEE 754 fixes. There is no branch and no table look-up, so a vector
//! version does the same operations on four lanes and gets the same bits.
//!
//! The method is the classic one: `x = n ln 2 + r` with `|r| <= ln 2 / 2`, a polynomial for `exp(r)`, and `n` added to
//! the exponent bits. The split of ln 2 and the coefficients are those of `expf` in the Cephes library (S. Moshier).

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

/// `x` at and above which the result is infinity: the smallest f32 above `ln(2^128)`.
pub(super) const OVERFLOW: f32 = 88.722_84;
/// `x` below which the result is 0: results smaller than the smallest normal number, 2^-126, are not worth their cost.
pub(super) const UNDERFLOW: f32 = -87.336_54;
/// 1.5 * 2^23. Adding it rounds to the nearest integer and leaves that integer in the low bits of the sum.
pub(super) const ROUND_TO_INTEGER: f32 = 12_582_912.0;
/// ln 2 in two parts: the first has few enough bits that its product with any `n` here is exact.
pub(super) const LN_2_HIGH: f32 = 0.693_359_4;
pub(super) const LN_2_LOW: f32 = -2.121_944_4e-4;
/// Coefficients of r^7, r^6, ... r^2.
pub(super) const POLYNOMIAL: [f32; 6] =
    [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_6e-1, 0.5];

/// `e` to the power of `x`, with a relative error of at most 1e-7 (8.1e-8 was the largest found on a grid).
///
/// `exp(0)` is exactly 1. Below about -87.34, negative infinity included, the result is exactly 0 (subnormal results
/// are flushed); from about 88.72 on it is infinity. NaN stays NaN.
#[inline]
pub fn exp(x: f32) -> f32 {
    // The clamp keeps the exponent arithmetic in range; what it changed is replaced at the end. NaN passes through.
    let clamped = x.clamp(UNDERFLOW, OVERFLOW);
    let shifted = clamped * std::f32::consts::LOG2_E + ROUND_TO_INTEGER;
    let n = shifted - ROUND_TO_INTEGER;
    let r = (clamped - n * LN_2_HIGH) - n * LN_2_LOW;

    let mut tail = POLYNOMIAL[0];
    for coefficient in &POLYNOMIAL[1..] {
        tail = tail * r + coefficient;
    }
    let fraction = (tail * (r * r) + r) + 1.0;

    // The low bits of `shifted` are n in two's complement; the shift by 23 drops everything else.
    let scaled = f32::from_bits(fraction.to_bits().wrapping_add(shifted.to_bits() << 23));
    let result = if x >= OVERFLOW { f32::INFINITY } else { scaled };
    let result = if x < UNDERFLOW { 0.0 } else { result };
    if x.is_nan() { x } else { result }
}

/// The sum of `exp((value - top) * scale)` over all values, in f64.
///
/// `top` is the largest value (so that no term exceeds 1) and `scale` the reciprocal of the temperature. Values of
/// negative infinity add exactly 0. The order is fixed: four running sums, value `i` goes into sum `i % 4`, and the
/// four are added as `(s0 + s1) + (s2 + s3)`.
pub fn sum_of_exponentials(values: &[f32], top: f32, scale: f32) -> f64 {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::sum_of_exponentials(values, top, scale);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable::sum_of_exponentials(values, top, scale)
}

/// Appends `exp((value - top) * scale)` of each value to `results`; terms as in [`sum_of_exponentials`].
pub fn exponentials(values: &[f32], top: f32, scale: f32, results: &mut Vec<f32>) {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::exponentials(values, top, scale, results);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable::exponentials(values, top, scale, results)
}

/// The kernels in portable code, which fixes what they return.
pub mod portable {
    use super::exp;

    /// See [`super::sum_of_exponentials`].
    pub fn sum_of_exponentials(values: &[f32], top: f32, scale: f32) -> f64 {
        let mut sums = [0.0f64; 4];
        let (blocks, rest) = values.as_chunks::<4>();
        for block in blocks {
            for (sum, value) in sums.iter_mut().zip(block) {
                *sum += f64::from(exp((value - top) * scale));
            }
        }
        for (sum, value) in sums.iter_mut().zip(rest) {
            *sum += f64::from(exp((value - top) * scale));
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// See [`super::exponentials`].
    pub fn exponentials(values: &[f32], top: f32, scale: f32, results: &mut Vec<f32>) {
        results.extend(values.iter().map(|value| exp((value - top) * scale)));
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the standard library is what the results are compared with")]
mod tests {
    use super::*;

    fn relative_error(x: f32) -> f64 {
        let exact = f64::from(x).exp();
        (f64::from(exp(x)) - exact).abs() / exact
    }

    #[test]
    fn relative_error_stays_below_1e_7_on_a_grid_over_the_whole_range() {
        let mut worst = (0.0f64, 0.0f32);
        // Every 997th number by bit pattern, both signs, from tiny to the ends of the range.
        for sign in [0u32, 0x8000_0000] {
            for bits in (0u32..=88.7f32.to_bits()).step_by(997) {
                let x = f32::from_bits(sign | bits);
                if (UNDERFLOW..OVERFLOW).contains(&x) {
                    let error = relative_error(x);
                    if error > worst.0 {
                        worst = (error, x);
                    }
                }
            }
        }
        assert!(worst.0 <= 1e-7, "error {} at {}", worst.0, worst.1);
    }

    #[test]
    fn the_ends_of_the_range_are_accurate_and_beyond_them_is_zero_or_infinity() {
        for x in [UNDERFLOW, UNDERFLOW.next_up(), OVERFLOW.next_down()] {
            assert!(relative_error(x) <= 1e-7, "at {x}");
            assert!(exp(x).is_normal(), "at {x}");
        }
        for x in [UNDERFLOW.next_down(), -88.0, -1e30, f32::MIN, f32::NEG_INFINITY] {
            assert_eq!(exp(x).to_bits(), 0, "at {x}");
        }
        for x in [OVERFLOW, 89.0, f32::MAX, f32::INFINITY] {
            assert_eq!(exp(x), f32::INFINITY, "at {x}");
        }
        assert!(exp(f32::NAN).is_nan());
    }

    #[test]
    fn zero_gives_exactly_one() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-0.0), 1.0);
    }

    #[test]
    fn bits_are_pinned() {
        // A change here changes texts for a given seed. An f32 emulation of the same steps in Python gives these bits.
        let x: Vec<f32> = vec![-87.0, -20.5, -3.25, -1.0, -0.1, 1e-5, 0.5, 1.0, 10.0, 88.0];
        let bits: Vec<u32> = x.iter().map(|x| exp(*x).to_bits()).collect();
        assert_eq!(
            bits,
            [
                0x00b3_3687,
                0x30ab_d1d8,
                0x3d1e_d1b4,
                0x3ebc_5ab2,
                0x3f67_a36d,
                0x3f80_0054,
                0x3fd3_094c,
                0x402d_f854,
                0x46ac_14ee,
                0x7ef8_82b7
            ]
        );
    }

    #[test]
    fn the_sum_takes_every_value_once_in_its_stated_order() {
        let values: Vec<f32> = (0..11).map(|i| -(i as f32) * 0.3).collect();
        let mut sums = [0.0f64; 4];
        for (i, value) in values.iter().enumerate() {
            sums[i % 4] += f64::from(exp(value * 2.0));
        }
        let expected = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        assert_eq!(sum_of_exponentials(&values, 0.0, 2.0).to_bits(), expected.to_bits());
    }

    #[test]
    fn masked_values_add_nothing_and_an_infinite_difference_is_zero() {
        let values = [f32::NEG_INFINITY, 3e38, -3e38, f32::NEG_INFINITY, f32::NEG_INFINITY];
        assert_eq!(sum_of_exponentials(&values, 3e38, f32::MAX), 1.0);
    }
}
