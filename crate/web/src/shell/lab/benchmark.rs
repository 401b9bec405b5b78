//! A benchmark of the loaded model as a lab job.

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::benchmark::{Benchmark, Workload};

use super::LabJob;
use crate::protocol::{Answer, BenchmarkCall};
use crate::shell::{Result, Shell};
use crate::{convert, project};

/// Most runs of one call: its outcomes are kept.
const MOST_RUNS: usize = 1000;

impl Shell {
    /// A benchmark that has not begun. Errors: settings, limits and ids that no run could have.
    pub(in crate::shell) fn benchmark(&mut self, call: BenchmarkCall) -> Result<Benchmark> {
        let BenchmarkCall { ids, settings, seed, limits, forced, warm_ups, repeats, cache, kernel } = call;
        let runs = warm_ups.saturating_add(repeats);
        convert::at_most("runs", runs, MOST_RUNS)?;
        let (clock, step_ms) = (self.clock, self.clock_step_ms());
        let output_tokens = limits.max_new_tokens;
        let loaded = self.loaded_mut()?;
        let (settings, limits) = (convert::settings(&settings)?, convert::limits(&limits, loaded.eos_id)?);
        let (model, tokenizer) = (loaded.fresh_model(kernel.as_deref())?, loaded.tokenizer.clone());
        let mut workload = Workload { ids, settings, seed, limits, cache: convert::cache_policy(cache) };
        if forced {
            workload = workload.with_forced_length(output_tokens, model.config().max_position_embeddings)?;
        }
        self.timed_runs = self.timed_runs.saturating_add(runs);
        Ok(Benchmark::new(model, tokenizer, workload, (warm_ups, repeats), (clock, step_ms)))
    }
}

impl LabJob for Benchmark {
    fn advance(&mut self) -> std::result::Result<bool, EngineError> {
        Self::advance(self)
    }

    fn progress(&self) -> (usize, usize) {
        Self::progress(self)
    }

    fn answer(self: Box<Self>) -> Result<Answer> {
        Ok(Answer::Benchmark { outcomes: self.outcomes().iter().map(project::outcome).collect() })
    }
}
