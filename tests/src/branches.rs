//! Looking back at a text and branching from it: the bits must be those of the first time.

use logit_lab_engine::model::Kernel;
use logit_lab_engine::sampling::{Draw, FullDistribution};
use logit_lab_engine::session::{CachePolicy, Session, StartFrom, StopReason};

use crate::fixtures::KERNELS;
use crate::session::{budget, creative, greedy, run, session_on, tales_session};

/// Runs on at the end and keeps every step as it was when it was picked.
fn run_and_keep(session: &mut Session, tokens: usize, seed: u32) -> Vec<FullDistribution> {
    let mut kept = Vec::new();
    session.start(StartFrom::End, budget(tokens));
    while session.stopped().is_none() {
        while !session.forward_chunk().unwrap() {}
        kept.push(session.pick(&creative(), seed).unwrap().step.full());
        session.read();
    }
    kept
}

fn forward(session: &mut Session) -> Vec<f32> {
    while !session.forward_chunk().unwrap() {}
    session.logits().unwrap().to_vec()
}

pub fn every_step_can_be_seen_again_with_the_bits_that_it_had() {
    for kernel in KERNELS {
        for cache in [CachePolicy::Reuse, CachePolicy::Recompute] {
            let mut session = session_on(kernel, cache, "The old man looked at the");
            let kept = run_and_keep(&mut session, 40, 5);
            let calls = session.forward_calls();
            for (index, step) in kept.iter().enumerate() {
                let origin = session.origin(index).unwrap().clone();
                let again = session.look_back(index, &origin.settings, origin.uniform).unwrap().full();
                assert_eq!(&again, step, "{kernel:?}, {cache:?}, token {index}");
                assert_eq!(again.draw.id, session.new_ids()[index]);
            }
            assert_eq!(session.forward_calls(), calls, "no forward pass");
            assert!(session.look_back(kept.len() + 1, &greedy(), 0.0).is_err());
            assert!(session.look_back(usize::MAX, &greedy(), 0.0).is_err());
            assert_eq!(session.origin(kept.len()), None);
        }
    }
}

pub fn looking_back_disturbs_nothing() {
    let mut plain = tales_session(CachePolicy::Reuse, "The ship");
    run(&mut plain, StartFrom::Prompt, budget(20), &creative(), 8);
    let mut looked = tales_session(CachePolicy::Reuse, "The ship");
    for tokens in 0..20 {
        run(&mut looked, StartFrom::End, budget(1), &creative(), 8);
        looked.look_back(tokens / 2, &greedy(), 0.0).unwrap();
    }
    assert_eq!(looked.new_ids(), plain.new_ids());
}

/// Token n of a branch has the n-th uniform number, and its logits are those of its text read from nothing.
pub fn a_replaced_token_goes_on_as_if_it_had_been_picked() {
    let mut session = tales_session(CachePolicy::Reuse, "The old man looked at the");
    run(&mut session, StartFrom::Prompt, budget(30), &creative(), 5);
    let old = session.new_ids().to_vec();
    let mut branch = old[..12].to_vec();
    branch.push(old[12] + 1);
    let reused = session.set_text(&branch).unwrap().reused;
    assert_eq!(reused, session.prompt_length() + 12, "only the new token is computed");
    run(&mut session, StartFrom::End, budget(10), &creative(), 5);

    let mut fresh = tales_session(CachePolicy::Reuse, "The old man looked at the");
    fresh.set_text(&branch).unwrap();
    run(&mut fresh, StartFrom::End, budget(10), &creative(), 5);
    assert_eq!(session.new_ids(), fresh.new_ids());
    assert_eq!(session.new_ids()[..13], branch);
    assert_eq!(
        (session.origin(12), session.origin(11).is_some(), session.origin(13).is_some()),
        (None, true, true)
    );
    assert_eq!(session.uniform_for(13, 5), fresh.uniform_for(13, 5));
    assert_eq!(session.logits(), fresh.logits());
}

