//! What every implementation of [`Forward`] is held to: reference values, and agreement with itself.

use logit_lab_engine::model::Forward;
use logit_lab_engine::model::batch::PaddedBatch;
use logit_lab_engine::model::gpt_neox::GptNeox;

use crate::fixtures::{Expected, KnownValues, TalesExpected, Tiny};

/// Index of the largest value, the lowest at a tie.
pub fn argmax(values: &[f32]) -> usize {
    (0..values.len()).reduce(|best, i| if values[i] > values[best] { i } else { best }).expect("some values")
}

/// The largest difference; panics beyond `tolerance`, or where a value is no number.
pub fn assert_close(what: &str, found: &[f32], expected: &[f32], tolerance: f32) -> f32 {
    assert_eq!(found.len(), expected.len(), "{what}: number of values");
    let mut largest = 0.0_f32;
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let difference = (found - expected).abs();
        assert!(difference <= tolerance, "{what}, value {index}: expected {expected}, found {found}");
        largest = largest.max(difference);
    }
    largest
}

/// Logits of every position, `[positions, vocab_size]`, with an empty cache in front.
pub fn logits_of_all(model: &dyn Forward, ids: &[u32]) -> Vec<f32> {
    let mut model = model.fresh();
    let hidden = model.extend(ids).expect("a forward pass");
    model.logits(&hidden).expect("logits")
}

/// Runs `ids` after the cached ones; logits of the last position.
pub fn extend_to_logits(model: &mut dyn Forward, ids: &[u32]) -> Vec<f32> {
    let hidden = model.extend(ids).expect("a forward pass");
    let last = &hidden[hidden.len() - model.config().hidden_size..];
    model.logits(last).expect("logits")
}

/// Logits of the last position, nothing cached.
pub fn logits_of_last(model: &dyn Forward, ids: &[u32]) -> Vec<f32> {
    extend_to_logits(&mut *model.fresh(), ids)
}

/// The ids that greedy decoding with the cache adds.
pub fn greedy(model: &dyn Forward, prompt: &[u32], steps: usize) -> Vec<u32> {
    let mut model = model.fresh();
    let mut logits = extend_to_logits(&mut *model, prompt);
    let mut ids = vec![argmax(&logits) as u32];
    while ids.len() < steps {
        logits = extend_to_logits(&mut *model, &ids[ids.len() - 1..]);
        ids.push(argmax(&logits) as u32);
    }
    ids
}

/// Logits, all positions where the reference has them, and greedy ids. Returns the largest difference.
pub fn reference_values_are_met(name: &str, model: &dyn Forward, expected: &Expected) -> f32 {
    let mut largest = 0.0_f32;
    for case in &expected.cases {
        let what = format!("{name}, prompt of {}", case.input_ids.len());
        let last = logits_of_last(model, &case.input_ids);
        largest = largest.max(assert_close(&what, &last, &case.logits_last, 1e-4));
        if let Some(rows) = &case.logits_all {
            let all = logits_of_all(model, &case.input_ids);
            largest = largest.max(assert_close(&what, &all, &rows.concat(), 1e-4));
        }
        if let Some(ids) = &case.greedy_24 {
            assert_eq!(&greedy(model, &without_padding(&case.input_ids), ids.len()), ids, "{what}: greedy");
        }
    }
    largest
}

/// The prompt that the reference decoded greedily. It was told that id 0 is padding and given no mask, so it hid every 0
/// of a random prompt and counted positions without it: three of the prompts of 17 have one. The same prompt's
/// logits were computed with the 0 as a token like any other.
fn without_padding(ids: &[u32]) -> Vec<u32> {
    ids.iter().copied().filter(|id| *id != 0).collect()
}

/// `count` ids, from the model's vocabulary.
pub fn some_ids(model: &dyn Forward, count: usize) -> Vec<u32> {
    let vocabulary = model.config().vocab_size as u32;
    (0..count as u32).map(|i| (i * i * 7 + i * 31 + 5) % vocabulary).collect()
}

