//! Checks of the generation loop: counts, stops, repetition by seed, reuse.

use std::sync::Arc;

use logit_lab_engine::Result;
use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::{self, Forward, Kernel, KvBytes, LoadChoice};
use logit_lab_engine::sampling::{ChainStep, Decoding, SamplingSettings, SettingsValues};
use logit_lab_engine::session::{CachePolicy, Limits, PREFILL_CHUNK, Session, StartFrom, StopReason};
use logit_lab_engine::stop::StopStrings;
use logit_lab_engine::tokenizer::Tokenizer;

use crate::fixtures::{KERNELS, TALES_CONFIG, TALES_WEIGHTS};

/// The bundled model on a kernel.
pub(crate) fn tales(kernel: Kernel) -> (Box<dyn Forward>, Arc<Tokenizer>) {
    let config = ModelConfig::from_json(TALES_CONFIG).unwrap();
    let checkpoint = Checkpoint::from_file(TALES_WEIGHTS.to_vec()).unwrap();
    let tokenizer =
        Tokenizer::from_bytes(include_bytes!("../../www/models/tales-2m/tokenizer.json")).unwrap();
    let (model, _) = model::load(config, checkpoint, LoadChoice::exact(kernel)).unwrap();
    (model, Arc::new(tokenizer))
}

/// A model that "predicts" a script: at every position it is all but certain of the next scripted id.
struct Scripted {
    config: ModelConfig,
    script: Arc<Vec<u32>>,
    cached: usize,
}

impl Forward for Scripted {
    fn config(&self) -> &ModelConfig {
        &self.config
    }
    fn cached(&self) -> usize {
        self.cached
    }
    fn truncate(&mut self, positions: usize) {
        self.cached = self.cached.min(positions);
    }
    fn extend(&mut self, ids: &[u32]) -> Result<Vec<f32>> {
        let start = self.cached;
        self.cached += ids.len();
        Ok((start..self.cached).flat_map(|position| vec![position as f32; self.config.hidden_size]).collect())
    }
    fn logits_into(&self, hidden: &[f32], logits: &mut [f32]) -> Result<()> {
        logits.fill(0.0);
        let position = hidden[0] as usize;
        logits[self.script.get(position + 1).copied().unwrap_or(0) as usize] = 40.0;
        Ok(())
    }
    fn fresh(&self) -> Box<dyn Forward> {
        Box::new(Self { config: self.config.clone(), script: Arc::clone(&self.script), cached: 0 })
    }
    fn fork(&self) -> Result<Box<dyn Forward>> {
        Ok(Box::new(Self {
            config: self.config.clone(),
            script: Arc::clone(&self.script),
            cached: self.cached,
        }))
    }
    fn kv_bytes(&self) -> KvBytes {
        KvBytes::default()
    }
    fn weight_bytes(&self) -> usize {
        0
    }
    fn with_weights(&self, _: usize, _: &mut dyn FnMut(&[u8])) -> bool {
        false
    }
}

/// A session on the official tokenizer whose text will be exactly `text`, after a prompt of one token.
fn scripted(text: &str) -> (Session, usize) {
    let config = ModelConfig::from_json(include_bytes!("../fixtures/pythia-14m/config.json")).unwrap();
    let tokenizer = Tokenizer::from_bytes(include_bytes!("../fixtures/pythia-14m/tokenizer.json")).unwrap();
    let mut script = vec![1];
    script.extend(tokenizer.encode(text).unwrap());
    let tokens = script.len() - 1;
    let model = Scripted { config, script: Arc::new(script), cached: 0 };
    let mut session = Session::new(Box::new(model), Some(Arc::new(tokenizer)), CachePolicy::Reuse);
    session.set_prompt(vec![1]).unwrap();
    (session, tokens)
}

pub(crate) fn greedy() -> SamplingSettings {
    SamplingSettings::new(SettingsValues { decoding: Decoding::Greedy, ..SettingsValues::default() }).unwrap()
}

pub(crate) fn creative() -> SamplingSettings {
    let chain = vec![ChainStep::Temperature(0.9), ChainStep::TopK(50), ChainStep::TopP(0.95)];
    SamplingSettings::new(SettingsValues {
        decoding: Decoding::Sample { chain },
        ..SettingsValues::default()
    })
    .unwrap()
}

pub(crate) fn budget(max_new_tokens: usize) -> Limits {
    Limits { max_new_tokens, ..Limits::default() }
}

