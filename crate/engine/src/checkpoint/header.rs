//! The header of a safetensors file: which tensors it holds, and where.
//!
//! The format is one page: eight bytes with the header's length (little endian), a JSON object
//! `{name: {dtype, shape, data_offsets: [begin, end]}}` with an optional `__metadata__`, then the data. It is read here
//! and not by the safetensors crate because a student who brings a broken file should learn which tensor is at fault.
//! What is read here is sound: the tensors follow one another without a hole, and end where the file is said to end.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::checkpoint_error;
use crate::config::starts_with;
use crate::error::{EngineError, Result};

/// A header longer than this is taken for a file of another kind: 256 blocks, the most that a configuration may ask for,
/// need less than half a megabyte, and parsed JSON can take thirty times its text.
const MOST_HEADER_BYTES: u64 = 8 << 20;
const LENGTH_BYTES: usize = 8;
/// As much of a file of another kind as an error shows.
const BEGINNING_BYTES: usize = 48;

/// The number format of a stored tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, non_camel_case_types)]
pub enum StoredDtype {
    F64,
    F32,
    F16,
    BF16,
    I64,
    I32,
    I16,
    I8,
    U64,
    U32,
    U16,
    U8,
    BOOL,
    F8_E4M3,
    F8_E5M2,
}

impl StoredDtype {
    const ALL: [(Self, &str, usize); 15] = [
        (Self::F64, "F64", 8),
        (Self::F32, "F32", 4),
        (Self::F16, "F16", 2),
        (Self::BF16, "BF16", 2),
        (Self::I64, "I64", 8),
        (Self::I32, "I32", 4),
        (Self::I16, "I16", 2),
        (Self::I8, "I8", 1),
        (Self::U64, "U64", 8),
        (Self::U32, "U32", 4),
        (Self::U16, "U16", 2),
        (Self::U8, "U8", 1),
        (Self::BOOL, "BOOL", 1),
        (Self::F8_E4M3, "F8_E4M3", 1),
        (Self::F8_E5M2, "F8_E5M2", 1),
    ];

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The name as it stands in the file.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// Bytes of one number.
    pub fn size(self) -> usize {
        Self::ALL.iter().find(|row| row.0 == self).map_or(1, |row| row.2)
    }
}

/// One tensor of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// Number format.
    pub dtype: StoredDtype,
    /// Length of each axis, outermost first.
    pub shape: Vec<usize>,
    /// First byte, counted from the start of the data.
    pub(super) begin: usize,
    /// One past the last byte.
    pub(super) end: usize,
}

impl TensorInfo {
    /// Bytes that the tensor takes in the file.
    pub fn bytes(&self) -> usize {
        self.end - self.begin
    }
}

/// How long the beginning of a file must be before its header can be read, as far as `head`, what there is of it,
/// tells; an error where there will be no header. `file_bytes` is the length of the whole file, where it is known.
pub(super) fn wanted_bytes(file: &str, head: &[u8], file_bytes: Option<usize>) -> Result<usize> {
    let is_all = file_bytes.is_some_and(|bytes| bytes <= head.len());
    let Some(length) = head.first_chunk::<LENGTH_BYTES>() else {
        if !is_all {
            return Ok(LENGTH_BYTES);
        }
        let found = format!("{} bytes: {}", head.len(), starts_with(head));
        return Err(checkpoint_error(file, "a safetensors file, at least 8 bytes long", found));
    };
    let length = u64::from_le_bytes(*length);
    if length > MOST_HEADER_BYTES {
        // A web page or a Git LFS pointer read as a length is a number of this kind, so the text is the better clue.
        if !is_all && head.len() < BEGINNING_BYTES {
            return Ok(BEGINNING_BYTES);
        }
        let found = format!("a length of {length} bytes: {}", starts_with(head));
        return Err(checkpoint_error(file, format!("a header of at most {MOST_HEADER_BYTES} bytes"), found));
    }
    let wanted = LENGTH_BYTES + length as usize;
    match file_bytes {
        Some(bytes) if bytes < wanted => Err(truncated_header(file, wanted, bytes)),
        _ => Ok(wanted),
    }
}

/// Reads and checks `head`, a file's beginning up to the end of its header. Tensors come in the order of their bytes.
pub(super) fn parse(file: &str, head: &[u8], file_bytes: Option<usize>) -> Result<Vec<(String, TensorInfo)>> {
    let json = head.get(LENGTH_BYTES..).unwrap_or_default();
    let entries: Pairs = serde_json::from_slice(json).map_err(|error| {
        let found = format!("{} ({error})", starts_with(json));
        checkpoint_error(file, "a header that is a JSON object", found)
    })?;
    let mut names = HashSet::new();
    let mut tensors = Vec::new();
    for (name, entry) in entries.0.into_iter().filter(|(name, _)| name != "__metadata__") {
        if !names.insert(name.clone()) {
            return Err(checkpoint_error(&name, "one tensor of that name", "two in the header"));
        }
        let tensor = tensor_info(&name, &entry)?;
        tensors.push((name, tensor));
    }
    tensors.sort_by_key(|(_, tensor)| (tensor.begin, tensor.end));
    check_cover(file, &tensors, head.len(), file_bytes.map(|bytes| bytes.saturating_sub(head.len())))?;
    Ok(tensors)
}