/// One id at a time with a cache equals all ids without, at every position.
pub fn cached_decode_equals_full_forward(
    name: &str,
    model: &dyn Forward,
    ids: &[u32],
    tolerance: f32,
) -> f32 {
    let vocabulary = model.config().vocab_size;
    let mut cached = model.fresh();
    let mut largest = 0.0_f32;
    let whole = logits_of_all(model, ids);
    for (position, id) in ids.iter().enumerate() {
        assert_eq!(cached.cached(), position);
        let step = extend_to_logits(&mut *cached, &[*id]);
        let row = &whole[position * vocabulary..(position + 1) * vocabulary];
        let what = format!("{name}, position {position} of {}, against one pass", ids.len());
        largest = largest.max(assert_close(&what, &step, row, tolerance));
        let prefix = logits_of_last(model, &ids[..=position]);
        let what = format!("{name}, position {position} of {}, against its own prefix", ids.len());
        largest = largest.max(assert_close(&what, &step, &prefix, tolerance));
    }
    largest
}

/// Two implementations give the same logits at every position.
pub fn kernels_agree(name: &str, one: &dyn Forward, other: &dyn Forward, ids: &[u32]) -> f32 {
    let (one, other) = (logits_of_all(one, ids), logits_of_all(other, ids));
    assert_close(&format!("{name}, {} tokens", ids.len()), &one, &other, 1e-4)
}

/// Any split of the ids into chunks gives the logits of the whole.
pub fn chunks_equal_the_whole(name: &str, model: &dyn Forward, ids: &[u32], tolerance: f32) -> f32 {
    let whole = logits_of_all(model, ids);
    let mut largest = 0.0_f32;
    for chunk in [1, 2, 5, 16, 63] {
        let mut chunked = model.fresh();
        let mut hidden = Vec::new();
        for piece in ids.chunks(chunk) {
            hidden.extend(chunked.extend(piece).expect("a chunk"));
        }
        let logits = chunked.logits(&hidden).expect("logits");
        let what = format!("{name}, chunks of {chunk}");
        largest = largest.max(assert_close(&what, &logits, &whole, tolerance));
    }
    largest
}

/// A prefill has the last row of a forward pass, and the others once they are finished, bit by bit.
pub fn finished_prefill_equals_extend(name: &str, model: &dyn Forward, ids: &[u32]) {
    let h = model.config().hidden_size;
    for chunk in [1, 5, 32, 47, ids.len()] {
        let (mut extended, mut prefilled) = (model.fresh(), model.fresh());
        let mut open = Vec::new();
        for (index, piece) in ids.chunks(chunk).enumerate() {
            let expected = extended.extend(piece).expect("a chunk");
            let rows = prefilled.prefill(piece).expect("a chunk");
            let last = expected.len() - h;
            assert_eq!(rows.len(), expected.len());
            assert_eq!(rows[last..], expected[last..], "{name}, chunks of {chunk}, the last of {index}");
            open.push((index * chunk, rows[..last].to_vec(), expected[..last].to_vec()));
        }
        for (first, mut rows, expected) in open.into_iter().rev().filter(|(_, rows, _)| !rows.is_empty()) {
            let before = rows.clone();
            prefilled.finish(first + 1, &mut rows[h..]).expect("all but one");
            assert_eq!(rows[..h], before[..h]);
            prefilled.finish(first, &mut rows[..h]).expect("one");
            assert_eq!(rows, expected, "{name}, chunks of {chunk}, from {first} on");
        }
        assert_eq!(prefilled.cached(), ids.len());
        for (first, length) in [(0, 0), (0, h - 1), (ids.len(), h), (ids.len() - 1, 2 * h), (usize::MAX, h)] {
            assert!(prefilled.finish(first, &mut vec![0.0; length]).is_err(), "{first}, {length}");
        }
        assert!(prefilled.prefill(&[]).is_err());
        assert_eq!(prefilled.cached(), ids.len());
    }
}

/// A fork goes its own way, and so does what it was forked from.
pub fn fork_is_independent(name: &str, model: &dyn Forward) {
    let ids = some_ids(model, 12);
    let mut first = model.fresh();
    first.extend(&ids[..6]).expect("a prompt");
    let mut second = first.fork().expect("a fork");
    let bytes = second.kv_bytes();
    assert_eq!(bytes, first.kv_bytes());
    // Different ids at the same positions: with shared storage the later write would change the earlier result.
    let one = extend_to_logits(&mut *first, &ids[6..9]);
    let two = extend_to_logits(&mut *second, &ids[9..12]);
    let one_more = extend_to_logits(&mut *first, &[ids[0]]);
    let two_more = extend_to_logits(&mut *second, &[ids[0]]);
    let path = |tail: &[u32]| [&ids[..6], tail].concat();
    assert_close(name, &one, &logits_of_last(model, &path(&ids[6..9])), 1e-4);
    assert_close(name, &two, &logits_of_last(model, &path(&ids[9..12])), 1e-4);
    assert_close(name, &one_more, &logits_of_last(model, &path(&[&ids[6..9], &ids[..1]].concat())), 1e-4);
    assert_close(name, &two_more, &logits_of_last(model, &path(&[&ids[9..12], &ids[..1]].concat())), 1e-4);
    assert_eq!(model.cached(), 0, "{name}: the model that was asked for fresh ones is untouched");
}

