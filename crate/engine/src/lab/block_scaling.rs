//! One scale for a whole list of numbers against a scale for each block of it, and the bytes that packed weights take.

use super::number_formats::{BF16, CodeFormat};
use crate::error::{EngineError, Result};

/// Numbers of one list.
pub const MOST_NUMBERS: usize = 256;

/// A list quantised twice.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockScaling {
    /// The numbers as given.
    pub values: Vec<f64>,
    /// One scale for all of them.
    pub whole: Quantised,
    /// A scale for each block.
    pub blocks: Quantised,
}

/// A list as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantised {
    /// Numbers that share a scale.
    pub block_size: usize,
    /// One for each block, in BF16.
    pub scales: Vec<f64>,
    /// Stored bits of each number.
    pub codes: Vec<u32>,
    /// What they stand for, times their scale.
    pub values: Vec<f64>,
    /// What was stored less what was given.
    pub errors: Vec<f64>,
    /// The largest of them in size.
    pub largest_error: f64,
    /// Their root mean square.
    pub rms_error: f64,
    /// Numbers that are not 0 and became 0.
    pub lost: usize,
    /// Bytes of the codes and of the scales.
    pub bytes: PackedBytes,
}

/// Quantises `values` with one scale and with a scale for each `block_size` of them. The scale is the largest number under
/// it divided by the largest value of a code, rounded to BF16, which takes two bytes.
///
/// Errors: no number or more than [`MOST_NUMBERS`], one that is not finite, a block of none.
pub fn quantise(values: Vec<f64>, block_size: usize, format: CodeFormat) -> Result<BlockScaling> {
    let fault = |name, expected: String, found: String| Err(EngineError::Settings { name, expected, found });
    if values.is_empty() || values.len() > MOST_NUMBERS {
        return fault("values", format!("1 to {MOST_NUMBERS} numbers"), values.len().to_string());
    }
    // Beyond 1e30 a scale could leave the range of its format.
    if let Some(wrong) = values.iter().find(|value| value.is_nan() || value.abs() > 1e30) {
        return fault("values", "finite numbers of at most 1e30".into(), wrong.to_string());
    }
    if block_size == 0 {
        return fault("block_size", "at least 1 number in a block".into(), "0".into());
    }
    let whole = quantised(&values, values.len(), format);
    let blocks = quantised(&values, block_size.min(values.len()), format);
    Ok(BlockScaling { values, whole, blocks })
}

fn quantised(given: &[f64], block_size: usize, format: CodeFormat) -> Quantised {
    let (mut scales, mut codes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for block in given.chunks(block_size) {
        let largest = block.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let scale = BF16.round(largest / format.largest());
        scales.push(scale);
        for value in block {
            // A block of zeros has the scale 0.
            let coded = format.nearest(if scale > 0.0 { value / scale } else { 0.0 });
            codes.push(coded.code);
            values.push(coded.value * scale);
        }
    }
    let errors: Vec<f64> = given.iter().zip(&values).map(|(given, stored)| stored - given).collect();
    let squares: f64 = errors.iter().map(|error| error * error).sum();
    let bytes = PackedBytes {
        code_bytes: (given.len() as u64 * u64::from(format.bits())).div_ceil(8),
        groups: scales.len() as u64,
        scale_bytes: scales.len() as u64 * 2,
    };
    Quantised {
        block_size,
        largest_error: errors.iter().fold(0.0, |largest: f64, error| largest.max(error.abs())),
        rms_error: (squares / given.len().max(1) as f64).sqrt(),
        lost: given.iter().zip(&values).filter(|(given, stored)| **given != 0.0 && **stored == 0.0).count(),
        scales,
        codes,
        values,
        errors,
        bytes,
    }
}

/// Bytes of packed weights, reckoned on paper: before alignment, metadata and any other tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedBytes {
    /// Of the codes.
    pub code_bytes: u64,
    /// Groups that share a scale; the last may be shorter.
    pub groups: u64,
    /// Of their scales.
    pub scale_bytes: u64,
}

impl PackedBytes {
    /// `weights` codes of `code_bits` each, side by side, and a scale of `scale_bytes` for each group of `group`.
    ///
    /// Errors: a code of no bits or more than 64, a group of none, and figures beyond 2^53, which a page could not show to
    /// the last byte.
    pub fn of(weights: u64, code_bits: u64, group: u64, scale_bytes: u64) -> Result<Self> {
        let fault = |name, expected: &str, found: u64| EngineError::Settings {
            name,
            expected: expected.to_owned(),
            found: found.to_string(),
        };
        if !(1..=64).contains(&code_bits) {
            return Err(fault("code_bits", "1 to 64 bits", code_bits));
        }
        if group == 0 {
            return Err(fault("group", "at least 1 weight in a group", group));
        }
        let exact = |bytes: Option<u64>| bytes.filter(|bytes| *bytes <= 1 << 53);
        let groups = weights.div_ceil(group);
        let of_codes = exact(weights.checked_mul(code_bits)).map(|bits| bits.div_ceil(8));
        let of_scales = exact(groups.checked_mul(scale_bytes));
        match (of_codes, of_scales) {
            (Some(code_bytes), Some(scale_bytes)) => Ok(Self { code_bytes, groups, scale_bytes }),
            _ => {
                Err(fault("weights", "so few that all bits and bytes can be counted: at most 2^53", weights))
            }
        }
    }

    /// All bytes.
    pub fn total_bytes(self) -> u64 {
        self.code_bytes + self.scale_bytes
    }
}

/// In MiB, 2^20 bytes: exact, as f64 divides by a power of two exactly.
pub fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
