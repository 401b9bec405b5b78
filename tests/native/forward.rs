//! The candle kernel against reference values and against itself.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use logit_lab_engine::checkpoint::{Checkpoint, StoredDtype};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::Forward;
use logit_lab_engine::model::batch::PaddedBatch;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::precision::Precision;
use logit_lab_tests::fixtures::{self, TINY};
use logit_lab_tests::forward::*;

#[test]
fn tiny_checkpoints_meet_their_reference_values() {
    for tiny in &TINY {
        let largest = reference_values_are_met(tiny.name, &tiny.load().0, &tiny.expected());
        eprintln!("{}: largest difference {largest:e}", tiny.name);
    }
}

#[test]
fn cached_decode_equals_full_forward_at_every_position() {
    for tiny in &TINY {
        let model = tiny.load().0;
        for length in [1, 2, 17, model.config().max_position_embeddings] {
            let ids = some_ids(&model, length);
            let largest = cached_decode_equals_full_forward(tiny.name, &model, &ids, 1e-4);
            eprintln!("{}, {length} tokens: largest difference {largest:e}", tiny.name);
        }
    }
}

#[test]
fn chunked_prefill_equals_the_whole() {
    for tiny in &TINY {
        let model = tiny.load().0;
        chunks_equal_the_whole(tiny.name, &model, &some_ids(&model, 64), 1e-4);
    }
}

#[test]
fn left_padded_batches_equal_each_row_alone() {
    for tiny in &TINY {
        let largest = left_padded_batch_equals_each_row_alone(tiny, &tiny.load().0);
        eprintln!("{}: largest difference {largest:e}", tiny.name);
    }
}

#[test]
fn a_batch_that_cannot_run_is_an_error() {
    let model = fixtures::tiny("relu").load().0;
    for rows in [vec![], vec![vec![1], vec![]], vec![vec![1; 65]], vec![vec![96]]] {
        assert!(PaddedBatch::prefill(&model, &rows).is_err());
    }
    let (mut batch, _) = PaddedBatch::prefill(&model, &[vec![1; 63], vec![2]]).unwrap();
    assert!(batch.step(&[1]).is_err());
    assert!(batch.step(&[1, 96]).is_err());
    assert_eq!((batch.columns(), batch.padding()), (63, [0, 62].as_slice()));
    assert!(batch.step(&[1, 2]).is_ok());
    assert!(batch.step(&[1, 2]).unwrap_err().to_string().contains("columns"));
}

#[test]
fn forks_are_independent() {
    for tiny in &TINY {
        fork_is_independent(tiny.name, &tiny.load().0);
    }
}

#[test]
fn truncated_positions_leave_no_trace() {
    for tiny in &TINY {
        truncate_then_extend_equals_never_having_gone_there(tiny.name, &tiny.load().0);
    }
}

#[test]
fn ids_that_do_not_fit_are_errors() {
    for tiny in &TINY {
        an_error_leaves_the_cache_as_it_was(tiny.name, &tiny.load().0);
    }
}

#[test]
fn kv_cache_bytes_count_the_positions() {
    kv_bytes_count_the_positions("relu", &fixtures::tiny("relu").load().0);
    kv_bytes_count_the_positions("wide-odd", &fixtures::tiny("wide-odd").load().0);
}

#[test]
fn the_report_names_old_buffers_and_why_they_are_ignored() {
    let (_, report) = fixtures::tiny("legacy-buffers-f16").load();
    let expected: Vec<(String, &str)> = [0, 1]
        .iter()
        .flat_map(|layer| {
            let name = |part: &str| format!("gpt_neox.layers.{layer}.attention.{part}");
            [
                (name("bias"), "causal mask"),
                (name("masked_bias"), "masked scores"),
                (name("rotary_emb.inv_freq"), "rotary frequencies"),
            ]
        })
        .collect();
    assert_eq!(report.ignored.len(), expected.len());
    for (ignored, (name, reason)) in report.ignored.iter().zip(&expected) {
        assert_eq!(&ignored.name, name);
        assert!(ignored.reason.contains(reason), "{}: {}", ignored.name, ignored.reason);
    }
}

#[test]
fn the_report_names_what_a_model_with_tied_embeddings_leaves() {
    let tiny = fixtures::tiny("relu");
    let json = String::from_utf8(tiny.config.to_vec()).unwrap();
    let json = json.replace("\"tie_word_embeddings\":false", "\"tie_word_embeddings\":true");
    let config = ModelConfig::from_json(json.as_bytes()).unwrap();
    let (_, report) = GptNeox::load(config, tiny.checkpoint(), Precision::F32).unwrap();
    assert_eq!(report.ignored.len(), 1);
    assert_eq!(report.ignored[0].name, "embed_out.weight");
    assert!(report.ignored[0].reason.contains("tie_word_embeddings"));
}

