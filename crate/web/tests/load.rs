//! What a load refuses, and what is checked after it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use logit_lab_web::protocol::{ErrorCode, SelfTestReference};
use logit_lab_web::shell::LoadOptions;
use serde_json::{Value, json};
use support::{drain, empty_shell, send, tales_shell};

/// The known logits of Tales-2M.
fn reference() -> SelfTestReference {
    let catalogue: Value = serde_json::from_str(include_str!("../../../www/models/catalogue.json")).unwrap();
    serde_json::from_value(catalogue["models"][0]["selfTest"].clone()).unwrap()
}

#[test]
fn a_model_that_does_not_fit_is_refused_before_its_tokenizer_is_read() {
    let json = br#"{"vocab_size":50304,"hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,
        "intermediate_size":3072,"max_position_embeddings":2048}"#;
    let on = |gigabytes: f64| {
        let options = LoadOptions { device_memory: Some(gigabytes), ..LoadOptions::default() };
        empty_shell().begin_load(json, Some(b"no tokenizer"), None, &options).unwrap_err()
    };
    let error = on(0.5);
    assert_eq!(error.code, ErrorCode::Memory);
    assert!(error.message.contains("half of the 537 MB that this device says it has"), "{}", error.message);
    assert_eq!(on(2.0).code, ErrorCode::Tokenizer);
}

#[test]
fn the_card_says_what_was_reckoned() {
    let mut shell = empty_shell();
    support::begin_tales(&mut shell);
    shell.push_weights(support::TALES_WEIGHTS).unwrap();
    shell.finish_file().unwrap();
    let card = shell.finish_load().unwrap();
    let need = card.memory_need.unwrap();
    assert_eq!(need.kv_cache_bytes, 512 * 6 * 2 * 128 * 4);
    assert!(need.weight_bytes >= card.memory.weight_bytes as u64);
    assert_eq!(need.limit_bytes, 1 << 32);
    assert_eq!((card.tokenizer_entries, card.tokenizer_ids_beyond), (Some(4096), 0));
}

#[test]
fn a_self_test_says_whether_every_bit_is_right_and_leaves_the_text_alone() {
    let mut shell = tales_shell();
    let settings = json!({"greedy": true});
    send(
        &mut shell,
        json!({"type": "prepare", "revision": 1, "prompt": {"text": "Once"}, "settings": settings, "seed": 1, "rows": 3}),
    );
    drain(&mut shell);
    let outcome = shell.self_test(&reference()).unwrap();
    assert!(outcome.passed && outcome.tolerance.is_none() && outcome.tokens == 7);
    let mut other = reference();
    other.digest = Some("0".into());
    let outcome = shell.self_test(&other).unwrap();
    assert!(!outcome.passed);
    other.digest = Some("no digest".into());
    assert_eq!(shell.self_test(&other).unwrap_err().code, ErrorCode::Command);
    assert_eq!(empty_shell().self_test(&reference()).unwrap_err().code, ErrorCode::NoModel);
    let limits = json!({"maxNewTokens": 2});
    send(
        &mut shell,
        json!({"type": "start", "runId": 1, "revision": 2, "from": "prompt", "settings": settings, "seed": 1, "rows": 3,
            "limits": limits, "pace": "full"}),
    );
    assert!(drain(&mut shell).iter().any(|event| event["type"] == "stopped"));
}

#[test]
fn a_text_that_cannot_fit_is_refused_without_being_split() {
    let mut shell = tales_shell();
    let text = "a".repeat(1 << 20);
    send(
        &mut shell,
        json!({"type": "prepare", "revision": 1, "prompt": {"text": text}, "settings": {}, "seed": 1, "rows": 3}),
    );
    let events = drain(&mut shell);
    assert_eq!(events.len(), 1, "no tokens came");
    assert_eq!(events[0]["error"]["code"], "context");
    assert!(events[0]["error"]["message"].as_str().unwrap().contains("1048576 bytes of text"));
}
