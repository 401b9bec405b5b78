//! The sampler against Hugging Face transformers, the lesson's example, and the inputs on which samplers differ.

use logit_lab_engine::EngineError;
use logit_lab_engine::sampling::ChainStep::{self, MinP, Temperature, TopK, TopP};
use logit_lab_engine::sampling::{
    Cut, Decoding, Draw, FullDistribution, History, Sampler, SamplingSettings, SettingsValues, uniform,
};
use serde_json::Value;

use crate::stand_in::noise_values;

fn settings(chain: &[ChainStep]) -> SamplingSettings {
    with(SettingsValues { decoding: Decoding::Sample { chain: chain.to_vec() }, ..Default::default() })
}

fn greedy(suppress: &[u32]) -> SamplingSettings {
    with(SettingsValues { decoding: Decoding::Greedy, suppress: suppress.to_vec(), ..Default::default() })
}

fn with(values: SettingsValues) -> SamplingSettings {
    SamplingSettings::new(values).unwrap()
}

/// One step without a history.
fn full(logits: &[f32], settings: &SamplingSettings, uniform: f64) -> FullDistribution {
    Sampler::new().step(logits, settings, &History::default(), uniform).unwrap().full()
}

fn probabilities(logits: &[f32], chain: &[ChainStep]) -> Vec<f64> {
    full(logits, &settings(chain), 0.0).probabilities
}

/// Logits whose softmax at temperature 1 has these proportions.
fn logs(weights: &[f32]) -> Vec<f32> {
    weights.iter().map(|weight| weight.ln()).collect()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (id, (found, expected)) in found.iter().zip(expected).enumerate() {
        let is_close = if *expected == 0.0 { *found == 0.0 } else { (found - expected).abs() <= 1e-6 };
        assert!(is_close, "token {id}: found {found}, expected {expected}");
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    // null is how the file writes minus infinity.
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(f64::NEG_INFINITY)).collect()
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|id| u32::try_from(id.as_u64().unwrap()).unwrap()).collect()
}

/// The settings of a case, or nothing where it has a processor that is not offered here.
fn settings_of_case(case: &Value) -> Option<SamplingSettings> {
    let mut values = SettingsValues::default();
    let mut chain = Vec::new();
    for processor in case["chain"].as_array().unwrap() {
        let (value, count) = (processor[1].as_f64(), processor[1].as_u64().map(|count| count as usize));
        match processor[0].as_str().unwrap() {
            "temperature" => chain.push(Temperature(value.unwrap())),
            "top_k" => chain.push(TopK(count.unwrap())),
            "top_p" => chain.push(TopP(value.unwrap())),
            "min_p" => chain.push(MinP(value.unwrap())),
            "typical_p" | "epsilon" | "eta" => return None,
            before_chain => {
                assert!(chain.is_empty(), "{before_chain} stands behind a chain step");
                match before_chain {
                    "repetition_penalty" => values.repetition_penalty = value.unwrap(),
                    "no_repeat_ngram" => values.no_repeat_ngram = count.unwrap(),
                    "suppress" => values.suppress = ids(&processor[1]),
                    other => panic!("processor {other} is not known to this test"),
                }
            }
        }
    }
    values.decoding = Decoding::Sample { chain };
    Some(with(values))
}

pub fn every_case_of_the_reference_has_its_logits_and_probabilities() {
    let file: Value = serde_json::from_str(include_str!("../fixtures/logits_processors.json")).unwrap();
    let (mut run, mut skipped) = (0, 0);
    let mut sampler = Sampler::new();
    for (index, case) in file["cases"].as_array().unwrap().iter().enumerate() {
        let Some(settings) = settings_of_case(case) else {
            skipped += 1;
            continue;
        };
        let logits: Vec<f32> = numbers(&case["logits"]).iter().map(|logit| *logit as f32).collect();
        let history = ids(&case["history"]);
        let history = History { ids: &history, prompt_length: history.len(), eos_id: None };
        let full = sampler.step(&logits, &settings, &history, 0.5).unwrap().full();
        assert_close(&full.probabilities, &numbers(&case["probabilities"]));

        // The file's logits are those at the end of its chain: divided by the temperature, cut tokens at -inf.
        let Decoding::Sample { chain } = &settings.values().decoding else { panic!("not greedy") };
        let is_temperature = |step: &ChainStep| {
            if let Temperature(value) = step { Some(*value) } else { None }
        };
        let temperature = chain.iter().find_map(is_temperature).unwrap_or(1.0);
        for (id, expected) in numbers(&case["processed_logits"]).into_iter().enumerate() {
            if expected == f64::NEG_INFINITY {
                assert_eq!(full.probabilities[id], 0.0, "case {index}, token {id}");
            } else {
                let found = f64::from(full.processed_logits[id]) / temperature;
                // The reference divides in f32: its last digit, where that is coarser than 1e-6, is its own.
                let last_digit = f64::from((expected.abs() as f32).next_up()) - expected.abs();
                let is_close = (found - expected).abs() <= last_digit.max(1e-6);
                assert!(is_close, "case {index}, token {id}: found {found}, expected {expected}");
            }
        }
        run += 1;
    }
    assert_eq!((run, skipped), (60, 9));
}

