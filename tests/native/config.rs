//! Every field of config.json that can be wrong is an error that names the field.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use logit_lab_engine::config::{Activation, ModelConfig};
use logit_lab_tests::fixtures::{self, TINY};
use proptest::prelude::*;
use serde_json::{Value, json};

fn base() -> Value {
    json!({
        "vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
        "intermediate_size": 64, "max_position_embeddings": 64,
    })
}

/// The base with these fields on top.
fn with(fields: Value) -> Value {
    let mut config = base();
    config.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    config
}

fn read(config: &Value) -> logit_lab_engine::Result<ModelConfig> {
    ModelConfig::from_json(config.to_string().as_bytes())
}

#[track_caller]
fn assert_error(config: &Value, words: &[&str]) {
    let error = read(config).expect_err(&config.to_string()).to_string();
    for word in words {
        assert!(error.contains(word), "{error:?} lacks {word:?}");
    }
    assert!(error.len() < 400, "{error}");
}

#[test]
fn absent_fields_take_the_defaults_of_gpt_neox() {
    let config = read(&base()).unwrap();
    assert_eq!((config.rotary_pct, config.rotary_emb_base, config.layer_norm_eps), (0.25, 10_000.0, 1e-5));
    assert!(config.use_parallel_residual && config.attention_bias && !config.tie_word_embeddings);
    assert_eq!(config.hidden_act, Activation::Gelu);
    assert_eq!((config.bos_token_id, config.eos_token_id), (None, None));
    assert_eq!((config.head_size(), config.rotary_dimensions()), (8, 2));
}

#[test]
fn pythia_and_the_small_checkpoints_are_read() {
    let pythia = ModelConfig::from_json(fixtures::PYTHIA_CONFIG).unwrap();
    assert_eq!((pythia.head_size(), pythia.rotary_dimensions(), pythia.parameters()), (32, 8, 14_067_712));
    assert_eq!((pythia.eos_token_id, pythia.eos_token_ids.as_slice()), (Some(0), [0].as_slice()));
    for tiny in &TINY {
        tiny.config();
    }
    let odd = fixtures::tiny("wide-odd").config();
    assert_eq!((odd.head_size(), odd.rotary_dimensions()), (20, 10));
}

#[test]
fn old_and_new_names_of_rotary_fields_give_the_same_config() {
    let old = read(&with(json!({"rotary_pct": 0.5, "rotary_emb_base": 500, "rope_scaling": null}))).unwrap();
    let parameters = json!({"rope_theta": 500.0, "partial_rotary_factor": 0.5, "rope_type": "default"});
    assert_eq!(old, read(&with(json!({"rope_parameters": parameters}))).unwrap());
    let both = json!({"rotary_pct": 0.5, "rotary_emb_base": 500, "rope_parameters": parameters});
    assert_eq!(old, read(&with(both)).unwrap());
    assert_eq!(read(&base()).unwrap(), read(&with(json!({"rope_scaling": {"type": "default"}}))).unwrap());
}

#[test]
fn scaled_rotary_embedding_is_refused() {
    for kind in ["linear", "dynamic", "yarn", "llama3"] {
        let scaling = json!({"type": kind, "factor": 2.0});
        assert_error(&with(json!({"rope_scaling": scaling})), &["rope_scaling.type", kind, "not supported"]);
        let parameters = json!({"rope_type": kind});
        assert_error(&with(json!({"rope_parameters": parameters})), &["rope_parameters.rope_type", kind]);
    }
    assert_error(&with(json!({"rope_scaling": {"factor": 2.0}})), &["rope_scaling.factor"]);
    assert_error(&with(json!({"rope_scaling": "linear"})), &["rope_scaling"]);
    assert_error(&with(json!({"rope_parameters": {"rope_theta": "big"}})), &["rope_parameters.rope_theta"]);
}

#[test]
fn activations_are_known_by_all_their_names() {
    for (name, activation) in [
        ("gelu", Activation::Gelu),
        ("gelu_new", Activation::GeluTanh),
        ("gelu_fast", Activation::GeluTanh),
        ("gelu_pytorch_tanh", Activation::GeluTanh),
        ("relu", Activation::Relu),
    ] {
        assert_eq!(read(&with(json!({"hidden_act": name}))).unwrap().hidden_act, activation);
    }
    assert_error(&with(json!({"hidden_act": "silu"})), &["hidden_act", "gelu_new", "relu", "silu"]);
    assert_error(&with(json!({"hidden_act": 3})), &["hidden_act"]);
}

