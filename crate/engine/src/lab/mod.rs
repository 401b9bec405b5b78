//! Experiments built on [`Session`](crate::session::Session). Whatever measures takes its clock as an argument.

pub mod precision_report;
pub mod prompt_logits;
pub mod replay;
pub mod samples;
pub mod self_test;
pub mod timed_run;

pub use precision_report::{PrecisionComparison, PrecisionReport};
pub use prompt_logits::PromptLogits;
pub use replay::Replay;
pub use samples::{Sample, Samples};
pub use self_test::{KnownLogits, SelfTest};
pub use timed_run::{Clock, TimedRun, TimedToken, Timings};
