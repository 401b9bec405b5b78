//! Checks shared by the native run and the run in Chromium: functions that panic where the engine is wrong. They take
//! their data from memory, so that the same code runs where there are no files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

pub mod fixtures;
pub mod forward;
pub mod session;
pub mod stand_in;
