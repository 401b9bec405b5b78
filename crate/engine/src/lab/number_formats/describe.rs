//! One number in every format: its bits, what they stand for, and how far that is from the number.

use super::{CodeFormat, FLOAT_FORMATS, FP16, FP32, FloatFormat, Specials};
use crate::error::{EngineError, Result};

/// A number as each format stores it.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberDescription {
    /// The number that was asked about, as f64 has it.
    pub value: f64,
    /// The floating-point formats, then those with a scale.
    pub formats: Vec<StoredNumber>,
    /// What the formats with a scale share: the largest number under it.
    pub largest_of_scale: f64,
    /// The number saved as FP16 and widened to FP32 again.
    pub round_trip: RoundTrip,
}

/// A number as one format stores it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredNumber {
    /// Name of the format.
    pub format: &'static str,
    /// The bits, from the left, by what they mean.
    pub fields: Vec<BitField>,
    /// What became of the number.
    pub kind: Kind,
    /// What the bits stand for; with a scale, that times the scale.
    pub value: f64,
    /// The stored value less the number; infinite or NaN where the stored value is.
    pub error: f64,
    /// The error against the size of the number; `None` at 0.
    pub relative_error: Option<f64>,
    /// From the stored value to the next larger in size; `None` where it is no finite number.
    pub spacing: Option<f64>,
    /// The same as a power of two, where it is one.
    pub spacing_exponent: Option<i32>,
    /// The largest finite value; with a scale, under it.
    pub largest: f64,
    /// What becomes of larger ones.
    pub overflow: String,
    /// Only without a scale.
    pub float: Option<FloatFacts>,
    /// Only with one.
    pub scale: Option<f64>,
}

/// Bits with one meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitField {
    /// "sign", "exponent", "fraction" or "code".
    pub name: &'static str,
    /// As `0` and `1`, the highest first.
    pub bits: String,
}

/// What is true of a floating-point format whatever the number, and of this pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatFacts {
    /// The stored exponent.
    pub exponent_field: u32,
    /// What is taken off it.
    pub bias: i32,
    /// Spacing of the numbers from 1 to below 2, as a power of two.
    pub spacing_from_one_exponent: i32,
    /// Smallest normal number, as a power of two.
    pub smallest_normal_exponent: i32,
    /// Smallest number above 0, as a power of two.
    pub smallest_subnormal_exponent: i32,
}

/// What became of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// With a leading one.
    Normal,
    /// Below the smallest normal number: without a leading one, so with fewer digits.
    Subnormal,
    /// 0, or rounded to it.
    Zero,
    /// Too large, or infinite.
    Infinite,
    /// No number, or too large for a format without infinity.
    NotANumber,
    /// A code, within the range of its scale.
    Code,
    /// Too large for its scale: the last code.
    Clipped,
}

/// A number saved as FP16 and loaded as FP32.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundTrip {
    /// As the number itself would be stored in FP32.
    pub direct: StoredNumber,
    /// As FP16.
    pub saved: StoredNumber,
    /// FP32 with what FP16 stored: the same value, and its error is the number's against it.
    pub widened: StoredNumber,
    /// Whether narrowing it again gives the bits that were saved.
    pub narrows_back: bool,
}

/// Describes a number; `largest_of_scale` is the largest number that shares a scale with it.
///
/// Errors: a `largest_of_scale` that is no number above 0, or one too small or large for a scale in FP32.
pub fn describe(value: f64, largest_of_scale: f64) -> Result<NumberDescription> {
    let fault = || EngineError::Settings {
        name: "largest",
        expected: "a number above 0 that can be divided into a scale in FP32".into(),
        found: largest_of_scale.to_string(),
    };
    let floats = FLOAT_FORMATS.iter().map(|format| as_float(*format, value));
    let mut formats: Vec<StoredNumber> = floats.collect();
    for format in [CodeFormat::Int8, CodeFormat::Int4, CodeFormat::Nf4] {
        let scale = FP32.round(largest_of_scale / format.largest());
        if !scale.is_finite() || scale <= 0.0 {
            return Err(fault());
        }
        formats.push(as_code(format, value, scale));
    }
    Ok(NumberDescription { value, formats, largest_of_scale, round_trip: round_trip(value) })
}

