//! Checks of the conversions between f32 and F16, against the `half` crate's portable code.

use logit_lab_engine::model::kernels::half;

use crate::quantised::{Numbers, bits};

/// All 65,536 numbers of F16, there and back.
pub fn every_f16_is_widened_exactly_and_comes_back() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let (mut wide, mut twin) = (vec![0.0; all.len()], vec![0.0; all.len()]);
    half::widen(&all, &mut wide);
    half::widen_portable(&all, &mut twin);
    assert_eq!(bits(&wide), bits(&twin));
    let mut back = vec![0; all.len()];
    half::narrow(&wide, &mut back);
    for ((bits, wide), back) in all.iter().zip(&wide).zip(&back) {
        let reference = ::half::f16::from_bits(*bits);
        if reference.is_nan() {
            assert!(wide.is_nan());
            assert_eq!(*back, bits & 0x8000 | 0x7e00);
        } else {
            assert_eq!((wide.to_bits(), back), (reference.to_f32_const().to_bits(), bits));
        }
    }
}

/// Around every boundary between two numbers of F16, and for random bits.
pub fn f32_is_rounded_to_the_nearest_f16() {
    let mut values = Vec::new();
    for bits in 0..0x7c00u16 {
        let (low, high) = (half::from_f16(bits), half::from_f16(bits + 1));
        let middle = if high.is_finite() { low + (high - low) / 2.0 } else { 65_520.0 };
        values.extend([middle.next_down(), middle, middle.next_up(), -middle]);
    }
    values.extend([f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, 1e-45, -1e-45, f32::MIN_POSITIVE]);
    let mut numbers = Numbers(3);
    values.extend((0..100_003).map(|_| f32::from_bits(numbers.word())));
    let (mut narrow, mut twin) = (vec![0; values.len()], vec![0; values.len()]);
    half::narrow(&values, &mut narrow);
    half::narrow_portable(&values, &mut twin);
    assert_eq!(narrow, twin);
    for (value, narrow) in values.iter().zip(narrow) {
        let reference = ::half::f16::from_f32_const(*value);
        if reference.is_nan() {
            assert_eq!(narrow & 0x7fff, 0x7e00);
        } else {
            assert_eq!(narrow, reference.to_bits(), "{value:e}");
        }
    }
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! half_precision_checks {
    ($test:meta) => {
        $crate::checks!($test, half_precision:
            every_f16_is_widened_exactly_and_comes_back,
            f32_is_rounded_to_the_nearest_f16,
        );
    };
}
