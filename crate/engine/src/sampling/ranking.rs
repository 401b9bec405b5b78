//! The ranking of one step: processed logits, descending, ties by lower token id. Only as much of it is put in order as
//! somebody asks for.
//!
//! Sorting a vocabulary of 50,304 takes as long as a forward pass of a small model, and mostly orders tokens that no one
//! looks at. So the ranking has a head that is in order and a rest that is not, and the head grows when a rank behind it
//! is wanted: a selection finds the next members, and only they are sorted. Since no two keys are equal, what stands at
//! a rank does not depend on how the head grew.

use std::cmp::Ordering;

/// The least number of ranks worth putting in order.
const SMALLEST_HEAD: usize = 64;
/// How much the head grows when a rank just behind it is wanted.
const HEAD_GROWTH: usize = 2;
/// How many times longer than the head the pool is made when it has to grow.
const POOL_GROWTH: usize = 16;

/// Keys sort ascending in the order of the ranking: upper half the logit, reversed, lower half the id.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    keys: Vec<u64>,
    /// How many keys, from the first, are final.
    head: usize,
    /// How many keys, from the first, are before all others in the ranking; from `head` on they are in no order. A
    /// selection goes through everything it selects from, so most selections are made from this small part.
    pool: usize,
}

impl Ranking {
    /// Ranks new logits, shape `[vocabulary]`, none of them NaN.
    pub(super) fn refill(&mut self, logits: &[f32]) {
        self.head = 0;
        self.pool = 0;
        self.keys.clear();
        self.keys.extend((0u32..).zip(logits).map(|(id, logit)| key(id, *logit)));
    }

    /// The id and the logit at a rank (from 0), or nothing behind the last rank.
    pub(super) fn at(&mut self, rank: usize) -> Option<(u32, f32)> {
        self.key_at(rank).map(|key| (id_of(key), logit_of(key)))
    }

    pub(super) fn key_at(&mut self, rank: usize) -> Option<u64> {
        if rank >= self.head {
            self.widen(rank.saturating_add(1));
        }
        self.keys.get(rank).copied()
    }

    /// The ids of the first `count` ranks, or of all.
    pub(super) fn ids(&mut self, count: usize) -> impl ExactSizeIterator<Item = u32> {
        self.widen(count);
        self.keys.iter().take(count).map(|key| id_of(*key))
    }

    /// Puts at least the first `wanted` ranks in order.
    pub(super) fn widen(&mut self, wanted: usize) {
        let wanted = wanted.min(self.keys.len());
        if wanted <= self.head {
            return;
        }
        let grown = wanted.max(self.head.saturating_mul(HEAD_GROWTH)).max(SMALLEST_HEAD);
        if grown > self.pool {
            let pool = grown.saturating_mul(POOL_GROWTH).min(self.keys.len());
            select(&mut self.keys, self.head, pool);
            self.pool = pool;
        }
        let grown = grown.min(self.pool);
        if let Some(pool) = self.keys.get_mut(..self.pool) {
            select(pool, self.head, grown);
        }
        if let Some(new) = self.keys.get_mut(self.head..grown) {
            new.sort_unstable();
        }
        self.head = grown;
    }
}

/// Brings the keys that belong before `end` there, in no order; those before `start` already stand in their places.
fn select(keys: &mut [u64], start: usize, end: usize) {
    if let Some(rest) = keys.get_mut(start..)
        && (1..rest.len()).contains(&(end - start))
    {
        rest.select_nth_unstable(end - start - 1);
    }
}

/// The key of a token; comparing keys compares places in the ranking.
pub(super) fn key(id: u32, logit: f32) -> u64 {
    // Adding 0 turns -0 into 0, which ties with it.
    let bits = (logit + 0.0).to_bits();
    // Bits of positive numbers ascend with the number, bits of negative numbers descend. This makes both descend.
    let descending = if bits >> 31 == 0 { bits ^ 0x7fff_ffff } else { bits };
    u64::from(descending) << 32 | u64::from(id)
}

fn id_of(key: u64) -> u32 {
    (key & 0xffff_ffff) as u32
}

fn logit_of(key: u64) -> f32 {
    let descending = (key >> 32) as u32;
    f32::from_bits(if descending >> 31 == 0 { descending ^ 0x7fff_ffff } else { descending })
}

/// The id of rank 0, in one pass and without ranking anything.
pub(super) fn best(logits: &[f32]) -> Option<u32> {
    let mut candidates = (0u32..).zip(logits);
    let first = candidates.next()?;
    // Only a greater logit replaces the best so far, so that the lowest id wins a tie.
    let (id, _) = candidates.fold(first, |best, other| if other.1 > best.1 { other } else { best });
    Some(id)
}

/// The rank of a token, in one pass and without ranking anything.
pub(super) fn rank_of(logits: &[f32], id: u32) -> Option<usize> {
    let logit = logits.get(id as usize)?;
    let is_before = |(other_id, other): (u32, &f32)| match other.partial_cmp(logit) {
        Some(Ordering::Greater) => true,
        Some(Ordering::Equal) => other_id < id,
        _ => false,
    };
    Some((0u32..).zip(logits).filter(|entry| is_before(*entry)).count())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    const LOGITS: [f32; 8] = [0.0, 2.5, -0.0, f32::NEG_INFINITY, -7.0, 2.5, f32::NEG_INFINITY, 1e-40];
    const IDS: [u32; 8] = [1, 5, 7, 0, 2, 4, 3, 6];

    #[test]
    fn ties_and_signed_zeros_go_by_id_and_banned_tokens_come_last() {
        let mut ranking = Ranking::default();
        ranking.refill(&LOGITS);
        assert_eq!(ranking.ids(99).collect::<Vec<_>>(), IDS);
        assert_eq!(ranking.at(8), None);
        assert_eq!(best(&LOGITS), Some(1));
        assert_eq!(best(&[]), None);
    }

    #[test]
    fn a_key_gives_back_id_and_logit() {
        for (id, logit) in (0u32..).zip(LOGITS) {
            assert_eq!((id_of(key(id, logit)), logit_of(key(id, logit))), (id, logit));
        }
    }

    #[test]
    fn the_rank_counted_in_one_pass_is_the_place_in_the_ranking() {
        for (rank, id) in IDS.iter().enumerate() {
            assert_eq!(rank_of(&LOGITS, *id), Some(rank));
        }
        assert_eq!(rank_of(&LOGITS, 8), None);
    }

    #[test]
    fn growing_the_head_by_any_steps_gives_the_fully_sorted_order() {
        // Many ties: 3,001 tokens on 41 levels.
        let logits: Vec<f32> =
            (0..3001u32).map(|id| (id.wrapping_mul(2_654_435_761) % 41) as f32 - 20.0).collect();
        let mut sorted: Vec<u32> = (0..3001).collect();
        sorted.sort_by(|a, b| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b)));
        for steps in [vec![1, 65, 66, 700, 3001], vec![2999], vec![5000], (0..3001).collect()] {
            let mut ranking = Ranking::default();
            ranking.refill(&logits);
            for count in steps {
                assert_eq!(ranking.ids(count).collect::<Vec<_>>(), sorted[..count.min(3001)]);
            }
        }
    }
}
