//! The build with relaxed multiply-add: it differs from exact sums, and from the reference, in the last digits only.

use std::sync::Arc;

use logit_lab_engine::checkpoint::TensorData;
use logit_lab_engine::model::Kernel;
use logit_lab_engine::model::kernels::lanes::{Lanes, Relaxed};
use logit_lab_engine::model::kernels::matrix::{Scratch, WeightMatrix};

use crate::fixtures::{self, TINY};
use crate::forward;

/// Numbers between -1 and 1 that look random.
fn noise(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Rounded once or twice: never further off than two roundings.
pub fn relaxed_multiply_add_is_a_product_and_a_sum() {
    let (a, b, c) = (noise(400, 3), noise(400, 4), noise(400, 5));
    for ((a, b), c) in a.iter().zip(&b).zip(&c) {
        let [x, y] = [[*a, *b, 1.0, 0.0], [*b, *a, *c, *a]].map(|lanes| Relaxed::load(&lanes));
        let found = Relaxed::load(&[*c, *c, 0.0, *b]).add_product(x, y).to_array();
        let exact = f64::from(*a) * f64::from(*b) + f64::from(*c);
        for found in &found[..2] {
            assert!((f64::from(*found) - exact).abs() <= 1e-6, "{a} * {b} + {c} = {found}");
        }
        assert_eq!(found[2..], [*c, *b]);
    }
}

/// Of every length around the block size, and of the widths of real models; one input, and several.
pub fn relaxed_products_are_within_a_millionth_of_the_exact_ones() {
    const ROWS: usize = 5;
    for columns in (1..=35).chain([128, 512, 1000]) {
        let weights = noise(ROWS * columns, 1);
        let matrix = WeightMatrix::new(ROWS, columns, Arc::new(TensorData::F32(weights.clone())));
        for count in [1, 3] {
            let (inputs, mut outputs) = (noise(count * columns, 2), vec![f32::NAN; count * ROWS]);
            matrix.multiply(&inputs, &mut outputs, &mut Scratch::default());
            let pairs =
                inputs.chunks(columns).flat_map(|input| weights.chunks(columns).map(move |row| (input, row)));
            for ((input, row), found) in pairs.zip(&outputs) {
                let products = || input.iter().zip(row).map(|(x, y)| f64::from(*x) * f64::from(*y));
                let exact: f64 = products().sum();
                let scale = products().map(f64::abs).sum::<f64>().max(1.0);
                let error = (f64::from(*found) - exact).abs();
                assert!(error <= 1e-6 * scale, "{columns} columns, {count} inputs: {found}, not {exact}");
            }
        }
    }
}

pub fn relaxed_logits_of_the_small_checkpoints_meet_their_reference_values() {
    for tiny in &TINY {
        forward::reference_values_are_met(tiny.name, &*tiny.load_on(Kernel::Fused), &tiny.expected());
    }
}

pub fn relaxed_logits_of_tales_meet_their_reference_values() {
    let (model, expected) = (fixtures::load_tales_on(Kernel::Fused), fixtures::tales_expected());
    let largest = forward::tales_reference_values_are_met(&*model, &expected);
    assert!(largest <= 1e-4, "Tales-2M: a logit is off by {largest:e}");
}

/// The checks of this module, for the macro of the run.
#[macro_export]
macro_rules! relaxed_checks {
    ($test:meta) => {
        $crate::checks!($test, relaxed:
            relaxed_multiply_add_is_a_product_and_a_sum,
            relaxed_products_are_within_a_millionth_of_the_exact_ones,
            relaxed_logits_of_the_small_checkpoints_meet_their_reference_values,
            relaxed_logits_of_tales_meet_their_reference_values,
        );
    };
}
