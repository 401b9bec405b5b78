//! Inner loops that native and browser runs share, with the same bits in both.
//!
//! [`lanes`] is the vector that all are written for, [`matrix`] the weights and their products, [`attention`] a query
//! against one page of the KV cache, [`int8`] and [`q4`] the quantised weights, [`elementwise`] the rest; [`mod@exp`] serves the sampler too.

pub mod attention;
pub mod elementwise;
pub mod exp;
pub mod half;
pub mod int8;
pub mod integer_inputs;
pub mod lanes;
pub mod matrix;
mod products;
pub mod q4;
#[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
pub mod relaxed;

/// Whether this build computes with relaxed multiply-add, whose last digits may differ from machine to machine.
pub const RELAXED_SIMD: bool = cfg!(all(feature = "relaxed-simd", target_arch = "wasm32"));
