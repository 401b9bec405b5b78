//! What a table shows of a step, on inputs that can be calculated by hand, and the rule at the border.

use logit_lab_engine::sampling::ChainStep::{self, MinP, Temperature, TopK, TopP};
use logit_lab_engine::sampling::{
    BoundaryRule, Decoding, History, Sampler, SamplingSettings, SamplingStep, SettingsValues, Stages, uniform,
};

use crate::stand_in::noise_values;

fn settings(chain: &[ChainStep], boundary: BoundaryRule) -> SamplingSettings {
    let decoding = Decoding::Sample { chain: chain.to_vec() };
    SamplingSettings::new(SettingsValues { decoding, boundary, ..Default::default() }).unwrap()
}

fn smallest(chain: &[ChainStep]) -> SamplingSettings {
    settings(chain, BoundaryRule::Smallest)
}

fn greedy() -> SamplingSettings {
    SamplingSettings::new(SettingsValues { decoding: Decoding::Greedy, ..Default::default() }).unwrap()
}

/// The lesson's four tokens, in an order that is not that of the ranking: C, A, D, B.
const FOUR: [f32; 4] = [2.0, 8.0, 1.0, 4.0];
const BY_RANK: [u32; 4] = [1, 3, 0, 2];

fn four() -> Vec<f32> {
    FOUR.iter().map(|weight| libm::logf(*weight)).collect()
}

fn with_step<T>(
    logits: &[f32],
    settings: &SamplingSettings,
    read: impl FnOnce(&mut SamplingStep<'_>) -> T,
) -> T {
    let mut sampler = Sampler::new();
    read(&mut sampler.step(logits, settings, &History::default(), 0.5).unwrap())
}

/// Stages of the four tokens, by rank.
fn stages(settings: &SamplingSettings) -> Vec<Stages> {
    with_step(&four(), settings, |step| {
        let rows = step.top_rows(9);
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), BY_RANK);
        step.stages(&rows)
    })
}

#[track_caller]
fn assert_column(stages: &[Stages], read: impl Fn(&Stages) -> f64, numerators: [f64; 4], denominator: f64) {
    for (stage, numerator) in stages.iter().zip(numerators) {
        let (found, expected) = (read(stage), numerator / denominator);
        assert!((found - expected).abs() < 1e-6, "{found} for {expected} in {stages:?}");
    }
}

pub fn the_columns_of_the_lesson_are_those_calculated_by_hand() {
    let plain = stages(&smallest(&[]));
    assert_column(&plain, |stage| stage.base_probability, [8.0, 4.0, 2.0, 1.0], 15.0);
    assert_column(&plain, |stage| stage.cumulative, [8.0, 12.0, 14.0, 15.0], 15.0);
    assert_column(&plain, |stage| stage.low, [0.0, 8.0, 12.0, 14.0], 15.0);
    assert_column(&plain, |stage| stage.high, [8.0, 12.0, 14.0, 15.0], 15.0);
    let ln_2 = std::f64::consts::LN_2;
    assert_column(&plain, |stage| f64::from(stage.scaled_logit), [0.0, -ln_2, -2.0 * ln_2, -3.0 * ln_2], 1.0);

    // Halving the temperature squares the weights; the model's own chances stay.
    let cold = stages(&smallest(&[Temperature(0.5)]));
    assert_column(&cold, |stage| stage.base_probability, [8.0, 4.0, 2.0, 1.0], 15.0);
    assert_column(&cold, |stage| stage.high, [64.0, 80.0, 84.0, 85.0], 85.0);
    assert_column(&cold, |stage| f64::from(stage.scaled_logit), [0.0, -2.0, -4.0, -6.0], 1.0 / ln_2);

    // Top-p sees the running totals of its place; the strip is that of what it left.
    let nucleus = stages(&smallest(&[TopP(0.75), Temperature(0.5)]));
    assert_column(&nucleus, |stage| stage.cumulative, [8.0, 12.0, 14.0, 15.0], 15.0);
    assert_column(&nucleus, |stage| stage.low, [0.0, 4.0, 5.0, 5.0], 5.0);
    assert_column(&nucleus, |stage| stage.high, [4.0, 5.0, 5.0, 5.0], 5.0);
    let after_top_k = stages(&smallest(&[TopK(3), TopP(0.5)]));
    assert_column(&after_top_k, |stage| stage.cumulative, [8.0, 12.0, 14.0, 14.0], 14.0);
    let greedy = stages(&greedy());
    assert_column(&greedy, |stage| stage.low, [0.0, 1.0, 1.0, 1.0], 1.0);
    assert_column(&greedy, |stage| stage.high, [1.0; 4], 1.0);
}