/// Runs to the end and returns the text shown during the run.
pub(crate) fn run(
    session: &mut Session,
    from: StartFrom,
    limits: Limits,
    settings: &SamplingSettings,
    seed: u32,
) -> String {
    let mut text = String::new();
    session.start(from, limits);
    while session.stopped().is_none() {
        while !session.forward_chunk().unwrap() {}
        session.pick(settings, seed).unwrap();
        text.push_str(&session.read());
    }
    text
}

/// A session on the kernel that the page runs by default.
pub(crate) fn tales_session(cache: CachePolicy, prompt: &str) -> Session {
    session_on(Kernel::default(), cache, prompt)
}

pub(crate) fn session_on(kernel: Kernel, cache: CachePolicy, prompt: &str) -> Session {
    let (model, tokenizer) = tales(kernel);
    let ids = tokenizer.encode(prompt).unwrap();
    let mut session = Session::new(model, Some(tokenizer), cache);
    session.set_prompt(ids).unwrap();
    session
}

/// The lesson's count: prefill's logits choose the first token, each further one takes one call.
pub fn n_tokens_take_one_prefill_and_n_minus_1_steps() {
    let prompt =
        "Once upon a time there was a prompt that takes more than one chunk of prefill to read, ".repeat(3);
    let mut session = tales_session(CachePolicy::Reuse, &prompt);
    assert!(session.prompt_length() > 64, "the prompt should take several chunks");
    run(&mut session, StartFrom::Prompt, budget(8), &creative(), 1);
    assert_eq!((session.new_ids().len(), session.forward_calls()), (8, 8));
    assert_eq!(session.stopped(), Some(StopReason::MaxNewTokens));
}

pub fn one_token_five_times_equals_five_tokens() {
    let mut whole = tales_session(CachePolicy::Reuse, "The ship");
    let text = run(&mut whole, StartFrom::Prompt, budget(5), &creative(), 7);
    let mut single = tales_session(CachePolicy::Reuse, "The ship");
    let parts: String = (0..5).map(|_| run(&mut single, StartFrom::End, budget(1), &creative(), 7)).collect();
    assert_eq!(whole.new_ids(), single.new_ids());
    assert_eq!(text, parts);
    assert_eq!(single.forward_calls(), 5);
}

pub fn the_same_seed_gives_the_same_ids_and_another_seed_others() {
    let mut session = tales_session(CachePolicy::Reuse, "The old man looked at the");
    let mut ids_of = |seed| {
        run(&mut session, StartFrom::Prompt, budget(24), &creative(), seed);
        session.new_ids().to_vec()
    };
    let first = ids_of(42);
    assert_ne!(first, ids_of(43));
    assert_eq!(first, ids_of(42));
}

pub fn an_uncached_run_picks_the_same_ids() {
    KERNELS.iter().for_each(|kernel| uncached_run_picks_the_same_ids(*kernel));
}

fn uncached_run_picks_the_same_ids(kernel: Kernel) {
    let run_with = |cache| {
        let mut session = session_on(kernel, cache, "In the beginning");
        run(&mut session, StartFrom::Prompt, budget(40), &creative(), 5);
        (session.new_ids().to_vec(), session.forward_calls())
    };
    assert_eq!(run_with(CachePolicy::Recompute), run_with(CachePolicy::Reuse));
}

/// A prompt that shares a prefix with the one before gives the very same bits as a prompt read from nothing.
pub fn prefix_reuse_changes_no_bit() {
    KERNELS.iter().for_each(|kernel| prefix_reuse_changes_no_bit_on(*kernel));
}

fn prefix_reuse_changes_no_bit_on(kernel: Kernel) {
    let long = "The ship turned toward the planet and the captain looked at the old doctor. ".repeat(6);
    let mut reusing = session_on(kernel, CachePolicy::Reuse, &long);
    while !reusing.forward_chunk().unwrap() {}
    run(&mut reusing, StartFrom::Prompt, budget(3), &creative(), 9);
    let (_, tokenizer) = tales(kernel);
    for edited in
        [format!("{long}Then"), long[..200].to_owned(), long.replace("doctor", "nurse"), long.clone()]
    {
        let ids = tokenizer.encode(&edited).unwrap();
        let reused = reusing.set_prompt(ids.clone()).unwrap();
        while !reusing.forward_chunk().unwrap() {}
        let mut fresh = session_on(kernel, CachePolicy::Reuse, &edited);
        while !fresh.forward_chunk().unwrap() {}
        assert!(reused <= ids.len());
        assert_eq!(
            reusing.logits(),
            fresh.logits(),
            "after editing to {edited:?}, {reused} positions reused"
        );
        assert_eq!(reusing.prompt_logits().unwrap(), fresh.prompt_logits().unwrap());
    }
}

