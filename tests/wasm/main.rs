//! The engine's checks in Chromium: the functions that the native run calls, compiled as the page's engine is.
#![cfg(target_arch = "wasm32")]
#![allow(missing_docs)]

use logit_lab_engine::model::Kernel;
use logit_lab_tests::fixtures::{self, KERNELS, TINY};
use logit_lab_tests::forward;
// Brings the features with which the engine's dependencies find the browser's random source.
use logit_lab_web as _;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

logit_lab_tests::batch_checks!(wasm_bindgen_test);
logit_lab_tests::branch_checks!(wasm_bindgen_test);
logit_lab_tests::cache_check_checks!(wasm_bindgen_test);
logit_lab_tests::half_precision_checks!(wasm_bindgen_test);
logit_lab_tests::hostile_checks!(wasm_bindgen_test);
logit_lab_tests::number_formats_checks!(wasm_bindgen_test);
logit_lab_tests::precision_report_checks!(wasm_bindgen_test);
logit_lab_tests::precision_table_checks!(wasm_bindgen_test);
logit_lab_tests::quantised_checks!(wasm_bindgen_test);
logit_lab_tests::replay_checks!(wasm_bindgen_test);
logit_lab_tests::runs_checks!(wasm_bindgen_test);
logit_lab_tests::sampling_checks!(wasm_bindgen_test);
logit_lab_tests::search_checks!(wasm_bindgen_test);
logit_lab_tests::session_checks!(wasm_bindgen_test);
logit_lab_tests::stages_checks!(wasm_bindgen_test);
logit_lab_tests::storage_checks!(wasm_bindgen_test);
logit_lab_tests::text_scores_checks!(wasm_bindgen_test);
logit_lab_tests::timing_checks!(wasm_bindgen_test);
logit_lab_tests::tokenizer_checks!(wasm_bindgen_test);
// Relaxed instructions promise no equal bits: a multiply-add may round once or twice, and of two zeros with different signs
// either may be the maximum (a build with such instructions uses them for every maximum, the portable twin's too).
#[cfg(not(feature = "relaxed-simd"))]
logit_lab_tests::digest_checks!(wasm_bindgen_test);
#[cfg(not(feature = "relaxed-simd"))]
logit_lab_tests::kernel_checks!(wasm_bindgen_test);
#[cfg(not(feature = "relaxed-simd"))]
logit_lab_tests::sampler_kernel_checks!(wasm_bindgen_test);
#[cfg(feature = "relaxed-simd")]
logit_lab_tests::relaxed_checks!(wasm_bindgen_test);

#[wasm_bindgen_test]
fn tiny_checkpoints_meet_their_reference_values() {
    for (kernel, tiny) in each_kernel() {
        forward::reference_values_are_met(tiny.name, &*tiny.load_on(kernel), &tiny.expected());
    }
}

#[wasm_bindgen_test]
fn cached_decode_equals_full_forward_at_every_position() {
    for (kernel, tiny) in each_kernel() {
        let model = tiny.load_on(kernel);
        for length in [1, 2, 17, model.config().max_position_embeddings] {
            let ids = forward::some_ids(&*model, length);
            forward::cached_decode_equals_full_forward(tiny.name, &*model, &ids, 1e-4);
        }
    }
}

#[wasm_bindgen_test]
fn kernels_agree_at_every_position() {
    for tiny in &TINY {
        let [fused, candle] = KERNELS.map(|kernel| tiny.load_on(kernel));
        forward::kernels_agree(tiny.name, &*fused, &*candle, &forward::some_ids(&*fused, 64));
    }
}

#[wasm_bindgen_test]
fn left_padded_batches_equal_each_row_alone() {
    for tiny in &TINY {
        forward::left_padded_batch_equals_each_row_alone(tiny, &tiny.load().0);
    }
}

#[wasm_bindgen_test]
fn tales_meets_its_reference_values() {
    for kernel in KERNELS {
        let (model, expected) = (fixtures::load_tales_on(kernel), fixtures::tales_expected());
        forward::tales_reference_values_are_met(&*model, &expected);
        forward::tales_full_context_is_met(&*model, &expected);
    }
}

/// Every small checkpoint on every kernel.
fn each_kernel() -> impl Iterator<Item = (Kernel, &'static fixtures::Tiny)> {
    KERNELS.into_iter().flat_map(|kernel| TINY.iter().map(move |tiny| (kernel, tiny)))
}
