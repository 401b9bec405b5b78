//! Properties of the sampler on random logits, among them: selecting a head of the ranking equals sorting all of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use logit_lab_engine::model::kernels::exp::{exp, sum_of_exponentials};
use logit_lab_engine::sampling::ChainStep::{self, MinP, Temperature, TopK, TopP};
use logit_lab_engine::sampling::{
    BoundaryRule, Decoding, FullDistribution, History, Sampler, SamplingSettings, SettingsValues,
};
use proptest::prelude::*;

/// Everything that goes into a step.
#[derive(Debug, Clone)]
struct Case {
    logits: Vec<f32>,
    chain: Vec<ChainStep>,
    suppress: Vec<u32>,
    uniform: f64,
}

impl Case {
    fn settings(&self) -> SamplingSettings {
        let decoding = Decoding::Sample { chain: self.chain.clone() };
        let values = SettingsValues { decoding, suppress: self.suppress.clone(), ..Default::default() };
        SamplingSettings::new(values).unwrap()
    }

    fn full(&self) -> FullDistribution {
        Sampler::new().step(&self.logits, &self.settings(), &History::default(), self.uniform).unwrap().full()
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let spread = prop::collection::vec(-15.0f32..15.0, 1..5000);
    let flat = prop::collection::vec(-0.5f32..0.5, 1..5000);
    let few_levels = prop::collection::vec((-6i8..6).prop_map(|level| f32::from(level) * 0.5), 1..5000);
    let chain = (
        prop_oneof![Just(1.0), 0.05..4.0f64],
        prop_oneof![Just(0usize), 1..100usize, 1..6000usize],
        prop_oneof![Just(1.0), 0.0..1.0f64, 0.9..1.0f64],
        prop_oneof![Just(0.0), 0.0..0.3f64],
    )
        .prop_map(|(t, k, p, share)| vec![Temperature(t), TopK(k), TopP(p), MinP(share)])
        .prop_shuffle();
    let logits = prop_oneof![spread, flat, few_levels];
    let suppress = prop::collection::vec(any::<prop::sample::Index>(), 0..20);
    let uniform = prop_oneof![4 => 0.0..1.0f64, 1 => Just(1.0f64.next_down())];
    (logits, chain, suppress, uniform).prop_map(|(logits, chain, suppress, uniform)| {
        // Token 0 is never banned, so that something is left.
        let suppress =
            suppress.iter().map(|index| index.index(logits.len()) as u32).filter(|id| *id > 0).collect();
        Case { logits, chain, suppress, uniform }
    })
}

fn top_of(processed: &[f32]) -> f32 {
    processed.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// The rules written down plainly on a full sort, with the same exponential and the same order of sums.
/// Returns the ranking, how many it keeps, and id, low and high of the pick.
fn by_full_sort(processed: &[f32], chain: &[ChainStep], uniform: f64) -> (Vec<u32>, usize, (u32, f64, f64)) {
    let mut order: Vec<u32> = (0u32..).zip(processed).map(|(id, _)| id).collect();
    order.sort_by(|a, b| processed[*b as usize].partial_cmp(&processed[*a as usize]).unwrap().then(a.cmp(b)));
    let top = top_of(processed);
    let candidates = processed.iter().filter(|logit| logit.is_finite()).count();
    let (mut kept, mut factor) = (candidates, 1.0f32);
    let weight = |rank: usize, factor: f32| f64::from(exp((processed[order[rank] as usize] - top) * factor));
    let mass = |kept: usize, factor: f32| match kept == candidates {
        true => sum_of_exponentials(processed, top, factor),
        false => (0..kept).map(|rank| weight(rank, factor)).sum(),
    };
    for step in chain {
        match *step {
            Temperature(temperature) => factor = (1.0 / temperature) as f32,
            TopK(count) if count > 0 => kept = kept.min(count),
            TopP(threshold) if threshold < 1.0 => {
                let wanted = (threshold - 1e-6) * mass(kept, factor);
                let mut sum = 0.0;
                let reaches = |rank: &usize| {
                    sum += weight(*rank, factor);
                    sum >= wanted
                };
                kept = (0..kept).find(reaches).map_or(kept, |rank| rank + 1);
            }
            MinP(share) if share > 0.0 => {
                let least = share - f64::min(1e-6, share / 1000.0);
                kept = (0..kept).take_while(|rank| weight(*rank, factor) >= least).count();
            }
            _ => {}
        }
    }
    let total = mass(kept, factor);
    let mut sum = 0.0;
    for rank in 0..kept {
        let low = sum / total;
        sum += weight(rank, factor);
        let high = if rank + 1 == kept { 1.0 } else { (sum / total).min(1.0) };
        if high > uniform {
            let pick = (order[rank], low, high);
            return (order, kept, pick);
        }
    }
    panic!("nothing picked");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn selecting_a_head_equals_sorting_everything(case in cases()) {
        let (mut sampler, settings) = (Sampler::new(), case.settings());
        let mut step = sampler.step(&case.logits, &settings, &History::default(), case.uniform).unwrap();
        let (order, kept, pick) = by_full_sort(step.processed_logits(), &case.chain, case.uniform);
        prop_assert_eq!(step.kept(), kept);
        let draw = step.draw();
        prop_assert_eq!((draw.id, draw.low, draw.high), pick);
        prop_assert_eq!(order[draw.rank], draw.id);
        prop_assert_eq!(step.rank(draw.id), Some(draw.rank));
        prop_assert_eq!(step.full().ranking, order);
    }

    #[test]
    fn cuts_and_probabilities_agree_with_a_softmax_in_f64(case in cases()) {
        let full = case.full();
        let top = f64::from(top_of(&full.processed_logits));
        let logit = |rank: usize| f64::from(full.processed_logits[full.ranking[rank] as usize]);
        let weight = |rank: usize, temperature: f64| ((logit(rank) - top) / temperature).exp();
        let mass = |kept: usize, temperature: f64| (0..kept).map(|rank| weight(rank, temperature)).sum::<f64>();

        let mut kept = full.processed_logits.iter().filter(|logit| logit.is_finite()).count();
        let mut temperature = 1.0;
        let mut cuts = full.cuts.iter();
        for step in &case.chain {
            if let Temperature(value) = step {
                temperature = *value;
            }
            if step.is_off() || matches!(step, Temperature(_)) {
                continue;
            }
            let cut = cuts.next().unwrap();
            prop_assert_eq!((cut.step, cut.kept_before), (*step, kept));
            prop_assert!((1..=kept).contains(&cut.kept_after));
            match *step {
                TopK(count) => prop_assert_eq!(cut.kept_after, kept.min(count)),
                TopP(threshold) => {
                    let share = |after: usize| mass(after, temperature) / mass(kept, temperature);
                    prop_assert!(share(cut.kept_after) >= threshold - 2e-6);
                    prop_assert!(cut.kept_after == 1 || share(cut.kept_after - 1) < threshold);
                }
                MinP(share) => {
                    prop_assert!(weight(cut.kept_after - 1, temperature) >= share - 2e-6);
                    prop_assert!(cut.kept_after == kept || weight(cut.kept_after, temperature) < share);
                }
                Temperature(_) => {}
            }
            kept = cut.kept_after;
        }
        prop_assert!(cuts.next().is_none());

        let total = mass(kept, temperature);
        for (rank, id) in full.ranking.iter().enumerate() {
            let found = full.probabilities[*id as usize];
            if rank < kept {
                prop_assert!((found - weight(rank, temperature) / total).abs() <= 1e-6, "token {}", id);
            } else {
                // What is kept is a prefix of the ranking; everything behind it has exactly 0.
                prop_assert_eq!(found, 0.0);
            }
        }
    }

    #[test]
    fn probabilities_sum_to_one_and_the_picked_token_is_kept(case in cases()) {
        let full = case.full();
        for sum in [full.probabilities.iter().sum::<f64>(), full.base_probabilities.iter().sum()] {
            prop_assert!((sum - 1.0).abs() < 1e-9, "{}", sum);
        }
        let draw = full.draw;
        let chance = full.probabilities[draw.id as usize];
        prop_assert!(chance > 0.0);
        prop_assert!((draw.high - draw.low - chance).abs() < 1e-9);
        prop_assert!(draw.low <= case.uniform && case.uniform < draw.high && draw.high <= 1.0);
        for id in &case.suppress {
            prop_assert_eq!(full.probabilities[*id as usize], 0.0);
        }
    }

    #[test]
    fn a_display_limit_changes_nothing(case in cases(), limits in prop::collection::vec(0usize..6000, 1..4)) {
        let full = case.full();
        let (mut sampler, settings) = (Sampler::new(), case.settings());
        let mut step = sampler.step(&case.logits, &settings, &History::default(), case.uniform).unwrap();
        for limit in limits {
            let rows = step.top_rows(limit);
            prop_assert_eq!(rows.len(), limit.min(case.logits.len()));
            for (rank, row) in rows.iter().enumerate() {
                prop_assert_eq!((row.rank, row.id), (rank, full.ranking[rank]));
                prop_assert_eq!(row.probability, full.probabilities[row.id as usize]);
                prop_assert_eq!(rank < step.kept(), row.cut_by.is_none() && !row.banned);
            }
        }
        prop_assert_eq!(step.full(), full);
    }

    /// Cuts by rank or by share of the top chance measure no mass, so their order is of no account; nor is that of top-k
    /// and temperature.
    #[test]
    fn steps_that_commute_commute(
        case in cases(),
        (temperature, count, share) in (0.05..4.0f64, 1..200usize, 0.0..0.3f64),
        listing in any::<bool>(),
    ) {
        let boundary = if listing { BoundaryRule::Listing } else { BoundaryRule::Smallest };
        let run = |chain: [ChainStep; 2]| {
            let decoding = Decoding::Sample { chain: chain.to_vec() };
            let values =
                SettingsValues { decoding, suppress: case.suppress.clone(), boundary, ..Default::default() };
            let settings = SamplingSettings::new(values).unwrap();
            let full = Sampler::new().step(&case.logits, &settings, &History::default(), case.uniform).unwrap().full();
            (full.probabilities, full.draw)
        };
        for [one, other] in [[TopK(count), MinP(share)], [TopK(count), Temperature(temperature)]] {
            prop_assert_eq!(run([one, other]), run([other, one]));
        }
    }

    /// The listing never keeps less, and what it keeps is a prefix too.
    #[test]
    fn the_listing_keeps_at_least_as_much(case in cases()) {
        let kept = |boundary| {
            let decoding = Decoding::Sample { chain: case.chain.iter().copied().take(1).collect() };
            let values = SettingsValues { decoding, boundary, ..Default::default() };
            let settings = SamplingSettings::new(values).unwrap();
            let full = Sampler::new().step(&case.logits, &settings, &History::default(), 0.5).unwrap().full();
            full.ranking.iter().map(|id| full.probabilities[*id as usize] > 0.0).collect::<Vec<_>>()
        };
        let (ours, listing) = (kept(BoundaryRule::Smallest), kept(BoundaryRule::Listing));
        prop_assert!(ours.iter().zip(&listing).all(|(ours, listing)| listing >= ours));
        prop_assert!(listing.is_sorted_by(|one, next| one >= next));
    }
}
