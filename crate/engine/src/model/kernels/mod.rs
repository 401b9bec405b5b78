//! Inner loops: portable code that native and browser runs share.

pub mod exp;
pub mod half;
pub mod int8;
pub mod integer_inputs;
pub mod q4;
