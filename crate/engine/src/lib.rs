//! Inference of small GPT-NeoX language models, step by step.
//!
//! This crate holds everything that is true without a browser: reading a checkpoint, the forward pass, the tokenizer,
//! sampling, and the [`session`] that ties them into a generation loop. It knows no web, no clock, no file and no
//! random source of the system: bytes, times and seeds are arguments.
//!
//! Read in this order: [`error`], [`config`], [`precision`], [`choice`], [`memory`], [`checkpoint`], [`model`], [`tokenizer`],
//! [`sampling`], [`stop`], [`session`], [`search`], [`lab`]. Each uses those before it and none after it.

pub mod checkpoint;
pub mod choice;
pub mod config;
pub mod error;
pub mod lab;
pub mod memory;
pub mod model;
pub mod precision;
pub mod sampling;
pub mod search;
pub mod session;
pub mod stop;
pub mod tokenizer;

pub use error::{EngineError, Result};
