//! Both kernels against reference values, against themselves and against each other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use logit_lab_engine::checkpoint::{Checkpoint, StoredDtype};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::batch::PaddedBatch;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::model::{Forward, Kernel, LoadChoice, load};
use logit_lab_engine::precision::{CachePrecision, Precision, WeightPrecision};
use logit_lab_tests::fixtures::{self, KERNELS, TINY};
use logit_lab_tests::forward::*;

/// Every small checkpoint on every kernel.
fn each_kernel() -> impl Iterator<Item = (Kernel, &'static fixtures::Tiny)> {
    KERNELS.into_iter().flat_map(|kernel| TINY.iter().map(move |tiny| (kernel, tiny)))
}

#[test]
fn tiny_checkpoints_meet_their_reference_values() {
    for (kernel, tiny) in each_kernel() {
        let largest = reference_values_are_met(tiny.name, &*tiny.load_on(kernel), &tiny.expected());
        eprintln!("{}, {kernel:?}: largest difference {largest:e}", tiny.name);
    }
}

#[test]
fn cached_decode_equals_full_forward_at_every_position() {
    for (kernel, tiny) in each_kernel() {
        let model = tiny.load_on(kernel);
        for length in [1, 2, 17, model.config().max_position_embeddings] {
            let ids = some_ids(&*model, length);
            let largest = cached_decode_equals_full_forward(tiny.name, &*model, &ids, 1e-4);
            eprintln!("{}, {kernel:?}, {length} tokens: largest difference {largest:e}", tiny.name);
        }
    }
}

#[test]
fn chunked_prefill_equals_the_whole() {
    for (kernel, tiny) in each_kernel() {
        let model = tiny.load_on(kernel);
        chunks_equal_the_whole(tiny.name, &*model, &some_ids(&*model, 64), 1e-4);
    }
}

#[test]
fn what_a_prefill_leaves_open_is_finished_to_the_bits_of_a_whole_pass() {
    for (kernel, tiny) in each_kernel() {
        let model = tiny.load_on(kernel);
        finished_prefill_equals_extend(tiny.name, &*model, &some_ids(&*model, 64));
    }
    for weights in [Precision::F16, Precision::Int8, Precision::Q4] {
        for kv_cache in [CachePrecision::F32, CachePrecision::F16] {
            let tiny = fixtures::tiny("parallel-f16");
            let precision = WeightPrecision::uniform(weights);
            let choice = LoadChoice { precision, kv_cache, ..LoadChoice::exact(Kernel::Fused) };
            let (model, _) = load(tiny.config(), tiny.checkpoint(), choice).unwrap();
            finished_prefill_equals_extend(weights.name(), &*model, &some_ids(&*model, 64));
        }
    }
}

#[test]
fn kernels_agree_at_every_position() {
    for tiny in &TINY {
        let [fused, candle] = KERNELS.map(|kernel| tiny.load_on(kernel));
        let largest = kernels_agree(tiny.name, &*fused, &*candle, &some_ids(&*fused, 64));
        eprintln!("{}: largest difference {largest:e}", tiny.name);
    }
    let [fused, candle] = KERNELS.map(fixtures::load_tales_on);
    let largest = kernels_agree("Tales-2M", &*fused, &*candle, &some_ids(&*fused, 512));
    eprintln!("Tales-2M: largest difference {largest:e}");
}

#[test]
fn a_name_chooses_the_kernel() {
    for kernel in KERNELS {
        assert_eq!(Kernel::parse(kernel.name()).unwrap(), kernel);
    }
    let error = Kernel::parse("torch").unwrap_err().to_string();
    assert!(error.contains("fused or candle"), "{error}");
}

