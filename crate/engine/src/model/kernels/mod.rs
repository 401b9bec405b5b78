//! Inner loops: portable code that native and browser runs share.

pub mod exp;
