//! Checks of the quantised products: twins, bounds, round trips, ends of the range.

use logit_lab_engine::model::kernels::int8::{self, Int8Rows};
use logit_lab_engine::model::kernels::integer_inputs::Scratch;
use logit_lab_engine::model::kernels::q4::{self, Q4Rows};
use logit_lab_engine::precision::{Precision, stored_bytes};

/// Columns around every boundary: vectors of 8, groups of 64, blocks of 2,048.
const COLUMNS: [usize; 22] =
    [1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 63, 64, 65, 72, 127, 128, 129, 192, 200, 512, 2049, 4104];

/// Repeatable numbers.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// Between -1 and 1, with many small numbers and few large ones, as in weights.
    fn value(&mut self) -> f32 {
        let uniform = self.word() as i32 as f32 / 2_147_483_648.0;
        uniform * uniform * uniform
    }

    fn values(&mut self, count: usize, scale: f32) -> Vec<f32> {
        (0..count).map(|_| self.value() * scale).collect()
    }
}

/// The two formats behind one face.
trait Format: Sized {
    /// Largest error of a weight, in steps.
    const WEIGHT_STEPS: f64;
    fn quantise(weights: &[f32], columns: usize) -> Self;
    fn dequantise(&self, columns: usize, row: usize, out: &mut [f32]);
    fn multiply(&self, columns: usize, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch);
    fn multiply_portable(&self, columns: usize, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch);
    /// The step of a weight.
    fn step(&self, columns: usize, row: usize, column: usize) -> f32;
    /// The documented arithmetic, spelt out for one output: `codes` are the row's, as integers.
    fn spelt_out(&self, columns: usize, row: usize, codes: &[i64], inputs: &[i16], input_scale: f32) -> f32;
}

impl Format for Int8Rows {
    const WEIGHT_STEPS: f64 = 0.501;
    fn quantise(weights: &[f32], columns: usize) -> Self {
        int8::quantise(weights, columns)
    }
    fn dequantise(&self, columns: usize, row: usize, out: &mut [f32]) {
        int8::dequantise_row(self, columns, row, out);
    }
    fn multiply(&self, columns: usize, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
        int8::multiply(self, columns, inputs, outputs, scratch);
    }
    fn multiply_portable(&self, columns: usize, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
        int8::multiply_portable(self, columns, inputs, outputs, scratch);
    }
    fn step(&self, _columns: usize, row: usize, _column: usize) -> f32 {
        self.scales[row]
    }
    fn spelt_out(&self, _: usize, row: usize, codes: &[i64], inputs: &[i16], input_scale: f32) -> f32 {
        let sum: i64 = codes.iter().zip(inputs).rev().map(|(code, input)| code * i64::from(*input)).sum();
        sum as f32 * input_scale * self.scales[row]
    }
}

impl Format for Q4Rows {
    const WEIGHT_STEPS: f64 = 1.04;
    fn quantise(weights: &[f32], columns: usize) -> Self {
        q4::quantise(weights, columns)
    }
    fn dequantise(&self, columns: usize, row: usize, out: &mut [f32]) {
        q4::dequantise_row(self, columns, row, out);
    }
    fn multiply(&self, columns: usize, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
        q4::multiply(self, columns, inputs, outputs, scratch);
    }
    fn multiply_portable(&self, columns: usize, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
        q4::multiply_portable(self, columns, inputs, outputs, scratch);
    }
    fn step(&self, columns: usize, row: usize, column: usize) -> f32 {
        let scale = self.scales[row * columns.div_ceil(64) + column / 64];
        f32::from_bits(u32::from(scale) << 16)
    }
    fn spelt_out(&self, columns: usize, row: usize, codes: &[i64], inputs: &[i16], input_scale: f32) -> f32 {
        let mut totals = [0.0f32; 4];
        for (group, (codes, inputs)) in codes.chunks(64).zip(inputs.chunks(64)).enumerate() {
            let mut sums = [0i64; 4];
            for (column, (code, input)) in codes.iter().zip(inputs).enumerate() {
                sums[if codes.len() == 64 { column % 8 / 2 } else { 0 }] += code * i64::from(*input);
            }
            for (total, sum) in totals.iter_mut().zip(sums) {
                *total += sum as f32 * self.step(columns, row, group * 64);
            }
        }
        ((totals[0] + totals[1]) + (totals[2] + totals[3])) * input_scale
    }
}

