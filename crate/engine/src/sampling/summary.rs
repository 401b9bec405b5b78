//! What a history keeps of a step.

use super::stages::{Entropy, Margin};
use super::step::{Row, SamplingStep};

/// A step in short: its top rows and what stands for the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct StepSummary {
    /// The first ranks.
    pub top: Vec<Row>,
    /// Chance of all other tokens together.
    pub rest: f64,
    /// Tokens that were drawn among.
    pub kept: usize,
    /// The number that decided; none for greedy decoding.
    pub uniform: Option<f64>,
    /// The model's own chance of the picked token.
    pub base_probability: f64,
    /// Of what was drawn from.
    pub entropy: Entropy,
    /// By how much rank 0 led; none where it was alone.
    pub margin: Option<Margin>,
}

impl SamplingStep<'_> {
    /// The step in short, with that many rows.
    pub fn summary(&mut self, rows: usize) -> StepSummary {
        let top = self.top_rows(rows);
        let shown: f64 = top.iter().map(|row| row.probability).sum();
        StepSummary {
            rest: if self.kept() <= top.len() { 0.0 } else { (1.0 - shown).max(0.0) },
            top,
            kept: self.kept(),
            uniform: self.draw().uniform,
            base_probability: self.base().probability(self.draw().id),
            entropy: self.entropy(),
            margin: self.margin(),
        }
    }
}
