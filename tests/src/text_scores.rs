//! Scores of a text beside other ways of computing them, and digests of the weights in memory.

use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::{Digests, TextScores, TokenScore, WeightsDigest};
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::WeightPrecision;
use logit_lab_engine::session::{CachePolicy, Session, StartFrom};

use crate::fixtures::{KERNELS, TALES_CONFIG, TALES_WEIGHTS, load_tales_on, tiny};
use crate::forward::{logits_of_last, some_ids};
use crate::session::{budget, creative, greedy, run, tales};

fn scored(model: &dyn Forward, ids: &[u32], start_id: Option<u32>) -> TextScores {
    let mut scores = TextScores::new(model, ids, start_id).unwrap();
    while !scores.advance().unwrap() {}
    assert_eq!(scores.progress().0, scores.progress().1);
    scores
}

/// In f64 from the logits of a pass over that prefix alone, with the platform's own functions.
fn expected_score(model: &dyn Forward, prefix: &[u32], id: u32) -> (f64, usize, u32) {
    let logits: Vec<f64> = logits_of_last(model, prefix).into_iter().map(f64::from).collect();
    let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mass: f64 = logits.iter().map(|logit| (logit - top).exp()).sum();
    let own = logits[id as usize];
    let above = |(other, logit): (usize, &f64)| *logit > own || (*logit == own && other < id as usize);
    let rank = logits.iter().enumerate().filter(|pair| above(*pair)).count();
    let best = logits.iter().position(|logit| *logit == top).unwrap();
    (own - top - mass.ln(), rank, best as u32)
}

fn assert_scores(model: &dyn Forward, ids: &[u32], scores: &[TokenScore], unscored: usize) {
    for (score, position) in scores.iter().zip(unscored..) {
        let (log_probability, rank, top_id) = expected_score(model, &ids[..position], ids[position]);
        assert_eq!(score.id, ids[position]);
        assert!((score.log_probability - log_probability).abs() < 1e-4, "position {position}");
        assert!((score.probability - log_probability.exp()).abs() < 1e-4, "position {position}");
        // Far down the ranking a difference of a millionth swaps neighbours.
        assert!(
            score.rank.abs_diff(rank) <= rank / 50,
            "rank {} at position {position}, not {rank}",
            score.rank
        );
        assert_eq!(score.top_id, top_id, "position {position}");
    }
}

pub fn each_token_is_scored_by_the_tokens_before_it() {
    for name in ["parallel-f16", "sequential-residual", "relu"] {
        for kernel in KERNELS {
            let model = tiny(name).load_on(kernel);
            let ids = some_ids(&*model, 40);
            let scores = scored(&*model, &ids, None);
            assert_eq!((scores.scores().len(), scores.unscored(), scores.ids()), (39, 1, &ids[..]));
            assert_scores(&*model, &ids, scores.scores(), 1);
        }
    }
}

pub fn a_start_token_gives_the_first_token_a_score() {
    let model = load_tales_on(Kernel::Fused);
    let ids = [1273, 262, 2438, 47];
    let scores = scored(&*model, &ids, Some(0));
    assert_eq!((scores.scores().len(), scores.unscored(), scores.ids()), (4, 0, &ids[..]));
    assert_scores(&*model, &[0, 1273, 262, 2438, 47], scores.scores(), 1);
    assert!(TextScores::new(&*model, &ids[..1], None).is_err(), "nothing is before the only token");
    assert_eq!(scored(&*model, &ids[..1], Some(0)).scores().len(), 1);
}

pub fn perplexity_is_e_to_the_mean_negative_log_probability() {
    let (model, tokenizer) = tales(Kernel::Fused);
    let text = "The old man – très vieux – looked at the sea.";
    let ids = tokenizer.encode(text).unwrap();
    let scores = scored(&*model, &ids, None);
    let summary = scores.summary(Some(&tokenizer)).unwrap();
    let logs: Vec<f64> = scores.scores().iter().map(|score| score.log_probability).collect();
    let mean = -logs.iter().sum::<f64>() / logs.len() as f64;
    assert!((summary.perplexity / mean.exp() - 1.0).abs() < 1e-12);
    assert_eq!(summary.tokens, ids.len() - 1);
    let first = tokenizer.decode(&ids[..1]);
    assert_eq!(summary.bytes, Some(text.len() - first.len()));
    assert_eq!(summary.characters, Some(text.chars().count() - first.chars().count()));
    let per_byte = mean * logs.len() as f64 / (text.len() - first.len()) as f64;
    assert!((summary.nats_per_byte().unwrap() - per_byte).abs() < 1e-12);
    assert_eq!(scores.summary(None).unwrap().nats_per_byte(), None);
    // Of 4096 evenly likely tokens it would be 4096.
    assert!(summary.perplexity < 4096.0, "worse than guessing: {}", summary.perplexity);
}

