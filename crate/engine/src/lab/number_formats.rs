//! Number formats, spelt out: which bits a number is stored in, which number that is, and what lies beside it.
//!
//! A format is its name and the lengths of its exponent and fraction; everything else follows. Encoding and decoding are
//! written for any of them and not fast: the kernels have conversions of their own, and the tests hold the two equal for
//! F16 and BF16.
//!
//! Sources: IEEE 754 for FP32 and FP16; BF16 is the upper half of an FP32; the two FP8 formats are those of the OCP 8-bit
//! Floating Point Specification (after Micikevicius et al., "FP8 Formats for Deep Learning", 2022).
//!
//! [`codes`] has the formats that need a scale, [`describe`](mod@describe) one number in all of them.

pub mod codes;
pub mod describe;

pub use codes::{CodeFormat, NF4};
pub use describe::{BitField, Kind, NumberDescription, StoredNumber, describe};

/// A floating-point format with one bit of sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatFormat {
    /// As the lesson calls it.
    pub name: &'static str,
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// Bits of the fraction that are stored; a normal number has a leading one besides.
    pub fraction_bits: u32,
    /// What the largest exponent means.
    pub specials: Specials,
}

/// What the patterns with the largest exponent mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Specials {
    /// Infinity where the fraction is 0, else no number (NaN): IEEE 754.
    InfinityAndNan,
    /// Numbers like any other, but for the one pattern whose exponent and fraction are all ones, which is NaN. There is no
    /// infinity.
    OneNan,
}

/// 32 bits, IEEE 754.
pub const FP32: FloatFormat = FloatFormat::ieee("FP32", 8, 23);
/// 16 bits, IEEE 754.
pub const FP16: FloatFormat = FloatFormat::ieee("FP16", 5, 10);
/// 16 bits, with the exponent of FP32.
pub const BF16: FloatFormat = FloatFormat::ieee("BF16", 8, 7);
/// 8 bits, the finer of the two OCP formats.
pub const E4M3: FloatFormat =
    FloatFormat { name: "FP8 E4M3", exponent_bits: 4, fraction_bits: 3, specials: Specials::OneNan };
/// 8 bits, the wider of the two OCP formats.
pub const E5M2: FloatFormat = FloatFormat::ieee("FP8 E5M2", 5, 2);

/// All of them, the most bits first.
pub const FLOAT_FORMATS: [FloatFormat; 5] = [FP32, FP16, BF16, E4M3, E5M2];

impl FloatFormat {
    const fn ieee(name: &'static str, exponent_bits: u32, fraction_bits: u32) -> Self {
        Self { name, exponent_bits, fraction_bits, specials: Specials::InfinityAndNan }
    }