#[test]
fn end_tokens_may_be_a_number_a_list_or_null() {
    let ids = |value: Value| read(&with(json!({"eos_token_id": value}))).unwrap().eos_token_ids;
    assert_eq!(ids(json!(7)), [7]);
    assert_eq!(ids(json!([7, 3])), [7, 3]);
    assert!(ids(Value::Null).is_empty());
    for wrong in [json!(-1), json!("x"), json!([1, "x"]), json!(1.5), json!(4_294_967_296_u64)] {
        assert_error(&with(json!({"eos_token_id": wrong})), &["eos_token_id"]);
        assert_error(&with(json!({"bos_token_id": wrong})), &["bos_token_id"]);
    }
}

#[test]
fn a_size_that_is_absent_or_absurd_names_its_field() {
    for field in base().as_object().unwrap().keys() {
        let mut absent = base();
        absent.as_object_mut().unwrap().remove(field);
        assert_error(&absent, &[field, "found nothing"]);
        for wrong in [
            json!(0),
            json!(-4),
            json!(1.5),
            json!("32"),
            json!(1e300),
            json!(u64::MAX),
            json!([]),
            json!({}),
        ] {
            assert_error(&with(json!({field: wrong})), &[field]);
        }
    }
}

#[test]
fn sizes_that_do_not_fit_one_another_are_errors() {
    assert_error(
        &with(json!({"num_attention_heads": 5})),
        &["hidden_size", "multiple of num_attention_heads (5)"],
    );
    assert_error(&with(json!({"rotary_pct": 0.4})), &["rotary_pct", "3 dimensions"]);
    let huge = json!({"hidden_size": 16384, "num_hidden_layers": 256, "intermediate_size": 131072});
    assert_error(&with(huge), &["hidden_size", "at most 2000000000 parameters"]);
    let long = json!({"hidden_size": 16384, "num_attention_heads": 1, "max_position_embeddings": 131072});
    assert_error(&with(long), &["max_position_embeddings"]);
}

#[test]
fn numbers_and_flags_of_another_kind_name_their_field() {
    for (field, wrong) in [
        ("rotary_pct", json!(1.5)),
        ("rotary_pct", json!(-0.1)),
        ("rotary_emb_base", json!(0)),
        ("layer_norm_eps", json!("small")),
        ("layer_norm_eps", json!(2)),
        ("use_parallel_residual", json!(1)),
        ("tie_word_embeddings", json!("no")),
        ("attention_bias", json!([])),
        ("model_type", json!("llama")),
        ("model_type", json!(3)),
    ] {
        assert_error(&with(json!({field: wrong})), &[field]);
    }
}

#[test]
fn what_is_not_json_is_shown_by_its_beginning() {
    for (bytes, words) in [
        (b"<!DOCTYPE html><html>".as_slice(), "<!DOCTYPE html>"),
        (b"version https://git-lfs.github.com/spec/v1", "version https://git-lfs"),
        (b"", "empty file"),
        (b"[1]", "a list of 1"),
        (b"\xff\xfe{", "starts with"),
    ] {
        let error = ModelConfig::from_json(bytes).unwrap_err().to_string();
        assert!(error.contains("the file") && error.contains(words), "{error}");
    }
    let deep = "[".repeat(500_000);
    assert!(ModelConfig::from_json(deep.as_bytes()).unwrap_err().to_string().contains("[[["));
    let deep = format!("{{\"a\":{}", "[".repeat(500_000));
    assert!(ModelConfig::from_json(deep.as_bytes()).is_err());
    assert!(ModelConfig::from_json(&vec![b' '; 2 << 20]).unwrap_err().to_string().contains("at most"));
}

proptest! {
    #[test]
    fn damaged_configs_never_panic(cut in 0_usize..700, flips in prop::collection::vec((0_usize..700, any::<u8>()), 0..6)) {
        let mut bytes = fixtures::PYTHIA_CONFIG.to_vec();
        for (place, value) in flips {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = value;
            }
        }
        let _ = ModelConfig::from_json(&bytes);
        bytes.truncate(cut);
        let _ = ModelConfig::from_json(&bytes);
    }
}