pub fn the_lesson_example_comes_out_as_calculated_by_hand() {
    let logits = logs(&[8.0, 4.0, 2.0, 1.0]);
    let over = |numerators: [f64; 4], denominator: f64| numerators.map(|numerator| numerator / denominator);
    let all = over([8.0, 4.0, 2.0, 1.0], 15.0);
    let two_thirds = over([2.0, 1.0, 0.0, 0.0], 3.0);
    assert_close(&probabilities(&logits, &[]), &all);
    assert_close(&full(&logits, &settings(&[TopK(1)]), 0.0).base_probabilities, &all);
    assert_close(&probabilities(&logits, &[TopK(2)]), &two_thirds);
    assert_close(&probabilities(&logits, &[TopP(0.75)]), &two_thirds);
    // The boundary: 12/15 reaches 4/5.
    assert_close(&probabilities(&logits, &[TopP(0.8)]), &two_thirds);
    // At least half of the top probability: 4/8 is.
    assert_close(&probabilities(&logits, &[MinP(0.5)]), &two_thirds);
    assert_close(&probabilities(&logits, &[Temperature(0.5)]), &over([64.0, 16.0, 4.0, 1.0], 85.0));
    // Both orders of temperature 1/2 and top-p 3/4.
    assert_close(&probabilities(&logits, &[Temperature(0.5), TopP(0.75)]), &[1.0, 0.0, 0.0, 0.0]);
    assert_close(&probabilities(&logits, &[TopP(0.75), Temperature(0.5)]), &[0.8, 0.2, 0.0, 0.0]);
}

pub fn top_p_measures_the_renormalised_mass_after_top_k() {
    // 0.50 / 0.80 = 0.625 reaches 0.6; a sampler that does not renormalise keeps two.
    let logits = logs(&[0.5, 0.3, 0.15, 0.05]);
    let full = full(&logits, &settings(&[TopK(2), TopP(0.6)]), 0.0);
    let top_k = Cut { step: TopK(2), kept_before: 4, kept_after: 2 };
    let top_p = Cut { step: TopP(0.6), kept_before: 2, kept_after: 1 };
    assert_eq!(full.cuts, [top_k, top_p]);
    assert_close(&full.probabilities, &[1.0, 0.0, 0.0, 0.0]);
}

pub fn temperature_first_and_temperature_last_keep_different_sets() {
    let kept = |chain: &[ChainStep]| full(&[3.0, 2.0, 1.0], &settings(chain), 0.0).cuts[0].kept_after;
    assert_eq!(kept(&[Temperature(0.5), TopP(0.8)]), 1);
    assert_eq!(kept(&[TopP(0.8), Temperature(0.5)]), 2);
}

pub fn off_values_cut_nothing_and_the_other_ends_keep_one_token() {
    let logits = [1.0, 3.0, 2.0, 3.0];
    let all = probabilities(&logits, &[]);
    for off in [Temperature(1.0), TopK(0), TopP(1.0), MinP(0.0)] {
        let full = full(&logits, &settings(&[off]), 0.0);
        assert_eq!((full.probabilities, full.cuts.len()), (all.clone(), 0), "{off:?}");
    }
    for one in [TopK(1), TopP(0.0), TopP(1e-9)] {
        assert_eq!(probabilities(&logits, &[one]), [0.0, 1.0, 0.0, 0.0], "{one:?}");
    }
    assert_eq!(probabilities(&logits, &[MinP(1.0)]), [0.0, 0.5, 0.0, 0.5]);
    // More than there is: on, and keeps all.
    let above = full(&logits, &settings(&[TopK(500)]), 0.0);
    assert_eq!(above.probabilities, all);
    assert_eq!(above.cuts, [Cut { step: TopK(500), kept_before: 4, kept_after: 4 }]);
}

