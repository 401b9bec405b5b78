//! Looking back and branching: any token of a text can be seen again as it was picked, and replaced.
//!
//! The final hidden state of every position is kept, or what the last block makes it of, which is little: so an earlier
//! prediction takes the output head, at most the last block for one position, and has the bits that it had. A text is a
//! list of ids: another branch of it is another list, of which the common beginning stays in the KV cache. Token n of a
//! text has the n-th uniform number of its seed on every branch.

use std::sync::Arc;

use super::{PREFILL_CHUNK, Session, not_computed};
use crate::error::Result;
use crate::sampling::{History, SamplingSettings, SamplingStep, uniform};
use crate::stop::{StopStream, StopStrings};
use crate::tokenizer::StreamDecoder;

use super::limits::check_ids;

/// How a token was picked.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The settings of that moment.
    pub settings: Arc<SamplingSettings>,
    /// The uniform number that decided; greedy decoding did not look at it.
    pub uniform: f64,
}

/// A text that took the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Positions, prompt included, that need no computing.
    pub reused: usize,
    /// What each new token makes showable; empty without a tokenizer.
    pub texts: Vec<String>,
}

impl Session {
    /// Puts `new_ids` in the place of the text after the prompt. The next run goes on from there ([`super::StartFrom::End`]),
    /// after a forward pass over what is not computed yet ([`Session::forward_chunk`]).
    ///
    /// Errors: more tokens than the model has positions, an id outside the vocabulary. The session is then as it was.
    pub fn set_text(&mut self, new_ids: &[u32]) -> Result<Branch> {
        let config = self.model.config();
        let mut ids = self.ids.get(..self.prompt_length).unwrap_or_default().to_vec();
        ids.extend_from_slice(new_ids);
        check_ids(&ids, config.vocab_size, config.max_position_embeddings)?;
        self.note_shared(&ids);
        let shared = self.ids.iter().zip(&ids).take_while(|(old, new)| old == new).count();
        self.ids = ids;
        self.origins.truncate(shared.saturating_sub(self.prompt_length));
        self.origins.resize(new_ids.len(), None);
        self.keep(shared);
        self.forget_run();
        let texts = (0..new_ids.len()).map(|index| self.text_of(index)).collect();
        Ok(Branch { reused: self.computed, texts })
    }

    /// What new token `index` makes showable, after those before it.
    fn text_of(&mut self, index: usize) -> String {
        let (Some(tokenizer), Some(&id)) = (&self.tokenizer, self.new_ids().get(index)) else {
            return String::new();
        };
        let is_end = self.limits.eos_id == Some(id) && !self.limits.ignore_eos;
        if is_end && index + 1 == self.new_ids().len() {
            return String::new();
        }
        let tokenizer = Arc::clone(tokenizer);
        self.decoder.push_token(&tokenizer, id)
    }

    /// The prediction of new token `index` (from 0) once more, under `settings` and with this uniform number. Runs the
    /// output head, and the last block as [`Session::inspect`] does. The index after the last token is the next one, once
    /// its forward pass has ended.
    ///
    /// Errors: a token that is not there or not computed, and those of [`crate::sampling::Sampler::step`].
    pub fn look_back(
        &mut self,
        index: usize,
        settings: &SamplingSettings,
        uniform: f64,
    ) -> Result<SamplingStep<'_>> {
        let read = self.prompt_length.saturating_add(index);
        self.apply_head_at(read.checked_sub(1), "step")?;
        let history = History {
            ids: self.ids.get(..read).unwrap_or_default(),
            prompt_length: self.prompt_length,
            eos_id: self.limits.eos_id,
        };
        self.sampler.step(&self.inspected, settings, &history, uniform)
    }

    /// How new token `index` was picked; none where it was put there, or is not there.
    pub fn origin(&self, index: usize) -> Option<&Origin> {
        self.origins.get(index)?.as_ref()
    }

    /// Sets the uniform number that decides about new token `index` by hand, in place of the seed's; none undoes that.
    pub fn choose_uniform(&mut self, chosen: Option<(usize, f64)>) {
        self.chosen_uniform = chosen;
    }

    /// The uniform number that decides about new token `index`.
    pub fn uniform_for(&self, index: usize, seed: u32) -> f64 {
        match self.chosen_uniform {
            Some((chosen, uniform)) if chosen == index => uniform,
            _ => uniform(seed, index as u64),
        }
    }

    /// Index among the new tokens of the one that the kept logits predict.
    pub fn predicted_index(&self) -> usize {
        self.logits_at.saturating_sub(self.prompt_length)
    }

    /// Forgets what has been computed from `positions` on, and the kept logits.
    pub(super) fn keep(&mut self, positions: usize) {
        // An uncached pass that was broken off leaves fewer positions in the cache than are known.
        self.computed = positions.min(self.model.cached()).min(self.known.positions());
        self.known.truncate(self.computed);
        self.dropped += self.model.cached() - self.computed;
        self.model.truncate(self.computed);
        self.pass_reads = 0;
        self.logits.clear();
        self.logits_at = 0;
    }

    /// As before any run of this text.
    pub(super) fn forget_run(&mut self) {
        self.made_in_run = 0;
        self.stopped = None;
        self.decoder = StreamDecoder::new();
        self.stops = StopStream::new(StopStrings::default());
        self.unread.clear();
    }

    /// The logits after a position into `inspected`; the kept logits are left alone.
    pub(super) fn apply_head_at(&mut self, position: Option<usize>, what: &'static str) -> Result<()> {
        let position = position.ok_or_else(|| not_computed(what))?;
        let hidden = self.known.hidden(self.model.as_mut(), position..position + 1)?;
        self.inspected.resize(self.model.config().vocab_size, 0.0);
        self.model.logits_into(hidden.ok_or_else(|| not_computed(what))?, &mut self.inspected)
    }

    /// Positions of a new prompt that need no computing: a chunk is reused whole or not at all, see [`PREFILL_CHUNK`].
    pub(super) fn reusable(&self, prompt: &[u32]) -> usize {
        // Tokens of a text were computed one by one; on candle a prompt's bits differ from that.
        let prefilled = self.known.positions().min(self.prompt_length);
        let shared = self.ids.iter().take(prefilled).zip(prompt).take_while(|(old, new)| old == new).count();
        if shared == prompt.len() && shared == prefilled { shared } else { shared - shared % PREFILL_CHUNK }
    }
}

/// Notes how a token was picked. Settings that have not changed since the token before are shared.
pub(super) fn note(origins: &mut Vec<Option<Origin>>, settings: &SamplingSettings, uniform: f64) {
    let before = origins.last().and_then(Option::as_ref).map(|origin| &origin.settings);
    let settings = match before {
        Some(before) if **before == *settings => Arc::clone(before),
        _ => Arc::new(settings.clone()),
    };
    origins.push(Some(Origin { settings, uniform }));
}
