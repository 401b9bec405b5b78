//! Experiments built on [`Session`](crate::session::Session). Whatever measures takes its clock as an argument.

pub mod precision_report;
pub mod prompt_logits;
pub mod timed_run;

pub use precision_report::{PrecisionComparison, PrecisionReport};
pub use prompt_logits::PromptLogits;
pub use timed_run::{Clock, TimedRun, TimedToken, Timings};