pub(crate) fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Each weight as an integer number of steps.
fn codes<F: Format>(rows: &F, columns: usize, row: usize) -> Vec<i64> {
    let mut weights = vec![f32::NAN; columns];
    rows.dequantise(columns, row, &mut weights);
    let steps = |(column, weight): (usize, &f32)| match rows.step(columns, row, column) {
        0.0 => 0,
        step => (f64::from(*weight) / f64::from(step)).round() as i64,
    };
    weights.iter().enumerate().map(steps).collect()
}

/// Calls `check` with weights `[rows, columns]` and inputs `[positions, columns]` of many shapes.
fn for_many_shapes(mut check: impl FnMut(usize, usize, usize, &[f32], &[f32])) {
    let mut numbers = Numbers(7);
    for columns in COLUMNS {
        for (rows, positions) in [(1, 1), (4, 1), (7, 1), (6, 2), (9, 3), (8, 5)] {
            let mut weights = numbers.values(rows * columns, 0.7);
            // A row of zeros among them.
            weights[(rows - 1) * columns..].fill(0.0);
            let mut inputs = numbers.values(positions * columns, 9.0);
            if positions > 2 {
                inputs[columns..2 * columns].fill(0.0);
            }
            check(rows, columns, positions, &weights, &inputs);
        }
    }
}

/// Bits of [`Format::multiply`], its twin and the arithmetic as documented are the same.
fn twins_agree<F: Format>() {
    let mut scratch = Scratch::default();
    for_many_shapes(|rows, columns, positions, weights, inputs| {
        let quantised = F::quantise(weights, columns);
        let mut outputs = vec![f32::NAN; positions * rows];
        let mut twin = outputs.clone();
        quantised.multiply_portable(columns, inputs, &mut twin, &mut scratch);
        let portable_inputs = scratch.clone();
        quantised.multiply(columns, inputs, &mut outputs, &mut scratch);
        let shape = format!("{rows} rows of {columns}, {positions} positions");
        assert_eq!(scratch.quantised(), portable_inputs.quantised(), "{shape}");
        assert_eq!(bits(&outputs), bits(&twin), "{shape}");

        let (input_codes, input_scales) = scratch.quantised();
        for row in 0..rows {
            let codes = codes(&quantised, columns, row);
            for position in 0..positions {
                let inputs = &input_codes[position * columns..][..columns];
                let expected = quantised.spelt_out(columns, row, &codes, inputs, input_scales[position]);
                assert_eq!(
                    outputs[position * rows + row].to_bits(),
                    expected.to_bits(),
                    "{shape}, row {row}"
                );
            }
        }
    });
}

/// The bounds that the kernels' documentation states, against f64.
fn errors_are_bounded<F: Format>() {
    let mut scratch = Scratch::default();
    let mut largest_share = 0.0f64;
    for_many_shapes(|rows, columns, positions, weights, inputs| {
        let quantised = F::quantise(weights, columns);
        let mut outputs = vec![0.0; positions * rows];
        quantised.multiply(columns, inputs, &mut outputs, &mut scratch);
        for position in 0..positions {
            let input_step = f64::from(scratch.quantised().1[position]);
            for row in 0..rows {
                let (mut exact, mut bound, mut products) = (0.0, 0.0, 0.0);
                for column in 0..columns {
                    let w = f64::from(weights[row * columns + column]);
                    let x = f64::from(inputs[position * columns + column]);
                    let step = f64::from(quantised.step(columns, row, column)).abs() * F::WEIGHT_STEPS;
                    exact += w * x;
                    bound += step * x.abs() + 0.501 * input_step * (w.abs() + step);
                    products += (w.abs() + step) * (x.abs() + input_step);
                }
                bound += products * (columns.div_ceil(64) + 6) as f64 / 16_777_216.0;
                let error = (f64::from(outputs[position * rows + row]) - exact).abs();
                assert!(error <= bound, "{rows} rows of {columns}: {error} > {bound}");
                largest_share = largest_share.max(error / bound.max(1e-300));
            }
        }
    });
    // A bound that is never approached would hide a mistake.
    assert!(largest_share > 0.2, "{largest_share}");
}

