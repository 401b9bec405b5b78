//! Relaxed multiply-add against the same sum in f64: it may differ in the last digits only.

use logit_lab_engine::model::kernels::relaxed::{dot, multiply_add};

use core::arch::wasm32::{f32x4, f32x4_extract_lane};

/// Numbers between -1 and 1 that look random.
fn noise(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Of every length around the block size, and of the widths of real models.
pub fn a_relaxed_dot_product_is_within_a_millionth_of_the_exact_one() {
    for length in (0..=67).chain([128, 512, 1000]) {
        let (a, b) = (noise(length, 1), noise(length, 2));
        let products: Vec<f64> = a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).collect();
        let exact: f64 = products.iter().sum();
        let scale: f64 = products.iter().map(|product| product.abs()).sum::<f64>().max(1.0);
        let found = f64::from(dot(&a, &b));
        assert!((found - exact).abs() <= 1e-6 * scale, "length {length}: {found} in place of {exact}");
    }
}

/// Rounded once or twice: never further off than two roundings.
pub fn relaxed_multiply_add_is_a_product_and_a_sum() {
    let (a, b, c) = (noise(400, 3), noise(400, 4), noise(400, 5));
    for ((a, b), c) in a.iter().zip(&b).zip(&c) {
        let lanes = multiply_add(f32x4(*a, *b, 1.0, 0.0), f32x4(*b, *a, *c, *a), f32x4(*c, *c, 0.0, *b));
        let exact = f64::from(*a) * f64::from(*b) + f64::from(*c);
        for found in [f32x4_extract_lane::<0>(lanes), f32x4_extract_lane::<1>(lanes)] {
            assert!((f64::from(found) - exact).abs() <= 1e-6, "{a} * {b} + {c} = {found}");
        }
        assert_eq!((f32x4_extract_lane::<2>(lanes), f32x4_extract_lane::<3>(lanes)), (*c, *b));
    }
}

/// Both checks, for the macro of the run.
#[macro_export]
macro_rules! relaxed_checks {
    ($test:meta) => {
        $crate::checks!($test, relaxed:
            a_relaxed_dot_product_is_within_a_millionth_of_the_exact_one,
            relaxed_multiply_add_is_a_product_and_a_sum,
        );
    };
}
