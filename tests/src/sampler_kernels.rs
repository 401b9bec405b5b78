//! The kernels of the sampler: the SIMD body and the portable one give the same bits. (Natively both are the same code;
//! in Chromium they are not.)

use logit_lab_engine::model::kernels::exp::{self, exponentials, sum_of_exponentials};
use logit_lab_engine::model::kernels::scan;

use crate::stand_in::noise_values;

/// Lengths around the sizes in which the kernels work, and a vocabulary.
const LENGTHS: [usize; 14] = [0, 1, 3, 4, 5, 15, 16, 17, 31, 32, 33, 127, 1003, 50_304];

/// Values with ties, both zeros and banned tokens among them.
fn values(length: usize) -> Vec<f32> {
    let mut values = noise_values(length as u64, length, 2.0);
    for (index, value) in values.iter_mut().enumerate() {
        match index % 11 {
            3 => *value = f32::NEG_INFINITY,
            5 => *value = 0.0,
            7 => *value = -0.0,
            9 => *value = value.round(),
            _ => {}
        }
    }
    values
}

pub fn exponentials_have_the_bits_of_the_portable_twin() {
    let ends =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1e-40, f32::MAX, f32::MIN, 88.7, -87.3];
    // Bit patterns over the whole range of f32, both signs.
    let mut all: Vec<f32> = (0..=u32::MAX).step_by(65_537).map(f32::from_bits).collect();
    all.extend(ends);
    for (top, scale) in [(0.0, 1.0), (3.5, 1.25), (-1e30, 1e-8)] {
        let (mut found, mut twin, mut single) = (Vec::new(), Vec::new(), Vec::new());
        exponentials(&all, top, scale, &mut found);
        exp::portable::exponentials(&all, top, scale, &mut twin);
        single.extend(all.iter().map(|value| exp::exp((value - top) * scale)));
        assert_eq!(found.len(), all.len());
        for (index, value) in all.iter().enumerate() {
            let (found, twin, single) = (found[index], twin[index], single[index]);
            // Which bits a NaN has is up to the machine.
            let same = found.to_bits() == twin.to_bits() || (found.is_nan() && twin.is_nan());
            assert!(same, "exp(({value} - {top}) * {scale}): {found} and {twin}");
            assert!(twin.to_bits() == single.to_bits() || twin.is_nan() && single.is_nan());
        }
    }
}

pub fn sums_of_exponentials_have_the_bits_of_the_portable_twin() {
    for length in LENGTHS {
        let values = values(length);
        let top = scan::largest(&values).unwrap_or(0.0);
        for scale in [1.0, 0.3, 7.0, f32::MAX] {
            let found = sum_of_exponentials(&values, top, scale);
            let twin = exp::portable::sum_of_exponentials(&values, top, scale);
            assert_eq!(found.to_bits(), twin.to_bits(), "{length} values, scale {scale}");
        }
    }
}

pub fn lane_maxima_and_the_first_largest_are_those_of_a_plain_search() {
    for length in LENGTHS {
        let values = values(length);
        let (mut found, mut twin) = (Vec::new(), Vec::new());
        scan::lane_maxima(&values, &mut found);
        scan::portable::lane_maxima(&values, &mut twin);
        assert_eq!(bits(&found), bits(&twin), "{length} values");
        let largest = values.iter().copied().reduce(f32::max);
        assert_eq!(scan::largest(&values), largest);
        let first = largest.and_then(|largest| values.iter().position(|value| *value == largest));
        assert_eq!(scan::first_largest(&values, &found), first, "{length} values");
    }
}

fn bits(maxima: &[[f32; 4]]) -> Vec<u32> {
    maxima.as_flattened().iter().map(|value| value.to_bits()).collect()
}

pub fn a_band_has_every_value_from_its_lower_to_below_its_upper_end() {
    for length in LENGTHS {
        let values = values(length);
        let mut maxima = Vec::new();
        scan::lane_maxima(&values, &mut maxima);
        let ends = [f32::INFINITY, 9.0, 2.0, 0.0, -0.0, -1.0, f32::NEG_INFINITY];
        for pair in ends.windows(2) {
            let (least, end) = (pair[1], pair[0]);
            let (mut found, mut twin) = (Vec::new(), Vec::new());
            let bits = |index: u32, value: f32| (index, value.to_bits());
            scan::for_each_in_band(&values, &maxima, least, end, |i, value| found.push(bits(i, value)));
            scan::portable::for_each_in_band(&values, &maxima, least, end, |i, value| {
                twin.push(bits(i, value))
            });
            let wanted = |entry: &(u32, f32)| entry.1 >= least && entry.1 < end;
            let expected: Vec<_> =
                (0u32..).zip(values.iter().copied()).filter(wanted).map(|(i, v)| bits(i, v)).collect();
            assert_eq!(found, expected, "{length} values from {least} to {end}");
            assert_eq!(twin, expected);
        }
    }
}

pub fn one_value_that_is_not_finite_is_found_wherever_it_stands() {
    for length in [1, 4, 5, 33, 130] {
        let finite = noise_values(1, length, 1e37);
        assert!(scan::all_finite(&finite));
        for index in 0..length {
            for fault in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut values = finite.clone();
                values[index] = fault;
                assert!(!scan::all_finite(&values), "{fault} at {index} of {length}");
                assert!(!scan::portable::all_finite(&values));
            }
        }
    }
}

pub fn one_bit_that_differs_is_found_wherever_it_stands() {
    let values = noise_values(2, 133, 1.0);
    assert!(scan::same_bits(&values, &values.clone()));
    assert!(!scan::same_bits(&values, &values[..132]));
    assert!(!scan::same_bits(&[0.0], &[-0.0]));
    for index in 0..values.len() {
        let mut other = values.clone();
        other[index] = f32::from_bits(other[index].to_bits() ^ 1);
        assert!(!scan::same_bits(&values, &other), "at {index}");
    }
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! sampler_kernel_checks {
    ($test:meta) => {
        $crate::checks!($test, sampler_kernels:
            exponentials_have_the_bits_of_the_portable_twin,
            sums_of_exponentials_have_the_bits_of_the_portable_twin,
            lane_maxima_and_the_first_largest_are_those_of_a_plain_search,
            a_band_has_every_value_from_its_lower_to_below_its_upper_end,
            one_value_that_is_not_finite_is_found_wherever_it_stands,
            one_bit_that_differs_is_found_wherever_it_stands,
        );
    };
}
