//! The engine's shell for a Web Worker: wire types, clock, panic summary, and the class that `www/src/worker.js` drives.
//!
//! Nothing about inference is decided here. [`shell`] carries commands to the engine's [`Session`] and projects its
//! answers into events; [`protocol`] is the wire format; [`EngineHandle`] is what JavaScript sees.
//!
//! [`Session`]: logit_lab_engine::session::Session

pub mod columns;
pub mod convert;
pub mod handle;
pub mod project;
pub mod protocol;
pub mod shell;

pub use handle::{EngineHandle, Sha256};

#[cfg(test)]
mod protocol_file;