pub fn going_back_to_a_branch_changes_no_bit() {
    for prompt in ["The ship", &"The ship turned toward the planet and the captain looked. ".repeat(5)] {
        let mut session = tales_session(CachePolicy::Reuse, prompt);
        run(&mut session, StartFrom::Prompt, budget(40), &creative(), 3);
        let first = session.new_ids().to_vec();
        let logits = forward(&mut session);
        session.set_text(&[&first[..7], &[300, 301]].concat()).unwrap();
        run(&mut session, StartFrom::End, budget(20), &greedy(), 3);
        // Back: the first 7 are still there, the rest is computed in chunks.
        let reused = session.set_text(&first).unwrap().reused;
        assert_eq!(reused, session.prompt_length() + 7);
        assert_eq!(forward(&mut session), logits);
        // And once more, with everything there.
        assert_eq!(session.set_text(&first).unwrap().reused, session.ids().len());
        assert_eq!(forward(&mut session), logits);
        for (index, &id) in first.iter().enumerate() {
            let uniform = session.uniform_for(index, 3);
            assert_eq!(session.look_back(index, &creative(), uniform).unwrap().draw().id, id);
        }
    }
}

pub fn a_text_that_is_put_in_place_reads_as_if_it_had_been_generated() {
    let mut session = tales_session(CachePolicy::Reuse, "The ship");
    let text = run(&mut session, StartFrom::Prompt, budget(25), &creative(), 21);
    let ids = session.new_ids().to_vec();
    let branch = session.set_text(&ids).unwrap();
    assert_eq!(branch.texts.len(), 25);
    assert_eq!(branch.texts.concat(), text);
    assert_eq!(session.stopped(), None);
    session.set_text(&[]).unwrap();
    assert!(session.new_ids().is_empty());
    run(&mut session, StartFrom::End, budget(25), &creative(), 21);
    assert_eq!(session.new_ids(), ids);
}

pub fn a_text_that_cannot_be_leaves_the_session_as_it_was() {
    let mut session = tales_session(CachePolicy::Reuse, "The ship");
    run(&mut session, StartFrom::Prompt, budget(5), &creative(), 1);
    let ids = session.ids().to_vec();
    let positions = session.model().config().max_position_embeddings;
    assert!(session.set_text(&vec![5; positions]).is_err());
    assert!(session.set_text(&[9_999_999]).is_err());
    assert_eq!(session.ids(), ids);
    // A text that fills the context can be looked at, and no run starts from it.
    session.set_text(&vec![5; positions - session.prompt_length()]).unwrap();
    forward(&mut session);
    assert_eq!(session.start(StartFrom::End, budget(1)), Some(StopReason::ContextFull));
}

pub fn a_number_set_by_hand_decides_about_its_token_and_no_other() {
    let mut session = tales_session(CachePolicy::Reuse, "Once upon a time");
    forward(&mut session);
    let by_seed = session.preview(&creative(), 3).unwrap().draw();
    let mut ids = Vec::new();
    for uniform in [0.0, 0.999] {
        session.choose_uniform(Some((0, uniform)));
        let Draw { id, uniform: shown, .. } = session.preview(&creative(), 3).unwrap().draw();
        assert_eq!(shown, Some(uniform));
        ids.push(id);
    }
    assert_ne!(ids[0], ids[1]);
    run(&mut session, StartFrom::Prompt, budget(4), &creative(), 3);
    assert_eq!(session.new_ids()[0], ids[1], "what was previewed is picked");
    assert_eq!(session.origin(0).unwrap().uniform, 0.999);
    let second = session.uniform_for(1, 3);
    assert_eq!(session.origin(1).unwrap().uniform, second);
    session.choose_uniform(None);
    assert_eq!(session.uniform_for(1, 3), second);
    session.rewind();
    forward(&mut session);
    assert_eq!(session.preview(&creative(), 3).unwrap().draw(), by_seed);
}

/// A kernel that fuses where it likes promises no equal bits, but the same text.
pub fn candle_branches_to_the_same_text() {
    let mut session = session_on(Kernel::Candle, CachePolicy::Reuse, "The old man looked at the");
    run(&mut session, StartFrom::Prompt, budget(24), &creative(), 5);
    let first = session.new_ids().to_vec();
    session.set_text(&first[..4]).unwrap();
    run(&mut session, StartFrom::End, budget(20), &creative(), 5);
    assert_eq!(session.new_ids(), first);
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! branch_checks {
    ($test:meta) => {
        $crate::checks!($test, branches:
            every_step_can_be_seen_again_with_the_bits_that_it_had,
            looking_back_disturbs_nothing,
            a_replaced_token_goes_on_as_if_it_had_been_picked,
            going_back_to_a_branch_changes_no_bit,
            a_text_that_is_put_in_place_reads_as_if_it_had_been_generated,
            a_text_that_cannot_be_leaves_the_session_as_it_was,
            a_number_set_by_hand_decides_about_its_token_and_no_other,
            candle_branches_to_the_same_text,
        );
    };
}