pub fn a_tiny_min_p_still_cuts_what_is_far_below_it() {
    assert_eq!(probabilities(&[0.0, -40.0], &[MinP(1e-7)]), [1.0, 0.0]);
    assert!(probabilities(&[0.0, -10.0], &[MinP(1e-7)])[1] > 0.0);
}

pub fn extreme_temperatures_give_the_limits_and_no_nan() {
    for temperature in [1e-4, 1e-8, f64::MIN_POSITIVE, 5e-324] {
        for uniform in [0.0, 1.0f64.next_down()] {
            let full = full(&[-5.0, 7.0, 6.0, -80.0], &settings(&[Temperature(temperature)]), uniform);
            assert_eq!(full.probabilities, [0.0, 1.0, 0.0, 0.0]);
            assert_eq!((full.draw.id, full.draw.low, full.draw.high), (1, 0.0, 1.0));
        }
    }
    assert_close(&probabilities(&[0.0, -1e-7], &[Temperature(100.0)]), &[0.5, 0.5]);
    // The range of f32 itself.
    assert_close(&probabilities(&[f32::MAX, f32::MIN, f32::MAX], &[Temperature(0.5)]), &[0.5, 0.0, 0.5]);
}

pub fn ties_at_the_cut_go_to_the_lower_id() {
    assert_eq!(probabilities(&[1.0, 5.0, 5.0, 5.0, 0.0], &[TopK(2)]), [0.0, 0.5, 0.5, 0.0, 0.0]);
    assert_eq!(probabilities(&[1.0, 1.0, 1.0, 1.0], &[TopP(0.5)]), [0.5, 0.5, 0.0, 0.0]);
}

pub fn logits_that_merge_at_a_temperature_keep_their_rank() {
    let temperature = 1.9f32;
    let mut low = temperature;
    while low / temperature != low.next_up() / temperature {
        low = low.next_up();
    }
    // Divided, both are equal, and a ranking made afterwards would put id 0 first.
    let chain = [Temperature(f64::from(temperature)), TopK(1)];
    let full = full(&[low, low.next_up()], &settings(&chain), 0.0);
    assert_eq!((full.ranking, full.probabilities), (vec![1, 0], vec![0.0, 1.0]));
}

pub fn with_all_tokens_banned_but_one_that_one_is_certain() {
    for decoding in [Decoding::Greedy, Decoding::Sample { chain: vec![TopK(3), TopP(0.9), MinP(0.1)] }] {
        let settings = with(SettingsValues { decoding, suppress: vec![0, 1, 3], ..Default::default() });
        let full = full(&[9.0, 8.0, -30.0, 7.0], &settings, 0.9);
        assert_eq!((full.draw.id, full.probabilities), (2, vec![0.0, 0.0, 1.0, 0.0]));
        assert_eq!(full.ranking, [2, 0, 1, 3]);
        assert!(full.cuts.iter().all(|cut| (cut.kept_before, cut.kept_after) == (1, 1)));
        assert!(full.base_probabilities[0] > 0.6, "a ban does not touch the model's own distribution");
    }
}

pub fn bad_logits_and_total_bans_are_errors_that_name_the_step() {
    let ids = [0, 1, 1];
    let history = History { ids: &ids, prompt_length: 1, eos_id: Some(0) };
    let all_banned = with(SettingsValues { suppress: vec![1], min_new_tokens: 3, ..Default::default() });
    let cases = [
        ([0.0, 0.0], all_banned),
        ([f32::NAN, 0.0], greedy(&[])),
        ([0.0, f32::INFINITY], greedy(&[])),
        ([f32::NEG_INFINITY, 0.0], settings(&[])),
    ];
    for (logits, settings) in cases {
        let error = Sampler::new().step(&logits, &settings, &history, 0.5).unwrap_err();
        assert!(matches!(error, EngineError::Numeric { step: 2, .. }), "{error}");
    }
}

