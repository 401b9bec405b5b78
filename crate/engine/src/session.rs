//! One text as it grows: prompt, forward passes, picks, and the rules that end it.
//!
//! A [`Session`] is a pull API. Its caller asks for one chunk of forward pass ([`Session::forward_chunk`]) or for one pick
//! ([`Session::pick`]) at a time, so that a caller with a clock can time each alone, and one with a user can stop in
//! between. The session itself knows no time and calls nobody back.
//!
//! The logits of the newest forward pass are kept. They can be sampled again under other settings
//! ([`Session::preview`]) without a forward pass, before and after a token has been picked from them. A text of N new
//! tokens therefore takes one prefill and N-1 further forward calls: the last token is never run until another is wanted.
//!
//! Read [`Session::set_prompt`], [`Session::forward_chunk`], [`Session::start`], [`Session::pick`] in this order.

mod branch;
mod known;
mod limits;
mod pass;

use std::sync::Arc;

pub use self::branch::{Branch, Origin};
use self::known::Known;
use self::limits::end_of_run;
pub use self::limits::{Limits, StopReason, check_ids, check_text_bytes};
pub use self::pass::Pass;

use crate::error::{EngineError, Result};
use crate::model::{Forward, KvBytes};
use crate::sampling::{History, Sampler, SamplingSettings, SamplingStep};
use crate::stop::{StopStream, StopStrings};
use crate::tokenizer::{StreamDecoder, Tokenizer};

/// Positions of one prefill chunk. Chunks end at absolute multiples of this, whatever was reused before them, so a prompt
/// is always computed by the same sequence of operations; and one chunk is short enough for a stop to be answered soon.
pub const PREFILL_CHUNK: usize = 32;

/// Where a run starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartFrom {
    /// At the end of the prompt; text generated before is forgotten.
    Prompt,
    /// At the end of the text so far. The random words go on where they were.
    End,
}

/// What forward passes may reuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CachePolicy {
    /// Keys and values of earlier positions: a step computes one position.
    #[default]
    Reuse,
    /// Nothing: each step computes every position again, as the textbook loop without a cache does.
    Recompute,
}

/// One picked token and everything that led to it.
#[derive(Debug)]
pub struct Picked<'a> {
    /// Index among the new tokens of this text, from 0.
    pub index: usize,
    /// The token.
    pub id: u32,
    /// The sampling step that picked it.
    pub step: SamplingStep<'a>,
}

/// A prompt and the text that grows from it. See the module's head.
pub struct Session {
    model: Box<dyn Forward>,
    tokenizer: Option<Arc<Tokenizer>>,
    sampler: Sampler,
    cache: CachePolicy,
    /// Prompt, then new tokens.
    ids: Vec<u32>,
    prompt_length: usize,
    /// What has been computed: the head can be applied to any of these positions later. At least as many as `computed`, more
    /// while an uncached pass computes the first ones again.
    known: Known,
    /// How each new token was picked; none for one that was put there.
    origins: Vec<Option<Origin>>,
    /// A uniform number set by hand, with the index of the new token that it decides about.
    chosen_uniform: Option<(usize, f64)>,
    /// Positions computed towards the next logits: the length of the KV cache.
    computed: usize,
    /// How many ids the forward pass under way is to read; a new pass begins when this differs from `ids.len()`.
    pass_reads: usize,
    /// The newest pass in counts; cached positions thrown away since it began; what the text before has in common with this
    /// one, until a pass begins.
    pass: Pass,
    dropped: usize,
    shared: Option<usize>,
    /// The kept logits `[vocab_size]`; empty before the first forward pass has ended.
    logits: Vec<f32>,
    /// How many ids the kept logits have read: they predict this position.
    logits_at: usize,
    /// Logits of a prompt position that was looked at; the kept logits are left alone.
    inspected: Vec<f32>,
    forward_calls: usize,
    limits: Limits,
    made_in_run: usize,
    stopped: Option<StopReason>,
    decoder: StreamDecoder,
    stops: StopStream,
    /// Text that a run held back for its stop strings and that the next run's stop strings release.
    unread: String,
}

impl Session {
    /// A session with no prompt yet. Without a tokenizer everything but text works.
    pub fn new(model: Box<dyn Forward>, tokenizer: Option<Arc<Tokenizer>>, cache: CachePolicy) -> Self {
        Self {
            known: Known::new(model.config().hidden_size),
            model,
            tokenizer,
            sampler: Sampler::new(),
            cache,
            ids: Vec::new(),
            prompt_length: 0,
            origins: Vec::new(),
            chosen_uniform: None,
            computed: 0,
            pass_reads: 0,
            pass: Pass::default(),
            dropped: 0,
            shared: None,
            logits: Vec::new(),
            logits_at: 0,
            inspected: Vec::new(),
            forward_calls: 0,
            limits: Limits::default(),
            made_in_run: 0,
            stopped: None,
            decoder: StreamDecoder::new(),
            stops: StopStream::new(StopStrings::default()),
            unread: String::new(),
        }
    }

