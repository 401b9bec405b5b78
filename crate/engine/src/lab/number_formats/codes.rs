//! Formats that need a scale: a stored code names one of a few values between -1 and 1 times the largest, and a scale, one
//! for many numbers, says how large that is.

use super::{E4M3, E5M2, FloatFormat};

/// The sixteen values of NF4, ascending: quantiles of a normal distribution, scaled to -1 to 1, with an exact 0. From
/// Dettmers et al., "QLoRA: Efficient Finetuning of Quantized LLMs", 2023, appendix E.
pub const NF4: [f64; 16] = [
    -1.0,
    -0.696_192_800_998_687_7,
    -0.525_073_051_452_636_7,
    -0.394_917_488_098_144_53,
    -0.284_441_381_692_886_35,
    -0.184_773_430_228_233_34,
    -0.091_050_036_251_544_95,
    0.0,
    0.079_580_299_556_255_34,
    0.160_930_201_411_247_25,
    0.246_112_301_945_686_34,
    0.337_915_241_718_292_24,
    0.440_709_829_330_444_34,
    0.562_617_003_917_694_1,
    0.722_956_836_223_602_3,
    1.0,
];

/// How a number that has been divided by its scale is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeFormat {
    /// Whole numbers from -127 to 127. The same steps everywhere.
    Int8,
    /// Whole numbers from -7 to 7. The same steps everywhere.
    Int4,
    /// The code book [`NF4`]: fine steps near 0, where most weights are.
    Nf4,
    /// The numbers of FP8 E4M3.
    E4M3,
    /// The numbers of FP8 E5M2.
    E5M2,
}

/// The nearest value that a code can name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coded {
    /// The stored bits, the lowest ones of the number.
    pub code: u32,
    /// What they stand for, before the scale.
    pub value: f64,
    /// From that value to the next larger in size, before the scale; at the largest, from the one before.
    pub step: f64,
}

impl CodeFormat {
    /// Every one.
    pub const ALL: [Self; 5] = [Self::Int8, Self::Int4, Self::Nf4, Self::E4M3, Self::E5M2];

    /// Reads a name as it stands on the wire and on the command line.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.id() == name)
    }

    /// The name that [`CodeFormat::parse`] reads.
    pub fn id(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::Int4 => "int4",
            Self::Nf4 => "nf4",
            Self::E4M3 => "e4m3",
            Self::E5M2 => "e5m2",
        }
    }

    /// As the lesson calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int8 => "INT8",
            Self::Int4 => "INT4",
            Self::Nf4 => "NF4",
            Self::E4M3 => E4M3.name,
            Self::E5M2 => E5M2.name,
        }
    }

    /// Bits of a code.
    pub fn bits(self) -> u32 {
        match self {
            Self::Int4 | Self::Nf4 => 4,
            Self::Int8 | Self::E4M3 | Self::E5M2 => 8,
        }
    }

    /// The largest value that a code names. A scale is the largest number that shares it, divided by this.
    pub fn largest(self) -> f64 {
        match self {
            Self::Int8 => 127.0,
            Self::Int4 => 7.0,
            Self::Nf4 => 1.0,
            Self::E4M3 => E4M3.largest(),
            Self::E5M2 => E5M2.largest(),
        }
    }

    /// Every value that a code of 4 bits names, divided by the largest, ascending; none for the other formats, which have
    /// too many to look at.
    pub fn code_book(self) -> Vec<f64> {
        match self {
            Self::Int4 => (-7..=7).map(|code| f64::from(code) / 7.0).collect(),
            Self::Nf4 => NF4.to_vec(),
            Self::Int8 | Self::E4M3 | Self::E5M2 => Vec::new(),
        }
    }

    /// The code nearest to a finite number that has been divided by its scale. What is too large gets the last code.
    pub fn nearest(self, scaled: f64) -> Coded {
        match self {
            Self::Int8 | Self::Int4 => {
                let largest = self.largest();
                let whole = scaled.round_ties_even().clamp(-largest, largest) + 0.0;
                // Two's complement in as many bits as there are.
                let code = (whole as i32 as u32) & ((1 << self.bits()) - 1);
                Coded { code, value: whole, step: 1.0 }
            }
            Self::Nf4 => nearest_of_book(scaled),
            Self::E4M3 => nearest_float(E4M3, scaled),
            Self::E5M2 => nearest_float(E5M2, scaled),
        }
    }
}

fn nearest_of_book(scaled: f64) -> Coded {
    let mut best = (0, f64::INFINITY);
    for (index, value) in NF4.iter().enumerate() {
        let distance = (scaled - value).abs();
        if distance < best.1 {
            best = (index, distance);
        }
    }
    let at = |index: usize| NF4.get(index).copied().unwrap_or_default();
    let index = best.0;
    let step = if at(index) < 0.0 {
        if index == 0 { at(1) - at(0) } else { at(index) - at(index - 1) }
    } else if index + 1 < NF4.len() {
        at(index + 1) - at(index)
    } else {
        at(index) - at(index - 1)
    };
    Coded { code: index as u32, value: at(index), step }
}

fn nearest_float(format: FloatFormat, scaled: f64) -> Coded {
    let code = format.encode_saturating(scaled);
    Coded { code, value: format.decode(code), step: libm::scalbn(1.0, format.step_exponent(code)) }
}
