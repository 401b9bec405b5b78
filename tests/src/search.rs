//! Beam search against transformers, against greedy decoding, and against its own tree.

use logit_lab_engine::model::{Forward, Kernel};
use logit_lab_engine::search::{BeamOptions, BeamSearch, Candidate, EarlyStopping, Fate, Hypothesis};
use logit_lab_engine::session::StopReason;

use crate::fixtures::{BeamCase, KERNELS, TINY, load_tales_on, tiny};
use crate::forward::{extend_to_logits, greedy, some_ids};

fn options(beams: usize, max_new_tokens: usize) -> BeamOptions {
    BeamOptions {
        beams,
        num_return: beams,
        length_penalty: 1.0,
        early_stopping: EarlyStopping::default(),
        max_new_tokens,
        eos_id: None,
    }
}

fn run(model: &dyn Forward, prompt: &[u32], options: BeamOptions) -> BeamSearch {
    let mut search = BeamSearch::new(model, prompt.to_vec(), options).unwrap();
    while !search.advance().unwrap() {}
    search
}

/// Up to the end token, that one included.
fn without_padding(ids: &[u32], eos_id: Option<u32>) -> &[u32] {
    let end = ids.iter().position(|id| Some(*id) == eos_id).map_or(ids.len(), |index| index + 1);
    &ids[..end]
}