/// The error of a file that ends within its header.
pub(super) fn truncated_header(file: &str, wanted: usize, file_bytes: usize) -> EngineError {
    let expected =
        format!("a header of {} bytes, as its first 8 bytes announce", wanted.saturating_sub(LENGTH_BYTES));
    let after = file_bytes.saturating_sub(LENGTH_BYTES);
    let found = format!("{after} bytes after it; the file is truncated or is no safetensors file");
    checkpoint_error(file, expected, found)
}

/// One entry of the header.
fn tensor_info(name: &str, entry: &Value) -> Result<TensorInfo> {
    let dtype_name = entry.get("dtype").and_then(Value::as_str).unwrap_or("nothing");
    let dtype = StoredDtype::parse(dtype_name).ok_or_else(|| {
        let known: Vec<&str> = StoredDtype::ALL.iter().map(|row| row.1).collect();
        let found: String = dtype_name.chars().take(40).collect();
        checkpoint_error(name, format!("a dtype of {}", known.join(", ")), found)
    })?;
    let shape = sizes(entry.get("shape"))
        .ok_or_else(|| checkpoint_error(name, "a shape, a list of whole numbers", "another value or none"))?;
    let bytes =
        shape.iter().try_fold(dtype.size(), |product, axis| product.checked_mul(*axis)).ok_or_else(|| {
            let found = format!("shape {}", shown_shape(&shape));
            checkpoint_error(name, "a shape whose bytes can be counted", found)
        })?;
    let (begin, end) = match sizes(entry.get("data_offsets")).as_deref() {
        Some([begin, end]) if begin <= end => (*begin, *end),
        _ => {
            let expected = "data_offsets, a begin and an end that is not before it";
            return Err(checkpoint_error(name, expected, shown_offsets(entry.get("data_offsets"))));
        }
    };
    if end - begin != bytes {
        let expected = format!("{bytes} bytes for shape {} of {}", shown_shape(&shape), dtype.name());
        return Err(checkpoint_error(name, expected, format!("{} bytes between its offsets", end - begin)));
    }
    Ok(TensorInfo { dtype, shape, begin, end })
}

/// The tensors, sorted, follow one another from the first byte of the data to the last, where that is known.
fn check_cover(
    file: &str,
    tensors: &[(String, TensorInfo)],
    data_start: usize,
    data_bytes: Option<usize>,
) -> Result<()> {
    let mut covered = 0;
    for (name, tensor) in tensors {
        if let Some(data_bytes) = data_bytes.filter(|bytes| tensor.end > *bytes) {
            return Err(truncated_tensor(name, tensor, data_start, data_bytes));
        }
        if tensor.begin < covered {
            let found = format!("offset {}, which overlaps the tensor before it", tensor.begin);
            return Err(checkpoint_error(name, format!("data from byte {covered} on"), found));
        }
        if tensor.begin > covered {
            let found = format!("offset {}, a hole of {} bytes", tensor.begin, tensor.begin - covered);
            return Err(checkpoint_error(name, format!("data from byte {covered} on"), found));
        }
        covered = tensor.end;
    }
    match data_bytes {
        Some(data_bytes) if data_bytes > covered => Err(bytes_beyond(file, covered, data_bytes - covered)),
        _ => Ok(()),
    }
}

/// The error of a file that ends before this tensor does.
pub(super) fn truncated_tensor(
    name: &str,
    tensor: &TensorInfo,
    data_start: usize,
    data_bytes: usize,
) -> EngineError {
    let announced = data_start.saturating_add(tensor.end);
    let expected =
        format!("bytes {} to {} of the data, a file of {announced} bytes", tensor.begin, tensor.end);
    let found = format!(
        "{data_bytes} bytes of data, a file of {} bytes; it is truncated or the offsets are out of bounds",
        data_start.saturating_add(data_bytes)
    );
    checkpoint_error(name, expected, found)
}

/// The error of a file that goes on after its last tensor.
pub(super) fn bytes_beyond(file: &str, covered: usize, more: usize) -> EngineError {
    let expected = format!("{covered} bytes of data, where the last tensor ends");
    checkpoint_error(file, expected, format!("{more} bytes more"))
}

fn sizes(value: Option<&Value>) -> Option<Vec<usize>> {
    value?.as_array()?.iter().map(|size| size.as_u64().and_then(|size| usize::try_from(size).ok())).collect()
}

fn shown_offsets(value: Option<&Value>) -> String {
    sizes(value).map_or_else(|| "another value or none".to_owned(), |offsets| shown_shape(&offsets))
}

/// A shape for a message; a hostile one may have millions of axes.
pub(super) fn shown_shape(shape: &[usize]) -> String {
    match shape.get(..8) {
        Some(head) if shape.len() > 8 => format!("{head:?} and {} axes more", shape.len() - 8),
        _ => format!("{shape:?}"),
    }
}

/// A JSON object as a list, so that a name that stands twice is seen.
pub(super) struct Pairs(pub Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct PairsVisitor;
        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = Pairs;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(PairsVisitor)
    }
}