    /// Bits in all.
    pub fn bits(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// What is added to an exponent to store it.
    pub fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Exponent of the smallest normal number.
    pub fn smallest_normal_exponent(self) -> i32 {
        1 - self.bias()
    }

    /// Exponent of the smallest number above 0, which is subnormal.
    pub fn smallest_subnormal_exponent(self) -> i32 {
        self.smallest_normal_exponent() - self.fraction_bits as i32
    }

    /// The largest finite number.
    pub fn largest(self) -> f64 {
        self.decode(self.largest_code())
    }

    /// The first number, in size, that is no longer rounded to the largest one, and whether it is itself still: halfway to
    /// the number that would come next, where a tie goes to the even neighbour.
    pub fn overflow_threshold(self) -> (f64, bool) {
        let code = self.largest_code();
        let exponent = self.step_exponent(code);
        let half_step = libm::scalbn(0.5, exponent);
        (self.decode(code) + half_step, code & 1 == 0)
    }

    /// The number that a pattern stands for; bits above the format's are not looked at. Exact.
    pub fn decode(self, code: u32) -> f64 {
        let magnitude = code & self.magnitude_mask();
        let sign = if code & self.sign_bit() == 0 { 1.0 } else { -1.0 };
        if magnitude > self.largest_code() {
            let infinite = self.specials == Specials::InfinityAndNan && magnitude == self.infinity_code();
            return if infinite { sign * f64::INFINITY } else { f64::NAN };
        }
        let fraction = magnitude & self.fraction_mask();
        let significand =
            if self.exponent_field(code) == 0 { fraction } else { fraction + (1 << self.fraction_bits) };
        sign * libm::scalbn(f64::from(significand), self.step_exponent(code))
    }

    /// The pattern of the nearest number, ties to the even pattern. What is too large becomes infinity, or NaN where the
    /// format has no infinity; [`FloatFormat::encode_saturating`] is the other way.
    pub fn encode(self, value: f64) -> u32 {
        let sign = if value.is_sign_negative() { self.sign_bit() } else { 0 };
        sign | match self.magnitude_of(value) {
            Some(code) if code <= self.largest_code() => code,
            Some(_) => self.overflow_code(),
            None => self.nan_code(),
        }
    }

    /// The pattern of the nearest number, the largest one for all that is larger. NaN stays NaN.
    pub fn encode_saturating(self, value: f64) -> u32 {
        let code = self.encode(value);
        let too_large = !value.is_nan() && code & self.magnitude_mask() > self.largest_code();
        if too_large { code & self.sign_bit() | self.largest_code() } else { code }
    }

    /// The nearest number.
    pub fn round(self, value: f64) -> f64 {
        self.decode(self.encode(value))
    }

    /// The stored exponent of a pattern.
    pub fn exponent_field(self, code: u32) -> u32 {
        (code & self.magnitude_mask()) >> self.fraction_bits
    }

    /// The stored fraction of a pattern.
    pub fn fraction_field(self, code: u32) -> u32 {
        code & self.fraction_mask()
    }

    /// The sign bit of a pattern.
    pub fn sign_field(self, code: u32) -> u32 {
        u32::from(code & self.sign_bit() != 0)
    }

    /// log2 of the distance from a finite number to the next larger in size with the same exponent.
    pub fn step_exponent(self, code: u32) -> i32 {
        self.exponent_field(code).max(1) as i32 - self.bias() - self.fraction_bits as i32
    }

    /// The pattern of the absolute value before overflow is looked at; `None` for NaN. Infinity is above every pattern.
    fn magnitude_of(self, value: f64) -> Option<u32> {
        if value.is_nan() {
            return None;
        }
        let bits = value.abs().to_bits();
        let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        // value = significand * 2^(exponent - 52)
        let (significand, exponent) =
            if field == 0 { (fraction, -1022) } else { (fraction | 1 << 52, field - 1023) };
        // Two powers above the largest exponent is too large whatever the fraction is.
        if exponent > self.bias() + 1 {
            return Some(u32::MAX);
        }
        let stored_exponent = (exponent + self.bias()).max(1);
        let step = stored_exponent - self.bias() - self.fraction_bits as i32;
        let steps = shifted_to_even(significand, (step - (exponent - 52)).unsigned_abs());
        // A fraction that rounds up to the next power carries over into the exponent, where it is right too.
        let code = ((stored_exponent as u64 - 1) << self.fraction_bits) + steps;
        u32::try_from(code).ok()
    }

    fn largest_code(self) -> u32 {
        match self.specials {
            Specials::InfinityAndNan => self.infinity_code() - 1,
            Specials::OneNan => self.magnitude_mask() - 1,
        }
    }

    /// Exponent all ones, fraction 0.
    fn infinity_code(self) -> u32 {
        self.magnitude_mask() & !self.fraction_mask()
    }

    fn overflow_code(self) -> u32 {
        match self.specials {
            Specials::InfinityAndNan => self.infinity_code(),
            Specials::OneNan => self.magnitude_mask(),
        }
    }

    /// The quiet one: the upper bit of the fraction, or all of it.
    fn nan_code(self) -> u32 {
        match self.specials {
            Specials::InfinityAndNan => self.infinity_code() | 1 << (self.fraction_bits - 1),
            Specials::OneNan => self.magnitude_mask(),
        }
    }

    fn sign_bit(self) -> u32 {
        1 << (self.bits() - 1)
    }

    fn magnitude_mask(self) -> u32 {
        self.sign_bit() - 1
    }

    fn fraction_mask(self) -> u32 {
        (1 << self.fraction_bits) - 1
    }
}

/// `significand / 2^shift`, to the nearest whole number, ties to the even one. The significand has at most 53 bits, and no
/// format here has a finer step than f64 at the same size.
fn shifted_to_even(significand: u64, shift: u32) -> u64 {
    if shift == 0 {
        return significand;
    }
    if shift > 54 {
        return 0;
    }
    let whole = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    whole + u64::from(rest > half || rest == half && whole & 1 == 1)
}
