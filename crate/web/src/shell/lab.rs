//! Experiments of the lab panels, each a call that takes many units of work. The experiments themselves are the engine's
//! (`lab/`); here they meet the loaded model and the wire.

mod batch;
pub(super) mod benchmark;
pub(super) mod cache;
mod precision;
mod replay;
mod scores;

use logit_lab_engine::EngineError;

pub(super) use batch::BatchJob;
pub(super) use scores::{DigestJob, ScoreJob};

use super::Result;
use crate::protocol::Answer;

/// An experiment under way.
pub(super) trait LabJob {
    /// One unit of work, short enough that a worker can answer in between; `true` at the end.
    fn advance(&mut self) -> std::result::Result<bool, EngineError>;

    /// Units done, and in all.
    fn progress(&self) -> (usize, usize);

    /// What there is: everything, or as much as there was when the student stopped it.
    fn answer(self: Box<Self>) -> Result<Answer>;
}
