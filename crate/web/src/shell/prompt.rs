//! Prompts: to token ids, and from there to logits.

use logit_lab_engine::EngineError;
use logit_lab_engine::session::check_text_bytes;
use logit_lab_engine::tokenizer::Tokenizer;

use super::{Loaded, Result, Shell};
use crate::project;
use crate::protocol::{Event, Prompt};

/// The ids of a prompt, unless its text alone shows that it is too long.
pub(super) fn prompt_ids(loaded: &Loaded, prompt: &Prompt) -> Result<Vec<u32>> {
    if let Prompt::Text(text) = prompt {
        check_text_bytes(text.len(), loaded.config.max_position_embeddings)?;
    }
    ids_of(loaded.tokenizer.as_deref(), prompt)
}

/// The ids of a text of any length.
pub(super) fn ids_of(tokenizer: Option<&Tokenizer>, prompt: &Prompt) -> Result<Vec<u32>> {
    match (prompt, tokenizer) {
        (Prompt::Ids(ids), _) => Ok(ids.clone()),
        (Prompt::Text(text), Some(tokenizer)) => Ok(tokenizer.encode(text)?),
        (Prompt::Text(_), None) => Err(no_tokenizer().into()),
    }
}

/// Why nothing can be made of text, or text of ids.
pub(super) fn no_tokenizer() -> EngineError {
    EngineError::Tokenizer {
        subject: "text".into(),
        expected: "a model with a tokenizer.json, or token ids".into(),
        found: "a model without one".into(),
    }
}

/// A prompt, or the end of a text, on its way to logits.
pub(super) struct Preparing {
    pub revision: u32,
    pub tokens: usize,
    pub reused_tokens: usize,
    pub prefill_ms: f64,
    /// After a branch, which has been told already.
    pub quiet: bool,
    /// Its time is that of reading the prompt.
    pub reads_prompt: bool,
}

impl Preparing {
    /// Reads a prompt.
    pub fn new(revision: u32, tokens: usize, reused_tokens: usize) -> Self {
        Self { revision, tokens, reused_tokens, prefill_ms: 0.0, quiet: false, reads_prompt: true }
    }
}

/// What it took to read the prompt, which is long done when a run begins.
#[derive(Clone, Copy, Default)]
pub(super) struct Reading {
    pub tokenize_ms: f64,
    pub prefill_ms: f64,
    pub prefill_tokens: usize,
    pub reused_tokens: usize,
}

impl Shell {
    pub(super) fn prepare(&mut self, revision: u32, prompt: &Prompt) -> Result<()> {
        let before = (self.clock)();
        let loaded = self.loaded_mut()?;
        let ids = prompt_ids(loaded, prompt)?;
        let tokens = project::tokens(loaded.tokenizer.as_deref(), &ids);
        let tokenize_ms = (self.clock)() - before;
        self.events.push(Event::Tokenized { revision, tokens, tokenize_ms });
        let count = ids.len();
        let reused_tokens = self.loaded_mut()?.session.set_prompt(ids)?;
        let prefill_tokens = count.saturating_sub(reused_tokens);
        self.reading = Reading { tokenize_ms, prefill_ms: 0.0, prefill_tokens, reused_tokens };
        self.prompt_fault = false;
        self.preparing = Some(Preparing::new(revision, count, reused_tokens));
        Ok(())
    }

    /// After a rewind the prompt's hidden states are still there: only the head runs again.
    pub(super) fn preparing_again(&self, revision: u32) -> Preparing {
        let tokens = self.loaded.as_ref().map_or(0, |loaded| loaded.session.prompt_length());
        Preparing { reads_prompt: false, ..Preparing::new(revision, tokens, tokens) }
    }

    pub(super) fn prefill(&mut self) {
        let Some(mut preparing) = self.preparing.take() else { return };
        let Some(loaded) = &mut self.loaded else { return };
        let before = (self.clock)();
        let result = loaded.session.forward_chunk();
        preparing.prefill_ms += (self.clock)() - before;
        if preparing.reads_prompt {
            self.reading.prefill_ms = preparing.prefill_ms;
        }
        match result {
            Ok(true) => {
                let discarded_tokens = loaded.session.last_pass().discarded;
                let memory = self.memory();
                let Preparing { revision, tokens, reused_tokens, prefill_ms, quiet, .. } = preparing;
                if !quiet {
                    self.events.push(Event::Prefilled {
                        revision,
                        tokens,
                        reused_tokens,
                        discarded_tokens,
                        prefill_ms,
                        memory,
                    });
                }
                self.hold_uniform();
                self.preview_wanted = true;
            }
            Ok(false) => self.preparing = Some(preparing),
            Err(error) => {
                self.prompt_fault = true;
                self.report(Err(error.into()), None, Some(preparing.revision));
            }
        }
    }
}
