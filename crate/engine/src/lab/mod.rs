//! Experiments built on [`Session`](crate::session::Session). Whatever measures takes its clock as an argument.

pub mod benchmark;
pub mod clock;
pub mod latency;
pub mod precision_report;
pub mod prompt_logits;
pub mod samples;
pub mod self_test;
pub mod spread;
pub mod timed_run;

pub use clock::clock_step_ms;
pub use latency::{Latency, RequestTimes, TokenGroup, TokenTimes};
pub use precision_report::{PrecisionComparison, PrecisionReport};
pub use prompt_logits::PromptLogits;
pub use samples::{Sample, Samples};
pub use self_test::{KnownLogits, SelfTest};
pub use spread::Spread;
pub use timed_run::{Clock, TimedRun, TimedToken, Timings};
