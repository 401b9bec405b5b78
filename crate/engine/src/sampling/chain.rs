//! The chain: temperature and filters, in the order that the user set. Each filter cuts the one ranking to a prefix.
//!
//! A filter sees the survivors of the filters before it, renormalised, at the temperature of its place in the chain. So
//! the order matters: temperature 1/2 and then top-p is another algorithm than top-p and then temperature 1/2.

use super::ranking::Ranking;
use super::scale::Scale;
use super::settings::{BoundaryRule, ChainStep};

/// How far a mass may fall short of its threshold and still reach it. Logits are f32, so that sums which are equal on
/// paper (8/15 + 4/15 and 0.8) differ in the seventh digit.
const TOLERANCE: f64 = 1e-6;

/// What one filter did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// The filter, with its value.
    pub step: ChainStep,
    /// Tokens that were left before it.
    pub kept_before: usize,
    /// Tokens that it left: the first ones of the ranking.
    pub kept_after: usize,
}

/// What the chain left: the first `kept` tokens of the ranking, with their weights and the sum of these.
#[derive(Debug, Clone, Copy)]
pub(super) struct Survivors {
    pub(super) kept: usize,
    pub(super) scale: Scale,
    pub(super) mass: f64,
    /// What top-p saw; none where it is off.
    pub(super) nucleus: Option<Nucleus>,
}

/// The distribution that top-p measured: the first `kept` tokens at the scale of its place in the chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nucleus {
    pub(super) kept: usize,
    pub(super) scale: Scale,
    pub(super) mass: f64,
}

/// The least temperature of the lesson's listing, which takes it where 0 is set.
const LISTING_TEMPERATURE: f64 = 1e-5;

/// Applies the chain to ranked logits, of which `candidates` are not banned, and writes one entry of `cuts` for each
/// filter that is on.
pub(super) fn apply(
    chain: &[ChainStep],
    boundary: BoundaryRule,
    candidates: usize,
    ranking: &mut Ranking,
    cuts: &mut Vec<Cut>,
) -> Survivors {
    let top = ranking.at(0).map_or(0.0, |(_, logit)| logit);
    let mut scale = Scale::new(top, 1.0);
    let (mut kept, mut nucleus) = (candidates, None);
    cuts.clear();
    for &step in chain.iter().filter(|step| !step.is_off()) {
        let kept_before = kept;
        kept = match step {
            ChainStep::Temperature(temperature) => {
                let temperature = match boundary {
                    BoundaryRule::Smallest => temperature,
                    BoundaryRule::Listing => temperature.max(LISTING_TEMPERATURE),
                };
                scale = Scale::new(top, temperature);
                continue;
            }
            ChainStep::TopK(count) => match boundary {
                BoundaryRule::Smallest => kept.min(count),
                BoundaryRule::Listing => with_ties(kept, count, ranking),
            },
            ChainStep::TopP(threshold) => {
                let mass = mass_of(kept, candidates, scale, ranking);
                nucleus = Some(Nucleus { kept, scale, mass });
                match boundary {
                    BoundaryRule::Smallest => {
                        smallest_prefix(kept, (threshold - TOLERANCE) * mass, scale, ranking)
                    }
                    BoundaryRule::Listing => {
                        crossing_prefix(kept, (threshold + TOLERANCE) * mass, scale, ranking)
                    }
                }
            }
            ChainStep::MinP(share) => above(kept, share, scale, ranking),
        };
        cuts.push(Cut { step, kept_before, kept_after: kept });
    }
    let mass = mass_of(kept, candidates, scale, ranking);
    Survivors { kept, scale, mass, nucleus }
}

/// The sum of the weights of the first `kept` tokens. Uncut, it is taken over all ids in id order, which needs no
/// ranking (a banned token adds 0); after a cut, over ranks in order. How far the ranking is in order has no influence.
fn mass_of(kept: usize, candidates: usize, scale: Scale, ranking: &mut Ranking) -> f64 {
    if kept == candidates {
        return scale.mass(ranking.logits());
    }
    (0..kept).map_while(|rank| ranking.weight_at(rank, scale)).sum()
}

/// Length of the smallest non-empty prefix whose mass is at least `wanted` (Holtzman et al., "The Curious Case of Neural
/// Text Degeneration", 2020).
fn smallest_prefix(kept: usize, wanted: f64, scale: Scale, ranking: &mut Ranking) -> usize {
    let mut mass = 0.0;
    for rank in 0..kept {
        let Some(weight) = ranking.weight_at(rank, scale) else {
            break;
        };
        mass += weight;
        if mass >= wanted {
            return rank + 1;
        }
    }
    kept
}

/// Length of the prefix of tokens before which no more mass stands than `allowed`: one token more than
/// [`smallest_prefix`] where a prefix has that mass exactly.
fn crossing_prefix(kept: usize, allowed: f64, scale: Scale, ranking: &mut Ranking) -> usize {
    let mut before = 0.0;
    for rank in 0..kept {
        if before > allowed {
            return rank;
        }
        before += ranking.weight_at(rank, scale).unwrap_or(0.0);
    }
    kept
}

/// `count` tokens, and all that tie with the last of them.
fn with_ties(kept: usize, count: usize, ranking: &mut Ranking) -> usize {
    let last = count.checked_sub(1).and_then(|last| ranking.at(last));
    let ties = |rank: &usize| ranking.at(*rank).map(|(_, logit)| logit) == last.map(|(_, logit)| logit);
    if count >= kept { kept } else { count + (count..kept).take_while(ties).count() }
}

/// Length of the prefix of tokens that have at least `share` of the top weight, which is 1 (Nguyen et al., "Turning Up
/// the Heat: Min-p Sampling", 2024).
fn above(kept: usize, share: f64, scale: Scale, ranking: &mut Ranking) -> usize {
    // A thousandth at most, so that a share below the tolerance still means something.
    let least = share - TOLERANCE.min(share / 1000.0);
    let below = |rank: &usize| ranking.weight_at(*rank, scale).is_none_or(|weight| weight < least);
    (1..kept).find(below).unwrap_or(kept)
}
