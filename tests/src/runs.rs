//! Experiments on several runs: where two part, and how many of many differ.

use logit_lab_engine::lab::prompt_logits::Positions;
use logit_lab_engine::lab::{PromptLogits, RunComparison, Samples};
use logit_lab_engine::model::{Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::WeightPrecision;
use logit_lab_engine::session::{CachePolicy, Limits, Session, StartFrom, StopReason};

use crate::fixtures::{load_tales_as, load_tales_on, tiny};
use crate::forward::logits_of_last;
use crate::session::{budget, creative, greedy, run, tales_session};

fn compare(
    one: &mut dyn Forward,
    other: &mut dyn Forward,
    [prompt, first, second]: [&[u32]; 3],
) -> RunComparison {
    let mut comparison = RunComparison::new(prompt, first, second).unwrap();
    while !comparison.advance(one, other).unwrap() {}
    comparison
}

pub fn two_runs_part_where_their_tokens_first_differ() {
    let mut session = tales_session(CachePolicy::Reuse, "The old man looked at the");
    let prompt = session.ids().to_vec();
    run(&mut session, StartFrom::Prompt, budget(40), &greedy(), 0);
    let greedy_ids = session.new_ids().to_vec();
    run(&mut session, StartFrom::Prompt, budget(40), &creative(), 5);
    let sampled = session.new_ids().to_vec();
    let expected = (0..40).find(|index| greedy_ids[*index] != sampled[*index]).unwrap();

    let (mut one, mut other) = (load_tales_on(Kernel::Fused), load_tales_on(Kernel::Fused));
    let found = compare(&mut *one, &mut *other, [&prompt, &greedy_ids, &sampled]);
    assert_eq!(found.first_difference(), Some(expected));
    assert_eq!(found.largest().value, 0.0, "one model with itself");
    let prefix = [&prompt, &greedy_ids[..expected]].concat();
    assert_eq!(found.shared(), prefix);
    let logits = logits_of_last(&*one, &prefix);
    assert_eq!(found.logits(), [&logits[..]; 2]);
}

pub fn equal_texts_have_no_difference_and_a_shorter_one_ends_it() {
    let (mut one, mut other) = (load_tales_on(Kernel::Fused), load_tales_on(Kernel::Candle));
    let found = compare(&mut *one, &mut *other, [&[5, 6], &[7, 8, 9], &[7, 8, 9]]);
    assert_eq!((found.first_difference(), found.shared()), (None, &[5, 6, 7, 8][..]));
    assert!(found.largest().value < 1e-4);
    let found = compare(&mut *one, &mut *other, [&[5, 6], &[7, 8, 9], &[7]]);
    assert_eq!((found.first_difference(), found.shared()), (Some(1), &[5, 6, 7][..]));
    let found = compare(&mut *one, &mut *other, [&[5, 6], &[], &[]]);
    assert_eq!((found.first_difference(), found.shared()), (None, &[5, 6][..]));
    assert!(RunComparison::new(&[], &[1], &[1]).is_err());
}

/// Another precision is another model: the difference is found where it is, over several chunks.
pub fn the_largest_difference_is_that_of_the_whole_prefix() {
    let precision = WeightPrecision::parse("int8").unwrap();
    let mut exact = load_tales_on(Kernel::Fused);
    let mut rounded = load_tales_as(LoadChoice { precision, ..LoadChoice::exact(Kernel::Fused) });
    let prompt: Vec<u32> = (0..30).map(|i| i * 37 % 4096).collect();
    let text: Vec<u32> = (0..8).map(|i| i * 91 % 4096).collect();
    let found = compare(&mut *exact, &mut *rounded, [&prompt, &text, &text]);
    let mut largest = (0.0f32, 0, 0);
    for index in 0..text.len() {
        let prefix = [&prompt, &text[..index]].concat();
        let (one, other) = (logits_of_last(&*exact, &prefix), logits_of_last(&*rounded, &prefix));
        for id in 0..one.len() {
            let value = (one[id] - other[id]).abs();
            if value > largest.0 {
                largest = (value, id as u32, index);
            }
        }
    }
    assert!(largest.0 > 1e-3, "INT8 should differ");
    assert_eq!((found.largest().value, found.largest().id, found.largest().index), largest);
}

pub fn models_of_different_vocabularies_cannot_be_compared() {
    let (mut one, mut other) = (load_tales_on(Kernel::Fused), tiny("relu").load_on(Kernel::Fused));
    let error = RunComparison::new(&[1], &[2], &[3]).unwrap().advance(&mut *one, &mut *other).unwrap_err();
    assert!(error.to_string().contains("4096"), "{error}");
}

pub fn samples_are_the_runs_of_their_seeds() {
    let mut samples =
        Samples::new(tales_session(CachePolicy::Reuse, "The ship"), creative(), budget(6), u32::MAX, 4);
    while !samples.advance().unwrap() {}
    let seeds: Vec<u32> = samples.done().iter().map(|sample| sample.seed).collect();
    assert_eq!(seeds, [u32::MAX, 0, 1, 2]);
    for sample in samples.done() {
        let mut alone = tales_session(CachePolicy::Reuse, "The ship");
        let text = run(&mut alone, StartFrom::Prompt, budget(6), &creative(), sample.seed);
        assert_eq!(alone.new_ids(), sample.new_ids);
        assert_eq!(sample.text.as_deref(), Some((text + &alone.held_text()).as_str()));
        assert_eq!(sample.reason, StopReason::MaxNewTokens);
    }
    assert_eq!(samples.distinct(), 4);

    let greedy_ones = Samples::new(tales_session(CachePolicy::Reuse, "The ship"), greedy(), budget(6), 0, 5);
    let mut greedy_ones = greedy_ones;
    while !greedy_ones.advance().unwrap() {}
    assert_eq!((greedy_ones.done().len(), greedy_ones.distinct()), (5, 1));
}

pub fn samples_of_no_tokens_end_too() {
    let limits = Limits { max_new_tokens: 0, ..Limits::default() };
    let mut samples = Samples::new(tales_session(CachePolicy::Reuse, "The ship"), creative(), limits, 1, 3);
    while !samples.advance().unwrap() {}
    assert_eq!((samples.done().len(), samples.distinct()), (3, 1));
}

/// What a comparison of runs reads: rows of some positions, the same bits as those of all.
pub fn logits_of_some_positions_are_rows_of_those_of_all() {
    let model = load_tales_on(Kernel::Fused);
    let ids: Vec<u32> = (0..70).map(|i| i * 37 % 4096).collect();
    let vocabulary = model.config().vocab_size;
    let rows = |positions, cache| {
        let mut job = PromptLogits::new(&*model, ids.clone(), positions, cache).unwrap().as_in_a_run(30);
        while !job.advance().unwrap() {}
        job.into_logits()
    };
    let all = rows(Positions::All, CachePolicy::Reuse);
    assert_eq!(all.len(), 70 * vocabulary);
    for (first, count) in [(0, 1), (29, 3), (31, 16), (60, 100)] {
        let end = (first + count).min(70);
        for cache in [CachePolicy::Reuse, CachePolicy::Recompute] {
            let some = rows(Positions::Some { first, count }, cache);
            assert_eq!(some, all[first * vocabulary..end * vocabulary], "{count} from {first} on");
        }
    }
    for (first, count) in [(70, 1), (3, 0), (usize::MAX, 2)] {
        let positions = Positions::Some { first, count };
        assert!(PromptLogits::new(&*model, ids.clone(), positions, CachePolicy::Reuse).is_err());
    }
}

/// A kernel that rounds differently by the number of positions: read as in a run, the logits are those of that run.
pub fn logits_read_as_in_a_run_have_the_bits_of_the_run() {
    let model = load_tales_on(Kernel::Candle);
    let mut session = Session::new(model.fresh(), None, CachePolicy::Reuse);
    session.set_prompt((0..40).map(|i| i * 37 % 4096).collect()).unwrap();
    session.start(StartFrom::Prompt, budget(6));
    let mut seen = Vec::new();
    while session.stopped().is_none() {
        while !session.forward_chunk().unwrap() {}
        seen.extend_from_slice(session.logits().unwrap());
        session.pick(&greedy(), 0).unwrap();
    }
    let ids = session.ids().to_vec();
    let positions = Positions::Some { first: 39, count: 6 };
    let mut job = PromptLogits::new(&*model, ids, positions, CachePolicy::Reuse).unwrap().as_in_a_run(40);
    while !job.advance().unwrap() {}
    assert!(job.into_logits() == seen, "other bits than the run's");
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! runs_checks {
    ($test:meta) => {
        $crate::checks!($test, runs:
            two_runs_part_where_their_tokens_first_differ,
            equal_texts_have_no_difference_and_a_shorter_one_ends_it,
            the_largest_difference_is_that_of_the_whole_prefix,
            models_of_different_vocabularies_cannot_be_compared,
            samples_are_the_runs_of_their_seeds,
            samples_of_no_tokens_end_too,
            logits_of_some_positions_are_rows_of_those_of_all,
            logits_read_as_in_a_run_have_the_bits_of_the_run,
        );
    };
}