/// What is cut off leaves no trace, whatever stood there.
pub fn truncate_then_extend_equals_never_having_gone_there(name: &str, model: &dyn Forward) {
    let ids = some_ids(model, 40);
    let mut model_with_past = model.fresh();
    model_with_past.extend(&ids).expect("a prompt");
    model_with_past.truncate(100);
    assert_eq!(model_with_past.cached(), 40, "{name}: truncating beyond the end does nothing");
    let used = model_with_past.kv_bytes().used;
    model_with_past.truncate(10);
    assert_eq!(model_with_past.cached(), 10);
    assert_eq!(model_with_past.kv_bytes().used * 4, used);
    let tail = [ids[30], ids[31], ids[32]];
    let logits = extend_to_logits(&mut *model_with_past, &tail);
    let direct = logits_of_last(model, &[&ids[..10], &tail].concat());
    assert_close(name, &logits, &direct, 1e-4);
    model_with_past.truncate(0);
    let again = extend_to_logits(&mut *model_with_past, &ids[..5]);
    assert_close(name, &again, &logits_of_last(model, &ids[..5]), 1e-4);
}

/// Ids that do not fit are errors that say so, and the cache is as it was.
pub fn an_error_leaves_the_cache_as_it_was(name: &str, model: &dyn Forward) {
    let most = model.config().max_position_embeddings;
    let vocabulary = model.config().vocab_size as u32;
    let ids = some_ids(model, most);
    let mut model_in_use = model.fresh();
    model_in_use.extend(&ids[..4]).expect("a prompt");
    let before = model_in_use.kv_bytes();
    for (faulty, words) in
        [(vec![], "number of tokens"), (ids.clone(), "number of tokens"), (vec![1, vocabulary], "token id")]
    {
        let error = model_in_use.extend(&faulty).expect_err(name).to_string();
        assert!(error.contains(words), "{name}: {error}");
        assert_eq!((model_in_use.cached(), model_in_use.kv_bytes()), (4, before), "{name}");
    }
    let logits = extend_to_logits(&mut *model_in_use, &ids[4..6]);
    assert_close(name, &logits, &logits_of_last(model, &ids[..6]), 1e-4);
    let error = model_in_use.logits(&[0.0; 3]).expect_err(name).to_string();
    assert!(error.contains("hidden states"), "{name}: {error}");
    let hidden = vec![0.0; model.config().hidden_size];
    let mut short = vec![7.0; model.config().vocab_size - 1];
    let error = model_in_use.logits_into(&hidden, &mut short).expect_err(name).to_string();
    assert!(error.contains("buffer for logits"), "{name}: {error}");
    assert!(short.iter().all(|logit| *logit == 7.0), "{name}: nothing is written");
}

/// Memory grows with the text and never shrinks below what is used.
pub fn kv_bytes_count_the_positions(name: &str, model: &dyn Forward) {
    let config = model.config();
    let a_position = config.num_hidden_layers * 2 * config.hidden_size * size_of::<f32>();
    let mut growing = model.fresh();
    assert_eq!(growing.kv_bytes().used, 0, "{name}");
    for id in some_ids(model, config.max_position_embeddings) {
        growing.extend(&[id]).expect(name);
        let bytes = growing.kv_bytes();
        assert_eq!(bytes.used, growing.cached() * a_position, "{name}");
        assert!(bytes.used <= bytes.reserved, "{name}");
    }
    assert!(model.weight_bytes() >= config.parameters(), "{name}");
}

