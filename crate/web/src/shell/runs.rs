//! Runs: tokens made for the page.

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::{Latency, RequestTimes, TimedRun, TokenTimes};
use logit_lab_engine::session::StartFrom;

use super::{Result, Run, Shell};
use crate::protocol::{self as wire, Event, Limits, Pace, RunSummary, RunTiming};
use crate::{convert, project};

/// The bars cost a sampling step and are looked at: no more often than a display shows a picture, in milliseconds.
const BARS_EVERY_MS: f64 = 16.0;

/// Rows that a history keeps of each step.
const HISTORY_ROWS: usize = 6;

/// When the bars of a run were last sent.
#[derive(Default)]
pub(super) struct Bars {
    sent_at_ms: Option<f64>,
    /// Tokens have gone out since.
    behind: bool,
}

impl Bars {
    fn due(&self, now_ms: f64) -> bool {
        self.sent_at_ms.is_none_or(|sent_at_ms| now_ms - sent_at_ms >= BARS_EVERY_MS)
    }
}

impl Shell {
    pub(super) fn start(
        &mut self,
        run_id: u32,
        from: wire::StartFrom,
        limits: &Limits,
        pace: Pace,
    ) -> Result<()> {
        let prompt_fault = self.prompt_fault;
        let clock = self.clock;
        let uniform = self.display.as_ref().and_then(|display| display.uniform);
        let loaded = self.loaded_mut()?;
        if prompt_fault {
            return Err(EngineError::Context {
                subject: "prompt",
                expected: "a prompt that the model can read".into(),
                found: "none".into(),
            }
            .into());
        }
        let limits = convert::limits(limits, loaded.eos_id)?;
        let from = match from {
            wire::StartFrom::Prompt => StartFrom::Prompt,
            wire::StartFrom::End => StartFrom::End,
        };
        let ended = loaded.session.start(from, limits);
        let first = loaded.session.new_ids().len();
        loaded.session.choose_uniform(uniform.map(|uniform| (first, uniform)));
        let mut timed = TimedRun::with_history(clock, HISTORY_ROWS);
        // A prompt that is still being read goes first.
        timed.pause();
        self.timed_runs = self.timed_runs.saturating_add(1);
        self.run = Some(Run {
            id: run_id,
            pace,
            paced: pace == Pace::Stepped,
            goes_on: first > 0,
            waiting: false,
            timed,
            bars: Bars::default(),
        });
        if ended.is_some() {
            self.end_run();
        }
        Ok(())
    }

    pub(super) fn use_cache(&mut self, cache: bool) {
        self.cache = convert::cache_policy(Some(cache));
        if let Some(loaded) = &mut self.loaded {
            loaded.session.set_cache_policy(self.cache);
        }
    }

    pub(super) fn make_token(&mut self) {
        let (Some(run), Some(loaded), Some(display)) = (&mut self.run, &mut self.loaded, &self.display)
        else {
            return;
        };
        match run.timed.advance(&mut loaded.session, &display.settings, display.seed) {
            Ok(None) => {}
            Ok(Some(token)) => {
                self.steps.push(project::step(token, loaded.tokenizer.as_deref()));
                run.waiting = run.pace == Pace::Stepped;
                if run.waiting {
                    run.timed.pause();
                }
                if loaded.session.stopped().is_some() {
                    self.end_run();
                }
            }
            Err(error) => {
                let run_id = run.id;
                self.flush_steps(true);
                self.run = None;
                self.report(Err(error.into()), Some(run_id), None);
            }
        }
    }

