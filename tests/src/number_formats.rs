//! Checks of the number formats: against `half`, against casts of the language, against the tables of the specifications,
//! and, where a format has few patterns, against a search through all of them.

use half::{bf16, f16};
use logit_lab_engine::lab::number_formats::codes::Coded;
use logit_lab_engine::lab::number_formats::{
    BF16, CodeFormat, E4M3, E5M2, FLOAT_FORMATS, FP16, FP32, FloatFormat, Kind, NF4, describe,
};
use logit_lab_engine::model::kernels::{half as kernel_half, int8};

fn same(a: f64, b: f64) -> bool {
    a == b && a.is_sign_negative() == b.is_sign_negative() || a.is_nan() && b.is_nan()
}

/// Finite numbers of a format with 8 bits, with their patterns, by value.
fn finite(format: FloatFormat) -> Vec<(f64, u32)> {
    let mut all: Vec<(f64, u32)> =
        (0..256).map(|code| (format.decode(code), code)).filter(|(value, _)| value.is_finite()).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

pub fn the_fp8_formats_are_those_of_the_specification() {
    // OCP 8-bit Floating Point Specification, table 1.
    assert_eq!((E4M3.bias(), E5M2.bias()), (7, 15));
    assert_eq!((E4M3.decode(0x7e), E5M2.decode(0x7b)), (448.0, 57_344.0));
    assert_eq!((E4M3.decode(0x08), E5M2.decode(0x04)), (2f64.powi(-6), 2f64.powi(-14)));
    assert_eq!((E4M3.decode(0x01), E5M2.decode(0x01)), (2f64.powi(-9), 2f64.powi(-16)));
    assert_eq!((E4M3.decode(0x07), E5M2.decode(0x03)), (0.875 * 2f64.powi(-6), 0.75 * 2f64.powi(-14)));
    let nans = |format: FloatFormat| (0..256u32).filter(move |code| format.decode(*code).is_nan());
    assert_eq!(nans(E4M3).collect::<Vec<_>>(), [0x7f, 0xff]);
    assert_eq!(nans(E5M2).collect::<Vec<_>>(), [0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff]);
    let infinite = |format: FloatFormat| (0..256u32).filter(move |code| format.decode(*code).is_infinite());
    assert_eq!(infinite(E4M3).count(), 0);
    assert_eq!(infinite(E5M2).collect::<Vec<_>>(), [0x7c, 0xfc]);
}

pub fn every_fp8_pattern_is_read_back_and_everything_between_goes_to_the_nearest() {
    for format in [E4M3, E5M2] {
        let all = finite(format);
        for code in 0..256 {
            let value = format.decode(code);
            if value.is_nan() {
                assert!(format.decode(format.encode(value)).is_nan());
            } else {
                assert_eq!(format.encode(value), code, "{} {code:#x}", format.name);
            }
        }
        for pair in all.windows(2) {
            let [(low, low_code), (high, high_code)] = [pair[0], pair[1]];
            // +0 and -0 are two patterns of one value.
            if low == high {
                continue;
            }
            let middle = (low + high) / 2.0;
            let even = if low_code & 1 == 0 { low } else { high };
            assert_eq!(format.round(middle), even, "{} between {low} and {high}", format.name);
            assert_eq!(format.round(middle.next_down()), low);
            assert_eq!(format.round(middle.next_up()), high);
            assert_ne!(low_code & 1, high_code & 1, "neighbours take turns in being even");
        }
    }
}

pub fn what_is_too_large_for_fp8_overflows_or_saturates_as_each_format_says() {
    // Halfway to what would be 480 is a tie, and 448 is the even one; halfway to 65,536 is a tie that 57,344 loses.
    assert_eq!(E4M3.overflow_threshold(), (464.0, true));
    assert_eq!(E5M2.overflow_threshold(), (61_440.0, false));
    assert_eq!(E4M3.round(464.0), 448.0);
    assert!(E4M3.round(464f64.next_up()).is_nan() && E4M3.round(-1e300).is_nan());
    assert_eq!(E5M2.round(61_440f64.next_down()), 57_344.0);
    assert_eq!(E5M2.round(-61_440.0), f64::NEG_INFINITY);
    for (format, largest) in [(E4M3, 448.0), (E5M2, 57_344.0)] {
        for value in [largest * 1.5, 1e300, f64::INFINITY] {
            assert_eq!(format.decode(format.encode_saturating(value)), largest);
            assert_eq!(format.decode(format.encode_saturating(-value)), -largest);
        }
        assert!(format.decode(format.encode_saturating(f64::NAN)).is_nan());
    }
    assert_eq!((FP16.overflow_threshold(), FP16.largest()), ((65_520.0, false), 65_504.0));
}

pub fn every_16_bit_pattern_is_the_number_that_half_reads() {
    for bits in 0..=u16::MAX {
        let code = u32::from(bits);
        let [as_f16, as_bf16] = [f16::from_bits(bits).to_f64(), bf16::from_bits(bits).to_f64()];
        assert!(same(FP16.decode(code), as_f16), "FP16 {bits:#x}");
        assert!(same(FP16.decode(code), f64::from(kernel_half::from_f16(bits))), "the kernel's, {bits:#x}");
        assert!(same(BF16.decode(code), as_bf16), "BF16 {bits:#x}");
        if !as_f16.is_nan() {
            assert_eq!(FP16.encode(as_f16), code);
        }
        if !as_bf16.is_nan() {
            assert_eq!(BF16.encode(as_bf16), code);
        }
    }
}

/// f32 of all sizes, with the middles between neighbours of F16 and what is beside them.
fn trying() -> Vec<f32> {
    let mut word = 12_345_u32;
    let mut values: Vec<f32> = (0..200_000)
        .map(|_| {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(word)
        })
        .collect();
    for bits in 0..0x7c00_u16 {
        let (low, high) = (f16::from_bits(bits).to_f32(), f16::from_bits(bits + 1).to_f32());
        let middle = if high.is_finite() { (low + high) / 2.0 } else { 65_520.0 };
        values.extend([middle, middle.next_up(), middle.next_down(), -middle]);
    }
    values.extend([0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE, 1e-45]);
    values
}

pub fn rounding_to_16_bits_is_that_of_half_and_of_the_kernels() {
    for value in trying() {
        let wide = f64::from(value);
        if value.is_nan() {
            assert!(FP16.round(wide).is_nan() && BF16.round(wide).is_nan());
            continue;
        }
        assert_eq!(FP16.encode(wide), u32::from(f16::from_f32(value).to_bits()), "{value:e}");
        assert_eq!(FP16.encode(wide), u32::from(kernel_half::to_f16(value)), "{value:e}");
        assert_eq!(BF16.encode(wide), u32::from(bf16::from_f32(value).to_bits()), "{value:e}");
        assert_eq!(FP32.encode(wide), value.to_bits(), "{value:e}");
    }
}

pub fn rounding_to_fp32_is_that_of_a_cast() {
    let mut word = 88_172_645_463_325_252_u64;
    for _ in 0..300_000 {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        // Exponents around those of f32, subnormal ones included.
        let exponent = 1023 - 160 + word % 300;
        let value = f64::from_bits(word & (1 << 63) | exponent << 52 | word >> 12);
        assert_eq!(FP32.encode(value), (value as f32).to_bits(), "{value:e}");
    }
    for value in [f64::MIN_POSITIVE, 5e-324, f64::MAX, -f64::MAX] {
        assert_eq!(FP32.encode(value), (value as f32).to_bits(), "{value:e}");
    }
}

pub fn spacings_and_ends_are_those_of_the_lesson() {
    let at_one: Vec<i32> =
        FLOAT_FORMATS.iter().map(|format| format.step_exponent(format.encode(1.0))).collect();
    assert_eq!(at_one, [-23, -10, -7, -3, -2]);
    assert_eq!(FP16.decode(FP16.encode(1.0) + 1) - 1.0, 1.0 / 1024.0);
    assert_eq!(BF16.decode(BF16.encode(1.0) + 1) - 1.0, 1.0 / 128.0);
    assert_eq!(FP32.largest(), f64::from(f32::MAX));
    assert_eq!((FP16.smallest_normal_exponent(), FP16.smallest_subnormal_exponent()), (-14, -24));
    assert_eq!((FP32.smallest_normal_exponent(), FP32.smallest_subnormal_exponent()), (-126, -149));
    assert_eq!(BF16.smallest_subnormal_exponent(), -133);
}

pub fn nf4_are_the_quantiles_of_a_normal_distribution() {
    // As the paper makes them: quantiles at equal steps on both sides of 0, one more above it, divided by the largest.
    let quantile = |p: f64| {
        let (mut low, mut high) = (-10.0, 10.0);
        for _ in 0..200 {
            let middle: f64 = (low + high) / 2.0;
            let below = 0.5 * libm::erfc(-middle / 2f64.sqrt());
            *(if below < p { &mut low } else { &mut high }) = middle;
        }
        low
    };
    let offset = 0.5 * ((1.0 - 1.0 / 32.0) + (1.0 - 1.0 / 30.0));
    let side = |count: i32| {
        (0..count)
            .map(move |n| offset + (0.5 - offset) * f64::from(n) / f64::from(count))
            .map(quantile)
            .collect::<Vec<f64>>()
    };
    let (above, below) = (side(8), side(7));
    let mut book: Vec<f64> = below.iter().map(|value| -value).chain([0.0]).chain(above).collect();
    let largest = book.iter().copied().fold(0.0, f64::max);
    book.iter_mut().for_each(|value| *value /= largest);
    book.sort_by(f64::total_cmp);
    assert_eq!(book.len(), 16);
    for (found, expected) in NF4.iter().zip(&book) {
        assert!((found - expected).abs() < 2e-6, "{found} instead of {expected}");
    }
}

pub fn a_code_is_the_nearest_of_all_that_there_are() {
    let mut numbers: Vec<f64> = (-3000..3000).map(|n| f64::from(n) / 997.0).collect();
    numbers.extend([0.0, -0.0, 1.0, -1.0, 200.0, -200.0, 1e9]);
    for format in CodeFormat::ALL {
        let values: Vec<f64> = match format {
            CodeFormat::Int8 => (-127..=127).map(f64::from).collect(),
            CodeFormat::Int4 => (-7..=7).map(f64::from).collect(),
            CodeFormat::Nf4 => NF4.to_vec(),
            CodeFormat::E4M3 => finite(E4M3).into_iter().map(|(value, _)| value).collect(),
            CodeFormat::E5M2 => finite(E5M2).into_iter().map(|(value, _)| value).collect(),
        };
        for number in &numbers {
            let Coded { code, value, step } = format.nearest(*number);
            let distance = values.iter().map(|value| (value - number).abs()).fold(f64::INFINITY, f64::min);
            assert_eq!((value - number).abs(), distance, "{} of {number}", format.id());
            assert!(step > 0.0 && code < 1 << format.bits());
        }
        assert_eq!(CodeFormat::parse(format.id()), Some(format));
        for value in format.code_book() {
            assert_eq!(format.nearest(value * format.largest()).value, value * format.largest());
        }
        assert_eq!(values.iter().copied().fold(0.0, f64::max), format.largest());
    }
    assert_eq!(CodeFormat::parse("fp4"), None);
    assert_eq!(CodeFormat::Int4.nearest(-3.0).code, 0b1101, "two's complement in four bits");
    assert_eq!(CodeFormat::Int8.nearest(-1.0).code, 0xff);
}

pub fn a_described_number_is_in_int8_what_the_kernel_stores() {
    for value in [0.3, -0.77, 1e-3, 0.9999, 0.0] {
        let described = describe(value, 1.5).unwrap();
        let stored = described.formats.iter().find(|stored| stored.format == "INT8").unwrap();
        let rows = int8::quantise(&[value as f32, 1.5], 2);
        assert_eq!(stored.scale, Some(f64::from(rows.scales[0])));
        assert_eq!(stored.value, f64::from(rows.codes[0]) * f64::from(rows.scales[0]), "{value}");
        assert_eq!(stored.fields[0].bits, format!("{:08b}", rows.codes[0]));
    }
}

pub fn a_number_is_described_in_every_format() {
    let tenth = describe(0.1, 1.0).unwrap();
    let names: Vec<&str> = tenth.formats.iter().map(|stored| stored.format).collect();
    assert_eq!(names, ["FP32", "FP16", "BF16", "FP8 E4M3", "FP8 E5M2", "INT8", "INT4", "NF4"]);
    let bits = |n: usize| tenth.formats[n].fields.iter().map(|field| field.bits.as_str()).collect::<Vec<_>>();
    assert_eq!(bits(0), ["0", "01111011", "10011001100110011001101"]);
    assert_eq!(bits(1), ["0", "01011", "1001100110"]);
    assert_eq!(bits(3), ["0", "0011", "101"]);
    assert_eq!(tenth.formats[0].value, f64::from(0.1f32));
    assert_eq!(tenth.formats[3].value, 0.1015625);
    assert_eq!(tenth.formats[1].error, f16::from_f64(0.1).to_f64() - 0.1);
    assert_eq!(tenth.formats[7].value, f64::from(1f32) * NF4[8]);
    for stored in &tenth.formats {
        let length: usize = stored.fields.iter().map(|field| field.bits.len()).sum();
        let expected = match stored.format {
            "FP32" => 32,
            "FP16" | "BF16" => 16,
            "INT4" | "NF4" => 4,
            _ => 8,
        };
        assert_eq!(length, expected, "{}", stored.format);
    }
    let kinds = |value: f64| {
        let described = describe(value, 1.0).unwrap();
        described.formats.iter().map(|stored| stored.kind).collect::<Vec<_>>()
    };
    use Kind::*;
    assert_eq!(kinds(1e5), [Normal, Infinite, Normal, NotANumber, Infinite, Clipped, Clipped, Clipped]);
    assert_eq!(kinds(1e-5), [Normal, Subnormal, Normal, Zero, Subnormal, Code, Code, Code]);
    assert_eq!(kinds(f64::NAN)[5], NotANumber);
    assert!(describe(1.0, 0.0).is_err() && describe(1.0, f64::NAN).is_err() && describe(1.0, 1e300).is_err());
}

pub fn what_fp16_lost_does_not_come_back_in_fp32() {
    let trip = describe(0.1, 1.0).unwrap().round_trip;
    assert_eq!(trip.widened.value, trip.saved.value, "widening is exact");
    assert_ne!(trip.widened.fields, trip.direct.fields, "and what was lost stays lost");
    assert!(trip.widened.fields[2].bits.ends_with("0000000000000"), "{:?}", trip.widened.fields);
    assert!(trip.narrows_back);
    assert!(trip.widened.error.abs() > 1000.0 * trip.direct.error.abs());
    // What FP16 holds loses nothing.
    let half = describe(0.5, 1.0).unwrap().round_trip;
    assert_eq!((half.widened.error, &half.widened.fields), (0.0, &half.direct.fields));
    // Subnormal FP16 is normal FP32; too large stays infinite.
    assert!(describe(6e-8, 1.0).unwrap().round_trip.widened.kind == Kind::Normal);
    let large = describe(1e6, 1.0).unwrap().round_trip;
    assert_eq!((large.widened.kind, large.narrows_back), (Kind::Infinite, true));
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! number_formats_checks {
    ($test:meta) => {
        $crate::checks!($test, number_formats:
            the_fp8_formats_are_those_of_the_specification,
            every_fp8_pattern_is_read_back_and_everything_between_goes_to_the_nearest,
            what_is_too_large_for_fp8_overflows_or_saturates_as_each_format_says,
            every_16_bit_pattern_is_the_number_that_half_reads,
            rounding_to_16_bits_is_that_of_half_and_of_the_kernels,
            rounding_to_fp32_is_that_of_a_cast,
            spacings_and_ends_are_those_of_the_lesson,
            nf4_are_the_quantiles_of_a_normal_distribution,
            a_code_is_the_nearest_of_all_that_there_are,
            a_described_number_is_in_int8_what_the_kernel_stores,
            a_number_is_described_in_every_format,
            what_fp16_lost_does_not_come_back_in_fp32,
        );
    };
}
