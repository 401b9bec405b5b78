//! What a precision does to a model's predictions: the logits of two models over the same text, compared at every
//! position.

use crate::error::{EngineError, Result};
use crate::model::Forward;
use crate::session::check_ids;

/// Positions of one [`PrecisionComparison::advance`]: few, because each takes two output heads and two softmaxes over the
/// vocabulary, and a worker wants to answer in between.
const POSITIONS_PER_UNIT: usize = 4;

/// How far one model's logits are from another's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrecisionReport {
    /// Positions compared.
    pub positions: usize,
    /// The largest difference of two logits of the same token at the same position.
    pub largest_logit_error: f64,
    /// Root mean square of all differences.
    pub rms_logit_error: f64,
    /// Mean over the positions of KL(reference || other) at temperature 1. A difference that all logits of a position
    /// share does not count, as it does not change a probability.
    pub kl_divergence_nats: f64,
    /// Share of the positions at which both rank the same token first (lowest id at a tie).
    pub top_1_agreement: f64,
}

/// Compares two models from the first to the last position of `ids`.
///
/// Errors: those of [`PrecisionComparison::new`] and [`PrecisionComparison::advance`].
pub fn compare(reference: &dyn Forward, other: &dyn Forward, ids: &[u32]) -> Result<PrecisionReport> {
    let mut comparison = PrecisionComparison::new(reference, other, ids.to_vec())?;
    while !comparison.advance()? {}
    Ok(comparison.report())
}

/// A comparison in small units; call [`PrecisionComparison::advance`] until it says `true`.
pub struct PrecisionComparison {
    reference: Box<dyn Forward>,
    other: Box<dyn Forward>,
    ids: Vec<u32>,
    /// Positions compared.
    done: usize,
    largest_error: f64,
    /// Over positions and vocabulary.
    sum_of_squares: f64,
    /// Over positions.
    sum_of_divergences: f64,
    /// Positions.
    agreements: usize,
}

impl PrecisionComparison {
    /// Both models are run from an empty cache. Errors: ids that one of them cannot read, or different vocabularies.
    pub fn new(reference: &dyn Forward, other: &dyn Forward, ids: Vec<u32>) -> Result<Self> {
        let (expected, found) = (reference.config().vocab_size, other.config().vocab_size);
        if expected != found {
            return Err(EngineError::Context {
                subject: "vocabulary of the model that is compared",
                expected: format!("{expected} tokens, as the reference has"),
                found: found.to_string(),
            });
        }
        for model in [reference, other] {
            check_ids(&ids, model.config().vocab_size, model.config().max_position_embeddings)?;
        }
        Ok(Self {
            reference: reference.fresh(),
            other: other.fresh(),
            ids,
            done: 0,
            largest_error: 0.0,
            sum_of_squares: 0.0,
            sum_of_divergences: 0.0,
            agreements: 0,
        })
    }

    /// A few positions more. `true` at the end. Errors: those of the models, and logits that are not finite numbers.
    pub fn advance(&mut self) -> Result<bool> {
        let end = self.ids.len().min(self.done + POSITIONS_PER_UNIT);
        let ids = self.ids.get(self.done..end).unwrap_or_default();
        if ids.is_empty() {
            return Ok(true);
        }
        let logits = |model: &mut Box<dyn Forward>| {
            let hidden = model.extend(ids)?;
            model.logits(&hidden)
        };
        let (reference, other) = (logits(&mut self.reference)?, logits(&mut self.other)?);
        let vocab_size = self.reference.config().vocab_size.max(1);
        for (reference, other) in reference.chunks_exact(vocab_size).zip(other.chunks_exact(vocab_size)) {
            self.add(reference, other)?;
        }
        Ok(self.done == self.ids.len())
    }

    /// Over the positions so far; all zeros before the first.
    pub fn report(&self) -> PrecisionReport {
        let positions = self.done.max(1) as f64;
        let logits = positions * self.reference.config().vocab_size.max(1) as f64;
        PrecisionReport {
            positions: self.done,
            largest_logit_error: self.largest_error,
            rms_logit_error: (self.sum_of_squares / logits).sqrt(),
            kl_divergence_nats: self.sum_of_divergences / positions,
            top_1_agreement: self.agreements as f64 / positions,
        }
    }

    /// Takes in the logits of one position.
    fn add(&mut self, reference: &[f32], other: &[f32]) -> Result<()> {
        for (name, logits) in [("the reference", reference), ("the other model", other)] {
            if let Some((id, logit)) = logits.iter().enumerate().find(|(_, logit)| !logit.is_finite()) {
                return Err(EngineError::Numeric {
                    step: self.done,
                    expected: "finite logits at every position that is compared".into(),
                    found: format!("{logit} for token {id} of {name}"),
                });
            }
        }
        for (a, b) in reference.iter().zip(other) {
            let error = (f64::from(*a) - f64::from(*b)).abs();
            self.largest_error = self.largest_error.max(error);
            self.sum_of_squares += error * error;
        }
        self.sum_of_divergences += divergence_nats(reference, other);
        self.agreements += usize::from(top(reference).0 == top(other).0);
        self.done += 1;
        Ok(())
    }
}

/// KL(softmax(reference) || softmax(other)), in nats.
fn divergence_nats(reference: &[f32], other: &[f32]) -> f64 {
    let (top_reference, top_other) = (f64::from(top(reference).1), f64::from(top(other).1));
    let (mut sum_reference, mut sum_other, mut weighted) = (0.0, 0.0, 0.0);
    for (a, b) in reference.iter().zip(other) {
        let (a, b) = (f64::from(*a) - top_reference, f64::from(*b) - top_other);
        let share = libm::exp(a);
        sum_reference += share;
        sum_other += libm::exp(b);
        weighted += share * (a - b);
    }
    // Σ p (a - b) - (ln Σ e^a - ln Σ e^b). Never negative but for rounding.
    (weighted / sum_reference + libm::log(sum_other / sum_reference)).max(0.0)
}

/// The first largest logit: its id and itself.
fn top(logits: &[f32]) -> (usize, f32) {
    let first = (0, logits.first().copied().unwrap_or_default());
    logits.iter().copied().enumerate().fold(first, |top, next| if next.1 > top.1 { next } else { top })
}