pub fn a_uniform_number_outside_its_interval_is_an_error_unless_greedy() {
    for uniform in [1.0, -1e-9, f64::NAN] {
        let sampled = Sampler::new().step(&[0.0], &settings(&[]), &History::default(), uniform).unwrap_err();
        assert!(matches!(sampled, EngineError::Settings { name: "uniform", .. }), "{sampled}");
        assert_eq!(full(&[0.0], &greedy(&[]), uniform).draw.uniform, None);
    }
}

pub fn the_pick_is_the_first_rank_whose_cumulative_mass_exceeds_the_number() {
    // Ranks: id 2 with 1/2, then id 0 and id 3 with 1/4 each; id 1 is cut.
    let logits = logs(&[2.0, 1.0, 4.0, 2.0]);
    let intervals = [[0.0, 0.5], [0.5, 0.75], [0.75, 1.0]];
    let picks =
        [(0.0, 2, 0), (0.499, 2, 0), (0.501, 0, 1), (0.749, 0, 1), (0.751, 3, 2), (1.0f64.next_down(), 3, 2)];
    for (uniform, id, rank) in picks {
        let draw = full(&logits, &settings(&[TopK(3)]), uniform).draw;
        assert_eq!((draw.id, draw.rank, draw.uniform), (id, rank, Some(uniform)));
        assert!(draw.low <= uniform && uniform < draw.high);
        assert_close(&[draw.low, draw.high], &intervals[rank]);
    }
}

pub fn greedy_takes_the_lowest_id_at_a_tie_and_obeys_bans() {
    let logits = [1.0, 4.0, 4.0, -1.0];
    let (mut sampler, settings) = (Sampler::new(), greedy(&[]));
    let mut step = sampler.step(&logits, &settings, &History::default(), 0.5).unwrap();
    let draw = step.draw();
    assert_eq!((draw.id, draw.rank, draw.uniform, draw.low, draw.high), (1, 0, None, 0.0, 1.0));
    assert_eq!((step.kept(), step.cuts().len()), (1, 0));
    let rows = step.top_rows(9);
    let shown: Vec<_> = rows.iter().map(|row| (row.id, row.probability)).collect();
    assert_eq!(shown, [(1, 1.0), (2, 0.0), (0, 0.0), (3, 0.0)]);
    assert!(rows.iter().all(|row| row.cut_by.is_none() && !row.banned));
    assert_eq!(full(&logits, &greedy(&[1]), 0.5).draw.id, 2);
}

pub fn rows_say_which_filter_cut_a_token_and_which_tokens_were_banned() {
    let logits = logs(&[8.0, 4.0, 2.0, 1.0, 16.0]);
    let decoding = Decoding::Sample { chain: vec![TopK(3), Temperature(2.0), TopP(0.5)] };
    let settings = with(SettingsValues { decoding, suppress: vec![4], ..Default::default() });
    let mut sampler = Sampler::new();
    let mut step = sampler.step(&logits, &settings, &History::default(), 0.0).unwrap();
    let rows = step.top_rows(5);
    let told: Vec<_> = rows.iter().map(|row| (row.rank, row.id, row.cut_by, row.banned)).collect();
    // At temperature 2 the weights are square roots, 2.83, 2 and 1.41: the first has 0.45 of the mass, two have 0.77.
    let expected = [
        (0, 0, None, false),
        (1, 1, None, false),
        (2, 2, Some(1), false),
        (3, 3, Some(0), false),
        (4, 4, None, true),
    ];
    assert_eq!(told, expected);
    assert_eq!((rows[4].raw_logit, rows[4].processed_logit), (logits[4], f32::NEG_INFINITY));
    for row in rows {
        assert_eq!(step.row(row.id), Some(row));
    }
    assert_eq!((step.row(5), step.rank(5), step.probability(5)), (None, None, 0.0));
    assert_close(&[step.base().probability(4), step.base().probability(5)], &[16.0 / 31.0, 0.0]);
}

pub fn a_sampler_that_is_used_again_gives_what_a_new_one_gives() {
    let wide: Vec<f32> = (0..700u16).map(|id| f32::from(id * 37 % 101) * 0.1).collect();
    let mut sampler = Sampler::new();
    let steps =
        [(700, settings(&[TopP(0.9)])), (9, settings(&[TopK(4)])), (700, greedy(&[])), (700, settings(&[]))];
    for (vocabulary, settings) in steps {
        let logits = &wide[..vocabulary];
        let used = sampler.step(logits, &settings, &History::default(), 0.77).unwrap().full();
        assert_eq!(used, full(logits, &settings, 0.77));
    }
}

