//! What a table shows of a step beside its chances: scaled logits, running totals, intervals, entropy, margins. All read
//! from the values that produced the pick.

use super::chain::{Nucleus, Survivors};
use super::draw::{self, Draw};
use super::ranking;
use super::scale::Scale;
use super::step::{Chances, Row, SamplingStep};

/// Stages of one row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stages {
    /// The processed logit divided by the temperature, minus the same of rank 0; negative infinity if banned.
    pub scaled_logit: f32,
    /// The model's own chance: softmax of the raw logits.
    pub base_probability: f64,
    /// Chance of this row and all above it. As top-p sees it in its place of the chain (1 for what was cut before);
    /// where top-p is off, of what is drawn from.
    pub cumulative: f64,
    /// The row's interval on the strip that the uniform number falls on: `low <= u < high` picks it. Both are 1 for a token
    /// that is not kept.
    pub low: f64,
    /// See `low`.
    pub high: f64,
}

/// How spread out a distribution is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entropy {
    /// Shannon entropy in nats: the expected negative natural logarithm of the chance.
    pub nats: f64,
}

impl Entropy {
    /// The same in bits.
    pub fn bits(self) -> f64 {
        self.nats / std::f64::consts::LN_2
    }

    /// Effective vocabulary, also called perplexity: how many equally likely tokens have this entropy.
    pub fn effective_vocabulary(self) -> f64 {
        libm::exp(self.nats)
    }

    /// Of a softmax at this scale. A logit of negative infinity has no chance and adds nothing.
    fn of(scale: Scale, logits: &[f32]) -> Self {
        let mut weights = Vec::with_capacity(logits.len());
        scale.weights(logits, &mut weights);
        let (mut masses, mut moments) = ([0.0f64; 4], [0.0f64; 4]);
        for (logits, weights) in logits.chunks(4).zip(weights.chunks(4)) {
            for (lane, (logit, weight)) in logits.iter().zip(weights).enumerate() {
                let weight = f64::from(*weight);
                if let (Some(mass), Some(moment)) = (masses.get_mut(lane), moments.get_mut(lane))
                    && weight > 0.0
                {
                    *mass += weight;
                    *moment += weight * f64::from(scale.scaled(*logit));
                }
            }
        }
        let sum = |lanes: [f64; 4]| (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
        let mass = sum(masses);
        // -sum of p ln p, with p = exp(x) / mass. Rounding must not make certainty negative.
        Self { nats: (libm::log(mass) - sum(moments) / mass).max(0.0) }
    }
}

/// By how much the best token leads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Between the processed logits of ranks 0 and 1.
    pub logit: f64,
    /// Between their chances.
    pub probability: f64,
}

/// Two tokens side by side: the gaps of their logits, first minus second, and the odds that follow from them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// Raw logits.
    pub raw_gap: f64,
    /// The model's own odds: e to the power of `raw_gap`.
    pub base_odds: f64,
    /// Processed logits divided by the temperature; none where one of the tokens is not kept.
    pub scaled_gap: Option<f64>,
    /// The odds with the settings: e to the power of `scaled_gap`.
    pub odds: Option<f64>,
}

