//! The known logits that travel with the page are those of a sound engine, and a wrong one does not meet them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::self_test::{self, KnownLogits, SelfTest, digest};
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, Precision};
use logit_lab_tests::fixtures::{TALES_CONFIG, TALES_WEIGHTS, pythia_known_values, tales_expected};
use logit_lab_web::protocol::SelfTestReference;
use serde_json::Value;

/// The entry of the catalogue and its reference.
fn entry(id: &str) -> (Value, SelfTestReference) {
    let catalogue: Value = serde_json::from_str(include_str!("../../www/models/catalogue.json")).unwrap();
    let entry =
        catalogue["models"].as_array().unwrap().iter().find(|entry| entry["id"] == id).unwrap().clone();
    let reference = serde_json::from_value(entry["selfTest"].clone()).unwrap();
    (entry, reference)
}

fn known(reference: &SelfTestReference) -> KnownLogits {
    let digest = reference.digest.as_deref().map(|text| u64::from_str_radix(text, 16).unwrap());
    KnownLogits { ids: reference.ids.clone(), logits: reference.logits.clone(), digest }
}

fn tales(config: &str, choice: LoadChoice) -> (Box<dyn Forward>, SelfTest) {
    let config = ModelConfig::from_json(config.as_bytes()).unwrap();
    let checkpoint = Checkpoint::from_file(TALES_WEIGHTS.to_vec()).unwrap();
    let (model, report) = model::load(config, checkpoint, choice).unwrap();
    let known = known(&entry("tales-2m").1);
    let test = self_test::run(&mut *model.fresh(), &known, self_test::tolerance(choice, &report)).unwrap();
    (model, test)
}

#[test]
fn tales_meets_its_known_logits_bit_by_bit() {
    let config = std::str::from_utf8(TALES_CONFIG).unwrap();
    let (entry, reference) = entry("tales-2m");
    assert_eq!(entry["files"]["model.safetensors"]["sha256"], reference.weights.as_str());
    let (model, test) = tales(config, LoadChoice::default());
    let mut fresh = model.fresh();
    let hidden = fresh.extend(&reference.ids).unwrap();
    let logits = fresh.logits(&hidden[hidden.len() - model.config().hidden_size..]).unwrap();
    let top: Vec<(u32, f32)> = reference.logits.iter().map(|(id, _)| (*id, logits[*id as usize])).collect();
    assert_eq!(
        (digest(&logits), top),
        (known(&reference).digest.unwrap(), reference.logits.clone()),
        "{:016x}",
        digest(&logits)
    );
    assert!(test.passed && test.tolerance.is_none());
    // F16 is what the file holds.
    let f16 = LoadChoice { precision: Precision::F16.into(), ..LoadChoice::default() };
    assert_eq!(tales(config, f16).1, test);
    // The known values are PyTorch's too.
    let case = tales_expected().cases.into_iter().find(|case| case.ids == reference.ids).unwrap();
    for (id, logit) in case.last_logits_top10.iter().take(reference.logits.len()) {
        let ours = reference.logits.iter().find(|row| row.0 as usize == *id).unwrap().1;
        assert!((ours - logit).abs() < 1e-3, "{id}: {ours} against {logit}");
    }
}

#[test]
fn every_other_engine_meets_them_within_its_stated_tolerance() {
    let config = std::str::from_utf8(TALES_CONFIG).unwrap();
    let default = LoadChoice::default();
    let with = |precision: Precision| LoadChoice { precision: precision.into(), ..default };
    for (choice, stated) in [
        (LoadChoice::exact(Kernel::Candle), 0.002),
        (LoadChoice { kv_cache: CachePrecision::F16, ..default }, 0.02),
        (with(Precision::BF16), 0.1),
        (with(Precision::Int8), 0.25),
        (with(Precision::Q4), 2.0),
    ] {
        let (_, test) = tales(config, choice);
        eprintln!("{choice:?}: largest difference {} of {stated}", test.largest_difference);
        assert_eq!(test.tolerance, Some(stated));
        assert!(test.passed, "{test:?}");
    }
}

#[test]
fn wrong_arithmetic_fails_in_every_engine() {
    // Another activation stands for instructions that go wrong.
    let wrong = std::str::from_utf8(TALES_CONFIG).unwrap().replace("gelu", "relu");
    assert!(wrong.contains("relu"));
    for precision in Precision::ALL {
        let choice = LoadChoice { precision: precision.into(), ..LoadChoice::default() };
        let (_, test) = tales(&wrong, choice);
        assert!(!test.passed, "{precision:?}: {test:?}");
    }
}

#[test]
fn the_known_logits_of_pythia_are_the_published_ones() {
    let (entry, reference) = entry("pythia-14m");
    assert_eq!(entry["files"]["model.safetensors"]["sha256"], reference.weights.as_str());
    let published = pythia_known_values().greedy;
    let step = published.iter().find(|step| step.prefix == reference.ids).unwrap();
    for (id, logit) in &reference.logits {
        let wanted =
            if *id as usize == step.choice { step.choice_logit } else { step.other_logits[&id.to_string()] };
        assert!((f64::from(*logit) - wanted).abs() < 1e-5);
    }
    assert!(reference.digest.is_none());
}