/// FNV-1a, 64 bits.
fn digest(values: impl IntoIterator<Item = u64>) -> u64 {
    let bytes = values.into_iter().flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

pub fn draws_and_probabilities_have_the_same_bits_on_every_machine() {
    let chains = [
        vec![],
        vec![Temperature(0.8), TopK(50), TopP(0.9)],
        vec![TopP(0.95), Temperature(1.7)],
        vec![MinP(0.02), Temperature(0.6)],
    ];
    // A change here changes texts for a given seed.
    let pinned =
        [0x280b_381a_5b77_c273u64, 0x8f95_34f3_7ca7_f36e, 0x531a_e662_da8b_9770, 0x95f5_3b64_cbdd_1ce5];
    let mut sampler = Sampler::new();
    let digests = chains.map(|chain| {
        let mut bits = Vec::new();
        // Peaked, as a model that is sure, and nearly flat, where the draw goes far down the ranking.
        for (index, spread) in [(0u32, 6.0), (1, 2.8), (2, 0.5)] {
            let logits = noise_values(u64::from(index), 50_304, spread);
            for token in 0..8 {
                let uniform = uniform(index, token);
                let step = sampler.step(&logits, &settings(&chain), &History::default(), uniform).unwrap();
                let Draw { id, rank, low, high, .. } = step.draw();
                bits.extend([u64::from(id), rank as u64, low.to_bits(), high.to_bits(), step.kept() as u64]);
            }
            let full = full(&logits, &settings(&chain), 0.5);
            bits.extend(full.probabilities.iter().chain(&full.base_probabilities).map(|p| p.to_bits()));
            bits.extend(full.ranking.iter().map(|id| u64::from(*id)));
        }
        digest(bits)
    });
    assert_eq!(digests, pinned, "{digests:#x?}");
}

pub fn logits_sampled_again_under_other_settings_give_what_a_new_sampler_gives() {
    let logits = noise_values(3, 5_000, 3.0);
    let mut sampler = Sampler::new();
    let chains = [vec![], vec![TopP(0.99)], vec![Temperature(0.5), TopK(9)], vec![Temperature(0.5)], vec![]];
    let all_settings =
        chains.iter().map(|chain| settings(chain)).chain([greedy(&[]), greedy(&[7]), settings(&[])]);
    for settings in all_settings {
        for uniform in [0.999, 0.2] {
            let again = sampler.step(&logits, &settings, &History::default(), uniform).unwrap().full();
            assert_eq!(again, full(&logits, &settings, uniform));
        }
    }
    // A step that failed leaves nothing behind.
    sampler.step(&[f32::NAN; 5_000], &settings(&[]), &History::default(), 0.5).unwrap_err();
    let after = sampler.step(&logits, &settings(&[]), &History::default(), 0.5).unwrap().full();
    assert_eq!(after, full(&logits, &settings(&[]), 0.5));
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! sampling_checks {
    ($test:meta) => {
        $crate::checks!($test, sampling:
            every_case_of_the_reference_has_its_logits_and_probabilities,
            the_lesson_example_comes_out_as_calculated_by_hand,
            top_p_measures_the_renormalised_mass_after_top_k,
            temperature_first_and_temperature_last_keep_different_sets,
            off_values_cut_nothing_and_the_other_ends_keep_one_token,
            a_tiny_min_p_still_cuts_what_is_far_below_it,
            extreme_temperatures_give_the_limits_and_no_nan,
            ties_at_the_cut_go_to_the_lower_id,
            logits_that_merge_at_a_temperature_keep_their_rank,
            with_all_tokens_banned_but_one_that_one_is_certain,
            bad_logits_and_total_bans_are_errors_that_name_the_step,
            a_uniform_number_outside_its_interval_is_an_error_unless_greedy,
            the_pick_is_the_first_rank_whose_cumulative_mass_exceeds_the_number,
            greedy_takes_the_lowest_id_at_a_tie_and_obeys_bans,
            rows_say_which_filter_cut_a_token_and_which_tokens_were_banned,
            a_sampler_that_is_used_again_gives_what_a_new_one_gives,
            draws_and_probabilities_have_the_same_bits_on_every_machine,
            logits_sampled_again_under_other_settings_give_what_a_new_sampler_gives,
        );
    };
}
