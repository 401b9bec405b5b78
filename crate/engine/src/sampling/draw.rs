//! The pick: where a uniform number falls on the strip of cumulative probabilities.

use super::chain::Survivors;
use super::ranking::Ranking;

/// The token that was picked, and the interval of the cumulative strip that it owns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Draw {
    /// The picked token.
    pub id: u32,
    /// Its place in the ranking, from 0.
    pub rank: usize,
    /// The uniform number in [0, 1) that decided, with `low <= uniform < high`; none for greedy decoding.
    pub uniform: Option<f64>,
    /// Mass of all ranks before this one.
    pub low: f64,
    /// `low` plus the probability of this token, at most 1; exactly 1 if it is the last token of the strip.
    pub high: f64,
}

/// The first rank whose cumulative mass exceeds `uniform`: sampling by inversion of the distribution function.
///
/// Ranks are put in order only as far as the number needs.
pub(super) fn pick(survivors: &Survivors, ranking: &mut Ranking, uniform: f64) -> Option<Draw> {
    let Survivors { kept, scale, mass, .. } = *survivors;
    // A cumulative weight below this is below the number by far more than rounding: most ranks need no division.
    let surely_below = uniform * mass * (1.0 - 1e-9);
    let mut sum = 0.0;
    // The last token with any mass takes what rounding leaves of the strip, so that a number close to 1 finds it.
    let (mut last, mut low, mut high) = (None, 0.0, 1.0);
    for rank in 0..kept {
        let weight = ranking.weight_at(rank, scale)?;
        if weight == 0.0 {
            // So far down that the weight is below the range of f32, and so is that of all that follow.
            break;
        }
        low = sum;
        sum += weight;
        last = Some(rank);
        if sum >= surely_below && rank + 1 < kept {
            // Numerator and denominator may have been added up in different orders.
            let share = (sum / mass).min(1.0);
            if share > uniform {
                high = share;
                break;
            }
        }
    }
    let rank = last?;
    let (id, _) = ranking.at(rank)?;
    Some(Draw { id, rank, uniform: Some(uniform), low: low / mass, high })
}
