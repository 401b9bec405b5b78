//! The numbers of a tensor in memory, and the decoder that puts bytes into their place as they arrive.

use half::{bf16, f16};

use super::header::{StoredDtype, TensorInfo};
use super::numbers::{self, NumberFormat};
use super::{no_room, report};
use crate::error::Result;
use crate::precision::Precision;

// The bytes in memory are those of the file; WebAssembly and every processor that a browser runs on have this order.
#[cfg(target_endian = "big")]
compile_error!("the numbers of a safetensors file are little-endian, and so must this machine be");

/// The numbers of one tensor as its file stores them, row after row. F16 and BF16 stay in their bit patterns.
#[derive(Debug, Clone, PartialEq)]
pub enum TensorData {
    /// 32-bit numbers.
    F32(Vec<f32>),
    /// 16-bit numbers of IEEE 754: 5 bits of exponent, 10 of mantissa.
    F16(Vec<u16>),
    /// The same times 2^10, which is exact and spares a kernel the subnormal ones: see `checkpoint::numbers`.
    LiftedF16(Vec<u16>),
    /// The upper 16 bits of 32-bit numbers.
    Bf16(Vec<u16>),
}

impl TensorData {
    /// How many numbers.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F16(bits) | Self::LiftedF16(bits) | Self::Bf16(bits) => bits.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.as_bytes().len()
    }

    /// What the bytes of [`TensorData::as_bytes`] mean.
    pub fn format(&self) -> NumberFormat {
        match self {
            Self::F32(_) => NumberFormat::F32,
            Self::F16(_) => NumberFormat::F16,
            Self::LiftedF16(_) => NumberFormat::LiftedF16,
            Self::Bf16(_) => NumberFormat::Bf16,
        }
    }

    /// The first number that is infinite or none, with its place.
    pub(super) fn first_not_finite(&self) -> Option<(usize, f32)> {
        fn first(values: impl Iterator<Item = f32>) -> Option<(usize, f32)> {
            values.enumerate().find(|(_, value)| !value.is_finite())
        }
        match self {
            Self::F32(values) => first(values.iter().copied()),
            Self::F16(bits) => first(bits.iter().map(|bits| f16::from_bits(*bits).to_f32())),
            // Below 32 before they were lifted.
            Self::LiftedF16(_) => None,
            Self::Bf16(bits) => first(bits.iter().map(|bits| bf16::from_bits(*bits).to_f32())),
        }
    }

    /// F16 numbers lifted where that is exact; everything else as it is.
    fn lifted(self) -> Self {
        let Self::F16(mut bits) = self else { return self };
        if numbers::lift(&mut bits) { Self::LiftedF16(bits) } else { Self::F16(bits) }
    }

    /// Numbers rounded to a precision and kept in its format.
    pub(super) fn rounded(name: &str, values: Vec<f32>, precision: Precision) -> Result<Self> {
        let bits = |round: fn(f32) -> u16| -> Result<Vec<u16>> {
            let mut bits = room(name, values.len())?;
            bits.extend(values.iter().map(|value| round(*value)));
            Ok(bits)
        };
        Ok(match precision {
            Precision::F16 => Self::F16(bits(|value| f16::from_f32(value).to_bits())?).lifted(),
            Precision::BF16 => Self::Bf16(bits(|value| bf16::from_f32(value).to_bits())?),
            _ => Self::F32(values),
        })
    }

    /// The numbers in their format, little-endian, without a copy: what a kernel loads its lanes from.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::F32(values) => bytemuck::cast_slice(values),
            Self::F16(bits) | Self::LiftedF16(bits) | Self::Bf16(bits) => bytemuck::cast_slice(bits),
        }
    }

    /// A copy as f32, every number through `change`. An error, with the tensor's name, where memory lacks.
    pub fn to_f32(&self, name: &str, change: impl Fn(f32) -> f32) -> Result<Vec<f32>> {
        let mut copy = room(name, self.len())?;
        match self {
            Self::F32(values) => copy.extend(values.iter().map(|value| change(*value))),
            Self::F16(bits) => copy.extend(bits.iter().map(|bits| change(f16::from_bits(*bits).to_f32()))),
            Self::LiftedF16(bits) => copy.extend(bits.iter().map(|bits| change(numbers::lowered(*bits)))),
            Self::Bf16(bits) => copy.extend(bits.iter().map(|bits| change(bf16::from_bits(*bits).to_f32()))),
        }
        Ok(copy)
    }
}