#[test]
fn a_model_without_rotary_dimensions_runs() {
    let tiny = fixtures::tiny("relu");
    let json = String::from_utf8(tiny.config.to_vec()).unwrap();
    let config =
        ModelConfig::from_json(json.replace("\"rotary_pct\":0.25", "\"rotary_pct\":0").as_bytes()).unwrap();
    let (model, _) = GptNeox::load(config, tiny.checkpoint(), Precision::F32).unwrap();
    cached_decode_equals_full_forward("no rotary", &model, &some_ids(&model, 17), 1e-4);
    let rows = [vec![4, 8], vec![15]];
    let (_, logits) = PaddedBatch::prefill(&model, &rows).unwrap();
    for (row, logits) in rows.iter().zip(&logits) {
        assert_close("no rotary, batch", logits, &logits_of_last(&model, row), 1e-4);
    }
}

#[test]
fn the_report_counts_tensors_and_conversions() {
    for tiny in &TINY {
        let (model, report) = tiny.load();
        let stored = match tiny.name {
            "parallel-f16" | "legacy-buffers-f16" => StoredDtype::F16,
            "bf16" => StoredDtype::BF16,
            _ => StoredDtype::F32,
        };
        assert_eq!(report.dtypes, [stored], "{}", tiny.name);
        let tensors = match tiny.name {
            "tied-embeddings" => 27,
            "no-attention-bias" => 24,
            _ => 28,
        };
        assert_eq!(report.tensors, tensors, "{}", tiny.name);
        let converted = if stored == StoredDtype::F32 { 0 } else { tensors };
        assert_eq!(report.converted.len(), converted, "{}", tiny.name);
        assert!(report.converted.iter().all(|tensor| (tensor.from, tensor.to) == (stored, StoredDtype::F32)));
        assert_eq!(model.weight_bytes(), model.config().parameters() * 4, "{}", tiny.name);
        assert_eq!(report.bytes, tiny.checkpoint().bytes());
    }
}

#[test]
fn a_precision_rounds_the_weights() {
    let tiny = fixtures::tiny("relu");
    let load = |precision| GptNeox::load(tiny.config(), tiny.checkpoint(), precision).unwrap();
    let ids = [3, 14, 15, 92];
    let exact = logits_of_last(&load(Precision::F32).0, &ids);
    let mut differences = Vec::new();
    for (precision, dtype) in [(Precision::F16, StoredDtype::F16), (Precision::BF16, StoredDtype::BF16)] {
        let (model, report) = load(precision);
        assert_eq!(report.converted.len(), 28);
        assert!(report.converted.iter().all(|tensor| (tensor.from, tensor.to) == (StoredDtype::F32, dtype)));
        differences.push(assert_close("rounded", &logits_of_last(&model, &ids), &exact, 1.0));
    }
    assert!(0.0 < differences[0] && differences[0] < differences[1], "{differences:?}");
    // What is stored in F16 is not changed by F16.
    let f16 = fixtures::tiny("parallel-f16");
    let rounded = GptNeox::load(f16.config(), f16.checkpoint(), Precision::F16).unwrap().0;
    assert_eq!(logits_of_last(&f16.load().0, &ids), logits_of_last(&rounded, &ids));
}

#[test]
fn tales_meets_its_reference_values() {
    let (model, report) = fixtures::load_tales();
    assert_eq!(report.dtypes, [StoredDtype::F16]);
    let largest = tales_reference_values_are_met(&model, &fixtures::tales_expected());
    eprintln!("Tales-2M: largest difference {largest:e}");
}

#[test]
fn tales_meets_its_reference_at_a_full_context() {
    let largest = tales_full_context_is_met(&fixtures::load_tales().0, &fixtures::tales_expected());
    eprintln!("Tales-2M, full context: largest difference {largest:e}");
}

#[test]
fn real_pythia_14m_matches_known_values() {
    let Ok(folder) = std::env::var("LOGIT_LAB_PYTHIA_DIR") else {
        eprintln!("skipped: real_pythia_14m_matches_known_values (LOGIT_LAB_PYTHIA_DIR is not set)");
        return;
    };
    let read = |file: &str| std::fs::read(std::path::Path::new(&folder).join(file)).expect(file);
    let config = ModelConfig::from_json(&read("config.json")).unwrap();
    let checkpoint = Checkpoint::from_file(read("model.safetensors")).unwrap();
    let (model, report) = GptNeox::load(config, checkpoint, Precision::F32).unwrap();
    let known = fixtures::pythia_known_values();
    assert_eq!(report.tensors, known.structure.tensors);
    assert_eq!(model.config().parameters(), known.structure.parameters);
    let largest = pythia_known_values_are_met(&model, &known);
    eprintln!("Pythia-14M: largest difference {largest:e}");
}