impl SamplingStep<'_> {
    /// Stages of rows, given in ascending order of rank.
    pub fn stages(&mut self, rows: &[Row]) -> Vec<Stages> {
        let base = self.base();
        let scale = self.scale();
        let mut stages: Vec<Stages> = rows
            .iter()
            .map(|row| Stages {
                scaled_logit: scale.scaled(row.processed_logit),
                base_probability: base.probability(row.id),
                cumulative: 1.0,
                low: 1.0,
                high: 1.0,
            })
            .collect();
        let Chances::Softmax { survivors, .. } = &self.chances else {
            if let (Some(first), Some(0)) = (stages.first_mut(), rows.first().map(|row| row.rank)) {
                first.low = 0.0;
            }
            return stages;
        };
        let Survivors { kept, mass, nucleus, .. } = *survivors;
        self.walk(rows, kept, scale, |index, before, weight, is_last| {
            if let Some(stage) = stages.get_mut(index).filter(|_| weight > 0.0) {
                stage.low = before / mass;
                stage.high = if is_last { 1.0 } else { ((before + weight) / mass).min(1.0) };
                stage.cumulative = stage.high;
            }
        });
        if let Some(Nucleus { kept, scale, mass }) = nucleus {
            self.walk(rows, kept, scale, |index, before, weight, _| {
                if let Some(stage) = stages.get_mut(index) {
                    stage.cumulative = ((before + weight) / mass).min(1.0);
                }
            });
        }
        stages
    }

    /// Calls `each` for every row among the first `kept` ranks: its index, the mass above it, its weight, and whether no
    /// further rank has a weight (those below the range of f32 own nothing of the strip: see `draw`).
    fn walk(&mut self, rows: &[Row], kept: usize, scale: Scale, mut each: impl FnMut(usize, f64, f64, bool)) {
        let (mut rank, mut mass) = (0, 0.0);
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.rank < kept) {
            while rank < row.rank {
                mass += self.ranking.weight_at(rank, scale).unwrap_or(0.0);
                rank += 1;
            }
            let weight = self.ranking.weight_at(rank, scale).unwrap_or(0.0);
            let next = if rank + 1 < kept { self.ranking.weight_at(rank + 1, scale) } else { None };
            each(index, mass, weight, next.is_none_or(|weight| weight == 0.0));
        }
    }

    /// Entropy of the model's own distribution. One pass over the vocabulary.
    pub fn base_entropy(&self) -> Entropy {
        Entropy::of(self.base().scale(), self.raw_logits)
    }

    /// Entropy of what is drawn from. One pass over the vocabulary.
    pub fn entropy(&self) -> Entropy {
        let Chances::Softmax { survivors: Survivors { scale, .. }, last_key } = &self.chances else {
            return Entropy { nats: 0.0 };
        };
        if *last_key == u64::MAX {
            return Entropy::of(*scale, self.processed_logits());
        }
        let ids = (0u32..).zip(self.processed_logits());
        let kept = ids.filter(|(id, logit)| ranking::key(*id, **logit) <= *last_key);
        Entropy::of(*scale, &kept.map(|(_, logit)| *logit).collect::<Vec<_>>())
    }

    /// By how much rank 0 leads; none where only one token is not banned.
    pub fn margin(&mut self) -> Option<Margin> {
        let ((first, top), (second, next)) = (self.ranking.at(0)?, self.ranking.at(1)?);
        (next != f32::NEG_INFINITY).then(|| Margin {
            logit: f64::from(top) - f64::from(next),
            probability: self.probability(first) - self.probability(second),
        })
    }

    /// Two tokens side by side; none for ids outside the vocabulary.
    pub fn compare(&self, first: u32, second: u32) -> Option<Comparison> {
        let (first, second) = (self.row(first)?, self.row(second)?);
        let raw_gap = f64::from(first.raw_logit) - f64::from(second.raw_logit);
        let is_kept = |row: &Row| row.rank < self.kept() && !row.banned;
        let scaled_gap = (is_kept(&first) && is_kept(&second)).then(|| {
            let scaled = |row: &Row| f64::from(self.scale().scaled(row.processed_logit));
            scaled(&first) - scaled(&second)
        });
        Some(Comparison {
            raw_gap,
            base_odds: libm::exp(raw_gap),
            scaled_gap,
            odds: scaled_gap.map(libm::exp),
        })
    }

    /// What another uniform number in [0, 1) picks from the same distribution; the draw of this step is left alone. None
    /// for greedy decoding, which has no uniform number, and for numbers outside.
    pub fn pick_with(&mut self, uniform: f64) -> Option<Draw> {
        match &self.chances {
            Chances::Softmax { survivors, .. } if (0.0..1.0).contains(&uniform) => {
                draw::pick(survivors, self.ranking, uniform)
            }
            _ => None,
        }
    }

    /// The rows of the ranks from `first` on, at most `count`.
    pub fn rows(&mut self, first: usize, count: usize) -> Vec<Row> {
        let ids: Vec<u32> = self.ranking.ids(first.saturating_add(count)).skip(first).collect();
        ids.into_iter().zip(first..).filter_map(|(id, rank)| self.row_at(rank, id)).collect()
    }

    fn scale(&self) -> Scale {
        match &self.chances {
            Chances::Softmax { survivors, .. } => survivors.scale,
            Chances::Certain => {
                Scale::new(self.processed_logits().get(self.draw.id as usize).copied().unwrap_or(0.0), 1.0)
            }
        }
    }
}
