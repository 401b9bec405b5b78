//! Inner loops that the browser runs with SIMD and every other machine in portable code.
//!
//! Each kernel is a function with one contract and two bodies. The portable one fixes the result: how many lanes and
//! running sums there are, and in which order they are added. The SIMD one does the same operations on the same numbers,
//! so both give the same bits; the checks in `tests/` hold them equal in the browser, where both exist.

pub mod exp;
pub mod scan;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lanes;
