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
    /// The same times 2^10, which is exact and spares a kernel the subnormal ones: see [`super::numbers`].
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

    /// F16 numbers lifted where that is exact; everything else as it is.
    fn lifted(self) -> Self {
        let Self::F16(mut bits) = self else { return self };
        if numbers::lift(&mut bits) { Self::LiftedF16(bits) } else { Self::F16(bits) }
    }

    /// Numbers rounded to a precision and kept in its format.
    pub(super) fn rounded(values: Vec<f32>, precision: Precision) -> Self {
        match precision {
            Precision::F16 => {
                Self::F16(values.iter().map(|v| f16::from_f32(*v).to_bits()).collect()).lifted()
            }
            Precision::BF16 => Self::Bf16(values.iter().map(|v| bf16::from_f32(*v).to_bits()).collect()),
            _ => Self::F32(values),
        }
    }

    /// The numbers in their format, little-endian, without a copy: what a kernel loads its lanes from.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::F32(values) => bytemuck::cast_slice(values),
            Self::F16(bits) | Self::LiftedF16(bits) | Self::Bf16(bits) => bytemuck::cast_slice(bits),
        }
    }

    /// A copy as f32, every number through `change`.
    pub fn to_f32(&self, change: impl Fn(f32) -> f32) -> Vec<f32> {
        match self {
            Self::F32(values) => values.iter().map(|value| change(*value)).collect(),
            Self::F16(bits) => bits.iter().map(|bits| change(f16::from_bits(*bits).to_f32())).collect(),
            Self::LiftedF16(bits) => bits.iter().map(|bits| change(numbers::lowered(*bits))).collect(),
            Self::Bf16(bits) => bits.iter().map(|bits| change(bf16::from_bits(*bits).to_f32())).collect(),
        }
    }
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
        let data = if report::is_old_buffer(name) {
            None
        } else {
            match info.dtype {
                // F64 is narrowed as it arrives: nothing computes in it.
                StoredDtype::F32 | StoredDtype::F64 => Some(TensorData::F32(room(name, numbers)?)),
                StoredDtype::F16 => Some(TensorData::F16(room(name, numbers)?)),
                StoredDtype::BF16 => Some(TensorData::Bf16(room(name, numbers)?)),
                _ => None,
            }
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
