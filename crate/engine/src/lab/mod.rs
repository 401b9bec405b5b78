//! Experiments built on [`Session`](crate::session::Session). Whatever measures takes its clock as an argument.

pub mod cache_check;
pub mod memory_use;
pub mod precision_report;
pub mod prompt_logits;
pub mod samples;
pub mod self_test;
pub mod timed_run;

pub use cache_check::{CacheCheck, CheckStep, Continuation, HeadRows};
pub use memory_use::MemoryUse;
pub use precision_report::{PrecisionComparison, PrecisionReport};
pub use prompt_logits::PromptLogits;
pub use samples::{Sample, Samples};
pub use self_test::{KnownLogits, SelfTest};
pub use timed_run::{Clock, TimedRun, TimedToken, Timings};
