//! Checks of the KV cache's panel: two paths on one text, what a pass reused and discarded, and bytes that are counted.

use logit_lab_engine::lab::cache_check::largest_difference;
use logit_lab_engine::lab::{CacheCheck, Continuation, HeadRows, MemoryUse};
use logit_lab_engine::model::{Forward, Kernel};
use logit_lab_engine::session::{CachePolicy, Pass, Session, StartFrom};

use crate::clock::millisecond_clock;
use crate::fixtures::load_tales_on;
use crate::session::{budget, greedy, run, session_on, tales_session};

fn some_ids(count: u32) -> Vec<u32> {
    (0..count).map(|i| i * 37 % 4096).collect()
}

fn checked(
    paths: [(Box<dyn Forward>, CachePolicy); 2],
    continuation: Continuation,
    head: HeadRows,
) -> CacheCheck {
    let mut check = CacheCheck::new(paths, some_ids(40), continuation, head, millisecond_clock).unwrap();
    while !check.advance().unwrap() {}
    check
}

pub fn cached_and_uncached_steps_have_the_same_bits_on_fused_and_the_same_argmax_on_candle() {
    for kernel in [Kernel::Fused, Kernel::Candle] {
        let model = load_tales_on(kernel);
        for head in [HeadRows::Last, HeadRows::All] {
            let paths = [(model.fresh(), CachePolicy::Reuse), (model.fresh(), CachePolicy::Recompute)];
            let check = checked(paths, Continuation::Greedy(30), head);
            assert_eq!((check.steps().len(), check.ids().len()), (30, 40 + 29));
            let largest = largest_difference(check.steps()).unwrap();
            if kernel == Kernel::Fused {
                assert_eq!(largest.difference, 0.0);
                assert!(check.steps().iter().all(|step| step.same_bits));
            }
            assert!(largest.difference < 1e-4, "{largest:?}");
            for (n, step) in check.steps().iter().enumerate() {
                assert_eq!(step.context, 40 + n);
                assert_eq!(step.best[0], step.best[1]);
                assert_eq!(step.difference > 0.0, !step.same_bits);
                // One look before and one after each chunk: the cached path has one a step after the prompt's two, the
                // uncached path as many as its context has chunks.
                let chunks = step.context.div_ceil(32) as f64;
                assert_eq!(step.forward_ms, [if n == 0 { 2.0 } else { 1.0 }, chunks]);
            }
        }
    }
}

/// The steps are those of greedy decoding, whose tokens the check makes itself or is given.
pub fn a_checked_continuation_is_the_greedy_text_or_the_given_one() {
    let mut session = Session::new(load_tales_on(Kernel::Fused), None, CachePolicy::Reuse);
    session.set_prompt(some_ids(40)).unwrap();
    run(&mut session, StartFrom::Prompt, budget(12), &greedy(), 0);
    let model = load_tales_on(Kernel::Fused);
    let paths = || [(model.fresh(), CachePolicy::Reuse), (model.fresh(), CachePolicy::Recompute)];
    let made = checked(paths(), Continuation::Greedy(12), HeadRows::Last);
    assert_eq!(made.ids(), &session.ids()[..40 + 11]);
    assert_eq!(made.steps()[11].best[0], session.ids()[51]);
    let given = checked(paths(), Continuation::Given(vec![7, 8, 9]), HeadRows::Last);
    assert_eq!((given.steps().len(), &given.ids()[40..]), (3, &[7, 8, 9][..]));
    assert_ne!(given.steps()[1].best[0], 8, "what is read is the given text, whatever would be picked");
}

pub fn two_kernels_differ_in_their_last_digits_and_steps_that_cannot_be_are_errors() {
    let [fused, candle] = [Kernel::Fused, Kernel::Candle].map(load_tales_on);
    let both = |one: &dyn Forward, other: &dyn Forward| {
        [(one.fresh(), CachePolicy::Reuse), (other.fresh(), CachePolicy::Reuse)]
    };
    let check = checked(both(&*fused, &*candle), Continuation::Greedy(20), HeadRows::Last);
    let largest = largest_difference(check.steps()).unwrap();
    assert!(largest.difference > 0.0 && largest.difference < 1e-4, "{largest:?}");
    let positions = fused.config().max_position_embeddings;
    let new = |steps, prompt| {
        let paths = both(&*fused, &*fused);
        CacheCheck::new(paths, prompt, Continuation::Greedy(steps), HeadRows::Last, millisecond_clock)
            .map(|_| ())
    };
    assert!(new(positions - 39, some_ids(40)).is_ok());
    for (steps, prompt) in [(0, some_ids(40)), (positions - 38, some_ids(40)), (1, vec![]), (1, vec![4096])] {
        assert!(new(steps, prompt).is_err(), "{steps}");
    }
}