pub fn the_listing_keeps_one_token_more_at_exactly_p_and_ties_at_k() {
    let kept = |logits: &[f32], chain: &[ChainStep], boundary| {
        with_step(logits, &settings(chain, boundary), |step| step.kept())
    };
    let (ours, listing) = (BoundaryRule::Smallest, BoundaryRule::Listing);
    // A and B have 12/15. At p = 4/5 that reaches p; the listing cuts only behind more than p.
    for (p, expected) in [(0.75, [2, 2]), (0.8, [2, 3]), (0.85, [3, 3]), (8.0 / 15.0, [1, 2]), (0.0, [1, 1])]
    {
        assert_eq!([ours, listing].map(|rule| kept(&four(), &[TopP(p)], rule)), expected, "p = {p}");
    }
    // After top-k the mass is that of what is left: 8/12 and 4/12.
    assert_eq!([ours, listing].map(|rule| kept(&four(), &[TopK(2), TopP(2.0 / 3.0)], rule)), [1, 2]);
    let ties = [1.0, 5.0, 5.0, 5.0, 0.0];
    for (k, expected) in [(1, [1, 3]), (2, [2, 3]), (3, [3, 3]), (4, [4, 4]), (9, [5, 5]), (0, [5, 5])] {
        assert_eq!([ours, listing].map(|rule| kept(&ties, &[TopK(k)], rule)), expected, "k = {k}");
    }
    // A tie never brings back what an earlier filter cut.
    assert_eq!(kept(&ties, &[TopP(0.5), TopK(1)], listing), 2);
}

pub fn the_listing_reads_temperature_0_as_a_very_small_one() {
    let zero = |boundary| {
        let decoding = Decoding::Sample { chain: vec![Temperature(0.0)] };
        SamplingSettings::new(SettingsValues { decoding, boundary, ..Default::default() })
    };
    assert!(zero(BoundaryRule::Smallest).is_err());
    let settings_ = zero(BoundaryRule::Listing).unwrap();
    with_step(&four(), &settings_, |step| assert_eq!((step.draw().id, step.probability(1)), (1, 1.0)));
    // Two equal logits share the mass, where greedy decoding would take the first.
    with_step(&[3.0, 3.0, 1.0], &settings_, |step| assert_eq!(step.probability(1), 0.5));
    let tiny = settings(&[Temperature(1e-9)], BoundaryRule::Listing);
    with_step(&[1e-5, 0.0], &tiny, |step| {
        assert!((step.probability(1) - 1.0 / (1.0 + std::f64::consts::E)).abs() < 1e-6);
    });
}

pub fn entropy_counts_how_many_tokens_are_in_play() {
    for count in [1usize, 2, 7, 1000] {
        with_step(&vec![0.5; count], &smallest(&[]), |step| {
            assert!((step.entropy().effective_vocabulary() - count as f64).abs() < 1e-4);
            assert!((step.entropy().bits() - libm::log2(count as f64)).abs() < 1e-6);
        });
    }
    // 1.0 is as -sum of p log2 p: 8/15, 4/15, 2/15, 1/15.
    let bits = [8.0f64, 4.0, 2.0, 1.0].map(|n| n / 15.0 * libm::log2(15.0 / n)).iter().sum::<f64>();
    with_step(&four(), &smallest(&[TopK(2)]), |step| {
        assert!((step.base_entropy().bits() - bits).abs() < 1e-6);
        let two = libm::log2(3.0) - 2.0 / 3.0;
        assert!((step.entropy().bits() - two).abs() < 1e-6, "of 2/3 and 1/3");
    });
    with_step(&four(), &greedy(), |step| assert_eq!(step.entropy().nats, 0.0));
    let banned = SettingsValues { suppress: vec![1, 0], ..Default::default() };
    with_step(&four(), &SamplingSettings::new(banned).unwrap(), |step| {
        assert!((step.entropy().bits() - (libm::log2(5.0) - 8.0 / 5.0)).abs() < 1e-6, "of 4/5 and 1/5");
        assert!((step.base_entropy().bits() - bits).abs() < 1e-6);
    });
}

pub fn odds_follow_from_the_gap_of_the_logits() {
    with_step(&four(), &smallest(&[Temperature(0.5), TopK(3)]), |step| {
        let pair = step.compare(1, 0).unwrap();
        assert!((pair.base_odds - 4.0).abs() < 1e-5 && (pair.odds.unwrap() - 16.0).abs() < 1e-4, "{pair:?}");
        assert!((pair.odds.unwrap() - step.probability(1) / step.probability(0)).abs() < 1e-4);
        let cut = step.compare(1, 2).unwrap();
        assert!((cut.base_odds - 8.0).abs() < 1e-5 && cut.odds.is_none(), "{cut:?}");
        assert!(step.compare(1, 4).is_none());
        let margin = step.margin().unwrap();
        assert!((margin.logit - std::f64::consts::LN_2).abs() < 1e-6);
        assert!((margin.probability - 48.0 / 84.0).abs() < 1e-6);
    });
    let alone = SettingsValues { suppress: vec![0, 2, 3], ..Default::default() };
    with_step(&four(), &SamplingSettings::new(alone).unwrap(), |step| assert_eq!(step.margin(), None));
    with_step(&[1.0], &smallest(&[]), |step| assert_eq!(step.margin(), None));
}