pub fn a_preview_samples_the_kept_logits_and_changes_nothing() {
    let mut session = tales_session(CachePolicy::Reuse, "Once upon a time");
    while !session.forward_chunk().unwrap() {}
    let previewed = session.preview(&creative(), 3).unwrap().draw();
    session.start(StartFrom::End, budget(2));
    let picked = session.pick(&creative(), 3).unwrap().step.draw();
    assert_eq!(previewed, picked, "the preview of the next token is what is then picked");
    let after = session.preview(&creative(), 3).unwrap().draw();
    assert_eq!(after, picked, "after the pick the same logits, history and random word are shown");
    assert_eq!(session.picked_id(), Some(picked.id));
    assert_eq!((session.new_ids().len(), session.forward_calls()), (1, 1));
}

pub fn forgetting_the_text_leaves_the_prompt_computed() {
    let mut session = tales_session(CachePolicy::Reuse, "Once upon a time");
    while !session.forward_chunk().unwrap() {}
    let logits = session.logits().unwrap().to_vec();
    run(&mut session, StartFrom::Prompt, budget(6), &creative(), 3);
    session.rewind();
    assert!(session.new_ids().is_empty());
    assert!(session.forward_chunk().unwrap(), "only the head runs again");
    assert_eq!(session.logits().unwrap(), logits);
}

pub fn a_stop_string_over_several_tokens_is_never_shown() {
    let text = " The doctor said: \"STOP HERE, please\" and left.";
    let (mut session, tokens) = scripted(text);
    let stop = StopStrings::new(vec!["OP HERE, p".into(), "never".into()]).unwrap();
    let shown = run(
        &mut session,
        StartFrom::Prompt,
        Limits { max_new_tokens: 99, stop, ..Limits::default() },
        &greedy(),
        0,
    );
    assert_eq!(session.stopped(), Some(StopReason::StopString));
    assert_eq!(shown, " The doctor said: \"ST");
    assert_eq!(session.held_text(), "");
    assert!(session.new_ids().len() < tokens);
}

pub fn the_start_of_a_stop_string_is_released_when_it_does_not_come() {
    let (mut session, tokens) = scripted(" one two thr");
    let stop = StopStrings::new(vec![" three".into()]).unwrap();
    let limits = Limits { max_new_tokens: tokens, stop, ..Limits::default() };
    let shown = run(&mut session, StartFrom::Prompt, limits, &greedy(), 0);
    assert_eq!(shown, " one two");
    assert_eq!(session.held_text(), " thr");
}

/// A character whose bytes lie in two runs is shown whole in the second.
pub fn a_character_split_over_two_runs_is_whole() {
    let text = " 日本語👩‍👩‍👧 fin";
    let (mut session, tokens) = scripted(text);
    let parts: Vec<String> =
        (0..tokens).map(|_| run(&mut session, StartFrom::End, budget(1), &greedy(), 0)).collect();
    assert_eq!(parts.concat() + &session.held_text(), text);
    assert!(parts.iter().any(String::is_empty), "some token should hold no whole character");
    assert!(!parts.concat().contains('\u{fffd}'));
}

pub fn the_end_token_is_an_id_but_not_text() {
    let limits = || Limits { max_new_tokens: 9, eos_id: Some(0), ..Limits::default() };
    let (mut session, _) = scripted(" Well<|endoftext|> then");
    let shown = run(&mut session, StartFrom::Prompt, limits(), &greedy(), 0);
    assert_eq!((shown.as_str(), session.stopped()), (" Well", Some(StopReason::EndToken)));
    assert_eq!(session.new_ids().last(), Some(&0));

    let ignoring = Limits { ignore_eos: true, max_new_tokens: 3, ..limits() };
    let shown = run(&mut session, StartFrom::Prompt, ignoring, &greedy(), 0);
    assert_eq!(shown, " Well<|endoftext|> then");
}