    /// Takes a new prompt and forgets the text before. Returns how many of its positions need no computing because the
    /// prompt before began with the same tokens.
    ///
    /// Errors: no token, more tokens than the model has positions, an id outside the vocabulary. The session is then as
    /// it was.
    pub fn set_prompt(&mut self, ids: Vec<u32>) -> Result<usize> {
        check_ids(&ids, self.model.config().vocab_size, self.model.config().max_position_embeddings)?;
        self.note_shared(&ids);
        let reused = if self.cache == CachePolicy::Recompute { 0 } else { self.reusable(&ids) };
        self.keep(reused);
        self.prompt_length = ids.len();
        self.ids = ids;
        self.rewind();
        Ok(self.computed)
    }

    /// Forgets the new tokens. The prompt stays computed as far as it was.
    pub fn rewind(&mut self) {
        self.ids.truncate(self.prompt_length);
        self.origins.clear();
        self.keep(self.prompt_length);
        self.forward_calls = 0;
        self.forget_run();
    }

    /// One chunk of the forward pass towards the logits after the last id. `true` when those logits are there.
    ///
    /// A prefill of many chunks counts as one forward call. Errors as [`Forward::extend`]; no prompt is an error too.
    pub fn forward_chunk(&mut self) -> Result<bool> {
        if self.ids.is_empty() {
            return Err(EngineError::Context {
                subject: "prompt",
                expected: "at least one token".into(),
                found: "none".into(),
            });
        }
        if self.logits_at == self.ids.len() {
            return Ok(true);
        }
        if self.pass_reads != self.ids.len() {
            self.begin_pass()?;
        }
        if self.computed < self.ids.len() {
            let end = self.ids.len().min((self.computed / PREFILL_CHUNK + 1) * PREFILL_CHUNK);
            let chunk = self.ids.get(self.computed..end).unwrap_or_default();
            match self.cache {
                CachePolicy::Reuse => self.known.append_prefilled(self.computed, &self.model.prefill(chunk)?),
                // What is left open wants the keys and values that the next step throws away.
                CachePolicy::Recompute => self.known.append_final(self.computed, &self.model.extend(chunk)?),
            }
            self.pass.computed += end - self.computed;
            self.computed = end;
        }
        if self.computed < self.ids.len() {
            return Ok(false);
        }
        self.logits.resize(self.model.config().vocab_size, 0.0);
        let newest = self.ids.len() - 1..self.ids.len();
        let hidden = self.known.hidden(self.model.as_mut(), newest)?.unwrap_or_default();
        let head = self.model.logits_into(hidden, &mut self.logits);
        head.inspect_err(|_| self.logits.clear())?;
        self.logits_at = self.ids.len();
        self.forward_calls += 1;
        Ok(true)
    }

    /// Begins a run of up to `limits.max_new_tokens` tokens. The reason is given at once if not even one can be made.
    ///
    /// A run that goes on at the end keeps the bytes of an unfinished character and the beginning of a stop string that
    /// the run before held back.
    pub fn start(&mut self, from: StartFrom, limits: Limits) -> Option<StopReason> {
        if from == StartFrom::Prompt {
            self.rewind();
        }
        let held = std::mem::replace(&mut self.stops, StopStream::new(limits.stop.clone())).finish();
        let delta = self.stops.push(&held);
        self.unread.push_str(&delta.text);
        self.limits = limits;
        self.made_in_run = 0;
        let positions = self.model.config().max_position_embeddings;
        self.stopped = match delta.hit {
            Some(_) => Some(StopReason::StopString),
            None => end_of_run(0, self.ids.len(), &self.limits, positions),
        };
        self.stopped
    }