/// "Be the dice": wherever the number falls on the shown strip, that token is picked.
pub fn the_interval_that_a_number_falls_in_is_the_token_that_it_picks() {
    let chains = [
        vec![],
        vec![TopP(0.9)],
        vec![Temperature(1.8), TopK(700)],
        vec![MinP(0.01)],
        vec![Temperature(0.05)],
    ];
    let logits = noise_values(5, 4_000, 3.0);
    for chain in chains {
        let (settings, mut sampler) = (smallest(&chain), Sampler::new());
        let (rows, stages) = with_step(&logits, &settings, |step| {
            let rows = step.top_rows(usize::MAX);
            let stages = step.stages(&rows);
            (rows, stages)
        });
        assert_eq!((stages[0].low, stages.last().unwrap().high), (0.0, 1.0));
        for (one, next) in stages.iter().zip(&stages[1..]) {
            assert_eq!(one.high, next.low, "no gap and no overlap");
        }
        for token in 0..300 {
            let u = if token == 0 { 1.0f64.next_down() } else { uniform(1, token) };
            let place = stages.iter().position(|stage| (stage.low..stage.high).contains(&u)).unwrap();
            let mut step = sampler.step(&logits, &settings, &History::default(), 0.3).unwrap();
            let other = step.pick_with(u).unwrap();
            assert_eq!(other.id, rows[place].id);
            assert_eq!((other.low, other.high), (stages[place].low, stages[place].high));
            assert_eq!(sampler.step(&logits, &settings, &History::default(), u).unwrap().draw(), other);
        }
    }
}

pub fn stages_of_a_page_of_rows_are_those_of_the_whole_table() {
    let logits = noise_values(9, 3_000, 2.0);
    with_step(&logits, &smallest(&[TopP(0.95), Temperature(0.7)]), |step| {
        let rows = step.rows(0, usize::MAX);
        let whole = step.stages(&rows);
        assert_eq!((rows.len(), whole.len()), (3_000, 3_000));
        for first in [0, 1, 63, 1_000, 2_990, 3_000] {
            let page = step.rows(first, 25);
            assert_eq!(page, rows[first..(first + 25).min(3_000)]);
            assert_eq!(step.stages(&page), whole[first..(first + 25).min(3_000)]);
        }
    });
}

pub fn many_draws_are_those_of_single_steps_and_near_what_theory_says() {
    let (logits, settings) = (four(), smallest(&[]));
    let tally = with_step(&logits, &settings, |step| step.tally(7, 1_000));
    let mut counts = [0usize; 4];
    for token in 0..1_000 {
        let mut sampler = Sampler::new();
        let step = sampler.step(&logits, &settings, &History::default(), uniform(7, token)).unwrap();
        counts[step.draw().id as usize] += 1;
    }
    assert_eq!(tally.counts, BY_RANK.map(|id| (id, counts[id as usize])));
    let expected = FOUR.map(|weight| f64::from(weight) / 15.0 * 1_000.0);
    let chi_square: f64 = counts
        .iter()
        .zip(expected)
        .map(|(count, expected)| (*count as f64 - expected) * (*count as f64 - expected) / expected)
        .sum();
    assert!((tally.chi_square - chi_square).abs() < 1e-3, "{} and {chi_square}", tally.chi_square);
    assert_eq!(tally.degrees_of_freedom, 3);
    // The table of the distribution has 7.815.
    assert!((tally.chi_square_95() - 7.815).abs() < 0.05, "{}", tally.chi_square_95());

    // Of a hundred honest runs about five exceed it.
    let exceeding = (0..100).filter(|seed| {
        let tally = with_step(&logits, &settings, |step| step.tally(*seed, 1_000));
        tally.chi_square > tally.chi_square_95()
    });
    assert!((1..=12).contains(&exceeding.count()));

    let certain = with_step(&logits, &greedy(), |step| step.tally(7, 50));
    assert_eq!((certain.counts, certain.chi_square, certain.degrees_of_freedom), (vec![(1, 50)], 0.0, 0));
    let none = with_step(&logits, &settings, |step| step.tally(7, 0));
    assert_eq!((none.counts, none.largest_deviation), (vec![], 0.0));
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! stages_checks {
    ($test:meta) => {
        $crate::checks!($test, stages:
            the_columns_of_the_lesson_are_those_calculated_by_hand,
            the_listing_keeps_one_token_more_at_exactly_p_and_ties_at_k,
            the_listing_reads_temperature_0_as_a_very_small_one,
            entropy_counts_how_many_tokens_are_in_play,
            odds_follow_from_the_gap_of_the_logits,
            the_interval_that_a_number_falls_in_is_the_token_that_it_picks,
            stages_of_a_page_of_rows_are_those_of_the_whole_table,
            many_draws_are_those_of_single_steps_and_near_what_theory_says,
        );
    };
}
