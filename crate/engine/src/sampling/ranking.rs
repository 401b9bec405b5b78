//! The ranking of one step: processed logits, descending, ties by lower token id. Only as much of it is put in order as
//! somebody asks for.
//!
//! Sorting a vocabulary of 50,304 takes as long as a forward pass of a small model, and mostly orders tokens that no one
//! looks at. So the ranking has a head that is in order, and the head grows when a rank behind it is wanted: a bound is
//! chosen that enough logits reach, those between it and the bound before are collected, and only they are sorted. Since
//! no two keys are equal, what stands at a rank does not depend on how the head grew.

mod sort;

use super::scale::Scale;
use crate::model::kernels::scan;

/// The least number of ranks worth putting in order.
const SMALLEST_HEAD: usize = 64;
/// How many times longer the head becomes when a rank just behind it is wanted.
const HEAD_GROWTH: usize = 3;
/// Every so many logits are a sample of all.
const SAMPLED: usize = 8;

/// Keys sort ascending in the order of the ranking: upper half the logit, reversed, lower half the id.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// What is ranked, shape `[vocabulary]`.
    logits: Vec<f32>,
    /// Their lane maxima: see [`scan`].
    maxima: Vec<[f32; 4]>,
    /// The head: keys of all logits from `bound` on, in order.
    keys: Vec<u64>,
    bound: f32,
    /// Weights of the first ranks at one scale: the chain and the draw walk along the same ones.
    weights: Vec<f32>,
    scale: Option<Scale>,
    /// Room for choosing a bound, for weighing and for sorting.
    descending: Vec<u32>,
    ordered: Vec<f32>,
    scratch: Vec<u64>,
}

impl Ranking {
    /// Ranks new logits, shape `[vocabulary]`, none of them NaN, and leaves some other vector in their place. Logits with
    /// the bits of those before, sampled under other settings, keep what is in order already.
    pub(super) fn refill(&mut self, logits: &mut Vec<f32>) {
        if scan::same_bits(logits, &self.logits) {
            return;
        }
        std::mem::swap(&mut self.logits, logits);
        scan::lane_maxima(&self.logits, &mut self.maxima);
        self.keys.clear();
        self.bound = f32::INFINITY;
        self.scale = None;
    }

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        let words = self.logits.capacity() + self.weights.capacity() + self.descending.capacity();
        let keys = self.keys.capacity() + self.scratch.capacity();
        (words + self.ordered.capacity()) * size_of::<f32>()
            + self.maxima.capacity() * size_of::<[f32; 4]>()
            + keys * size_of::<u64>()
    }

    /// What is ranked, by token id.
    pub(super) fn logits(&self) -> &[f32] {
        &self.logits
    }

    /// The id and the logit at a rank (from 0), or nothing behind the last rank.
    pub(super) fn at(&mut self, rank: usize) -> Option<(u32, f32)> {
        self.key_at(rank).map(|key| (id_of(key), logit_of(key)))
    }

    pub(super) fn key_at(&mut self, rank: usize) -> Option<u64> {
        if rank >= self.keys.len() {
            self.widen(rank.saturating_add(1));
        }
        self.keys.get(rank).copied()
    }

    /// The weight of the token at a rank, or nothing behind the last rank.
    pub(super) fn weight_at(&mut self, rank: usize, scale: Scale) -> Option<f64> {
        if rank >= self.weights.len() || self.scale != Some(scale) {
            self.weigh(rank, scale);
        }
        self.weights.get(rank).copied().map(f64::from)
    }

    /// Puts the weights of the whole head up to date, with at least this rank in the head.
    fn weigh(&mut self, rank: usize, scale: Scale) {
        self.widen(rank.saturating_add(1));
        if self.scale != Some(scale) {
            self.scale = Some(scale);
            self.weights.clear();
        }
        self.ordered.clear();
        self.ordered.extend(self.keys.iter().skip(self.weights.len()).map(|key| logit_of(*key)));
        scale.weights(&self.ordered, &mut self.weights);
    }

    /// The ids of the first `count` ranks, or of all.
    pub(super) fn ids(&mut self, count: usize) -> impl ExactSizeIterator<Item = u32> {
        self.widen(count);
        self.keys.iter().take(count).map(|key| id_of(*key))
    }

    /// The id of rank 0, without putting anything in order.
    pub(super) fn best(&self) -> Option<u32> {
        scan::first_largest(&self.logits, &self.maxima).and_then(|id| u32::try_from(id).ok())
    }

    /// The rank of a token, without putting anything in order; none for ids outside the vocabulary.
    pub(super) fn rank_of(&self, id: u32) -> Option<usize> {
        let key = key(id, *self.logits.get(id as usize)?);
        match self.keys.binary_search(&key) {
            Ok(rank) => Some(rank),
            Err(_) => scan::rank_of(&self.logits, id as usize),
        }
    }

    /// Puts at least the first `wanted` ranks in order.
    pub(super) fn widen(&mut self, wanted: usize) {
        let (wanted, head) = (wanted.min(self.logits.len()), self.keys.len());
        if wanted <= head {
            return;
        }
        let grown = wanted.max(head.saturating_mul(HEAD_GROWTH)).max(SMALLEST_HEAD);
        let bound = self.bound_for(grown).min(self.bound);
        self.lower(bound);
        if wanted > self.keys.len() {
            // The sample misled.
            self.lower(f32::NEG_INFINITY);
        }
    }

    /// A bound that at least `count` logits reach, or nearly as many, and not many more.
    fn bound_for(&mut self, count: usize) -> f32 {
        let maxima = self.maxima.as_flattened();
        self.descending.clear();
        let place = if count <= maxima.len() / 4 * 3 {
            // Each of the lane maxima is another logit, so at least `count` logits reach the `count`-th largest of them.
            self.descending.extend(maxima.iter().map(|logit| descending(*logit)));
            count
        } else {
            // Nearly every lane would be reached. A sample has its logits where all have them, give or take.
            self.descending.extend(self.logits.iter().step_by(SAMPLED).map(|logit| descending(*logit)));
            count / SAMPLED + count / SAMPLED / 8
        };
        if !(1..=self.descending.len() / 4 * 3).contains(&place) {
            return f32::NEG_INFINITY;
        }
        let (_, bound, _) = self.descending.select_nth_unstable(place - 1);
        ascending(*bound)
    }

    /// Takes the logits from `bound` on into the head.
    fn lower(&mut self, bound: f32) {
        let head = self.keys.len();
        let keys = &mut self.keys;
        scan::for_each_in_band(&self.logits, &self.maxima, bound, self.bound, |id, logit| {
            keys.push(key(id, logit));
        });
        if let Some(new) = self.keys.get_mut(head..) {
            sort::sort_by_logit(new, &mut self.scratch);
        }
        self.bound = bound;
    }
}