/// Counts of an edit in the middle of a long prompt, of steps with and without the cache, and of a text cut off.
pub fn a_pass_tells_what_it_reused_computed_and_discarded() {
    for kernel in [Kernel::Fused, Kernel::Candle] {
        let mut session = Session::new(load_tales_on(kernel), None, CachePolicy::Reuse);
        session.set_prompt(some_ids(100)).unwrap();
        while !session.forward_chunk().unwrap() {}
        assert_eq!(session.last_pass(), Pass { reused: 0, computed: 100, discarded: 0, shared: 0 });

        let mut edited = some_ids(90);
        edited[70] = 3;
        session.set_prompt(edited).unwrap();
        while !session.forward_chunk().unwrap() {}
        // Of the 70 tokens before the edit two chunks of 32 are used again.
        assert_eq!(session.last_pass(), Pass { reused: 64, computed: 26, discarded: 36, shared: 70 });

        run(&mut session, StartFrom::Prompt, budget(3), &greedy(), 0);
        assert_eq!(session.last_pass(), Pass { reused: 91, computed: 1, discarded: 0, shared: 91 });
        session.set_cache_policy(CachePolicy::Recompute);
        run(&mut session, StartFrom::End, budget(2), &greedy(), 0);
        assert_eq!(session.last_pass(), Pass { reused: 0, computed: 94, discarded: 93, shared: 93 });
        // A prompt that has not changed is computed again all the same.
        let same = session.ids()[..90].to_vec();
        assert_eq!(session.set_prompt(same).unwrap(), 0);
        while !session.forward_chunk().unwrap() {}
        assert_eq!(session.last_pass(), Pass { reused: 0, computed: 90, discarded: 94, shared: 90 });
    }
}

pub fn a_run_that_changes_its_cache_policy_on_the_way_makes_the_same_text() {
    let mut cached = tales_session(CachePolicy::Reuse, "The old man looked at the");
    run(&mut cached, StartFrom::Prompt, budget(12), &greedy(), 0);
    let mut mixed = tales_session(CachePolicy::Reuse, "The old man looked at the");
    for (policy, tokens) in [(CachePolicy::Reuse, 3), (CachePolicy::Recompute, 5), (CachePolicy::Reuse, 4)] {
        mixed.set_cache_policy(policy);
        run(&mut mixed, StartFrom::End, budget(tokens), &greedy(), 0);
    }
    assert_eq!(mixed.ids(), cached.ids());
    assert_eq!(mixed.logits(), cached.logits());
}

pub fn counted_bytes_are_those_of_the_buffers_and_the_rest_is_the_difference() {
    let mut session = session_on(Kernel::Fused, CachePolicy::Reuse, "The ship");
    run(&mut session, StartFrom::Prompt, budget(40), &greedy(), 0);
    let counted = MemoryUse::of(&session, None, None);
    let config = session.model().config();
    let (h, f, v) = (config.hidden_size, config.intermediate_size, config.vocab_size);
    // At least the residual stream of one position, its logits, and the hidden states that are kept.
    assert!(counted.work.activations >= (h + f + v + 41 * h) * 4);
    assert!(counted.work.activations < (32 * (10 * h + 2 * f) + 3 * v + 4 * 512 * h) * 4);
    assert!(counted.work.workspace >= v * 4, "the sampler holds a ranking of the vocabulary");
    assert_eq!(counted.kv.used, 41 * 2 * config.num_hidden_layers * h * 4);
    assert!(counted.kv.reserved >= counted.kv.used);
    let whole = counted.counted_bytes();
    assert_eq!(counted.other_bytes(whole + 5), Some(5));
    assert_eq!(counted.other_bytes(whole - 1), None);
    // The weights are the file's own: no copy is kept beside them, and on candle one is.
    assert!(session.model().file_weight_bytes() > counted.weight_bytes / 2);
    assert_eq!(load_tales_on(Kernel::Candle).file_weight_bytes(), 0);
}

/// Makes tests of all checks.
#[macro_export]
macro_rules! cache_check_checks {
    ($test:meta) => {
        $crate::checks!($test, cache_check:
            cached_and_uncached_steps_have_the_same_bits_on_fused_and_the_same_argmax_on_candle,
            a_checked_continuation_is_the_greedy_text_or_the_given_one,
            two_kernels_differ_in_their_last_digits_and_steps_that_cannot_be_are_errors,
            a_pass_tells_what_it_reused_computed_and_discarded,
            a_run_that_changes_its_cache_policy_on_the_way_makes_the_same_text,
            counted_bytes_are_those_of_the_buffers_and_the_rest_is_the_difference,
        );
    };
}