fn weights_come_back_within_a_step<F: Format>() {
    for_many_shapes(|rows, columns, _, weights, _| {
        let quantised = F::quantise(weights, columns);
        let mut back = vec![f32::NAN; columns];
        for (row, weights) in weights.chunks_exact(columns).enumerate() {
            quantised.dequantise(columns, row, &mut back);
            for (column, (weight, back)) in weights.iter().zip(&back).enumerate() {
                let step = f64::from(quantised.step(columns, row, column)).abs();
                let error = (f64::from(*weight) - f64::from(*back)).abs();
                assert!(error <= F::WEIGHT_STEPS * step, "row {row} column {column}: {weight} became {back}");
            }
        }
        // What has been rounded once is not changed by rounding it again.
        quantised.dequantise(columns, 0, &mut back);
        let again = F::quantise(&back, columns);
        let mut twice = vec![f32::NAN; columns];
        again.dequantise(columns, 0, &mut twice);
        for (once, twice) in back.iter().zip(&twice) {
            assert!((once - twice).abs() <= once.abs() * 1e-6, "{once} became {twice}");
        }
        // A row that is not there changes nothing.
        quantised.dequantise(columns, rows, &mut twice);
    });
}

pub fn int8_products_have_the_same_bits_in_both_twins() {
    twins_agree::<Int8Rows>();
}

pub fn q4_products_have_the_same_bits_in_both_twins() {
    twins_agree::<Q4Rows>();
}

pub fn int8_errors_stay_within_the_stated_bound() {
    errors_are_bounded::<Int8Rows>();
}

pub fn q4_errors_stay_within_the_stated_bound() {
    errors_are_bounded::<Q4Rows>();
}

pub fn int8_weights_come_back_within_half_a_step() {
    weights_come_back_within_a_step::<Int8Rows>();
}

pub fn q4_weights_come_back_within_a_step() {
    weights_come_back_within_a_step::<Q4Rows>();
}

/// One digest over many products: the native run and Chromium agree on every bit.
pub fn quantised_bits_are_pinned() {
    let mut digest = 0xcbf2_9ce4_8422_2325u64;
    let mut scratch = Scratch::default();
    for_many_shapes(|rows, columns, positions, weights, inputs| {
        let mut outputs = vec![0.0; positions * rows];
        let (int8, q4) = (int8::quantise(weights, columns), q4::quantise(weights, columns));
        int8::multiply(&int8, columns, inputs, &mut outputs, &mut scratch);
        let mut words = bits(&outputs);
        q4::multiply(&q4, columns, inputs, &mut outputs, &mut scratch);
        words.extend(bits(&outputs));
        for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    });
    assert_eq!(digest, 0xa83b_474c_dfb0_e3d7, "{digest:#018x}");
}

pub fn a_position_has_the_same_bits_alone_and_among_others() {
    fn check<F: Format>() {
        let mut scratch = Scratch::default();
        for_many_shapes(|rows, columns, _, weights, inputs| {
            let quantised = F::quantise(weights, columns);
            let mut together = vec![0.0; inputs.len() / columns * rows];
            quantised.multiply(columns, inputs, &mut together, &mut scratch);
            for (inputs, together) in inputs.chunks_exact(columns).zip(together.chunks_exact(rows)) {
                let mut alone = vec![0.0; rows];
                quantised.multiply(columns, inputs, &mut alone, &mut scratch);
                assert_eq!(bits(&alone), bits(together), "{rows} rows of {columns}");
            }
        });
    }
    check::<Int8Rows>();
    check::<Q4Rows>();
}

/// Every weight and every input at its largest code, all products of one sign: the sums that come nearest to overflow.
pub fn the_largest_codes_do_not_overflow() {
    fn check<F: Format>(weight: f32) {
        for columns in [64, 128, 2048, 2056, 5000] {
            for input in [2.0f32, -2.0] {
                let weights = vec![weight; 4 * columns];
                let quantised = F::quantise(&weights, columns);
                for positions in [1, 2] {
                    let inputs = vec![input; positions * columns];
                    let mut outputs = vec![0.0; positions * 4];
                    quantised.multiply(columns, &inputs, &mut outputs, &mut Scratch::default());
                    let exact = f64::from(weight) * f64::from(input) * columns as f64;
                    for output in outputs {
                        let error = (f64::from(output) / exact - 1.0).abs();
                        assert!(error < 1e-5, "{columns} columns: {output} for {exact}");
                    }
                }
            }
        }
    }
    check::<Int8Rows>(1.27);
    check::<Int8Rows>(-1.27);
    // A power of two, so that bf16 holds the scale.
    check::<Q4Rows>(0.5);
    check::<Q4Rows>(-0.5);
}

