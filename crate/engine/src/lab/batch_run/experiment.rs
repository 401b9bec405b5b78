//! The whole experiment: a short warm-up, the batch, on request the batch with its rows reversed, and every request alone.

use std::sync::Arc;

use super::{
    Alone, AloneRun, BatchPlan, BatchRequest, BatchRun, BatchSettings, BatchText, Clock, Layout, Work,
};
use crate::error::Result;
use crate::model::Forward;
use crate::model::gpt_neox::GptNeox;
use crate::session::PREFILL_CHUNK;

/// An experiment in small units; call [`BatchExperiment::advance`] until it says `true`.
pub struct BatchExperiment {
    /// Runs once before anything is timed: the first passes of a process are slower than the others.
    warm_up: Option<GptNeox>,
    requests: Arc<[BatchRequest]>,
    batch: BatchRun,
    reversed: Option<BatchRun>,
    alone: AloneRun,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    WarmUp,
    Batch,
    Reversed,
    Alone,
    Done,
}

/// What came of it, as far as it went.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchOutcome {
    /// The requests as they were given.
    pub requests: Arc<[BatchRequest]>,
    /// Their places in the order in which they got rows.
    pub order: Vec<usize>,
    /// What became of each in the batch, in the order of `requests`.
    pub texts: Vec<BatchText>,
    /// The same with the rows in the opposite order, where that was asked for.
    pub reversed: Option<Vec<BatchText>>,
    /// Each alone, in the order of `requests`; fewer where the experiment was stopped.
    pub alone: Vec<Alone>,
    /// What stood where.
    pub layouts: Vec<Layout>,
    /// What went through the model in the batch.
    pub work: Work,
    /// Milliseconds of the batch, from the first prompt column to the last pick.
    pub batch_ms: f64,
    /// Those of them in which newcomers were let in, while the others waited.
    pub admission_ms: f64,
}

impl BatchOutcome {
    /// New tokens of the batch.
    pub fn new_tokens(&self) -> usize {
        self.texts.iter().map(|text| text.new_ids.len()).sum()
    }

    /// New tokens a second, all requests together; `None` where no time passed.
    pub fn tokens_per_second(&self) -> Option<f64> {
        rate(self.new_tokens(), self.batch_ms)
    }

    /// New tokens a second of the requests one at a time.
    pub fn tokens_per_second_alone(&self) -> Option<f64> {
        let tokens = self.alone.iter().map(|alone| alone.new_ids.len()).sum();
        rate(tokens, self.alone.last().map_or(0.0, |alone| alone.latency_ms))
    }
}

fn rate(tokens: usize, ms: f64) -> Option<f64> {
    (tokens > 0 && ms > 0.0).then(|| tokens as f64 * 1e3 / ms)
}

impl BatchExperiment {
    /// `also_reversed` runs the batch a second time with its rows in the opposite order; with a shared stream that shows
    /// what the stream does, with a stream for each request that the order plays no part. Errors as a batch run (`BatchRun::new`).
    pub fn new(
        model: &GptNeox,
        requests: Vec<BatchRequest>,
        settings: BatchSettings,
        plan: BatchPlan,
        also_reversed: bool,
        clock: Clock,
    ) -> Result<Self> {
        let requests: Arc<[BatchRequest]> = requests.into();
        let run = |plan| BatchRun::new(model, Arc::clone(&requests), settings.clone(), plan, clock);
        let opposite = BatchPlan { reversed: !plan.reversed, ..plan };
        Ok(Self {
            warm_up: Some(model.sharing()),
            batch: run(plan)?.keeping_logits(),
            reversed: also_reversed.then(|| run(opposite)).transpose()?,
            alone: AloneRun::new(model, Arc::clone(&requests), settings, clock),
            requests,
            phase: Phase::WarmUp,
        })
    }

    /// One forward pass or one piece of a prompt, with what follows from it; `true` at the end.
    ///
    /// Errors: those of the forward pass (too many positions, logits that are not finite); the experiment is then of no
    /// use.
    pub fn advance(&mut self) -> Result<bool> {
        let done = match self.phase {
            Phase::WarmUp => self.warm_up()?,
            Phase::Batch => self.batch.advance()?,
            Phase::Reversed => self.reversed.as_mut().map_or(Ok(true), BatchRun::advance)?,
            Phase::Alone => self.alone.advance(&self.batch)?,
            Phase::Done => true,
        };
        if done {
            self.phase = match self.phase {
                Phase::WarmUp => Phase::Batch,
                Phase::Batch => Phase::Reversed,
                Phase::Reversed => Phase::Alone,
                Phase::Alone | Phase::Done => Phase::Done,
            };
        }
        Ok(self.phase == Phase::Done)
    }

    fn warm_up(&mut self) -> Result<bool> {
        if let (Some(mut model), Some(request)) = (self.warm_up.take(), self.requests.first()) {
            let piece = request.ids.get(..request.ids.len().min(PREFILL_CHUNK)).unwrap_or_default();
            let hidden = model.extend(piece)?;
            model.logits(hidden.get(..model.config().hidden_size).unwrap_or_default())?;
        }
        Ok(true)
    }

    /// Tokens made in all runs, and at most.
    pub fn progress(&self) -> (usize, usize) {
        let runs = [
            Some(self.batch.progress()),
            self.reversed.as_ref().map(BatchRun::progress),
            Some(self.alone.progress()),
        ];
        runs.into_iter().flatten().fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1))
    }

    /// What there is so far.
    pub fn outcome(self) -> BatchOutcome {
        let Self { requests, batch, reversed, alone, .. } = self;
        BatchOutcome {
            requests,
            order: batch.order,
            texts: batch.texts,
            reversed: reversed.map(|run| run.texts),
            alone: alone.into_done(),
            layouts: batch.layouts,
            work: batch.work,
            batch_ms: batch.elapsed_ms,
            admission_ms: batch.admission_ms,
        }
    }
}
