//! A generation asked for by a call: a session of its own on the page's weights.

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::{Latency, RequestTimes, TimedRun, TimedToken};
use logit_lab_engine::sampling::SamplingSettings;
use logit_lab_engine::session::Session;

use crate::columns::{F64Column, U32Column};
use crate::project;
use crate::protocol::{self as wire, Memory};

/// It goes on token by token, and is timed as it does.
pub(super) struct Generation {
    pub session: Session,
    pub timed: TimedRun,
    pub settings: SamplingSettings,
    pub seed: u32,
    pub tokenize_ms: f64,
}

impl Generation {
    /// One chunk of forward pass or one pick; `true` at the end. Even a run of no tokens takes its prefill.
    pub fn advance(&mut self) -> Result<(Option<TimedToken>, bool), EngineError> {
        if self.session.stopped().is_some() {
            return self.session.forward_chunk().map(|done| (None, done || self.session.logits_at() > 0));
        }
        let token = self.timed.advance(&mut self.session, &self.settings, self.seed)?;
        Ok((token, self.session.stopped().is_some() && self.session.logits_at() > 0))
    }

    pub fn result(mut self, memory_bytes: Memory, clock_step_ms: f64) -> wire::Generated {
        let stop_reason = self.session.stop().into();
        let timings = self.timed.timings();
        let latency = Latency::of(&RequestTimes {
            lead_in_ms: 0.0,
            prefill_ms: timings.first_token_ms.map(|_| timings.prefill_ms),
            prefill_tokens: self.session.prompt_length(),
            tokens: self.timed.tokens(),
            clock_step_ms,
        });
        wire::Generated {
            ids: U32Column(self.session.ids().to_vec()),
            new_ids: U32Column(self.session.new_ids().to_vec()),
            text: self.session.tokenizer().map(|_| self.timed.text().to_owned() + &self.session.held_text()),
            stop_reason,
            forward_calls: self.session.forward_calls(),
            seed: self.seed,
            timings_ms: wire::TimingsMs {
                tokenize: self.tokenize_ms,
                prefill: timings.prefill_ms,
                decode_steps: F64Column(timings.decode_steps_ms.clone()),
                sampling: timings.sampling_ms,
                detokenize: timings.detokenize_ms,
                first_token: timings.first_token_ms,
                total: self.timed.elapsed_ms(),
            },
            latency: project::latency(&latency),
            memory_bytes,
        }
    }
}