/// The format in which a tensor is kept; `None` where no model reads it.
fn kept_format(name: &str, info: &TensorInfo) -> Option<NumberFormat> {
    if report::is_old_buffer(name) {
        return None;
    }
    match info.dtype {
        // F64 is narrowed as it arrives: nothing computes in it.
        StoredDtype::F32 | StoredDtype::F64 => Some(NumberFormat::F32),
        StoredDtype::F16 => Some(NumberFormat::F16),
        StoredDtype::BF16 => Some(NumberFormat::Bf16),
        _ => None,
    }
}

/// Bytes that a tensor will take in memory.
pub(super) fn kept_bytes(name: &str, info: &TensorInfo) -> u64 {
    let numbers = info.bytes() / info.dtype.size();
    kept_format(name, info).map_or(0, |format| numbers.saturating_mul(format.size()) as u64)
}

/// Takes the bytes of one tensor in pieces of any length.
#[derive(Debug)]
pub(super) struct TensorDecoder {
    /// `None` for a tensor whose bytes pass by.
    data: Option<TensorData>,
    word_bytes: usize,
    /// The beginning of a number whose end has not arrived.
    carry: [u8; LONGEST_WORD],
    carried: usize,
    missing_bytes: usize,
}

const LONGEST_WORD: usize = 8;

impl TensorDecoder {
    /// Sets aside the memory of the whole tensor, once.
    pub(super) fn new(name: &str, info: &TensorInfo) -> Result<Self> {
        let word_bytes = info.dtype.size();
        let numbers = info.bytes() / word_bytes;
        let data = match kept_format(name, info) {
            Some(NumberFormat::F32) => Some(TensorData::F32(room(name, numbers)?)),
            Some(NumberFormat::F16 | NumberFormat::LiftedF16) => Some(TensorData::F16(room(name, numbers)?)),
            Some(NumberFormat::Bf16) => Some(TensorData::Bf16(room(name, numbers)?)),
            None => None,
        };
        let missing_bytes = info.bytes();
        Ok(Self { data, word_bytes, carry: [0; LONGEST_WORD], carried: 0, missing_bytes })
    }

    /// Takes what belongs to this tensor and returns the rest.
    pub(super) fn push<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (mine, rest) = bytes.split_at(self.missing_bytes.min(bytes.len()));
        self.missing_bytes -= mine.len();
        match self.word_bytes {
            2 => self.words::<2>(mine),
            4 => self.words::<4>(mine),
            8 => self.words::<8>(mine),
            // Formats of one byte are of no model here.
            _ => {}
        }
        rest
    }

    fn words<const N: usize>(&mut self, mut bytes: &[u8]) {
        let Some(data) = &mut self.data else { return };
        if self.carried > 0 {
            let (end, rest) = bytes.split_at((N - self.carried).min(bytes.len()));
            for byte in end {
                if let Some(place) = self.carry.get_mut(self.carried) {
                    *place = *byte;
                }
                self.carried += 1;
            }
            if self.carried < N {
                return;
            }
            if let Some(word) = self.carry.first_chunk::<N>() {
                extend(data, &[*word]);
            }
            (self.carried, bytes) = (0, rest);
        }
        let (words, begun) = bytes.as_chunks::<N>();
        extend(data, words);
        for (place, byte) in self.carry.iter_mut().zip(begun) {
            *place = *byte;
        }
        self.carried = begun.len();
    }

    pub(super) fn is_whole(&self) -> bool {
        self.missing_bytes == 0
    }

    pub(super) fn finish(self) -> Option<TensorData> {
        self.data.map(TensorData::lifted)
    }
}

/// Little-endian words of N bytes, decoded into room that is already there.
fn extend<const N: usize>(data: &mut TensorData, words: &[[u8; N]]) {
    match data {
        TensorData::F32(values) => values.extend(words.iter().map(|word| match word.first_chunk::<8>() {
            // Rounded twice when the precision is narrower still; one value in some thousands then differs by a bit.
            Some(word) => f64::from_le_bytes(*word) as f32,
            None => f32::from_bits(low_word(word)),
        })),
        TensorData::F16(bits) | TensorData::LiftedF16(bits) | TensorData::Bf16(bits) => {
            bits.extend(words.iter().map(|word| low_half(word)));
        }
    }
}

fn low_word(word: &[u8]) -> u32 {
    word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

fn low_half(word: &[u8]) -> u16 {
    word.first_chunk().map_or(0, |word| u16::from_le_bytes(*word))
}

/// An empty vector with room for exactly that many numbers.
fn room<T>(name: &str, numbers: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    let bytes = numbers.saturating_mul(size_of::<T>());
    values.try_reserve_exact(numbers).map_err(|_| no_room(name, bytes))?;
    Ok(values)
}
