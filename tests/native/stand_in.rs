//! The stand-in has the published checkpoint's structure, and runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use logit_lab_engine::checkpoint::{Checkpoint, StoredDtype};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::Precision;
use logit_lab_tests::fixtures;
use logit_lab_tests::forward::{assert_close, extend_to_logits, logits_of_last, some_ids};
use logit_lab_tests::stand_in::{FILE_BYTES, SHAPES, stand_in};

#[test]
fn stand_in_has_the_published_structure_and_gives_finite_logits() {
    let bytes = stand_in(14);
    let known = fixtures::pythia_known_values().structure;
    assert_eq!(bytes.len(), FILE_BYTES);
    assert_eq!(u64::from_le_bytes(*bytes.first_chunk().unwrap()), known.header_bytes as u64);
    let config = ModelConfig::from_json(fixtures::PYTHIA_CONFIG).unwrap();
    assert_eq!(config.parameters(), known.parameters);
    let checkpoint = Checkpoint::from_file(bytes).unwrap();
    let (model, report) = GptNeox::load(config, checkpoint, Precision::F32).unwrap();
    assert_eq!((report.bytes, report.tensors, report.ignored.len()), (FILE_BYTES, known.tensors, 0));
    assert_eq!(report.dtypes, [StoredDtype::F16]);
    let logits = logits_of_last(&model, &[510, 5798, 2206]);
    assert_eq!(logits.len(), model.config().vocab_size);
    let mean = logits.iter().sum::<f32>() / logits.len() as f32;
    let variance = logits.iter().map(|logit| (logit - mean).powi(2)).sum::<f32>() / logits.len() as f32;
    eprintln!("stand-in: mean {mean}, standard deviation {}", variance.sqrt());
    assert!(logits.iter().all(|logit| logit.is_finite()));
    assert!((1.0..10.0).contains(&variance.sqrt()));

    // Long enough to be run in pieces of 512 without being asked.
    let ids = some_ids(&model, 600);
    let whole = logits_of_last(&model, &ids);
    let fused = fixtures::load_stand_in_on(Kernel::Fused);
    let largest = assert_close("stand-in, fused", &logits_of_last(&*fused, &ids), &whole, 1e-4);
    eprintln!("stand-in, 600 tokens: largest difference of the kernels {largest:e}");
    let mut halves = model.fresh();
    halves.extend(&ids[..300]).unwrap();
    let largest = assert_close("two halves", &extend_to_logits(&mut *halves, &ids[300..]), &whole, 2e-4);
    eprintln!("stand-in, 600 tokens in halves: largest difference {largest:e}");
}

#[test]
fn a_seed_gives_the_same_bytes() {
    let bytes = stand_in(1);
    assert!(bytes == stand_in(1));
    assert!(bytes != stand_in(2));
}

#[test]
fn the_other_shapes_have_the_published_numbers_of_parameters() {
    let parameters = SHAPES.map(|shape| {
        let config = ModelConfig::from_json(shape.config_json().as_bytes()).unwrap();
        (shape.name, config.parameters())
    });
    let published = [
        ("pythia-14m", 14_067_712),
        ("pythia-31m", 30_494_720),
        ("pythia-70m", 70_426_624),
        ("pythia-160m", 162_322_944),
    ];
    assert_eq!(parameters, published);
}

#[test]
fn a_larger_shape_in_parts_is_the_model_that_it_is_whole() {
    let shape = SHAPES[1];
    let config = ModelConfig::from_json(shape.config_json().as_bytes()).unwrap();
    let (index, shards) = shape.shards(14, 2);
    let parts = Checkpoint::from_shards(index.as_bytes(), shards).unwrap();
    let whole = Checkpoint::from_file(shape.file(14)).unwrap();
    let logits = [parts, whole].map(|checkpoint| {
        let (model, report) = model::load(config.clone(), checkpoint, LoadChoice::default()).unwrap();
        assert_eq!((report.tensors, report.ignored.len()), (76, 0));
        logits_of_last(&*model, &[510, 5798, 2206])
    });
    assert!(logits[0] == logits[1] && logits[0].iter().all(|logit| logit.is_finite()));
}
