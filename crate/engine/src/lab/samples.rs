//! Independent samples: the same prompt and settings under one seed after the other.

use crate::error::Result;
use crate::sampling::SamplingSettings;
use crate::session::{Limits, Session, StartFrom, StopReason};

/// One text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The seed that repeats it.
    pub seed: u32,
    /// Its tokens, the end token included.
    pub new_ids: Vec<u32>,
    /// None without a tokenizer.
    pub text: Option<String>,
    /// Why it ended.
    pub reason: StopReason,
}

/// A series under way; call [`Samples::advance`] until it says `true`. The prompt is computed once.
pub struct Samples {
    session: Session,
    settings: SamplingSettings,
    limits: Limits,
    /// That of the sample being made; one more for each.
    seed: u32,
    left: usize,
    started: bool,
    text: String,
    done: Vec<Sample>,
}

impl Samples {
    /// `count` samples with the seeds from `seed` on (after the largest comes 0), in a session that has its prompt.
    pub fn new(
        session: Session,
        settings: SamplingSettings,
        limits: Limits,
        seed: u32,
        count: usize,
    ) -> Self {
        Self {
            session,
            settings,
            limits,
            seed,
            left: count,
            started: false,
            text: String::new(),
            done: Vec::new(),
        }
    }

    /// One chunk of forward pass or one pick; `true` at the end. Errors as those of [`Session::pick`].
    pub fn advance(&mut self) -> Result<bool> {
        if self.left == 0 {
            return Ok(true);
        }
        if !self.started {
            self.started = true;
            self.session.start(StartFrom::Prompt, self.limits.clone());
        }
        if self.session.stopped().is_none() && self.session.forward_chunk()? {
            self.session.pick(&self.settings, self.seed)?;
            let text = self.session.read();
            self.text.push_str(&text);
        }
        if let Some(reason) = self.session.stopped() {
            let text = std::mem::take(&mut self.text) + &self.session.held_text();
            self.done.push(Sample {
                seed: self.seed,
                new_ids: self.session.new_ids().to_vec(),
                text: self.session.tokenizer().map(|_| text),
                reason,
            });
            self.seed = self.seed.wrapping_add(1);
            self.left -= 1;
            self.started = false;
        }
        Ok(self.left == 0)
    }

    /// The samples that are finished.
    pub fn done(&self) -> &[Sample] {
        &self.done
    }

    /// How many of them differ in their tokens.
    pub fn distinct(&self) -> usize {
        let mut texts: Vec<&[u32]> = self.done.iter().map(|sample| sample.new_ids.as_slice()).collect();
        texts.sort_unstable();
        texts.dedup();
        texts.len()
    }
}
