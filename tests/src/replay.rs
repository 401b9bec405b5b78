//! A recorded text is repeated: several runs, a token put in by hand, a uniform number set by hand.

use logit_lab_engine::lab::Replay;
use logit_lab_engine::lab::replay::{Part, first_divergence};
use logit_lab_engine::session::{CachePolicy, Limits, Session, StartFrom, StopReason};

use crate::session::{budget, creative, greedy, run, tales_session};

fn repeat(session: Session, parts: Vec<Part>, forced: Forced) -> Replay {
    let mut replay = Replay::new(session, parts, forced).unwrap();
    while !replay.advance().unwrap() {}
    replay
}

/// Index and id of tokens that are put in.
type Forced = Vec<(usize, u32)>;

fn part(first: usize, seed: u32, max_new_tokens: usize) -> Part {
    Part { first, settings: creative(), seed, limits: budget(max_new_tokens), uniform: None }
}

pub fn a_record_of_one_run_gives_its_tokens_text_and_reason() {
    let mut session = tales_session(CachePolicy::Reuse, "The ship");
    let text = run(&mut session, StartFrom::Prompt, budget(12), &creative(), 7);
    for policy in [CachePolicy::Reuse, CachePolicy::Recompute] {
        let replay = repeat(tales_session(policy, "The ship"), vec![part(0, 7, 12)], vec![]);
        assert_eq!(first_divergence(session.new_ids(), replay.new_ids()), None);
        assert_eq!(replay.text(), Some(text.clone() + &session.held_text()));
        assert_eq!(replay.stop_reason(), Some(StopReason::MaxNewTokens));
    }
    let other = repeat(tales_session(CachePolicy::Reuse, "The ship"), vec![part(0, 8, 12)], vec![]);
    assert!(first_divergence(session.new_ids(), other.new_ids()).is_some());
}

pub fn runs_with_other_settings_and_tokens_put_in_by_hand_are_repeated() {
    let mut session = tales_session(CachePolicy::Reuse, "The ship");
    run(&mut session, StartFrom::Prompt, budget(8), &creative(), 7);
    let mut ids = session.new_ids()[..5].to_vec();
    ids.push(1000);
    session.set_text(&ids).unwrap();
    session.choose_uniform(Some((6, 0.999)));
    run(&mut session, StartFrom::End, budget(4), &creative(), 3);
    session.choose_uniform(None);
    run(&mut session, StartFrom::End, budget(5), &greedy(), 3);
    assert_eq!(session.new_ids().len(), 15);

    let second = Part { uniform: Some(0.999), ..part(6, 3, 4) };
    let parts = vec![part(0, 7, 8), second, Part { settings: greedy(), ..part(10, 3, 5) }];
    let replay = repeat(tales_session(CachePolicy::Reuse, "The ship"), parts.clone(), vec![(5, 1000)]);
    assert_eq!(replay.new_ids(), session.new_ids());
    assert_eq!(replay.stop_reason(), Some(StopReason::MaxNewTokens));

    // Without the number that was set by hand, the tokens part where it decided.
    let mut plain = parts;
    plain[1].uniform = None;
    let without = repeat(tales_session(CachePolicy::Reuse, "The ship"), plain, vec![(5, 1000)]);
    assert_eq!(first_divergence(session.new_ids(), without.new_ids()).unwrap().0, 6);
}

pub fn a_text_that_ends_with_a_token_put_in_has_no_stop_reason() {
    let replay = repeat(tales_session(CachePolicy::Reuse, "The ship"), vec![part(0, 7, 3)], vec![(3, 1000)]);
    assert_eq!(replay.new_ids().len(), 4);
    assert_eq!((replay.new_ids()[3], replay.stop_reason()), (1000, None));
    let alone = repeat(tales_session(CachePolicy::Reuse, "The ship"), vec![], vec![(0, 5), (1, 6)]);
    assert_eq!(alone.new_ids(), [5, 6]);
}

pub fn records_that_cannot_be_are_refused() {
    let tries: [(Vec<Part>, Forced); 3] = [
        (vec![part(3, 1, 1), part(0, 1, 1)], vec![]),
        (vec![part(0, 1, 1)], vec![(0, 5)]),
        (vec![], vec![(1, 5), (1, 6)]),
    ];
    for (parts, forced) in tries {
        assert!(Replay::new(tales_session(CachePolicy::Reuse, "The ship"), parts, forced).is_err());
    }
    // A run that ends before the next begins is where the repeat ends.
    let early = repeat(
        tales_session(CachePolicy::Reuse, "The ship"),
        vec![
            Part { limits: Limits { max_new_tokens: 2, ..Limits::default() }, ..part(0, 1, 2) },
            part(4, 1, 2),
        ],
        vec![],
    );
    assert_eq!(early.new_ids().len(), 2);
    // An id that the model does not have.
    let mut beyond =
        Replay::new(tales_session(CachePolicy::Reuse, "The ship"), vec![], vec![(0, u32::MAX)]).unwrap();
    assert!(beyond.advance().is_err());
}

/// Tests of these checks.
#[macro_export]
macro_rules! replay_checks {
    ($test:meta) => {
        $crate::checks!($test, replay:
            a_record_of_one_run_gives_its_tokens_text_and_reason,
            runs_with_other_settings_and_tokens_put_in_by_hand_are_repeated,
            a_text_that_ends_with_a_token_put_in_has_no_stop_reason,
            records_that_cannot_be_are_refused,
        );
    };
}
