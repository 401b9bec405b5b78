//! Inner loops: portable code that native and browser runs share.

pub mod exp;
pub mod half;
pub mod int8;
pub mod integer_inputs;
pub mod q4;
#[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
pub mod relaxed;

/// Whether this build computes with relaxed multiply-add, whose last digits may differ from machine to machine.
pub const RELAXED_SIMD: bool = cfg!(all(feature = "relaxed-simd", target_arch = "wasm32"));
