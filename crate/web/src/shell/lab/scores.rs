//! Scores of a text, and digests of the weights.

use std::sync::Arc;

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::{TextScores, WeightsDigest};
use logit_lab_engine::tokenizer::Tokenizer;

use super::super::prompt::prompt_ids;
use super::super::{Loaded, Result};
use super::LabJob;
use crate::columns::{F64Column, U32Column};
use crate::project;
use crate::protocol::{self as wire, Answer, ScoreCall};

pub(in crate::shell) struct ScoreJob {
    scores: TextScores,
    tokenizer: Option<Arc<Tokenizer>>,
}

impl ScoreJob {
    pub(in crate::shell) fn new(loaded: &mut Loaded, call: &ScoreCall) -> Result<Self> {
        let ids = prompt_ids(loaded, &call.prompt)?;
        let model = loaded.fresh_model(call.kernel.as_deref())?;
        let scores = TextScores::new(model.as_ref(), &ids, call.start_id)?;
        Ok(Self { scores, tokenizer: loaded.tokenizer.clone() })
    }
}

impl LabJob for ScoreJob {
    fn advance(&mut self) -> std::result::Result<bool, EngineError> {
        self.scores.advance()
    }

    fn progress(&self) -> (usize, usize) {
        self.scores.progress()
    }

    fn answer(self: Box<Self>) -> Result<Answer> {
        let (found, tokenizer) = (self.scores.scores(), self.tokenizer.as_deref());
        let top_ids: Vec<u32> = found.iter().map(|score| score.top_id).collect();
        let result = wire::TextScores {
            tokens: project::tokens(tokenizer, self.scores.ids()),
            unscored: self.scores.unscored(),
            log_probabilities: F64Column(found.iter().map(|score| score.log_probability).collect()),
            probabilities: F64Column(found.iter().map(|score| score.probability).collect()),
            ranks: U32Column(
                found.iter().map(|score| u32::try_from(score.rank).unwrap_or(u32::MAX)).collect(),
            ),
            top_tokens: project::tokens(tokenizer, &top_ids),
            top_probabilities: F64Column(found.iter().map(|score| score.top_probability).collect()),
            summary: self.scores.summary(tokenizer).map(|summary| wire::TextSummary {
                tokens: summary.tokens,
                log_probability: summary.log_probability,
                perplexity: summary.perplexity,
                bytes: summary.bytes,
                characters: summary.characters,
                nats_per_byte: summary.nats_per_byte(),
                nats_per_character: summary.nats_per_character(),
            }),
        };
        Ok(Answer::Score { result: Box::new(result) })
    }
}

pub(in crate::shell) struct DigestJob {
    digest: WeightsDigest,
    kernel: String,
    precision: String,
}

impl DigestJob {
    /// Of the page's own model, whose weights a generation reads.
    pub(in crate::shell) fn new(loaded: &Loaded) -> Self {
        Self {
            digest: WeightsDigest::new(&loaded.checkpoint, loaded.session.model()),
            kernel: loaded.choice.kernel.name().to_owned(),
            precision: loaded.choice.precision.to_string(),
        }
    }
}

impl LabJob for DigestJob {
    fn advance(&mut self) -> std::result::Result<bool, EngineError> {
        Ok(self.digest.advance())
    }

    fn progress(&self) -> (usize, usize) {
        self.digest.progress()
    }

    fn answer(self: Box<Self>) -> Result<Answer> {
        let digests = self.digest.digests();
        let result = wire::WeightsDigest {
            checkpoint: digests.checkpoint,
            checkpoint_bytes: digests.checkpoint_bytes,
            model: digests.model,
            model_bytes: digests.model_bytes,
            kernel: self.kernel,
            precision: self.precision,
        };
        Ok(Answer::WeightsDigest { result })
    }
}