fn round_trip(value: f64) -> RoundTrip {
    let saved = as_float(FP16, value);
    let widened_code = FP32.encode(saved.value);
    let widened = of_pattern(FP32, widened_code, value);
    let narrows_back = FP16.encode(FP32.decode(widened_code)) == FP16.encode(value);
    RoundTrip { direct: as_float(FP32, value), saved, widened, narrows_back }
}

fn as_float(format: FloatFormat, value: f64) -> StoredNumber {
    of_pattern(format, format.encode(value), value)
}

/// A pattern, and how far what it stands for is from `number`.
fn of_pattern(format: FloatFormat, code: u32, number: f64) -> StoredNumber {
    let value = format.decode(code);
    let exponent_field = format.exponent_field(code);
    let kind = if value.is_nan() {
        Kind::NotANumber
    } else if value.is_infinite() {
        Kind::Infinite
    } else if value == 0.0 {
        Kind::Zero
    } else if exponent_field == 0 {
        Kind::Subnormal
    } else {
        Kind::Normal
    };
    let spacing_exponent = value.is_finite().then(|| format.step_exponent(code));
    StoredNumber {
        format: format.name,
        fields: vec![
            field("sign", format.sign_field(code), 1),
            field("exponent", exponent_field, format.exponent_bits),
            field("fraction", format.fraction_field(code), format.fraction_bits),
        ],
        kind,
        value,
        error: error(value, number),
        relative_error: relative(value, number),
        spacing: spacing_exponent.map(|exponent| libm::scalbn(1.0, exponent)),
        spacing_exponent,
        largest: format.largest(),
        overflow: overflow(format),
        float: Some(FloatFacts {
            exponent_field,
            bias: format.bias(),
            spacing_from_one_exponent: -(format.fraction_bits as i32),
            smallest_normal_exponent: format.smallest_normal_exponent(),
            smallest_subnormal_exponent: format.smallest_subnormal_exponent(),
        }),
        scale: None,
    }
}

fn as_code(format: CodeFormat, number: f64, scale: f64) -> StoredNumber {
    let largest = format.largest() * scale;
    let overflow = "the last code, which stands for the largest".to_owned();
    // A code has no pattern for what is no number.
    let coded = (!number.is_nan()).then(|| format.nearest(number / scale));
    let (kind, value) = match coded {
        None => (Kind::NotANumber, f64::NAN),
        Some(coded) => {
            // More than half a step beyond the last code.
            let clipped = (number / scale).abs() > format.largest() + coded.step / 2.0;
            (if clipped { Kind::Clipped } else { Kind::Code }, coded.value * scale)
        }
    };
    StoredNumber {
        format: format.name(),
        fields: coded.map(|coded| field("code", coded.code, format.bits())).into_iter().collect(),
        kind,
        value,
        error: error(value, number),
        relative_error: relative(value, number),
        spacing: coded.map(|coded| coded.step * scale),
        spacing_exponent: None,
        largest,
        overflow,
        float: None,
        scale: Some(scale),
    }
}

fn field(name: &'static str, value: u32, bits: u32) -> BitField {
    BitField { name, bits: format!("{value:0width$b}", width = bits as usize) }
}

/// Equal infinities are no error.
fn error(stored: f64, number: f64) -> f64 {
    if stored == number { 0.0 } else { stored - number }
}

fn relative(stored: f64, number: f64) -> Option<f64> {
    (number != 0.0 && number.is_finite()).then(|| (error(stored, number) / number).abs())
}

fn overflow(format: FloatFormat) -> String {
    let (threshold, still_finite) = format.overflow_threshold();
    let from = if still_finite { "above" } else { "from" };
    let threshold = if threshold < 1e9 {
        threshold.to_string()
    } else {
        format!("{threshold:e}").replace('e', " × 10^")
    };
    match format.specials {
        Specials::InfinityAndNan => format!("infinity, {from} {threshold}"),
        Specials::OneNan => format!(
            "NaN, {from} {threshold}, as there is no infinity; a conversion that saturates stores {} instead",
            format.largest()
        ),
    }
}
