//! One sampling step, and what can be read from it.

use super::chain::{self, Cut, Survivors};
use super::draw::{self, Draw};
use super::penalties::{self, History};
use super::ranking::{self, Ranking};
use super::scale::Scale;
use super::settings::{Decoding, SamplingSettings};
use crate::error::{EngineError, Result};
use crate::model::kernels::scan;

/// Owns the buffers of a step, so that a run allocates them once.
#[derive(Debug, Default)]
pub struct Sampler {
    /// Where the processed logits are made; the ranking takes them from here.
    processed: Vec<f32>,
    ranking: Ranking,
    cuts: Vec<Cut>,
}

impl Sampler {
    /// A sampler for vocabularies of any size; the buffers grow at the first step.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        self.processed.capacity() * size_of::<f32>()
            + self.ranking.bytes()
            + self.cuts.capacity() * size_of::<Cut>()
    }

    /// Samples one token from the model's logits, shape `[vocabulary]`.
    ///
    /// `uniform` is this token's number in [0, 1), for instance from [`super::uniform`]; greedy decoding ignores it.
    ///
    /// # Errors
    ///
    /// - [`EngineError::Numeric`], with the step: a logit that is not finite, from the model or after the penalty;
    ///   every token banned; no logits at all.
    /// - [`EngineError::Settings`]: a suppressed id outside the vocabulary; a uniform number outside [0, 1).
    /// - [`EngineError::Context`]: a history with ids outside the vocabulary or shorter than its prompt.
    pub fn step<'a>(
        &'a mut self,
        logits: &'a [f32],
        settings: &SamplingSettings,
        history: &History<'_>,
        uniform: f64,
    ) -> Result<SamplingStep<'a>> {
        let Self { processed, ranking, cuts } = self;
        let values = settings.values();
        let step = history.step()?;
        let candidates = penalties::process(logits, values, history, processed)?;
        ranking.refill(processed);
        let (draw, chances) = match &values.decoding {
            Decoding::Greedy => {
                cuts.clear();
                let draw = ranking.best().map(|id| Draw { id, rank: 0, uniform: None, low: 0.0, high: 1.0 });
                (draw, Chances::Certain)
            }
            Decoding::Sample { chain } => {
                if !(0.0..1.0).contains(&uniform) {
                    return Err(EngineError::Settings {
                        name: "uniform",
                        expected: "a number from 0 to below 1".to_owned(),
                        found: uniform.to_string(),
                    });
                }
                let survivors = chain::apply(chain, values.boundary, candidates, ranking, cuts);
                let draw = draw::pick(&survivors, ranking, uniform);
                // Uncut, the last rank need not be known: a banned token has weight 0 anyway.
                let is_cut = survivors.kept < candidates;
                let last_key = if is_cut { ranking.key_at(survivors.kept - 1) } else { None };
                (draw, Chances::Softmax { survivors, last_key: last_key.unwrap_or(u64::MAX) })
            }
        };
        // There is a candidate, and rank 0 has weight 1.
        let draw = draw.ok_or_else(|| EngineError::Numeric {
            step,
            expected: "a token to pick".to_owned(),
            found: "none".to_owned(),
        })?;
        Ok(SamplingStep { raw_logits: logits, ranking, cuts, chances, draw })
    }
}

#[derive(Debug)]
pub(super) enum Chances {
    /// Greedy: the picked token has probability 1.
    Certain,
    /// Tokens whose ranking key is at most `last_key` share the mass.
    Softmax { survivors: Survivors, last_key: u64 },
}

/// A sampling step that has been done. Everything here is read from the values that produced the pick.
///
/// Methods that take `&mut self` may put more of the ranking in order; they change no result.
#[derive(Debug)]
pub struct SamplingStep<'a> {
    pub(super) raw_logits: &'a [f32],
    pub(super) ranking: &'a mut Ranking,
    cuts: &'a [Cut],
    pub(super) chances: Chances,
    pub(super) draw: Draw,
}

/// One token of a step, as a table shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Place in the ranking, from 0.
    pub rank: usize,
    /// The token.
    pub id: u32,
    /// The model's logit.
    pub raw_logit: f32,
    /// After penalty and bans, before the chain; negative infinity if banned.
    pub processed_logit: f32,
    /// What is drawn from; exactly 0 for banned and cut tokens.
    pub probability: f64,
    /// Index into [`SamplingStep::cuts`] of the filter that cut this token.
    pub cut_by: Option<usize>,
    /// Whether the token was banned before the chain. A banned token is cut by no filter.
    pub banned: bool,
}

