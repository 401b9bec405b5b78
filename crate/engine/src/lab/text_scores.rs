//! What a model says of a text that is there already: every position scored in one pass, as in training, where the model
//! always reads the true tokens (teacher forcing) and never its own.
//!
//! Position n is scored by the logits after the tokens before it, at temperature 1 and with nothing cut: the model's own
//! chances. The first token has nothing before it and therefore no score, unless a start token is put in front.

use crate::error::{EngineError, Result};
use crate::model::Forward;
use crate::sampling::{Decoding, History, Sampler, SamplingSettings, SettingsValues};
use crate::session::check_ids;
use crate::tokenizer::Tokenizer;

/// Positions of one [`TextScores::advance`]: each takes an output head, a softmax and a ranking over the vocabulary, and a
/// worker wants to answer in between. On the fused kernel the pieces change no bit.
const POSITIONS_PER_UNIT: usize = 8;

/// What the model says of one token of the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenScore {
    /// The token of the text.
    pub id: u32,
    /// Natural logarithm of its probability (nats, never above 0).
    pub log_probability: f64,
    /// Its probability.
    pub probability: f64,
    /// Its place among all tokens, from 0.
    pub rank: usize,
    /// The likeliest token there: what greedy decoding would have taken.
    pub top_id: u32,
    /// That token's probability.
    pub top_probability: f64,
}

/// The scores of a text together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextSummary {
    /// Tokens that were scored: all but the first, or all after a start token.
    pub tokens: usize,
    /// Sum of the log-probabilities, in nats.
    pub log_probability: f64,
    /// exp of the mean negative log-probability of a token. Comparable only between models with the same tokenizer.
    pub perplexity: f64,
    /// UTF-8 bytes of the scored tokens; `None` without a tokenizer.
    pub bytes: Option<usize>,
    /// Characters that the scored tokens add to the text.
    pub characters: Option<usize>,
}

impl TextSummary {
    /// Negative log-probability for each byte of text, which does not depend on how a tokenizer cuts it; `None` without.
    pub fn nats_per_byte(&self) -> Option<f64> {
        self.bytes.filter(|bytes| *bytes > 0).map(|bytes| -self.log_probability / bytes as f64)
    }

    /// The same for each character.
    pub fn nats_per_character(&self) -> Option<f64> {
        self.characters.filter(|n| *n > 0).map(|characters| -self.log_probability / characters as f64)
    }
}

/// A text that is being scored; call [`TextScores::advance`] until it says `true`.
pub struct TextScores {
    model: Box<dyn Forward>,
    /// With the start token, if there is one.
    ids: Vec<u32>,
    has_start: bool,
    settings: SamplingSettings,
    sampler: Sampler,
    /// Positions that have been read.
    read: usize,
    scores: Vec<TokenScore>,
}

impl TextScores {
    /// The text's tokens, with a start token in front or none. Errors: ids that the model cannot read, or nothing to score:
    /// a single token without a start token.
    pub fn new(model: &dyn Forward, ids: &[u32], start_id: Option<u32>) -> Result<Self> {
        let ids: Vec<u32> = start_id.into_iter().chain(ids.iter().copied()).collect();
        check_ids(&ids, model.config().vocab_size, model.config().max_position_embeddings)?;
        if ids.len() < 2 {
            return Err(EngineError::Context {
                subject: "text to score",
                expected: "at least 2 tokens, because the first has nothing before it to be predicted from"
                    .into(),
                found: "1".into(),
            });
        }
        let greedy = SettingsValues { decoding: Decoding::Greedy, ..SettingsValues::default() };
        Ok(Self {
            model: model.fresh(),
            ids,
            has_start: start_id.is_some(),
            settings: SamplingSettings::new(greedy)?,
            sampler: Sampler::new(),
            read: 0,
            scores: Vec::new(),
        })
    }

    /// Some positions more; `true` at the end. Errors: those of the model, and logits that are not finite numbers.
    pub fn advance(&mut self) -> Result<bool> {
        // The last token predicts what comes after the text, which nobody asked for.
        let last = self.ids.len() - 1;
        let end = last.min(self.read + POSITIONS_PER_UNIT);
        let piece = self.ids.get(self.read..end).unwrap_or_default();
        if piece.is_empty() {
            return Ok(true);
        }
        let hidden = self.model.extend(piece)?;
        let logits = self.model.logits(&hidden)?;
        let width = self.model.config().vocab_size.max(1);
        for (logits, position) in logits.chunks_exact(width).zip(self.read + 1..) {
            let Some(&id) = self.ids.get(position) else { break };
            let step = self.sampler.step(logits, &self.settings, &History::default(), 0.0)?;
            let (base, top_id) = (step.base(), step.draw().id);
            self.scores.push(TokenScore {
                id,
                log_probability: base.log_probability(id),
                probability: base.probability(id),
                rank: step.rank(id).unwrap_or_default(),
                top_id,
                top_probability: base.probability(top_id),
            });
        }
        self.read = end;
        Ok(self.read == last)
    }

    /// Positions scored, and all that will be.
    pub fn progress(&self) -> (usize, usize) {
        (self.read, self.ids.len() - 1)
    }

    /// The scores so far: of the second token on, or with a start token of the first on.
    pub fn scores(&self) -> &[TokenScore] {
        &self.scores
    }

    /// The text's tokens as far as they are scored, the first one included.
    pub fn ids(&self) -> &[u32] {
        self.ids.get(usize::from(self.has_start)..=self.read).unwrap_or_default()
    }

    /// Tokens of the text at the beginning that have no score: 1, or 0 after a start token.
    pub fn unscored(&self) -> usize {
        usize::from(!self.has_start)
    }

    /// All scores together; `None` before the first.
    pub fn summary(&self, tokenizer: Option<&Tokenizer>) -> Option<TextSummary> {
        if self.scores.is_empty() {
            return None;
        }
        let log_probability: f64 = self.scores.iter().map(|score| score.log_probability).sum();
        let (ids, first) = (self.ids(), self.ids().get(..self.unscored()).unwrap_or_default());
        let bytes = |ids: &[u32], tokenizer: &Tokenizer| -> usize {
            ids.iter().filter_map(|id| tokenizer.bytes_of(*id)).map(<[u8]>::len).sum()
        };
        let characters = |ids: &[u32], tokenizer: &Tokenizer| tokenizer.decode(ids).chars().count();
        Some(TextSummary {
            tokens: self.scores.len(),
            log_probability,
            perplexity: libm::exp(-log_probability / self.scores.len() as f64),
            bytes: tokenizer.map(|tokenizer| bytes(ids, tokenizer) - bytes(first, tokenizer)),
            characters: tokenizer
                .map(|tokenizer| characters(ids, tokenizer).saturating_sub(characters(first, tokenizer))),
        })
    }
}