pub fn sequences_and_scores_are_those_of_transformers() {
    let mut cases = 0;
    for kernel in KERNELS {
        for fixture in &TINY {
            let model = fixture.load_on(kernel);
            for (index, case) in fixture.expected().beam_search.iter().enumerate() {
                meets_the_reference(&format!("{}, case {index}", fixture.name), &*model, case);
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 2 * 3 * 6);
}

fn meets_the_reference(what: &str, model: &dyn Forward, case: &BeamCase) {
    let search = run(
        model,
        &case.input_ids,
        BeamOptions {
            beams: case.num_beams,
            num_return: case.num_return_sequences,
            length_penalty: case.length_penalty,
            early_stopping: if case.early_stopping {
                EarlyStopping::Always
            } else {
                EarlyStopping::WhenUnlikely
            },
            max_new_tokens: case.max_new_tokens,
            eos_id: case.eos_token_id,
        },
    );
    let found: Vec<_> = search.sequences().iter().map(|sequence| sequence.new_ids.as_slice()).collect();
    let expected = case.sequences_padded_with_0.iter().map(|ids| without_padding(ids, case.eos_token_id));
    assert_eq!(found, expected.collect::<Vec<_>>(), "{what}");
    for (sequence, expected) in search.sequences().iter().zip(case.sequences_scores.iter().flatten()) {
        assert!((sequence.score - expected).abs() <= 1e-4, "{what}: {} for {expected}", sequence.score);
    }
}

pub fn one_beam_is_greedy_decoding() {
    for kernel in KERNELS {
        let model = load_tales_on(kernel);
        for prompt in [&[47u32, 1840, 937, 259, 558][..], &[1273, 262, 2438], &some_ids(&*model, 70)] {
            let expected = greedy(&*model, prompt, 24);
            let search = run(&*model, prompt, options(1, 24));
            assert_eq!(search.sequences()[0].new_ids, expected);
            assert_eq!(search.forward_calls(), 24);
            // An end token that greedy decoding comes to ends it there, the token included.
            let ending = run(&*model, prompt, BeamOptions { eos_id: Some(expected[9]), ..options(1, 24) });
            let ended = without_padding(&expected, Some(expected[9]));
            assert_eq!(ending.sequences()[0].new_ids, ended);
            assert_eq!(ending.sequences()[0].reason, StopReason::EndToken);
        }
    }
}

/// Ids from the prompt to a candidate, read backwards through the tree.
fn path(search: &BeamSearch, (step, place): (usize, usize)) -> (Vec<u32>, f64) {
    let candidate = search.steps()[step].candidates[place];
    let (mut ids, mut sum) = match step.checked_sub(1) {
        None => (Vec::new(), 0.0),
        Some(before) => {
            let is_parent = |candidate: &Candidate| {
                candidate.fate == Fate::Kept(search.steps()[step].candidates[place].parent)
            };
            let parent = search.steps()[before].candidates.iter().position(is_parent).unwrap();
            path(search, (before, parent))
        }
    };
    ids.push(candidate.id);
    sum += candidate.log_probability;
    (ids, sum)
}

pub fn every_text_is_a_path_through_the_tree_and_its_sum_that_of_the_path() {
    let model = load_tales_on(Kernel::Fused);
    let prompt = [47, 1840, 937, 259, 558];
    for eos_id in [None, Some(14)] {
        let search = run(&*model, &prompt, BeamOptions { eos_id, length_penalty: 0.7, ..options(5, 16) });
        assert_eq!(search.sequences().len(), 5);
        for Hypothesis { new_ids, sum, score, leaf, .. } in search.sequences() {
            let (ids, path_sum) = path(&search, *leaf);
            assert_eq!(&ids, new_ids);
            assert!((path_sum - sum).abs() < 1e-9);
            assert!((sum / libm::pow(ids.len() as f64, 0.7) - score).abs() < 1e-12);
        }
        for (index, step) in search.steps().iter().enumerate() {
            assert_eq!(step.candidates.len(), 10);
            assert!(step.candidates.is_sorted_by(|one, other| one.sum >= other.sum));
            let kept: Vec<usize> = step
                .candidates
                .iter()
                .filter_map(|candidate| if let Fate::Kept(beam) = candidate.fate { Some(beam) } else { None })
                .collect();
            // At the last of the 16 steps everything ends.
            let running = if index == 15 { 0 } else { 5 };
            assert_eq!(kept, (0..running).collect::<Vec<_>>());
        }
    }
}

/// Beams share pages: what one writes must never be read by another.
pub fn a_beams_log_probabilities_are_those_of_its_text_alone() {
    for kernel in KERNELS {
        let model = load_tales_on(kernel);
        // The pages of 64 positions: one border is crossed.
        let prompt = some_ids(&*model, 60);
        let search = run(&*model, &prompt, options(4, 9));
        for sequence in search.sequences() {
            let mut alone = model.fresh();
            let mut logits = extend_to_logits(&mut *alone, &prompt);
            let mut sum = 0.0;
            for id in &sequence.new_ids {
                let top = logits.iter().copied().fold(f32::MIN, f32::max);
                let mass: f64 = logits.iter().map(|logit| libm::exp(f64::from(logit - top))).sum();
                sum += f64::from(logits[*id as usize] - top) - libm::log(mass);
                logits = extend_to_logits(&mut *alone, &[*id]);
            }
            assert!((sum - sequence.sum).abs() < 1e-4, "{sum} and {}", sequence.sum);
        }
    }
}

pub fn early_stopping_decides_when_a_search_ends() {
    let model = tiny("full-rotary").load_on(Kernel::Fused);
    let steps = |early_stopping| {
        let ending = BeamOptions { early_stopping, eos_id: Some(7), ..options(4, 30) };
        let search = run(&*model, &[4, 94, 62, 87], ending);
        (search.steps().len(), search.sequences()[3].score)
    };
    let (always, unlikely, never) =
        (steps(EarlyStopping::Always), steps(EarlyStopping::WhenUnlikely), steps(EarlyStopping::Never));
    assert!(always.0 < unlikely.0 && unlikely.0 < never.0, "{always:?}, {unlikely:?}, {never:?}");
    assert!(always.1 <= unlikely.1 && unlikely.1 <= never.1, "{always:?}, {unlikely:?}, {never:?}");
}

pub fn a_search_that_the_user_stops_returns_its_beams() {
    let model = load_tales_on(Kernel::Fused);
    let mut search = BeamSearch::new(&*model, vec![1273, 262, 2438], options(3, 50)).unwrap();
    let whole = run(&*model, &[1273, 262, 2438], options(3, 50));
    while search.steps().len() < 6 {
        assert!(!search.advance().unwrap());
    }
    // In the middle of a step.
    assert!(!search.advance().unwrap());
    search.stop();
    assert!(search.advance().unwrap(), "nothing goes on after a stop");
    assert_eq!(search.steps(), &whole.steps()[..6]);
    let lengths: Vec<_> = search.sequences().iter().map(|one| (one.new_ids.len(), one.reason)).collect();
    assert_eq!(lengths, [(6, StopReason::User); 3]);

    let mut at_once = BeamSearch::new(&*model, vec![1], options(3, 50)).unwrap();
    at_once.stop();
    assert!(at_once.sequences().is_empty());
}

pub fn the_context_ends_every_beam() {
    let model = load_tales_on(Kernel::Fused);
    let positions = model.config().max_position_embeddings;
    let search = run(&*model, &vec![300; positions - 2], options(2, 9));
    let ends: Vec<_> = search.sequences().iter().map(|one| (one.new_ids.len(), one.reason)).collect();
    assert_eq!(ends, [(2, StopReason::ContextFull); 2]);
    assert!(BeamSearch::new(&*model, vec![300; positions], options(2, 9)).is_err());
}

pub fn a_vocabulary_of_fewer_tokens_than_candidates_is_searched_whole() {
    let model = tiny("parallel-f16").load_on(Kernel::Fused);
    let search = run(&*model, &[5, 9], options(8, 3));
    assert_eq!(search.sequences().len(), 8);
    let mut texts: Vec<_> = search.sequences().iter().map(|one| one.new_ids.clone()).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 8, "no text is returned twice");
}

pub fn options_outside_their_ranges_are_errors_that_name_them() {
    let model = tiny("relu").load_on(Kernel::Fused);
    let sound = options(2, 4);
    for (options, name) in [
        (BeamOptions { beams: 0, ..sound }, "beams"),
        (BeamOptions { beams: 9, ..sound }, "beams"),
        (BeamOptions { num_return: 3, ..sound }, "num_return"),
        (BeamOptions { num_return: 0, ..sound }, "num_return"),
        (BeamOptions { length_penalty: f64::NAN, ..sound }, "length_penalty"),
        (BeamOptions { max_new_tokens: 0, ..sound }, "max_new_tokens"),
    ] {
        let message = BeamSearch::new(&*model, vec![1], options).err().unwrap().to_string();
        assert!(message.starts_with(&format!("setting {name}: ")), "{message}");
    }
    assert!(BeamSearch::new(&*model, vec![], sound).is_err());
    assert!(EarlyStopping::parse("sometimes").is_err());
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! search_checks {
    ($test:meta) => {
        $crate::checks!($test, search:
            sequences_and_scores_are_those_of_transformers,
            one_beam_is_greedy_decoding,
            every_text_is_a_path_through_the_tree_and_its_sum_that_of_the_path,
            a_beams_log_probabilities_are_those_of_its_text_alone,
            early_stopping_decides_when_a_search_ends,
            a_search_that_the_user_stops_returns_its_beams,
            the_context_ends_every_beam,
            a_vocabulary_of_fewer_tokens_than_candidates_is_searched_whole,
            options_outside_their_ranges_are_errors_that_name_them,
        );
    };
}