/// A left-padded batch decodes what each row decodes alone, with the logits of the row alone. Returns the largest
/// difference.
pub fn left_padded_batch_equals_each_row_alone(tiny: &Tiny, model: &GptNeox) -> f32 {
    let expected = tiny.expected().left_padded_batch;
    let (mut batch, mut logits) = PaddedBatch::prefill(model, &expected.rows).expect(tiny.name);
    let mut alone: Vec<_> = expected.rows.iter().map(|_| model.fresh()).collect();
    let mut next: Vec<Vec<u32>> = expected.rows.clone();
    let mut ids: Vec<Vec<u32>> = vec![Vec::new(); expected.rows.len()];
    let mut largest = 0.0_f32;
    for step in 0..expected.greedy_12[0].len() {
        if step > 0 {
            let last: Vec<u32> = next.iter().map(|ids| ids[0]).collect();
            logits = batch.step(&last).expect(tiny.name);
        }
        for (row, logits) in logits.iter().enumerate() {
            let single = extend_to_logits(&mut *alone[row], &next[row]);
            let what = format!("{}, step {step}, row {row}", tiny.name);
            largest = largest.max(assert_close(&what, logits, &single, 1e-4));
            let id = argmax(logits) as u32;
            ids[row].push(id);
            next[row] = vec![id];
        }
    }
    assert_eq!(ids, expected.greedy_12, "{}", tiny.name);
    largest
}

/// Greedy ids, top logits and sums of the bundled model. Returns the largest difference of a logit.
pub fn tales_reference_values_are_met(model: &dyn Forward, expected: &TalesExpected) -> f32 {
    let mut largest = 0.0_f32;
    for case in &expected.cases {
        let logits = logits_of_last(model, &case.ids);
        let (tokens, values): (Vec<usize>, Vec<f32>) = case.last_logits_top10.iter().copied().unzip();
        let found: Vec<f32> = tokens.iter().map(|token| logits[*token]).collect();
        largest = largest.max(assert_close("top 10", &found, &values, 1e-3));
        let mut ranked: Vec<usize> = (0..logits.len()).collect();
        ranked.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
        assert_eq!(ranked[0], tokens[0]);
        let sum: f64 = logits.iter().map(|logit| f64::from(*logit)).sum();
        // Thousands of logits of which each may be off by a millionth.
        assert!((sum - case.last_logits_sum).abs() < 0.1, "sum {sum}, expected {}", case.last_logits_sum);
        assert_eq!(greedy(model, &case.ids, case.greedy_48.len()), case.greedy_48);
    }
    largest
}

/// A prompt that fills the context, in one pass and with a cache.
pub fn tales_full_context_is_met(model: &dyn Forward, expected: &TalesExpected) -> f32 {
    let full = &expected.full_context;
    assert_eq!(full.ids.len(), model.config().max_position_embeddings);
    let logits = logits_of_last(model, &full.ids);
    assert_eq!(argmax(&logits), full.argmax);
    let largest = assert_close("full context", &logits[..32], &full.last_logits_first_32, 1e-3);
    let mut cached = model.fresh();
    let (prompt, rest) = full.ids.split_at(300);
    let mut last = extend_to_logits(&mut *cached, prompt);
    for id in rest {
        last = extend_to_logits(&mut *cached, &[*id]);
    }
    largest.max(assert_close("full context, cached", &last, &logits, 1e-4))
}

/// What the published checkpoint answers. Returns the largest difference of a logit.
pub fn pythia_known_values_are_met(model: &dyn Forward, known: &KnownValues) -> f64 {
    let mut largest = 0.0_f64;
    for step in &known.greedy {
        let logits = logits_of_last(model, &step.prefix);
        assert_eq!(argmax(&logits), step.choice);
        let mut compare = |id: usize, expected: f64| {
            let difference = (f64::from(logits[id]) - expected).abs();
            assert!(difference <= 2e-3, "logit of {id}: expected {expected}, found {}", logits[id]);
            largest = largest.max(difference);
        };
        compare(step.choice, step.choice_logit);
        for (id, logit) in &step.other_logits {
            compare(id.parse().expect("an id"), *logit);
        }
        let most = f64::from(logits[step.choice]);
        let total: f64 = logits.iter().map(|logit| (f64::from(*logit) - most).exp()).sum();
        assert!((1.0 / total - step.choice_probability).abs() < 1e-3);
        let mut sorted = logits.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let top: f64 = sorted[..5].iter().map(|logit| (f64::from(*logit) - most).exp() / total).sum();
        assert!((1.0 - top - step.mass_outside_top_5).abs() < 1e-3);
    }
    largest
}