impl<'a> SamplingStep<'a> {
    /// The model's logits, shape `[vocabulary]`.
    pub fn raw_logits(&self) -> &'a [f32] {
        self.raw_logits
    }

    /// After penalty and bans, before the chain, shape `[vocabulary]`; negative infinity for banned tokens only.
    pub fn processed_logits(&self) -> &[f32] {
        self.ranking.logits()
    }

    /// One entry for each filter of the chain that is on, in the order of the chain. Temperature cuts nothing and has
    /// no entry; greedy decoding has no chain.
    pub fn cuts(&self) -> &'a [Cut] {
        self.cuts
    }

    /// How many tokens, from rank 0 on, the pick was made among; 1 for greedy decoding.
    pub fn kept(&self) -> usize {
        match &self.chances {
            Chances::Certain => 1,
            Chances::Softmax { survivors, .. } => survivors.kept,
        }
    }

    /// The pick.
    pub fn draw(&self) -> Draw {
        self.draw
    }

    /// The probability with which this token was to be picked; 0 for ids outside the vocabulary.
    pub fn probability(&self, id: u32) -> f64 {
        match &self.chances {
            Chances::Certain => f64::from(u8::from(id == self.draw.id)),
            Chances::Softmax { survivors: Survivors { scale, mass, .. }, last_key } => {
                match self.processed_logits().get(id as usize) {
                    Some(logit) if ranking::key(id, *logit) <= *last_key => scale.weight(*logit) / mass,
                    _ => 0.0,
                }
            }
        }
    }

    /// The rank of a token; none for ids outside it.
    pub fn rank(&self, id: u32) -> Option<usize> {
        self.ranking.rank_of(id)
    }

    /// The row of any token, for instance one below the top rows; none for ids outside the vocabulary.
    pub fn row(&self, id: u32) -> Option<Row> {
        self.row_at(self.rank(id)?, id)
    }

    /// The rows of the first `count` ranks, or of the whole vocabulary if it is smaller.
    pub fn top_rows(&mut self, count: usize) -> Vec<Row> {
        self.rows(0, count)
    }

    /// The distribution of the model itself: softmax of the raw logits, nothing cut. One pass over the vocabulary.
    pub fn base(&self) -> BaseDistribution<'a> {
        let scale = Scale::new(scan::largest(self.raw_logits).unwrap_or(0.0), 1.0);
        let mass = self.uncut_mass(scale).unwrap_or_else(|| scale.mass(self.raw_logits));
        BaseDistribution { raw_logits: self.raw_logits, scale, mass }
    }

    /// The mass that the draw was made from, if it is that of the untouched logits at this scale.
    fn uncut_mass(&self, wanted: Scale) -> Option<f64> {
        let Chances::Softmax { survivors: Survivors { kept, scale, mass, .. }, .. } = self.chances else {
            return None;
        };
        let is_all = kept == self.raw_logits.len() && scale == wanted;
        (is_all && scan::same_bits(self.raw_logits, self.processed_logits())).then_some(mass)
    }

    /// Every stage over the full vocabulary, for export and for scripts.
    pub fn full(&mut self) -> FullDistribution {
        FullDistribution {
            processed_logits: self.processed_logits().to_vec(),
            base_probabilities: self.base().probabilities(),
            probabilities: ids_of(self.raw_logits).map(|id| self.probability(id)).collect(),
            ranking: self.ranked_ids(usize::MAX),
            cuts: self.cuts.to_vec(),
            draw: self.draw,
        }
    }

    fn ranked_ids(&mut self, count: usize) -> Vec<u32> {
        self.ranking.ids(count).collect()
    }

    pub(super) fn row_at(&self, rank: usize, id: u32) -> Option<Row> {
        let processed_logit = *self.processed_logits().get(id as usize)?;
        let banned = processed_logit == f32::NEG_INFINITY;
        // Each cut keeps a prefix of what the one before kept, so the first that ends at or before this rank cut it.
        let cut_by = self.cuts.iter().position(|cut| rank >= cut.kept_after).filter(|_| !banned);
        Some(Row {
            rank,
            id,
            raw_logit: *self.raw_logits.get(id as usize)?,
            processed_logit,
            probability: self.probability(id),
            cut_by,
            banned,
        })
    }
}

/// Softmax of the raw logits at temperature 1 over the full vocabulary.
#[derive(Debug, Clone, Copy)]
pub struct BaseDistribution<'a> {
    raw_logits: &'a [f32],
    scale: Scale,
    mass: f64,
}

impl BaseDistribution<'_> {
    pub(super) fn scale(&self) -> Scale {
        self.scale
    }

    /// The model's probability of a token; 0 for ids outside the vocabulary.
    pub fn probability(&self, id: u32) -> f64 {
        self.raw_logits.get(id as usize).map_or(0.0, |logit| self.scale.weight(*logit) / self.mass)
    }

    /// Natural logarithm of [`BaseDistribution::probability`], taken from the logit, so that it is finite where the
    /// probability is below the smallest number; negative infinity for ids outside the vocabulary.
    pub fn log_probability(&self, id: u32) -> f64 {
        let logit = self.raw_logits.get(id as usize).map_or(f64::NEG_INFINITY, |logit| f64::from(*logit));
        logit - f64::from(self.scale.top()) - libm::log(self.mass)
    }

    /// All of them, shape `[vocabulary]`.
    pub fn probabilities(&self) -> Vec<f64> {
        ids_of(self.raw_logits).map(|id| self.probability(id)).collect()
    }
}

/// Every stage of a step; vectors have shape `[vocabulary]` and are indexed by token id, but for `ranking`.
#[derive(Debug, Clone, PartialEq)]
pub struct FullDistribution {
    /// After penalty and bans, before the chain; negative infinity for banned tokens.
    pub processed_logits: Vec<f32>,
    /// Softmax of the raw logits.
    pub base_probabilities: Vec<f64>,
    /// What is drawn from; exactly 0 for banned and cut tokens.
    pub probabilities: Vec<f64>,
    /// All ids, rank 0 first; banned tokens last, by id.
    pub ranking: Vec<u32>,
    /// As [`SamplingStep::cuts`].
    pub cuts: Vec<Cut>,
    /// The pick.
    pub draw: Draw,
}

fn ids_of(logits: &[f32]) -> impl Iterator<Item = u32> {
    (0u32..).zip(logits).map(|(id, _)| id)
}
