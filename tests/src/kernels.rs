//! The kernels' two kinds of lanes against each other and against plain arithmetic, over odd sizes.

use std::sync::Arc;

use half::{bf16, f16};
use logit_lab_engine::checkpoint::{Checkpoint, NumberFormat, TensorData};
use logit_lab_engine::config::Activation;
use logit_lab_engine::model::kernels::attention::{
    GROUP_POSITIONS, KeyGroup, PAGE_POSITIONS, Query, Running, ValueVector, attend_on, finish,
};
use logit_lab_engine::model::kernels::elementwise::{activate_on, exp, layer_norm_on, map};
use logit_lab_engine::model::kernels::exp::exp as scalar_exp;
use logit_lab_engine::model::kernels::lanes::{Fastest, LANES, Lanes, Portable};
use logit_lab_engine::model::kernels::matrix::{Scratch, WeightMatrix};
use logit_lab_engine::precision::Precision;

/// A stream of numbers around 0, the same on every machine.
struct Noise(u64);

impl Noise {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word ^ (word >> 29)
    }

    fn number(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }
}

fn bits(values: &[f32]) -> Vec<u32> {
    // Which NaN it is, no standard fixes.
    values.iter().map(|value| if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() }).collect()
}

/// A matrix of one tensor, through a checkpoint as a model's are.
fn matrix(dtype: &str, rows: usize, columns: usize, bytes: &[u8]) -> WeightMatrix {
    let numbers = stored(dtype, rows, columns, bytes);
    WeightMatrix::new(rows, columns, numbers)
}

fn stored(dtype: &str, rows: usize, columns: usize, bytes: &[u8]) -> Arc<TensorData> {
    let header = format!(
        r#"{{"w":{{"dtype":"{dtype}","shape":[{rows},{columns}],"data_offsets":[0,{}]}}}}"#,
        bytes.len()
    );
    let file = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), bytes].concat();
    let checkpoint = Checkpoint::from_file(file).expect("a checkpoint");
    checkpoint.reader(Precision::F32).stored("w", &[rows, columns]).expect("a tensor")
}

