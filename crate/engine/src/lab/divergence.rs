//! Two runs side by side: where they part, what both models said there, and how far their logits are apart before.
//!
//! Once two texts differ, everything after follows from another prefix, and a comparison says nothing about the models. So
//! both are run over the tokens that the texts share, and no further.

use crate::error::{EngineError, Result};
use crate::model::Forward;
use crate::session::{PREFILL_CHUNK, check_ids};

/// A comparison of the runs of two models, or of two configurations of one; call [`RunComparison::advance`] until it says
/// `true`.
#[derive(Debug, Clone)]
pub struct RunComparison {
    /// Prompt and the new tokens that both runs have and that something follows in one of them.
    shared: Vec<u32>,
    prompt_length: usize,
    first_difference: Option<usize>,
    computed: usize,
    largest: LogitDifference,
    logits: [Vec<f32>; 2],
}

/// Where two models' logits are farthest apart on an identical prefix.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LogitDifference {
    /// Absolute difference of the two logits.
    pub value: f32,
    /// The token.
    pub id: u32,
    /// Index of the new token that they predict.
    pub index: usize,
}

impl RunComparison {
    /// Compares two texts that follow the same prompt.
    ///
    /// Errors: an empty prompt.
    pub fn new(prompt: &[u32], one: &[u32], other: &[u32]) -> Result<Self> {
        if prompt.is_empty() {
            return Err(EngineError::Context {
                subject: "prompt",
                expected: "at least one token".into(),
                found: "none".into(),
            });
        }
        let equal = one.iter().zip(other).take_while(|(one, other)| one == other).count();
        let longest = one.len().max(other.len());
        // The prediction of the last token is read before it: nothing runs over that token itself.
        let read = equal.min(longest.saturating_sub(1));
        let shared = [prompt, one.get(..read).unwrap_or_default()].concat();
        Ok(Self {
            shared,
            prompt_length: prompt.len(),
            first_difference: (equal < longest).then_some(equal),
            computed: 0,
            largest: LogitDifference::default(),
            logits: [Vec::new(), Vec::new()],
        })
    }

    /// Runs both models over one chunk of what the texts share; `true` at the end. The models' caches are used from their
    /// beginning.
    ///
    /// Errors: those of the models, and vocabularies of different size.
    pub fn advance(&mut self, one: &mut dyn Forward, other: &mut dyn Forward) -> Result<bool> {
        let vocabulary = one.config().vocab_size;
        if self.computed == 0 {
            begin(one, &self.shared, vocabulary)?;
            begin(other, &self.shared, vocabulary)?;
        }
        let (start, hidden_size) = (self.computed, [one.config().hidden_size, other.config().hidden_size]);
        let end = self.shared.len().min(start + PREFILL_CHUNK);
        let chunk = self.shared.get(start..end).unwrap_or_default();
        if chunk.is_empty() {
            return Ok(true);
        }
        let hidden = [one.extend(chunk)?, other.extend(chunk)?];
        for row in (self.prompt_length - 1).max(start)..end {
            let of = |side: usize| -> &[f32] {
                let width = hidden_size.get(side).copied().unwrap_or(0);
                let from = (row - start) * width;
                hidden.get(side).and_then(|hidden| hidden.get(from..from + width)).unwrap_or_default()
            };
            self.logits = [one.logits(of(0))?, other.logits(of(1))?];
            self.look(row + 1 - self.prompt_length);
        }
        self.computed = end;
        Ok(end == self.shared.len())
    }

    fn look(&mut self, index: usize) {
        let [one, other] = &self.logits;
        for (id, (one, other)) in (0u32..).zip(one.iter().zip(other)) {
            let value = (one - other).abs();
            if value > self.largest.value {
                self.largest = LogitDifference { value, id, index };
            }
        }
    }

    /// Index of the first new token in which the texts differ, or where one of them ends; none where they are the same.
    pub fn first_difference(&self) -> Option<usize> {
        self.first_difference
    }

    /// The largest difference of two logits on the identical prefix; its value is 0 where all are equal.
    pub fn largest(&self) -> LogitDifference {
        self.largest
    }

    /// Both models' logits `[vocab_size]` where the texts part, or of the last token where they do not.
    pub fn logits(&self) -> [&[f32]; 2] {
        let [one, other] = &self.logits;
        [one, other]
    }

    /// What both models have read before those logits.
    pub fn shared(&self) -> &[u32] {
        &self.shared
    }
}

/// Empties the model's cache, and sees whether it can read these ids and has a vocabulary of that size.
fn begin(model: &mut dyn Forward, ids: &[u32], vocabulary: usize) -> Result<()> {
    let config = model.config();
    if config.vocab_size != vocabulary {
        return Err(EngineError::Context {
            subject: "vocabulary of the second model",
            expected: format!("{vocabulary} tokens, as of the first"),
            found: config.vocab_size.to_string(),
        });
    }
    check_ids(ids, vocabulary, config.max_position_embeddings)?;
    model.truncate(0);
    Ok(())
}
