//! Inner loops that the browser runs with SIMD and every other machine in portable code.
//!
//! Each kernel has one contract and two bodies. The portable one fixes the result: how many lanes and running sums there
//! are, and in which order they are added. The SIMD one does the same operations on the same numbers, so both give the
//! same bits; the checks in `tests/` hold them equal in the browser, where both exist.
//!
//! [`lanes`] is the vector that the forward pass is written for, [`matrix`] the weights and their products, [`int8`] and
//! [`q4`] the quantised ones, [`attention`] queries against one page of the KV cache, [`elementwise`] the rest.
//! [`mod@exp`] and [`scan`] serve the sampler.

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
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod registers;
pub mod scan;

/// Whether this build computes with relaxed multiply-add, whose last digits may differ from machine to machine.
pub const RELAXED_SIMD: bool = cfg!(all(feature = "relaxed-simd", target_arch = "wasm32"));
