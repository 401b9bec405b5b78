//! Looking closer: any row of any step of the present text, and another text in its place.

use logit_lab_engine::EngineError;
use logit_lab_engine::sampling::{SamplingStep, uniform};
use logit_lab_engine::tokenizer::Tokenizer;

use super::prompt::Preparing;
use super::{Result, Shell};
use crate::protocol::{Event, Select, Settings};
use crate::{convert, project};

impl Shell {
    /// The number that the shown settings set by hand decides about the token that the bars show.
    pub(super) fn hold_uniform(&mut self) {
        let (Some(loaded), Some(display)) = (&mut self.loaded, &self.display) else { return };
        let index = loaded.session.predicted_index();
        loaded.session.choose_uniform(display.uniform.map(|uniform| (index, uniform)));
    }

    pub(super) fn branch(&mut self, revision: u32, new_ids: &[u32]) -> Result<()> {
        let prompt_fault = self.prompt_fault;
        let loaded = self.loaded_mut()?;
        if prompt_fault {
            return Err(no_prompt());
        }
        let branch = loaded.session.set_text(new_ids)?;
        let tokens = project::tokens(loaded.tokenizer.as_deref(), new_ids);
        let reused_tokens = branch.reused;
        let count = loaded.session.ids().len();
        self.events.push(Event::Branched { revision, tokens, texts: branch.texts, reused_tokens });
        // A prompt that is still being read goes on, to the end of the new text, and is told as ever.
        self.preparing.get_or_insert(Preparing {
            quiet: true,
            reads_prompt: false,
            ..Preparing::new(revision, count, reused_tokens)
        });
        Ok(())
    }

    pub(super) fn show_rows(
        &mut self,
        revision: u32,
        step: Option<usize>,
        settings: Option<&Settings>,
        seed: Option<u32>,
        select: &Select,
    ) -> Result<()> {
        let shown = self.look(step, settings, seed, |step, tokenizer, context, picked| {
            project::distribution(step, tokenizer, select, context, picked)
        });
        let (step, distribution) = shown?;
        self.events.push(Event::Shown { revision, step, distribution });
        Ok(())
    }

    pub(super) fn compare(
        &mut self,
        revision: u32,
        step: Option<usize>,
        settings: Option<&Settings>,
        seed: Option<u32>,
        [first_id, second_id]: [u32; 2],
    ) -> Result<()> {
        let (step, comparison) =
            self.look(step, settings, seed, |step, _, _, _| step.compare(first_id, second_id))?;
        let comparison = comparison.ok_or_else(|| EngineError::Context {
            subject: "token id",
            expected: "two ids of the vocabulary".into(),
            found: format!("{first_id} and {second_id}"),
        })?;
        let comparison = project::comparison(comparison);
        self.events.push(Event::Compared { revision, step, first_id, second_id, comparison });
        Ok(())
    }

    /// Reads something of a step of the present text: that of the bars, or the one of that index. Without settings it is
    /// as it was picked; a token that was not picked is shown with the settings of the bars.
    pub(super) fn look<T>(
        &mut self,
        index: Option<usize>,
        settings: Option<&Settings>,
        seed: Option<u32>,
        read: impl FnOnce(&mut SamplingStep<'_>, Option<&Tokenizer>, usize, Option<u32>) -> T,
    ) -> Result<(usize, T)> {
        let bars = self.display.as_ref().map(|display| (display.settings.clone(), display.seed));
        let prompt_fault = self.prompt_fault;
        let loaded = self.loaded_mut()?;
        let (bars, bars_seed) = bars.filter(|_| !prompt_fault).ok_or_else(no_prompt)?;
        let session = &mut loaded.session;
        let at = index.unwrap_or_else(|| session.predicted_index());
        let origin = session.origin(at).filter(|_| index.is_some() && seed.is_none());
        let (settings, uniform) = match (settings, origin) {
            (Some(settings), _) => {
                let by_seed = uniform(seed.unwrap_or(bars_seed), at as u64);
                (convert::settings(settings)?, settings.uniform.unwrap_or(by_seed))
            }
            (None, Some(origin)) => (origin.settings.as_ref().clone(), origin.uniform),
            (None, None) => (bars, session.uniform_for(at, seed.unwrap_or(bars_seed))),
        };
        let context = session.prompt_length().saturating_add(at);
        let picked = session.new_ids().get(at).copied();
        let mut step = session.look_back(at, &settings, uniform)?;
        Ok((at, read(&mut step, loaded.tokenizer.as_deref(), context, picked)))
    }
}

fn no_prompt() -> crate::protocol::WireError {
    EngineError::Context {
        subject: "prompt",
        expected: "a prompt that the model has read".into(),
        found: "none".into(),
    }
    .into()
}