pub fn a_full_context_ends_the_run() {
    let mut session = tales_session(CachePolicy::Reuse, "x");
    let positions = session.model().config().max_position_embeddings;
    session.set_prompt(vec![300; positions - 3]).unwrap();
    run(&mut session, StartFrom::Prompt, budget(99), &creative(), 1);
    assert_eq!((session.stopped(), session.new_ids().len()), (Some(StopReason::ContextFull), 3));

    session.set_prompt(vec![300; positions]).unwrap();
    assert_eq!(session.start(StartFrom::Prompt, budget(1)), Some(StopReason::ContextFull));

    let error = session.set_prompt(vec![300; positions + 1]).unwrap_err().to_string();
    assert!(error.contains("1 to 512 tokens") && error.contains("513"), "{error}");
    assert_eq!(session.ids().len(), positions, "a refused prompt leaves the session as it was");
}

pub fn a_run_that_the_user_stopped_can_go_on() {
    let mut whole = tales_session(CachePolicy::Reuse, "The ship");
    run(&mut whole, StartFrom::Prompt, budget(12), &creative(), 11);
    let mut halted = tales_session(CachePolicy::Reuse, "The ship");
    halted.start(StartFrom::Prompt, budget(12));
    for _ in 0..4 {
        while !halted.forward_chunk().unwrap() {}
        halted.pick(&creative(), 11).unwrap();
        halted.read();
    }
    assert_eq!(halted.stop(), StopReason::User);
    assert!(halted.pick(&creative(), 11).is_err(), "a run that has ended makes no token");
    run(&mut halted, StartFrom::End, budget(8), &creative(), 11);
    assert_eq!(halted.new_ids(), whole.new_ids());
}

pub fn any_prompt_position_can_be_looked_at() {
    let mut session = tales_session(CachePolicy::Reuse, "The old man looked at the");
    assert!(session.inspect(0, &greedy()).is_err(), "not before it is computed");
    while !session.forward_chunk().unwrap() {}
    let all = session.prompt_logits().unwrap();
    let vocab_size = session.model().config().vocab_size;
    for position in 0..session.prompt_length() {
        let step = session.inspect(position, &greedy()).unwrap();
        let row = &all[position * vocab_size..(position + 1) * vocab_size];
        for (one, other) in step.raw_logits().iter().zip(row) {
            assert!((one - other).abs() < 1e-4);
        }
    }
    assert!(session.inspect(session.prompt_length(), &greedy()).is_err());
    assert!(session.inspect(usize::MAX, &greedy()).is_err());
}

/// A pass without the cache throws keys and values away that a look at an earlier position may want.
pub fn a_prompt_can_be_looked_at_while_a_pass_without_the_cache_goes_on() {
    let prompt = "The ship turned toward the planet and the captain looked. ".repeat(6);
    for kernel in KERNELS {
        let seen = |session: &mut Session| -> Vec<Vec<f32>> {
            (0..session.prompt_length())
                .map(|position| session.inspect(position, &greedy()).unwrap().raw_logits().to_vec())
                .collect()
        };
        let mut session = session_on(kernel, CachePolicy::Reuse, &prompt);
        run(&mut session, StartFrom::Prompt, budget(2), &creative(), 11);
        let expected = seen(&mut session);
        assert!(expected.len() > 2 * PREFILL_CHUNK);

        let mut session = session_on(kernel, CachePolicy::Reuse, &prompt);
        run(&mut session, StartFrom::Prompt, budget(2), &creative(), 11);
        session.set_cache_policy(CachePolicy::Recompute);
        assert!(!session.forward_chunk().unwrap(), "a pass under way");
        assert!(seen(&mut session) == expected, "{kernel:?}: while it goes on");
        session.set_cache_policy(CachePolicy::Reuse);
        while !session.forward_chunk().unwrap() {}
        assert!(seen(&mut session) == expected, "{kernel:?}: after it went on with the cache");
    }
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! session_checks {
    ($test:meta) => {
        $crate::checks!($test, session:
            n_tokens_take_one_prefill_and_n_minus_1_steps,
            one_token_five_times_equals_five_tokens,
            the_same_seed_gives_the_same_ids_and_another_seed_others,
            an_uncached_run_picks_the_same_ids,
            prefix_reuse_changes_no_bit,
            a_preview_samples_the_kept_logits_and_changes_nothing,
            forgetting_the_text_leaves_the_prompt_computed,
            a_stop_string_over_several_tokens_is_never_shown,
            the_start_of_a_stop_string_is_released_when_it_does_not_come,
            a_character_split_over_two_runs_is_whole,
            the_end_token_is_an_id_but_not_text,
            a_full_context_ends_the_run,
            a_run_that_the_user_stopped_can_go_on,
            any_prompt_position_can_be_looked_at,
            a_prompt_can_be_looked_at_while_a_pass_without_the_cache_goes_on,
        );
    };
}
