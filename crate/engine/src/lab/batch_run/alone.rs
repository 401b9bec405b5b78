//! The requests of a batch one at a time, as any run of the page makes them, and how far the batch's logits are from those.

use std::sync::Arc;

use super::{BatchRequest, BatchRun, BatchSettings, Clock};
use crate::error::Result;
use crate::model::gpt_neox::GptNeox;
use crate::session::{CachePolicy, Limits, Session, StartFrom, StopReason};

/// One request's run alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Alone {
    /// The tokens after the prompt, the end token included.
    pub new_ids: Vec<u32>,
    /// Why it ended.
    pub reason: Option<StopReason>,
    /// Milliseconds of its own run.
    pub run_ms: f64,
    /// Milliseconds from the start of the first request to its last token: its own run and all before it.
    pub latency_ms: f64,
    /// The largest difference of a logit between batch and run alone, while both had made the same tokens; `None` where
    /// nothing could be compared.
    pub largest_logit_difference: Option<f32>,
    /// Tokens whose logits were compared.
    pub compared: usize,
}

/// Runs every request in turn.
pub(super) struct AloneRun {
    model: GptNeox,
    requests: Arc<[BatchRequest]>,
    settings: BatchSettings,
    clock: Clock,
    session: Option<Session>,
    done: Vec<Alone>,
    current: Alone,
    elapsed_ms: f64,
}

impl AloneRun {
    pub(super) fn new(
        model: &GptNeox,
        requests: Arc<[BatchRequest]>,
        settings: BatchSettings,
        clock: Clock,
    ) -> Self {
        Self {
            model: model.sharing(),
            requests,
            settings,
            clock,
            session: None,
            done: Vec::new(),
            current: Alone::default(),
            elapsed_ms: 0.0,
        }
    }

    /// One chunk of forward pass or one pick; `true` at the end. Comparing with what `batch` made is in no time.
    pub(super) fn advance(&mut self, batch: &BatchRun) -> Result<bool> {
        let index = self.done.len();
        let requests = Arc::clone(&self.requests);
        let Some(request) = requests.get(index) else { return Ok(true) };
        let started_ms = (self.clock)();
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.begin(request)?,
        };
        let mut uncounted_ms = 0.0;
        if session.forward_chunk()? {
            let compare_ms = (self.clock)();
            self.compare(batch, index, &session);
            uncounted_ms = (self.clock)() - compare_ms;
            session.pick(&self.settings.sampling, request.seed)?;
        }
        let unit_ms = (self.clock)() - started_ms - uncounted_ms;
        self.current.run_ms += unit_ms;
        self.elapsed_ms += unit_ms;
        if session.stopped().is_some() {
            self.current.new_ids = session.new_ids().to_vec();
            self.current.reason = session.stopped();
            self.current.latency_ms = self.elapsed_ms;
            self.done.push(std::mem::take(&mut self.current));
        } else {
            self.session = Some(session);
        }
        Ok(self.done.len() == self.requests.len())
    }

    fn begin(&self, request: &BatchRequest) -> Result<Session> {
        let mut session = Session::new(Box::new(self.model.sharing()), None, CachePolicy::Reuse);
        session.set_prompt(request.ids.clone())?;
        let limits = Limits {
            max_new_tokens: request.max_new_tokens,
            eos_id: self.settings.eos_id,
            ignore_eos: self.settings.ignore_eos,
            ..Limits::default()
        };
        session.start(StartFrom::Prompt, limits);
        Ok(session)
    }

    /// The logits of the next token beside those of the batch, as long as both have read the same tokens.
    fn compare(&mut self, batch: &BatchRun, index: usize, session: &Session) {
        let made = session.new_ids();
        let text = batch.texts.get(index).map_or(&[][..], |text| &text.new_ids);
        let kept = batch.kept.as_ref().and_then(|kept| kept.get(index)?.get(made.len()));
        let (Some(kept), Some(logits), true) = (kept, session.logits(), text.starts_with(made)) else {
            return;
        };
        let differences = kept.iter().zip(logits).map(|(a, b)| (a - b).abs());
        let largest = differences.fold(self.current.largest_logit_difference.unwrap_or(0.0), f32::max);
        self.current.largest_logit_difference = Some(largest);
        self.current.compared += 1;
    }

    /// Tokens so far, and at most.
    pub(super) fn progress(&self) -> (usize, usize) {
        let all = self.requests.iter().map(|request| request.max_new_tokens);
        let made = self.session.as_ref().map_or(0, |session| session.new_ids().len());
        (all.clone().take(self.done.len()).sum::<usize>() + made, all.sum())
    }

    /// The runs that are finished, in the order of the requests.
    pub(super) fn into_done(self) -> Vec<Alone> {
        self.done
    }
}