#[test]
fn fused_weights_are_shared_with_the_checkpoint_in_its_own_format() {
    for (name, bytes) in [("parallel-f16", 2), ("bf16", 2), ("relu", 4)] {
        let tiny = fixtures::tiny(name);
        let (model, report) = load(tiny.config(), tiny.checkpoint(), LoadChoice::default()).unwrap();
        let in_file = model.config().parameters() * bytes;
        // Biases and norms are widened.
        assert!((in_file..in_file + in_file / 16).contains(&model.weight_bytes()), "{name}");
        assert!(report.converted.iter().all(|tensor| tensor.to == StoredDtype::F32), "{name}");
        assert!(report.converted.len() < report.tensors, "{name}");
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
    assert_eq!((batch.columns(), batch.padding()), (63, [0..0, 0..62].as_slice()));
    assert!(batch.step(&[1, 2]).is_ok());
    assert!(batch.step(&[1, 2]).unwrap_err().to_string().contains("positions"));
}

#[test]
fn forks_are_independent() {
    for (kernel, tiny) in each_kernel() {
        fork_is_independent(tiny.name, &*tiny.load_on(kernel));
    }
}

#[test]
fn truncated_positions_leave_no_trace() {
    for (kernel, tiny) in each_kernel() {
        truncate_then_extend_equals_never_having_gone_there(tiny.name, &*tiny.load_on(kernel));
    }
}

#[test]
fn ids_that_do_not_fit_are_errors() {
    for (kernel, tiny) in each_kernel() {
        an_error_leaves_the_cache_as_it_was(tiny.name, &*tiny.load_on(kernel));
    }
}

#[test]
fn kv_cache_bytes_count_the_positions() {
    for (kernel, tiny) in each_kernel() {
        kv_bytes_count_the_positions(tiny.name, &*tiny.load_on(kernel));
    }
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
    let fused = load(config.clone(), tiny.checkpoint(), LoadChoice::default()).unwrap().0;
    let (model, _) = GptNeox::load(config, tiny.checkpoint(), Precision::F32).unwrap();
    cached_decode_equals_full_forward("no rotary", &model, &some_ids(&model, 17), 1e-4);
    kernels_agree("no rotary", &*fused, &model, &some_ids(&model, 17));
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

fn rounded(kernel: Kernel, precision: Precision) -> LoadChoice {
    LoadChoice { precision: precision.into(), ..LoadChoice::exact(kernel) }
}

#[test]
fn a_precision_rounds_the_weights() {
    let tiny = fixtures::tiny("relu");
    let ids = [3, 14, 15, 92];
    for kernel in KERNELS {
        let load = |precision| load(tiny.config(), tiny.checkpoint(), rounded(kernel, precision)).unwrap();
        let exact = logits_of_last(&*load(Precision::F32).0, &ids);
        let mut differences = Vec::new();
        for (precision, dtype) in [(Precision::F16, StoredDtype::F16), (Precision::BF16, StoredDtype::BF16)] {
            let (model, report) = load(precision);
            assert_eq!(report.converted.len(), 28);
            assert!(
                report.converted.iter().all(|tensor| (tensor.from, tensor.to) == (StoredDtype::F32, dtype))
            );
            differences.push(assert_close("rounded", &logits_of_last(&*model, &ids), &exact, 1.0));
        }
        assert!(0.0 < differences[0] && differences[0] < differences[1], "{differences:?}");
    }
    // What is stored in F16 is not changed by F16.
    let f16 = fixtures::tiny("parallel-f16");
    for kernel in KERNELS {
        let model = load(f16.config(), f16.checkpoint(), rounded(kernel, Precision::F16)).unwrap().0;
        assert_eq!(logits_of_last(&*f16.load_on(kernel), &ids), logits_of_last(&*model, &ids));
    }
}

#[test]
fn tales_meets_its_reference_values() {
    let (_, report) = fixtures::load_tales();
    assert_eq!(report.dtypes, [StoredDtype::F16]);
    for kernel in KERNELS {
        let model = fixtures::load_tales_on(kernel);
        let largest = tales_reference_values_are_met(&*model, &fixtures::tales_expected());
        eprintln!("Tales-2M, {kernel:?}: largest difference {largest:e}");
    }
}

#[test]
fn tales_meets_its_reference_at_a_full_context() {
    for kernel in KERNELS {
        let model = fixtures::load_tales_on(kernel);
        let largest = tales_full_context_is_met(&*model, &fixtures::tales_expected());
        eprintln!("Tales-2M, {kernel:?}, full context: largest difference {largest:e}");
    }
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
    let known = fixtures::pythia_known_values();
    for kernel in KERNELS {
        let (model, report) = load(config.clone(), checkpoint.clone(), LoadChoice::exact(kernel)).unwrap();
        assert_eq!(report.tensors, known.structure.tensors);
        assert_eq!(model.config().parameters(), known.structure.parameters);
        let largest = pythia_known_values_are_met(&*model, &known);
        eprintln!("Pythia-14M, {kernel:?}: largest difference {largest:e}");
    }
}