    /// Picks the next token from the kept logits with `settings` and the uniform number that `seed` has for this token,
    /// and appends it.
    ///
    /// Errors: logits that are not there yet or have been picked from already ([`Session::forward_chunk`] comes first), a
    /// run that has ended, and those of [`Sampler::step`]; the text is then as it was.
    pub fn pick(&mut self, settings: &SamplingSettings, seed: u32) -> Result<Picked<'_>> {
        if self.logits_at != self.ids.len() || self.stopped.is_some() {
            return Err(EngineError::Context {
                subject: "next token",
                expected: "a running run whose forward pass has ended".into(),
                found: "none".into(),
            });
        }
        let index = self.ids.len() - self.prompt_length;
        let history =
            History { ids: &self.ids, prompt_length: self.prompt_length, eos_id: self.limits.eos_id };
        let uniform = self.uniform_for(index, seed);
        let step = self.sampler.step(&self.logits, settings, &history, uniform)?;
        branch::note(&mut self.origins, settings, uniform);
        let id = step.draw().id;
        self.ids.push(id);
        self.made_in_run += 1;
        self.stopped = if self.limits.eos_id == Some(id) && !self.limits.ignore_eos {
            Some(StopReason::EndToken)
        } else {
            end_of_run(
                self.made_in_run,
                self.ids.len(),
                &self.limits,
                self.model.config().max_position_embeddings,
            )
        };
        Ok(Picked { index, id, step })
    }

    /// The text that the newest token made showable. Call once after each pick; a stop string in it ends the run.
    ///
    /// Empty while a character or a stop string may still be forming, for the end token, and without a tokenizer.
    pub fn read(&mut self) -> String {
        let mut text = std::mem::take(&mut self.unread);
        if let (Some(tokenizer), Some(&id)) = (&self.tokenizer, self.ids.last())
            && self.stopped != Some(StopReason::EndToken)
        {
            let delta = self.stops.push(&self.decoder.push_token(tokenizer, id));
            if delta.hit.is_some() {
                self.stopped = Some(StopReason::StopString);
            }
            text.push_str(&delta.text);
        }
        text
    }

    /// Ends the run at the user's wish. A run that has ended keeps its reason.
    pub fn stop(&mut self) -> StopReason {
        *self.stopped.get_or_insert(StopReason::User)
    }

    /// The kept logits under `settings`, without a forward pass and without changing the text. After a pick these are the
    /// logits it was made from, with the same history and the same uniform number.
    ///
    /// Errors: no logits yet, and those of [`Sampler::step`].
    pub fn preview(&mut self, settings: &SamplingSettings, seed: u32) -> Result<SamplingStep<'_>> {
        if self.logits.is_empty() {
            return Err(not_computed("next token"));
        }
        let history = History {
            ids: self.ids.get(..self.logits_at).unwrap_or_default(),
            prompt_length: self.prompt_length,
            eos_id: self.limits.eos_id,
        };
        let uniform = self.uniform_for(self.predicted_index(), seed);
        self.sampler.step(&self.logits, settings, &history, uniform)
    }

    /// The prediction after prompt token `position` (from 0), under `settings`. Runs the output head,
    /// and before it the last block where the prefill has left the position open.
    ///
    /// Errors: a position that has not been computed, and those of [`Sampler::step`].
    pub fn inspect(&mut self, position: usize, settings: &SamplingSettings) -> Result<SamplingStep<'_>> {
        self.apply_head_at(
            Some(position).filter(|position| *position < self.prompt_length),
            "prompt position",
        )?;
        let history = History {
            ids: self.ids.get(..=position).unwrap_or_default(),
            prompt_length: position + 1,
            eos_id: None,
        };
        self.sampler.step(&self.inspected, settings, &history, 0.0)
    }

    /// Logits `[prompt_length, vocab_size]` of every prompt position, row-major. Errors: the prompt has not been computed.
    pub fn prompt_logits(&mut self) -> Result<Vec<f32>> {
        let hidden = self.known.hidden(self.model.as_mut(), 0..self.prompt_length)?;
        self.model.logits(hidden.ok_or_else(|| not_computed("prompt position"))?)
    }

    /// Text that is held back because a character or a stop string may still be forming. It is part of the text if
    /// nothing follows; an unfinished character is then the replacement character.
    pub fn held_text(&self) -> String {
        let mut stops = self.stops.clone();
        let delta = stops.push(&self.decoder.clone().finish());
        self.unread.clone() + &delta.text + &stops.finish()
    }

    /// The kept logits `[vocab_size]`, once a forward pass has ended.
    pub fn logits(&self) -> Option<&[f32]> {
        (!self.logits.is_empty()).then_some(self.logits.as_slice())
    }

    /// How many ids the kept logits have read.
    pub fn logits_at(&self) -> usize {
        self.logits_at
    }

    /// The token that was picked from the kept logits, if one was.
    pub fn picked_id(&self) -> Option<u32> {
        if self.logits.is_empty() { None } else { self.ids.get(self.logits_at).copied() }
    }

    /// Prompt and new tokens.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The tokens after the prompt, the end token included.
    pub fn new_ids(&self) -> &[u32] {
        self.ids.get(self.prompt_length..).unwrap_or_default()
    }

    /// Tokens of the prompt.
    pub fn prompt_length(&self) -> usize {
        self.prompt_length
    }

    /// Forward calls since the prompt: one prefill, then one for each further token.
    pub fn forward_calls(&self) -> usize {
        self.forward_calls
    }

    /// Why the last run ended; `None` while one is running.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Bytes of the KV cache.
    pub fn kv_bytes(&self) -> KvBytes {
        self.model.kv_bytes()
    }

    /// The model.
    pub fn model(&self) -> &dyn Forward {
        self.model.as_ref()
    }

    /// The tokenizer, where there is one.
    pub fn tokenizer(&self) -> Option<&Arc<Tokenizer>> {
        self.tokenizer.as_ref()
    }
}

fn not_computed(subject: &'static str) -> EngineError {
    EngineError::Context { subject, expected: "a forward pass that has ended".into(), found: "none".into() }
}
