//! Bytes from anywhere end in an error in words: the kept corpus of the fuzz targets, and cases made on purpose.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;

use logit_lab_engine::checkpoint::{Checkpoint, CheckpointBuilder};
use logit_lab_engine::memory::{MemoryBudget, MemoryLimit, MemoryNeed};
use logit_lab_engine::model::{Kernel, LoadChoice};
use logit_lab_engine::tokenizer::Tokenizer;
use logit_lab_engine::{EngineError, model};
use logit_lab_tests::fixtures::{self, WeightFiles};
use logit_lab_tests::hostile::{TARGETS, nested};

logit_lab_tests::hostile_checks!(test);

#[test]
fn the_kept_corpus_of_every_fuzz_target_is_survived() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (name, target) in TARGETS {
        let files = std::fs::read_dir(corpus.join(name)).unwrap();
        let count = files.map(|file| target(&std::fs::read(file.unwrap().path()).unwrap())).count();
        assert!(count >= 4, "{name} has a corpus of {count}");
    }
}

/// The weights of a fixture with one number of one tensor changed.
fn with_number(name: &str, tensor: &str, place: usize, bytes: &[u8]) -> Vec<u8> {
    let WeightFiles::One(file) = fixtures::tiny(name).weights else { panic!("{name} has shards") };
    let mut file = file.to_vec();
    let header_bytes = u64::from_le_bytes(*file.first_chunk().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&file[8..8 + header_bytes]).unwrap();
    let begin = header[tensor]["data_offsets"][0].as_u64().unwrap() as usize;
    let at = 8 + header_bytes + begin + place * bytes.len();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn a_weight_that_is_infinite_or_no_number_is_an_error_that_names_tensor_and_place() {
    let tensor = "gpt_neox.layers.1.mlp.dense_h_to_4h.weight";
    let nan = half::f16::NAN.to_le_bytes();
    let bf16_infinite = half::bf16::NEG_INFINITY.to_le_bytes();
    for (name, bytes, shown) in [
        ("relu", f32::INFINITY.to_le_bytes().as_slice(), "inf at number 7"),
        ("parallel-f16", nan.as_slice(), "NaN at number 7"),
        ("bf16", bf16_infinite.as_slice(), "-inf at number 7"),
    ] {
        let checkpoint = Checkpoint::from_file(with_number(name, tensor, 7, bytes)).unwrap();
        for kernel in [Kernel::Fused, Kernel::Candle] {
            let choice = LoadChoice::exact(kernel);
            let config = fixtures::tiny(name).config();
            let error = model::load(config, checkpoint.clone(), choice).err().unwrap().to_string();
            assert!(error.contains(tensor) && error.contains(shown), "{name}: {error}");
        }
    }
}

#[test]
fn a_number_that_is_none_in_a_tensor_that_no_model_reads_is_no_fault() {
    let name = "gpt_neox.layers.0.attention.masked_bias";
    let file = with_number("legacy-buffers-f16", name, 0, &half::f16::NEG_INFINITY.to_le_bytes());
    let config = fixtures::tiny("legacy-buffers-f16").config();
    assert!(model::load(config, Checkpoint::from_file(file).unwrap(), LoadChoice::default()).is_ok());
}

#[test]
fn tensors_that_do_not_fit_are_refused_by_the_header_alone() {
    let header = r#"{"t":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}}"#;
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    let need = MemoryNeed::of(&fixtures::tiny("relu").config(), LoadChoice::default(), None);
    let budget = MemoryBudget { need, limit: MemoryLimit::WebAssembly };
    let mut builder = CheckpointBuilder::new(None).unwrap().within(budget);
    builder.begin_file("model.safetensors", None).unwrap();
    let error = builder.push(&file).unwrap_err();
    assert!(matches!(error, EngineError::Memory { .. }));
    assert!(error.to_string().contains("4398.0"), "{error}");
}

#[test]
fn headers_and_indexes_of_many_megabytes_are_refused_by_their_length() {
    let mut file = (9_u64 << 20).to_le_bytes().to_vec();
    file.extend([b' '; 100]);
    let error = Checkpoint::from_file(file).unwrap_err().to_string();
    assert!(error.contains("at most 8388608 bytes"), "{error}");
    let error = Checkpoint::from_shards(nested(9 << 20).as_bytes(), Vec::new()).unwrap_err().to_string();
    assert!(error.contains("at most 8388608 bytes"), "{error}");
}

#[test]
fn a_tokenizer_file_that_is_cut_anywhere_is_an_error() {
    let whole = include_bytes!("../../fuzz/corpus/tokenizer/sequence");
    let whole = whole.split(|byte| *byte == 0).next().unwrap();
    assert!(Tokenizer::from_bytes(whole).is_ok());
    for length in 0..whole.len() {
        let error = Tokenizer::from_bytes(&whole[..length]).unwrap_err().to_string();
        assert!(error.starts_with("tokenizer, tokenizer.json: expected "), "{length}: {error}");
    }
    // The library would panic on each of these.
    for decoder in ["1e999", r#""\ud800""#, "{\"type\":}", "nul"] {
        let json = format!(r#"{{"version":"1.0","decoder":{decoder},"model":{{}}}}"#);
        assert!(Tokenizer::from_bytes(json.as_bytes()).is_err(), "{decoder}");
    }
}