/// The key of a token; comparing keys compares places in the ranking.
pub(super) fn key(id: u32, logit: f32) -> u64 {
    u64::from(descending(logit)) << 32 | u64::from(id)
}

fn id_of(key: u64) -> u32 {
    (key & 0xffff_ffff) as u32
}

fn logit_of(key: u64) -> f32 {
    ascending((key >> 32) as u32)
}

/// A number that is smaller for a larger logit.
fn descending(logit: f32) -> u32 {
    // Adding 0 turns -0 into 0, which ties with it.
    let bits = (logit + 0.0).to_bits();
    // Bits of positive numbers ascend with the number, bits of negative numbers descend. This makes both descend. The
    // sign, spread over the word, is a mask without a branch.
    bits ^ (!((bits as i32) >> 31) as u32 & 0x7fff_ffff)
}

/// The logit that [`descending`] made the number of.
fn ascending(descending: u32) -> f32 {
    f32::from_bits(descending ^ (!((descending as i32) >> 31) as u32 & 0x7fff_ffff))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    const LOGITS: [f32; 8] = [0.0, 2.5, -0.0, f32::NEG_INFINITY, -7.0, 2.5, f32::NEG_INFINITY, 1e-40];
    const IDS: [u32; 8] = [1, 5, 7, 0, 2, 4, 3, 6];

    fn ranked(logits: &[f32]) -> Ranking {
        let mut ranking = Ranking::default();
        ranking.refill(&mut logits.to_vec());
        ranking
    }

    #[test]
    fn ties_and_signed_zeros_go_by_id_and_banned_tokens_come_last() {
        let mut ranking = ranked(&LOGITS);
        assert_eq!(ranking.best(), Some(1));
        assert_eq!(ranking.ids(99).collect::<Vec<_>>(), IDS);
        assert_eq!(ranking.at(8), None);
        assert_eq!(ranked(&[]).best(), None);
    }

    #[test]
    fn a_key_gives_back_id_and_logit() {
        for (id, logit) in (0u32..).zip(LOGITS) {
            assert_eq!((id_of(key(id, logit)), logit_of(key(id, logit))), (id, logit));
        }
    }

    #[test]
    fn the_rank_counted_in_one_pass_is_the_place_in_the_ranking() {
        let mut ranking = ranked(&LOGITS);
        for head in [0, 8] {
            ranking.widen(head);
            for (rank, id) in IDS.iter().enumerate() {
                assert_eq!(ranking.rank_of(*id), Some(rank));
            }
            assert_eq!(ranking.rank_of(8), None);
        }
    }

    #[test]
    fn growing_the_head_by_any_steps_gives_the_fully_sorted_order() {
        // Many ties: 3,001 tokens on 41 levels.
        let logits: Vec<f32> =
            (0..3001u32).map(|id| (id.wrapping_mul(2_654_435_761) % 41) as f32 - 20.0).collect();
        let mut sorted: Vec<u32> = (0..3001).collect();
        sorted.sort_by(|a, b| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b)));
        for steps in [vec![1, 65, 66, 700, 3001], vec![2999], vec![5000], (0..3001).collect()] {
            let mut ranking = ranked(&logits);
            for count in steps {
                assert_eq!(ranking.ids(count).collect::<Vec<_>>(), sorted[..count.min(3001)]);
            }
        }
    }
}