    /// Posts the tokens made since the last time, with the bars of the newest where they are due. They always are when
    /// the run comes to rest: what then stays on the page is the last token's.
    pub(super) fn flush_steps(&mut self, ending: bool) {
        let now_ms = (self.clock)();
        let Some(run) = &mut self.run else { return };
        let resting = ending || run.waiting;
        if self.steps.is_empty() && !(resting && run.bars.behind) {
            return;
        }
        let due = resting || run.bars.due(now_ms);
        run.bars.behind = !due;
        if due {
            run.bars.sent_at_ms = Some(now_ms);
        }
        let run_id = run.id;
        let steps = std::mem::take(&mut self.steps);
        let memory = self.memory();
        let revision = self.display.as_ref().map_or(0, |display| display.revision);
        // New settings may leave nothing to pick from; the tokens that were made stand all the same.
        let (distribution, fault) = match if due { self.distribution() } else { Ok(None) } {
            Ok(shown) => (shown.map(|(_, distribution)| distribution), None),
            Err(error) => (None, Some(error)),
        };
        self.events.push(Event::Stepped { run_id, revision, steps, distribution, memory });
        if let Some(error) = fault {
            self.report(Err(error), None, Some(revision));
        }
    }

    /// Ends the run, if there is one: with the session's own reason, or else because the user asked for it.
    pub(super) fn end_run(&mut self) {
        if self.run.is_none() {
            return;
        }
        self.flush_steps(true);
        let (Some(run), Some(loaded)) = (self.run.take(), &mut self.loaded) else { return };
        let reason = loaded.session.stop();
        let timing = self.timing_of(&run);
        let (Some(loaded), Some(display)) = (&self.loaded, &self.display) else { return };
        let session = &loaded.session;
        self.events.push(Event::Stopped {
            run_id: run.id,
            reason: reason.into(),
            summary: RunSummary {
                seed: display.seed,
                prompt_tokens: session.prompt_length(),
                new_tokens: session.new_ids().len(),
                final_text: session.held_text(),
                forward_calls: session.forward_calls(),
                can_continue: reason.can_continue(),
                timing,
            },
        });
    }

    /// The times of a run that has ended.
    fn timing_of(&mut self, run: &Run) -> RunTiming {
        let clock_step_ms = self.clock_step_ms();
        let (reading, tokens) = (self.reading, run.timed.tokens());
        let sum = |part: fn(&TokenTimes) -> f64| tokens.iter().map(part).sum::<f64>();
        let first_ms = tokens.first().map_or(0.0, |token| token.model_ms);
        // The run began with the prompt read; only the head runs again, which the prefill's time has in it already.
        let head_again_ms = if run.goes_on { 0.0 } else { first_ms };
        let prefill_ms = (!run.goes_on).then_some(reading.prefill_ms);
        let lead_in_ms = prefill_ms
            .map_or(0.0, |prefill_ms| reading.tokenize_ms + prefill_ms - head_again_ms.min(prefill_ms));
        let decode_ms = sum(|token| token.model_ms) - head_again_ms;
        let (sampling_ms, detokenize_ms) = (sum(|token| token.sampling_ms), sum(|token| token.detokenize_ms));
        let ended_ms = tokens.last().map_or(0.0, |token| token.at_ms);
        let latency = Latency::of(&RequestTimes {
            lead_in_ms,
            prefill_ms,
            prefill_tokens: reading.prefill_tokens,
            tokens,
            clock_step_ms,
        });
        RunTiming {
            tokenize_ms: (!run.goes_on).then_some(reading.tokenize_ms),
            prefill_ms,
            prefill_tokens: reading.prefill_tokens,
            reused_tokens: reading.reused_tokens,
            decode_steps: tokens.len().saturating_sub(usize::from(!run.goes_on)),
            decode_ms,
            sampling_ms,
            detokenize_ms,
            other_ms: (ended_ms - head_again_ms - decode_ms - sampling_ms - detokenize_ms).max(0.0),
            after_start_ms: tokens.first().map(|token| token.at_ms),
            paced: run.paced,
            run_of_model: self.timed_runs,
            latency: project::latency(&latency),
        }
    }

    pub(super) fn stop(&mut self, run_id: u32) {
        if self.run.as_ref().is_some_and(|run| run.id == run_id) {
            self.end_run();
        } else {
            self.stop_call(run_id);
        }
    }
}
