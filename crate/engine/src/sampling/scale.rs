//! Softmax weights at one temperature, by the one exponential that everything is sampled with.

use crate::model::kernels::exp::{exp, exponentials, sum_of_exponentials};

/// Softmax weights of logits at one temperature: 1 for the top logit, less for the others, 0 for banned tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    top: f32,
    /// Reciprocal of the temperature. A finite number, so that the top logit never becomes 0 times infinity.
    factor: f32,
}

impl Scale {
    pub(super) fn new(top: f32, temperature: f64) -> Self {
        Self { top, factor: (1.0 / temperature).min(f64::from(f32::MAX)) as f32 }
    }

    pub(super) fn top(self) -> f32 {
        self.top
    }

    /// The logit at this temperature, less the top one's.
    pub(super) fn scaled(self, logit: f32) -> f32 {
        (logit - self.top) * self.factor
    }

    pub(super) fn weight(self, logit: f32) -> f64 {
        f64::from(exp(self.scaled(logit)))
    }

    /// The sum of the weights of all logits, in the order of [`sum_of_exponentials`].
    pub(super) fn mass(self, logits: &[f32]) -> f64 {
        sum_of_exponentials(logits, self.top, self.factor)
    }

    /// Appends the weight of each logit to `weights`.
    pub(super) fn weights(self, logits: &[f32], weights: &mut Vec<f32>) {
        exponentials(logits, self.top, self.factor, weights);
    }
}
