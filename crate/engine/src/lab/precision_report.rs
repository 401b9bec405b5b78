//! What a precision does to a model's predictions: the logits of two models over the same text, compared at every
//! position, and how likely both find the text itself.

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
    /// Positions whose next token is part of the text: all but the last.
    pub scored_tokens: usize,
    /// Mean over those of -ln p(the text's own next token), by the reference; 0 where there are none.
    pub reference_nll_nats: f64,
    /// The same by the other model.
    pub nll_nats: f64,
}

impl PrecisionReport {
    /// exp of the mean negative log-probability: of how many equally likely tokens the text's next one could have been one.
    /// It counts tokens, so it says nothing across tokenizers. `None` for a text of one token.
    pub fn perplexity(&self) -> Option<f64> {
        (self.scored_tokens > 0).then(|| libm::exp(self.nll_nats))
    }

    /// [`PrecisionReport::perplexity`] of the reference.
    pub fn reference_perplexity(&self) -> Option<f64> {
        (self.scored_tokens > 0).then(|| libm::exp(self.reference_nll_nats))
    }
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
    /// -ln p of the text's own next tokens, by the reference and by the other model, and how many there were.
    sums_of_nll: [f64; 2],
    scored: usize,
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
            sums_of_nll: [0.0; 2],
            scored: 0,
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
        let scored = self.scored.max(1) as f64;
        let logits = positions * self.reference.config().vocab_size.max(1) as f64;
        PrecisionReport {
            positions: self.done,
            largest_logit_error: self.largest_error,
            rms_logit_error: (self.sum_of_squares / logits).sqrt(),
            kl_divergence_nats: self.sum_of_divergences / positions,
            top_1_agreement: self.agreements as f64 / positions,
            scored_tokens: self.scored,
            reference_nll_nats: self.sums_of_nll[0] / scored,
            nll_nats: self.sums_of_nll[1] / scored,
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
        let softmaxes = Softmaxes::of(reference, other);
        self.sum_of_divergences += softmaxes.divergence_nats();
        self.agreements += usize::from(softmaxes.reference_top.0 == softmaxes.other_top.0);
        self.done += 1;
        if let Some(next) = self.ids.get(self.done) {
            let nll = softmaxes.nll_nats(reference, other, *next as usize);
            self.sums_of_nll = [self.sums_of_nll[0] + nll[0], self.sums_of_nll[1] + nll[1]];
            self.scored += 1;
        }
        Ok(())
    }
}

/// What both softmaxes of a position need, from one pass over the logits.
struct Softmaxes {
    /// The first largest logit: its id and itself.
    reference_top: (usize, f32),
    other_top: (usize, f32),
    /// Of the exponentials relative to the largest logit.
    reference_sum: f64,
    other_sum: f64,
    /// Σ e^a (a - b), both relative to their largest.
    weighted: f64,
}

impl Softmaxes {
    fn of(reference: &[f32], other: &[f32]) -> Self {
        let (reference_top, other_top) = (top(reference), top(other));
        let (top_a, top_b) = (f64::from(reference_top.1), f64::from(other_top.1));
        let (mut reference_sum, mut other_sum, mut weighted) = (0.0, 0.0, 0.0);
        for (a, b) in reference.iter().zip(other) {
            let (a, b) = (f64::from(*a) - top_a, f64::from(*b) - top_b);
            let share = libm::exp(a);
            reference_sum += share;
            other_sum += libm::exp(b);
            weighted += share * (a - b);
        }
        Self { reference_top, other_top, reference_sum, other_sum, weighted }
    }

    /// KL(softmax(reference) || softmax(other)), in nats.
    fn divergence_nats(&self) -> f64 {
        // Σ p (a - b) - (ln Σ e^a - ln Σ e^b). Never negative but for rounding.
        (self.weighted / self.reference_sum + libm::log(self.other_sum / self.reference_sum)).max(0.0)
    }

    /// -ln p of a token, by both.
    fn nll_nats(&self, reference: &[f32], other: &[f32], id: usize) -> [f64; 2] {
        let of = |logits: &[f32], (_, top): (usize, f32), sum: f64| {
            let logit = logits.get(id).copied().unwrap_or(f32::NEG_INFINITY);
            libm::log(sum) - (f64::from(logit) - f64::from(top))
        };
        [of(reference, self.reference_top, self.reference_sum), of(other, self.other_top, self.other_sum)]
    }
}

/// The first largest logit: its id and itself.
fn top(logits: &[f32]) -> (usize, f32) {
    let first = (0, logits.first().copied().unwrap_or_default());
    logits.iter().copied().enumerate().fold(first, |top, next| if next.1 > top.1 { next } else { top })
}
