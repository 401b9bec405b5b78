//! Weight files that are broken in every way the format allows: each is an error that names what is at fault.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use logit_lab_engine::checkpoint::{Checkpoint, StoredDtype};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::Forward;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::precision::Precision;
use logit_lab_tests::fixtures::{self, Tiny, WeightFiles};
use proptest::prelude::*;

/// A file of this header and that many bytes of data.
fn file(header: &str, data_bytes: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.resize(bytes.len() + data_bytes, 0);
    bytes
}

fn entry(name: &str, dtype: &str, shape: &str, begin: u64, end: u64) -> String {
    format!(r#""{name}":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{begin},{end}]}}"#)
}

#[track_caller]
fn assert_words(error: &logit_lab_engine::EngineError, words: &[&str]) {
    let error = error.to_string();
    for word in words {
        assert!(error.contains(word), "{error:?} lacks {word:?}");
    }
    assert!(error.len() < 600, "{error}");
}

#[track_caller]
fn assert_fault(bytes: Vec<u8>, words: &[&str]) {
    assert_words(&Checkpoint::from_file(bytes).unwrap_err(), words);
}

#[track_caller]
fn assert_header_fault(entries: &[String], data_bytes: usize, words: &[&str]) {
    assert_fault(file(&format!("{{{}}}", entries.join(",")), data_bytes), words);
}

fn one_file(tiny: &Tiny) -> Vec<u8> {
    match &tiny.weights {
        WeightFiles::One(bytes) => bytes.to_vec(),
        WeightFiles::Shards { .. } => panic!("{} has shards", tiny.name),
    }
}

#[test]
fn a_file_of_another_kind_is_shown_by_its_beginning() {
    assert_fault(Vec::new(), &["model.safetensors", "0 bytes"]);
    assert_fault(b"PK\x03".to_vec(), &["3 bytes"]);
    assert_fault(b"<!DOCTYPE html><html></html>".to_vec(), &["at most 8388608 bytes", "<!DOCTYPE html>"]);
    assert_fault(b"version https://git-lfs.github.com/spec/v1".to_vec(), &["version https://git-lfs"]);
    assert_fault(file("not json", 0), &["a JSON object", "not json"]);
    assert_fault(file("[1]", 0), &["a JSON object"]);
    assert_fault(file(&"[".repeat(100_000), 0), &["a JSON object"]);
    assert_fault(file(&format!("{{\"a\":{}", "[".repeat(100_000)), 0), &["a JSON object"]);
}

#[test]
fn a_header_length_beyond_the_file_is_an_error() {
    let mut bytes = 8_000_000_u64.to_le_bytes().to_vec();
    bytes.extend(b"{}");
    assert_fault(bytes, &["a header of 8000000 bytes", "2 bytes after it", "truncated"]);
}

#[test]
fn a_truncated_file_names_the_first_tensor_that_is_not_whole() {
    let mut bytes = one_file(fixtures::tiny("relu"));
    let whole = bytes.len();
    bytes.truncate(whole - 10);
    assert_fault(
        bytes,
        &[&format!("a file of {whole} bytes"), &format!("a file of {} bytes", whole - 10), "truncated"],
    );
}

#[test]
fn each_fault_of_a_header_names_the_tensor() {
    let good = entry("good", "F32", "[2]", 0, 8);
    assert_header_fault(
        &[entry("t", "F32", "[2]", 0, 16)],
        16,
        &["t:", "8 bytes for shape [2] of F32", "16 bytes"],
    );
    assert_header_fault(&[entry("t", "F7", "[2]", 0, 8)], 8, &["t:", "BF16", "F7"]);
    assert_header_fault(&[good.clone(), good.clone()], 8, &["good:", "two in the header"]);
    let huge = "[4294967296,4294967296,4]";
    assert_header_fault(&[entry("t", "F32", huge, 0, 8)], 8, &["t:", "can be counted", "4294967296"]);
    assert_header_fault(&[entry("t", "F32", "[2]", 8, 0)], 8, &["t:", "data_offsets", "[8, 0]"]);
    assert_header_fault(&[good.clone(), entry("t", "F32", "[2]", 8, 16)], 8, &["t:", "out of bounds"]);
    assert_header_fault(&[good.clone(), entry("t", "F32", "[2]", 4, 12)], 12, &["t:", "overlaps"]);
    assert_header_fault(&[good.clone(), entry("t", "F32", "[2]", 12, 20)], 20, &["t:", "a hole of 4 bytes"]);
    assert_header_fault(&[entry("t", "F32", "[2]", 4, 12)], 12, &["t:", "a hole of 4 bytes"]);
    assert_header_fault(std::slice::from_ref(&good), 11, &["model.safetensors:", "3 bytes more"]);
    for shape in ["-1", "[-1]", "[1.5]", "null", "\"x\"", "[\"x\"]"] {
        assert_header_fault(&[entry("t", "F32", shape, 0, 8)], 8, &["t:", "a shape"]);
    }
    for broken in [r#""t":3"#, r#""t":{}"#, r#""t":{"dtype":"F32","shape":[2]}"#, r#""t":null"#] {
        assert_header_fault(&[broken.to_owned()], 8, &["t:"]);
    }
    let end = u64::MAX / 8 * 4;
    let long = entry("t", "F32", &format!("[{}]", end / 4), 0, end);
    assert_header_fault(&[long], 8, &["t:", "out of bounds"]);
    let axes = format!("[{}1]", "1,".repeat(10_000));
    assert_header_fault(&[entry("t", "F32", &axes, 0, 8)], 8, &["t:", "axes more"]);
    let name = "n".repeat(100_000);
    assert_header_fault(&[entry(&name, "F32", "[2]", 0, 4)], 8, &["nnn"]);
}

#[test]
fn a_sound_file_may_have_metadata_empty_tensors_and_scalars() {
    let entries = [
        r#""__metadata__":{"format":"pt"}"#.to_owned(),
        entry("scalar", "F16", "[]", 0, 2),
        entry("empty", "F32", "[0,5]", 2, 2),
        entry("mask", "BOOL", "[3]", 2, 5),
    ];
    let checkpoint = Checkpoint::from_file(file(&format!("{{{}}}   ", entries.join(",")), 5)).unwrap();
    let found: Vec<_> = checkpoint.tensors().map(|(name, info)| (name, info.dtype, info.bytes())).collect();
    let expected =
        [("empty", StoredDtype::F32, 0), ("mask", StoredDtype::BOOL, 3), ("scalar", StoredDtype::F16, 2)];
    assert_eq!(found, expected);
    let mut reader = checkpoint.reader(Precision::F32);
    assert_words(&reader.f32("mask", &[3]).unwrap_err(), &["mask", "F16, BF16, F32 or F64", "BOOL"]);
    assert_eq!(reader.f32("scalar", &[]).unwrap(), [0.0]);
    assert!(Checkpoint::from_file(file("{}", 0)).is_ok());
}

#[test]
fn every_float_format_is_decoded() {
    let mut data = 1.5_f64.to_le_bytes().to_vec();
    data.extend((-2.25_f32).to_le_bytes());
    data.extend(0x3e00_u16.to_le_bytes()); // 1.5 in F16
    data.extend(0x3fc0_u16.to_le_bytes()); // 1.5 in BF16
    let entries = [
        entry("d", "F64", "[1]", 0, 8),
        entry("s", "F32", "[1]", 8, 12),
        entry("h", "F16", "[1]", 12, 14),
        entry("b", "BF16", "[1]", 14, 16),
    ];
    let mut bytes = file(&format!("{{{}}}", entries.join(",")), 0);
    bytes.extend(data);
    let checkpoint = Checkpoint::from_file(bytes).unwrap();
    let mut reader = checkpoint.reader(Precision::F32);
    for (name, value) in [("d", 1.5), ("s", -2.25), ("h", 1.5), ("b", 1.5)] {
        assert_eq!(reader.f32(name, &[1]).unwrap(), [value]);
    }
    let report = reader.report();
    assert_eq!(report.dtypes, [StoredDtype::F64, StoredDtype::F32, StoredDtype::F16, StoredDtype::BF16]);
    let converted: Vec<_> = report.converted.iter().map(|tensor| tensor.name.as_str()).collect();
    assert_eq!(converted, ["d", "h", "b"]);
}

#[test]
fn a_weight_that_f16_cannot_hold_is_an_error() {
    let mut bytes = file(&format!("{{{}}}", entry("t", "F32", "[1]", 0, 4)), 0);
    bytes.extend(1e6_f32.to_le_bytes());
    let checkpoint = Checkpoint::from_file(bytes).unwrap();
    assert_words(&checkpoint.reader(Precision::F16).f32("t", &[1]).unwrap_err(), &["t:", "65504"]);
    assert!(checkpoint.reader(Precision::BF16).f32("t", &[1]).is_ok());
}

#[test]
fn a_missing_or_misshapen_tensor_is_named_with_its_shapes() {
    let tiny = fixtures::tiny("relu");
    let load = |json: String, bytes: Vec<u8>| {
        let config = ModelConfig::from_json(json.as_bytes()).unwrap();
        GptNeox::load(config, Checkpoint::from_file(bytes).unwrap(), Precision::F32).err().unwrap()
    };
    let json = String::from_utf8(tiny.config.to_vec()).unwrap();
    let longer = json.replace("\"num_hidden_layers\":2", "\"num_hidden_layers\":3");
    let first_missing = "gpt_neox.layers.2.input_layernorm.weight";
    assert_words(&load(longer, one_file(tiny)), &[first_missing, "shape [32]", "none of that name among 28"]);
    let wider = json.replace("\"intermediate_size\":64", "\"intermediate_size\":65");
    let misshapen = "gpt_neox.layers.0.mlp.dense_h_to_4h.weight";
    assert_words(
        &load(wider, one_file(tiny)),
        &[misshapen, "expected shape [65, 32]", "found shape [64, 32]"],
    );
    let headless = one_file(fixtures::tiny("tied-embeddings"));
    assert_words(&load(json, headless), &["embed_out.weight", "[96, 32]"]);
}

#[test]
fn faults_of_shards_name_tensor_and_file() {
    let WeightFiles::Shards { index, shards } = &fixtures::tiny("sharded").weights else { panic!("shards") };
    let owned =
        || -> Vec<_> { shards.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect() };
    let fault = |index: &str, shards: Vec<(String, Vec<u8>)>| {
        Checkpoint::from_shards(index.as_bytes(), shards).unwrap_err()
    };
    let index = std::str::from_utf8(index).unwrap();
    let [first, second] = [shards[0].0, shards[1].0];

    assert_words(&fault(index, owned()[..1].to_vec()), &[second, "no file of that name"]);
    let mut extra = owned();
    extra.push(("other.safetensors".to_owned(), shards[0].1.to_vec()));
    assert_words(&fault(index, extra), &["other.safetensors", "does not name"]);
    let mut twice = owned();
    twice.push(twice[0].clone());
    assert_words(&fault(index, twice), &[first, "two files of that name"]);
    let mut same = owned();
    same[1].1 = same[0].1.clone();
    assert_words(&fault(index, same), &["in two", second]);

    let lacking =
        index.replacen("\"weight_map\":{", &format!("\"weight_map\":{{\"lacking\":\"{first}\","), 1);
    assert_words(&fault(&lacking, owned()), &["lacking", first, "in no shard"]);
    let moved = index.replacen(
        &format!("\"embed_out.weight\":\"{first}\""),
        &format!("\"embed_out.weight\":\"{second}\""),
        1,
    );
    assert_words(
        &fault(&moved, owned()),
        &["embed_out.weight", &format!("in {second}"), &format!("in {first}")],
    );
    let doubled = format!(r#"{{"weight_map":{{"a":"{first}","a":"{second}"}}}}"#);
    assert_words(&fault(&doubled, owned()), &["a:", "twice"]);
    for (json, words) in [
        ("<html>", "<html>"),
        ("{}", "weight_map"),
        (r#"{"weight_map":{}}"#, "an empty one"),
        (r#"{"weight_map":{"a":3}}"#, "a:"),
        (r#"{"weight_map":[]}"#, "weight_map"),
    ] {
        assert_words(&fault(json, owned()), &[words]);
    }
    let mut cut = owned();
    let length = cut[1].1.len();
    cut[1].1.truncate(length - 1);
    assert_words(&fault(index, cut), &["truncated"]);
}

#[test]
fn a_clone_shares_the_bytes_and_can_be_loaded_again() {
    let tiny = fixtures::tiny("relu");
    let checkpoint = tiny.checkpoint();
    for precision in [Precision::F32, Precision::F16] {
        assert!(GptNeox::load(tiny.config(), checkpoint.clone(), precision).is_ok());
    }
}

/// Loads and runs what can be loaded; whatever happens, it must not panic.
fn try_to_run(bytes: Vec<u8>) {
    let tiny = fixtures::tiny("legacy-buffers-f16");
    let Ok(checkpoint) = Checkpoint::from_file(bytes) else {
        return;
    };
    let Ok((mut model, _)) = GptNeox::load(tiny.config(), checkpoint, Precision::F32) else {
        return;
    };
    if let Ok(hidden) = model.extend(&[1, 2, 3]) {
        let _ = model.logits(&hidden);
    }
}

proptest! {
    #[test]
    fn truncated_checkpoints_never_panic(share in 0.0_f64..1.0) {
        let mut bytes = one_file(fixtures::tiny("legacy-buffers-f16"));
        bytes.truncate((bytes.len() as f64 * share) as usize);
        try_to_run(bytes);
    }

    // Most flips in the header, where they matter.
    #[test]
    fn damaged_checkpoints_never_panic(
        flips in prop::collection::vec((prop_oneof![0_usize..8, 8_usize..4_000, 0_usize..60_000], any::<u8>()), 1..6)
    ) {
        let mut bytes = one_file(fixtures::tiny("legacy-buffers-f16"));
        for (place, value) in flips {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = value;
            }
        }
        try_to_run(bytes);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), header in ".{0,100}") {
        try_to_run(bytes);
        try_to_run(file(&header, 5));
    }
}
