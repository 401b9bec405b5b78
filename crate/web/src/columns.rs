//! Columns of numbers that cross to JavaScript as typed arrays.
//!
//! In a browser a column serializes as a typed array (one copy, then transferable); natively, for tests of the wire
//! format, as a plain sequence.

use serde::{Serialize, Serializer};

/// A column that arrives as a `Uint32Array`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct U32Column(pub Vec<u32>);

/// A column that arrives as a `Float32Array`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct F32Column(pub Vec<f32>);

/// A column that arrives as a `Float64Array`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct F64Column(pub Vec<f64>);

/// A column that arrives as a `Uint8Array`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct U8Column(pub Vec<u8>);

macro_rules! serialize_as {
    ($column:ty, $array:ty) => {
        impl Serialize for $column {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #[cfg(target_arch = "wasm32")]
                {
                    serde_wasm_bindgen::preserve::serialize(&<$array>::from(self.0.as_slice()), serializer)
                }
                #[cfg(not(target_arch = "wasm32"))]
                {
                    self.0.serialize(serializer)
                }
            }
        }
    };
}

serialize_as!(U32Column, js_sys::Uint32Array);
serialize_as!(F32Column, js_sys::Float32Array);
serialize_as!(F64Column, js_sys::Float64Array);
serialize_as!(U8Column, js_sys::Uint8Array);
