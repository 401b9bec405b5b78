//! Experiments on several runs: how many of many differ, and the logits that a comparison of two reads.

use logit_lab_engine::lab::prompt_logits::Positions;
use logit_lab_engine::lab::{PromptLogits, Samples};
use logit_lab_engine::model::Kernel;
use logit_lab_engine::session::{CachePolicy, Limits, Session, StartFrom, StopReason};

use crate::fixtures::load_tales_on;
use crate::session::{budget, creative, greedy, run, tales_session};

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
            samples_are_the_runs_of_their_seeds,
            samples_of_no_tokens_end_too,
            logits_of_some_positions_are_rows_of_those_of_all,
            logits_read_as_in_a_run_have_the_bits_of_the_run,
        );
    };
}
