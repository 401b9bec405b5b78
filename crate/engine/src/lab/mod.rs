//! Experiments built on [`Session`](crate::session::Session). Whatever measures takes its clock as an argument.

pub mod batch_run;
pub mod benchmark;
pub mod block_scaling;
pub mod cache_check;
pub mod clock;
pub mod five_meanings;
pub mod head_time;
pub mod latency;
pub mod memory_use;
pub mod number_formats;
pub mod precision_report;
pub mod precision_table;
pub mod prompt_logits;
pub mod replay;
pub mod samples;
pub mod self_test;
pub mod spread;
pub mod text_scores;
pub mod timed_run;
pub mod weights_digest;

pub use batch_run::{BatchExperiment, BatchOutcome, BatchPlan, BatchRequest, BatchSettings};
pub use cache_check::{CacheCheck, CheckStep, Continuation, HeadRows};
pub use clock::clock_step_ms;
pub use latency::{Latency, RequestTimes, TokenGroup, TokenTimes};
pub use memory_use::MemoryUse;
pub use precision_report::{PrecisionComparison, PrecisionReport};
pub use precision_table::{PrecisionTable, TableSource};
pub use prompt_logits::PromptLogits;
pub use replay::Replay;
pub use samples::{Sample, Samples};
pub use self_test::{KnownLogits, SelfTest};
pub use spread::Spread;
pub use text_scores::{TextScores, TextSummary, TokenScore};
pub use timed_run::{Clock, TimedRun, TimedToken, Timings};
pub use weights_digest::{Digests, WeightsDigest};