pub fn weights_of_any_size_have_a_scale() {
    fn check<F: Format>() {
        for size in [1e38f32, 1e30, 1.0, 1e-10, 1e-30, 1e-37] {
            let weights = [size, -size, size / 3.0, 0.0, -size / 2.0, size / 1e6];
            let quantised = F::quantise(&weights, 6);
            let mut back = [f32::NAN; 6];
            quantised.dequantise(6, 0, &mut back);
            for (weight, back) in weights.iter().zip(back) {
                assert!((weight - back).abs() <= size * 0.13, "{weight} became {back}");
            }
        }
        let quantised = F::quantise(&[1e-45, -1e-45, 0.0, f32::MIN_POSITIVE, -0.0], 5);
        let mut outputs = [f32::NAN];
        let mut scratch = Scratch::default();
        for input in [0.0, 1e-45, 1e-32, 1.0, 1e30] {
            quantised.multiply(5, &[input; 5], &mut outputs, &mut scratch);
            assert!(outputs[0].is_finite(), "{input}");
        }
    }
    check::<Int8Rows>();
    check::<Q4Rows>();
}

pub fn zeros_give_zeros() {
    fn check<F: Format>() {
        let mut outputs = [f32::NAN; 10];
        let zeros = F::quantise(&[0.0; 5 * 70], 70);
        zeros.multiply(70, &[1.5; 2 * 70], &mut outputs, &mut Scratch::default());
        assert_eq!(outputs, [0.0; 10]);
        let ones = F::quantise(&[1.0; 5 * 70], 70);
        ones.multiply(70, &[0.0; 2 * 70], &mut outputs, &mut Scratch::default());
        assert_eq!(outputs, [0.0; 10]);
    }
    check::<Int8Rows>();
    check::<Q4Rows>();
}

/// A number that is no number must not become a plausible logit.
pub fn what_is_not_finite_gives_nan_and_spoils_nothing_else() {
    fn check<F: Format>() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for columns in [64, 70] {
                let mut weights = vec![0.5; 5 * columns];
                weights[2 * columns + 3] = bad;
                let mut inputs = vec![1.0; 3 * columns];
                inputs[2 * columns - 1] = bad;
                let quantised = F::quantise(&weights, columns);
                let mut outputs = vec![0.0; 15];
                quantised.multiply(columns, &inputs, &mut outputs, &mut Scratch::default());
                for (index, output) in outputs.iter().enumerate() {
                    let spoilt = index / 5 == 1 || index % 5 == 2;
                    assert_eq!(output.is_nan(), spoilt, "{bad}, output {index}: {output}");
                }
            }
        }
    }
    check::<Int8Rows>();
    check::<Q4Rows>();
}

pub fn stored_bytes_are_those_of_the_buffers() {
    for_many_shapes(|rows, columns, _, weights, _| {
        let int8 = int8::quantise(weights, columns).stored_bytes();
        let q4 = q4::quantise(weights, columns).stored_bytes();
        assert_eq!(int8, stored_bytes(Precision::Int8, rows, columns));
        assert_eq!(q4, stored_bytes(Precision::Q4, rows, columns));
    });
    let million = q4::quantise(&vec![0.25; 1 << 20], 1024);
    assert_eq!(million.stored_bytes(), 557_056);
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! quantised_checks {
    ($test:meta) => {
        $crate::checks!($test, quantised:
            int8_products_have_the_same_bits_in_both_twins,
            q4_products_have_the_same_bits_in_both_twins,
            int8_errors_stay_within_the_stated_bound,
            q4_errors_stay_within_the_stated_bound,
            int8_weights_come_back_within_half_a_step,
            q4_weights_come_back_within_a_step,
            quantised_bits_are_pinned,
            a_position_has_the_same_bits_alone_and_among_others,
            the_largest_codes_do_not_overflow,
            weights_of_any_size_have_a_scale,
            zeros_give_zeros,
            what_is_not_finite_gives_nan_and_spoils_nothing_else,
            stored_bytes_are_those_of_the_buffers,
        );
    };
}