/// The order of a dot product, spelt out: pairs of products in four lanes, in order, and the lanes two by two.
fn dot(weights: &[f32], inputs: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 4];
    for index in 0..weights.len().next_multiple_of(8) {
        let product = match (weights.get(index), inputs.get(index)) {
            (Some(weight), Some(input)) => weight * input,
            _ => 0.0,
        };
        lanes[index / 2 % 4] += product;
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

fn products_on<L: Lanes>(matrix: &WeightMatrix, inputs: &[f32], count: usize) -> Vec<f32> {
    let mut outputs = vec![f32::NAN; count * matrix.rows()];
    matrix.multiply_on::<L>(inputs, &mut outputs, &mut Scratch::default());
    outputs
}

/// Rows alone and together, on both kinds of lanes, against [`dot`] on the widened weights: equal bits.
fn products_have_the_bits_of_f32(what: &str, matrix: &WeightMatrix, weights: &[f32], inputs: &[f32]) {
    let (columns, count) = (matrix.columns(), inputs.len() / matrix.columns());
    let expected: Vec<f32> = inputs
        .chunks(columns)
        .flat_map(|input| weights.chunks(columns).map(move |row| dot(row, input)))
        .collect();
    assert_eq!(bits(&products_on::<Portable>(matrix, inputs, count)), bits(&expected), "{what}, portable");
    assert_eq!(bits(&products_on::<Fastest>(matrix, inputs, count)), bits(&expected), "{what}, fastest");
    for (input, expected) in inputs.chunks(columns).zip(expected.chunks(matrix.rows())) {
        assert_eq!(bits(&products_on::<Portable>(matrix, input, 1)), bits(expected), "{what}, portable, one");
        assert_eq!(bits(&products_on::<Fastest>(matrix, input, 1)), bits(expected), "{what}, fastest, one");
    }
}

const SHAPES: [(usize, usize); 9] =
    [(1, 1), (3, 7), (4, 8), (5, 9), (101, 60), (8, 128), (6, 100), (13, 31), (16, 33)];

pub fn products_of_every_format_and_shape_have_the_bits_of_f32() {
    let mut noise = Noise(1);
    for (rows, columns) in SHAPES {
        for count in [1, 2, 3, 5] {
            let weights = noise.numbers(rows * columns);
            let inputs = noise.numbers(count * columns);
            let what = format!("{rows} x {columns}, {count} inputs");
            let bytes: Vec<u8> = weights.iter().flat_map(|w| w.to_le_bytes()).collect();
            let f32s = matrix("F32", rows, columns, &bytes);
            products_have_the_bits_of_f32(&format!("F32, {what}"), &f32s, &weights, &inputs);

            let rounded: Vec<bf16> = weights.iter().map(|w| bf16::from_f32(*w)).collect();
            let bytes: Vec<u8> = rounded.iter().flat_map(|w| w.to_le_bytes()).collect();
            let widened: Vec<f32> = rounded.iter().map(|w| w.to_f32()).collect();
            let bf16s = matrix("BF16", rows, columns, &bytes);
            products_have_the_bits_of_f32(&format!("BF16, {what}"), &bf16s, &widened, &inputs);

            // Halves of every size below 32, subnormal ones and zeros of both signs included.
            let halves: Vec<f16> = (0..rows * columns)
                .map(|_| f16::from_bits((noise.word() % 0x5000) as u16 | (noise.word() as u16 & 0x8000)))
                .collect();
            let bytes: Vec<u8> = halves.iter().flat_map(|w| w.to_le_bytes()).collect();
            let widened: Vec<f32> = halves.iter().map(|w| w.to_f32()).collect();
            assert_eq!(stored("F16", rows, columns, &bytes).format(), NumberFormat::LiftedF16);
            let f16s = matrix("F16", rows, columns, &bytes);
            products_have_the_bits_of_f32(&format!("F16, {what}"), &f16s, &widened, &inputs);
        }
    }
}

pub fn halves_and_inputs_that_cannot_be_scaled_have_the_bits_of_f32() {
    let (rows, columns) = (6, 11);
    let mut noise = Noise(2);
    // No larger ones: a checkpoint with an infinite weight is refused.
    for large in [f16::from_f32(32.0), f16::from_f32(-32.0), f16::MAX, f16::MIN] {
        let mut halves: Vec<f16> = noise.numbers(rows * columns).into_iter().map(f16::from_f32).collect();
        halves[17] = large;
        halves[30] = f16::from_bits(3);
        let bytes: Vec<u8> = halves.iter().flat_map(|w| w.to_le_bytes()).collect();
        let widened: Vec<f32> = halves.iter().map(|w| w.to_f32()).collect();
        assert_eq!(stored("F16", rows, columns, &bytes).format(), NumberFormat::F16);
        let inputs = noise.numbers(3 * columns);
        let f16s = matrix("F16", rows, columns, &bytes);
        products_have_the_bits_of_f32(&format!("{large}"), &f16s, &widened, &inputs);
    }
    let halves: Vec<f16> = noise.numbers(rows * columns).into_iter().map(f16::from_f32).collect();
    let bytes: Vec<u8> = halves.iter().flat_map(|w| w.to_le_bytes()).collect();
    let widened: Vec<f32> = halves.iter().map(|w| w.to_f32()).collect();
    let f16s = matrix("F16", rows, columns, &bytes);
    for large in [6.7e7, 6.72e7, 3e38, f32::INFINITY, f32::NAN, 1e-44, f32::MIN_POSITIVE] {
        let mut inputs = noise.numbers(2 * columns);
        inputs[4] = large;
        products_have_the_bits_of_f32(&format!("input {large}"), &f16s, &widened, &inputs);
    }
}

/// Numbers over the whole range of f32, and the special ones.
fn all_kinds_of_numbers() -> Vec<f32> {
    let mut numbers: Vec<f32> = (0..=u32::MAX).step_by(65_537).map(f32::from_bits).collect();
    numbers.extend([0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -87.336_54, -87.4, 88.722_84]);
    numbers.extend((-4_000..4_000).map(|step| step as f32 / 400.0));
    numbers
}

pub fn elementwise_kernels_have_the_same_bits_on_both_kinds_of_lanes() {
    for activation in [Activation::Gelu, Activation::GeluTanh, Activation::Relu] {
        let (mut portable, mut fastest) = (all_kinds_of_numbers(), all_kinds_of_numbers());
        activate_on::<Portable>(&mut portable, activation);
        activate_on::<Fastest>(&mut fastest, activation);
        assert!(bits(&portable) == bits(&fastest), "{activation:?}");
    }
    let (mut portable, mut fastest) = (all_kinds_of_numbers(), all_kinds_of_numbers());
    map::<Portable>(&mut portable, exp, exp);
    map::<Fastest>(&mut fastest, exp, exp);
    let expected: Vec<f32> = all_kinds_of_numbers().into_iter().map(scalar_exp).collect();
    assert!(bits(&portable) == bits(&expected) && bits(&fastest) == bits(&expected), "exp");

    let mut noise = Noise(3);
    for length in [1, 3, 4, 5, 8, 12, 60, 128, 131] {
        let [x, weight, bias] = [0; 3].map(|_| noise.numbers(length));
        let (mut portable, mut fastest) = (vec![0.0; length], vec![0.0; length]);
        layer_norm_on::<Portable>(&x, &weight, &bias, 1e-5, &mut portable);
        layer_norm_on::<Fastest>(&x, &weight, &bias, 1e-5, &mut fastest);
        assert_eq!(bits(&portable), bits(&fastest), "layer norm of {length}");
        let mean = x.iter().map(|x| f64::from(*x)).sum::<f64>() / length as f64;
        let variance = x.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / length as f64;
        for (index, found) in fastest.iter().enumerate() {
            let normal = (f64::from(x[index]) - mean) / (variance + 1e-5).sqrt();
            let expected = normal * f64::from(weight[index]) + f64::from(bias[index]);
            assert!((f64::from(*found) - expected).abs() < 2e-6, "layer norm of {length}");
        }
    }
}

/// Off by at most `tolerance` from the formula in f64.
fn activation_is_accurate(activation: Activation, tolerance: f64, exact: impl Fn(f64) -> f64) {
    let x: Vec<f32> = (-120_000..=120_000).map(|step| step as f32 / 10_000.0).collect();
    let mut found = x.clone();
    activate_on::<Fastest>(&mut found, activation);
    let (mut worst, mut at) = (0.0_f64, 0.0);
    for (x, found) in x.iter().zip(&found) {
        let expected = exact(f64::from(*x));
        // Large results have the rounding of their size.
        let error = (f64::from(*found) - expected).abs() / expected.abs().max(1.0);
        if error > worst {
            (worst, at) = (error, *x);
        }
    }
    assert!(worst <= tolerance, "{activation:?}: error {worst:e} at {at}");
}

pub fn activations_are_accurate() {
    activation_is_accurate(Activation::Gelu, 2.5e-7, |x| {
        0.5 * x * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
    });
    activation_is_accurate(Activation::GeluTanh, 2e-7, |x| {
        let y = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
        0.5 * x * (1.0 + libm::tanh(y))
    });
}

/// One or two queries side by side, as those of neighbouring positions: the first of two does not see the last position.
fn attention_of<L: Lanes, const Q: usize>(
    queries: [&[f32]; Q],
    keys: &[Vec<f32>],
    values: &[Vec<f32>],
    garbage: f32,
) -> [Vec<f32>; Q] {
    let d = queries[0].len();
    let mut running = [Running::default(); Q];
    let mut mixed = [(); Q].map(|()| vec![[0.0; LANES]; d.div_ceil(LANES)]);
    for (page, (page_keys, page_values)) in
        keys.chunks(PAGE_POSITIONS).zip(values.chunks(PAGE_POSITIONS)).enumerate()
    {
        let mut key_groups: Vec<KeyGroup> = vec![[[garbage; LANES]; GROUP_POSITIONS / LANES]; 2 * d];
        let mut vectors: Vec<ValueVector> = vec![[garbage; LANES]; PAGE_POSITIONS * mixed[0].len()];
        for (position, (key, value)) in page_keys.iter().zip(page_values).enumerate() {
            let (group, lane) = (position / GROUP_POSITIONS, position % GROUP_POSITIONS);
            for (index, key) in key.iter().enumerate() {
                key_groups[group * d + index].as_flattened_mut()[lane] = *key;
            }
            let row = &mut vectors[position * mixed[0].len()..(position + 1) * mixed[0].len()];
            row.as_flattened_mut().fill(0.0);
            row.as_flattened_mut()[..d].copy_from_slice(value);
        }
        let queries: Vec<Query> = queries
            .into_iter()
            .zip(&mut running)
            .zip(&mut mixed)
            .enumerate()
            .map(|(index, ((query, running), mixed))| {
                let seen = keys.len() - (Q - 1 - index);
                Query { query, count: seen.saturating_sub(page * PAGE_POSITIONS), running, mixed }
            })
            .filter(|query| query.count > 0)
            .collect();
        match <[Query; Q]>::try_from(queries) {
            Ok(all) => attend_on::<L, Q>(all, &key_groups, &vectors),
            Err(some) => {
                for query in some {
                    attend_on::<L, 1>([query], &key_groups, &vectors);
                }
            }
        }
    }
    std::array::from_fn(|index| {
        let mut out = vec![0.0; d];
        finish(&running[index], &mixed[index], &mut out);
        out
    })
}

fn attention_on<L: Lanes>(query: &[f32], keys: &[Vec<f32>], values: &[Vec<f32>], garbage: f32) -> Vec<f32> {
    let [out] = attention_of::<L, 1>([query], keys, values, garbage);
    out
}

pub fn two_queries_together_have_the_bits_of_each_alone() {
    let mut noise = Noise(5);
    for d in [1, 4, 7, 20, 32, 36, 64] {
        for positions in [2, 15, 17, 18, 33, 34, 49, 64, 65, 66, 130] {
            let what = format!("{positions} positions of {d}");
            let [one, other] = [0; 2].map(|_| noise.numbers(d));
            let mut rows = || (0..positions).map(|_| noise.numbers(d)).collect::<Vec<_>>();
            let (keys, mut values) = (rows(), rows());
            // What only the second sees must not reach the first, not even as zero times infinity.
            values[positions - 1][0] = f32::INFINITY;
            let before = positions - 1;
            let first = attention_on::<Portable>(&one, &keys[..before], &values[..before], 0.0);
            let second = attention_on::<Portable>(&other, &keys, &values, 0.0);
            let expected = [bits(&first), bits(&second)];
            let portable = attention_of::<Portable, 2>([&one, &other], &keys, &values, f32::NAN);
            assert_eq!(portable.map(|out| bits(&out)), expected, "{what}, portable");
            let fastest = attention_of::<Fastest, 2>([&one, &other], &keys, &values, f32::NAN);
            assert_eq!(fastest.map(|out| bits(&out)), expected, "{what}, fastest");
        }
    }
}

pub fn attention_has_the_same_bits_on_both_kinds_of_lanes_and_is_accurate() {
    let mut noise = Noise(4);
    for d in [1, 4, 7, 20, 32, 36, 64] {
        for positions in [1, 2, 15, 16, 17, 33, 63, 64, 65, 200] {
            let what = format!("{positions} positions of {d}");
            let query: Vec<f32> = noise.numbers(d).iter().map(|x| 3.0 * x).collect();
            let mut rows = || (0..positions).map(|_| noise.numbers(d)).collect::<Vec<_>>();
            let (keys, values) = (rows(), rows());
            let portable = attention_on::<Portable>(&query, &keys, &values, 0.0);
            assert_eq!(
                bits(&portable),
                bits(&attention_on::<Fastest>(&query, &keys, &values, 0.0)),
                "{what}"
            );
            // What lies behind the last position has no effect, whatever it is.
            let beside = attention_on::<Fastest>(&query, &keys, &values, f32::NAN);
            assert_eq!(bits(&portable), bits(&beside), "{what}");

            let dot = |key: &Vec<f32>| -> f64 {
                key.iter().zip(&query).map(|(k, q)| f64::from(*k) * f64::from(*q)).sum()
            };
            let scores: Vec<f64> = keys.iter().map(dot).collect();
            let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let shares: Vec<f64> = scores.iter().map(|score| libm::exp(score - top)).collect();
            let total: f64 = shares.iter().sum();
            for (index, found) in portable.iter().enumerate() {
                let mixed: f64 = shares.iter().zip(&values).map(|(p, v)| p * f64::from(v[index])).sum();
                assert!((f64::from(*found) - mixed / total).abs() < 3e-6, "{what}");
            }
        }
    }
}

/// Makes a test of each check of this module.
#[macro_export]
macro_rules! kernel_checks {
    ($test:meta) => {
        $crate::checks!(
            $test,
            kernels: products_of_every_format_and_shape_have_the_bits_of_f32,
            halves_and_inputs_that_cannot_be_scaled_have_the_bits_of_f32,
            elementwise_kernels_have_the_same_bits_on_both_kinds_of_lanes,
            activations_are_accurate,
            attention_has_the_same_bits_on_both_kinds_of_lanes_and_is_accurate,
            two_queries_together_have_the_bits_of_each_alone,
        );
    };
}