/// Teacher forcing and the loop meet where the loop made the text: greedy decoding takes rank 0 each time.
pub fn a_text_that_greedy_decoding_made_has_rank_0_throughout() {
    let (model, tokenizer) = tales(Kernel::Fused);
    let prompt = tokenizer.encode("The ship turned").unwrap();
    for (settings, all_first) in [(greedy(), true), (creative(), false)] {
        let mut session = Session::new(model.fresh(), None, CachePolicy::Reuse);
        session.set_prompt(prompt.clone()).unwrap();
        run(&mut session, StartFrom::Prompt, budget(24), &settings, 7);
        let scores = scored(&*model, session.ids(), None);
        let made = &scores.scores()[prompt.len() - 1..];
        assert_eq!(made.iter().all(|score| score.rank == 0 && score.top_id == score.id), all_first);
    }
}

/// All positions in one pass: what comes later changes nothing, to the bit.
pub fn what_comes_later_changes_no_score() {
    let model = load_tales_on(Kernel::Fused);
    let ids = some_ids(&*model, 50);
    let whole = scored(&*model, &ids, None);
    let part = scored(&*model, &ids[..19], None);
    assert_eq!(part.scores(), &whole.scores()[..18]);
}

fn digests(checkpoint: &Checkpoint, model: &dyn Forward) -> Digests {
    let mut job = WeightsDigest::new(checkpoint, model);
    while !job.advance() {}
    assert_eq!(job.progress().0, job.progress().1);
    job.digests()
}

/// Generating reads the weights and changes none, in every form that they have in memory.
pub fn weights_have_the_same_digest_before_and_after_a_generation() {
    let config = || ModelConfig::from_json(TALES_CONFIG).unwrap();
    let checkpoint = Checkpoint::from_file(TALES_WEIGHTS.to_vec()).unwrap();
    let mut of_models = Vec::new();
    for (kernel, precision) in [
        (Kernel::Fused, "f32"),
        (Kernel::Fused, "bf16"),
        (Kernel::Fused, "int8"),
        (Kernel::Fused, "q4"),
        (Kernel::Candle, "f32"),
    ] {
        let precision = WeightPrecision::parse(precision).unwrap();
        let choice = LoadChoice { kernel, precision, ..LoadChoice::default() };
        let model = model::load(config(), checkpoint.clone(), choice).unwrap().0;
        let before = digests(&checkpoint, &*model);
        let weight_bytes = model.weight_bytes();
        let mut session = Session::new(model, None, CachePolicy::Reuse);
        session.set_prompt(vec![1273, 262]).unwrap();
        run(&mut session, StartFrom::Prompt, budget(12), &creative(), 3);
        assert_eq!(digests(&checkpoint, session.model()), before);
        assert_eq!((before.checkpoint_bytes, before.model_bytes), (checkpoint.kept_bytes(), weight_bytes));
        of_models.push(before);
    }
    assert!(of_models.iter().all(|found| found.checkpoint == of_models[0].checkpoint), "one checkpoint");
    let mut distinct: Vec<&str> = of_models.iter().map(|found| found.model.as_str()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), of_models.len(), "each form of the weights has its own digest");
}

pub fn one_bit_of_one_weight_changes_both_digests() {
    let load = |bytes: Vec<u8>| {
        let checkpoint = Checkpoint::from_file(bytes).unwrap();
        let config = ModelConfig::from_json(TALES_CONFIG).unwrap();
        let model = model::load(config, checkpoint.clone(), LoadChoice::default()).unwrap().0;
        digests(&checkpoint, &*model)
    };
    let mut bytes = TALES_WEIGHTS.to_vec();
    let sound = load(bytes.clone());
    assert_eq!(load(bytes.clone()), sound);
    *bytes.last_mut().unwrap() ^= 0x80;
    let changed = load(bytes);
    assert!(changed.checkpoint != sound.checkpoint && changed.model != sound.model);
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! text_scores_checks {
    ($test:meta) => {
        $crate::checks!($test, text_scores:
            each_token_is_scored_by_the_tokens_before_it,
            a_start_token_gives_the_first_token_a_score,
            perplexity_is_e_to_the_mean_negative_log_probability,
            a_text_that_greedy_decoding_made_has_rank_0_throughout,
            what_comes_later_changes_no_score,
            weights_have_the_same_digest_before_and_after_a_generation,
            one_bit_of_one_weight_changes_both_digests,
        );
    };
}
