//! Repeating a recorded text on the loaded weights.

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::Replay;
use logit_lab_engine::lab::replay::Part;
use logit_lab_engine::session::Session;

use super::LabJob;
use crate::protocol::{Answer, ForcedToken, ReplayPart, Replayed};
use crate::shell::{Result, Shell};
use crate::{convert, project};

struct ReplayJob {
    replay: Replay,
    /// Tokens that the record's runs may come to at most.
    total: usize,
}

impl Shell {
    /// Begins a replay. Errors: no model, settings out of range, parts out of order, ids that the model does not have.
    pub(in crate::shell) fn replay(
        &mut self,
        ids: Vec<u32>,
        parts: &[ReplayPart],
        forced: &[ForcedToken],
        cache: Option<bool>,
        kernel: Option<&str>,
    ) -> Result<Box<dyn LabJob>> {
        let loaded = self.loaded_mut()?;
        let parts: Vec<Part> = parts
            .iter()
            .map(|part| {
                Ok(Part {
                    first: part.first,
                    settings: convert::settings(&part.settings)?,
                    seed: part.seed,
                    limits: convert::limits(&part.limits, loaded.eos_id)?,
                    uniform: part.settings.uniform,
                })
            })
            .collect::<Result<_>>()?;
        let forced: Vec<(usize, u32)> = forced.iter().map(|token| (token.index, token.id)).collect();
        let last_part = parts.last().map_or(0, |part| part.first.saturating_add(part.limits.max_new_tokens));
        let total = last_part.max(forced.last().map_or(0, |token| token.0.saturating_add(1)));
        let model = loaded.fresh_model(kernel)?;
        let mut session = Session::new(model, loaded.tokenizer.clone(), convert::cache_policy(cache));
        session.set_prompt(ids)?;
        Ok(Box::new(ReplayJob { replay: Replay::new(session, parts, forced)?, total }))
    }
}

impl LabJob for ReplayJob {
    fn advance(&mut self) -> std::result::Result<bool, EngineError> {
        self.replay.advance()
    }

    fn progress(&self) -> (usize, usize) {
        (self.replay.new_ids().len(), self.total)
    }

    fn answer(self: Box<Self>) -> Result<Answer> {
        let tokenizer = self.replay.session().tokenizer().map(AsRef::as_ref);
        let result = Replayed {
            tokens: project::tokens(tokenizer, self.replay.new_ids()),
            text: self.replay.text(),
            stop_reason: self.replay.stop_reason().map(Into::into),
        };
        Ok(Answer::Replay { result: Box::new(result) })
    }
}
