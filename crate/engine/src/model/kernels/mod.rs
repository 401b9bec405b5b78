//! Inner loops that native and browser runs share, with the same bits in both.
//!
//! [`lanes`] is the vector that all are written for, [`matrix`] the weights and their products, [`attention`] a query
//! against one page of the KV cache, [`elementwise`] the rest; [`mod@exp`] serves the sampler too.

pub mod attention;
pub mod elementwise;
pub mod exp;
pub mod lanes;
pub mod matrix;
mod products;
