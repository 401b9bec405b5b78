//! The shell as the page sees it: commands in JSON, events out, natively and with a clock that the test turns.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use logit_lab_web::protocol::{ModelCard, WireError};
use logit_lab_web::shell::{LoadOptions, Shell};
use serde_json::{Value, json};

use support::*;

#[test]
fn a_prompt_is_tokenized_prefilled_and_previewed() {
    let mut shell = tales_shell();
    let events = answers(&mut shell, prepare("Once upon a time"));
    assert_eq!(types(&events), ["tokenized", "prefilled", "previewed"]);
    assert_eq!(events[0]["tokens"]["ids"], json!([47, 1840, 937, 259, 558]));
    assert_eq!(events[0]["tokens"]["text"][4], "·time");
    assert_eq!((&events[1]["tokens"], &events[1]["reusedTokens"]), (&json!(5), &json!(0)));
    assert_eq!(events[2]["distribution"]["contextTokens"], 5);
    assert_eq!(events[2]["distribution"]["tokens"]["ids"][0], 12);
}

#[test]
fn rows_and_rest_together_are_the_whole_vocabulary() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("Once upon a time"));
    let chain = json!([{"kind": "temperature", "value": 0.8}, {"kind": "topK", "value": 40}, {"kind": "topP", "value": 0.9}]);
    let mut draws = Vec::new();
    for rows in [1, 10, 50, 4096, 100_000] {
        let events = answers(
            &mut shell,
            json!({"type": "configure", "revision": rows, "settings": {"chain": chain}, "seed": 42, "rows": rows}),
        );
        let shown = &only(&events, "previewed")["distribution"];
        let rest = &shown["rest"];
        for (column, other) in [("probabilities", "probability"), ("baseProbabilities", "baseProbability")] {
            let total = sum(&shown[column]) + rest[other].as_f64().unwrap();
            assert!((total - 1.0).abs() < 1e-9, "{column} with {rows} rows: {total}");
        }
        let row_count = shown["tokens"]["ids"].as_array().unwrap().len();
        assert_eq!(row_count as u64 + rest["count"].as_u64().unwrap(), 4096);
        let kept_rows = shown["cutBy"].as_array().unwrap().iter().filter(|&code| *code == 0).count() as u64;
        assert_eq!(kept_rows + rest["kept"].as_u64().unwrap(), shown["kept"].as_u64().unwrap());
        draws.push(shown["draw"].clone());
    }
    assert!(draws.windows(2).all(|pair| pair[0] == pair[1]), "a display limit changed the draw: {draws:?}");
}

#[test]
fn detokenize_undoes_tokenize_and_names_every_token() {
    let mut shell = tales_shell();
    let ask = |shell: &mut Shell, call: Value| {
        let events = answers(shell, json!({"type": "call", "runId": 9, "call": call}));
        only(&events, "answered")["answer"].clone()
    };
    let text = "Once upon a time,\nthere was — 7 ships";
    let ids = ask(&mut shell, json!({"method": "tokenize", "text": text}))["tokens"]["ids"].clone();
    let back = ask(&mut shell, json!({"method": "detokenize", "ids": ids}));
    assert_eq!((&back["text"], &back["tokens"]["ids"]), (&json!(text), &ids));
    let beyond = ask(&mut shell, json!({"method": "detokenize", "ids": [47, 1_000_000]}));
    assert_eq!(beyond["tokens"]["ids"].as_array().unwrap().len(), 2);
}

#[test]
fn a_run_ends_in_exactly_one_stopped() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    let events = answers(&mut shell, start(7, "prompt", 20, "full"));
    assert_eq!(step_ids(&events).len(), 20);
    let stopped = only(&events, "stopped");
    assert_eq!((&stopped["runId"], &stopped["reason"]), (&json!(7), &json!("maxNewTokens")));
    assert_eq!(stopped["summary"]["forwardCalls"], 20);
    assert_eq!(stopped["summary"]["canContinue"], true);
    assert_eq!(events.last().unwrap()["type"], "stopped");

    let more = answers(&mut shell, start(8, "end", 5, "full"));
    assert_eq!(only(&more, "stopped")["summary"]["newTokens"], 25);
    let again = answers(&mut shell, start(9, "prompt", 25, "full"));
    assert_eq!(
        step_ids(&again),
        [step_ids(&events), step_ids(&more)].concat(),
        "25 at once are 20 and then 5"
    );
}

#[test]
fn a_stop_gets_in_between_slices_and_the_text_can_go_on() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    send(&mut shell, start(1, "prompt", 400, "full"));
    let mut events = slice(&mut shell);
    assert!(shell.busy());
    send(&mut shell, json!({"type": "stop", "runId": 99}));
    events.extend(slice(&mut shell));
    assert!(shell.busy(), "the stop of another run stops nothing");
    send(&mut shell, json!({"type": "stop", "runId": 1}));
    events.extend(drain(&mut shell));
    let stopped = only(&events, "stopped");
    assert_eq!((&stopped["reason"], &stopped["summary"]["canContinue"]), (&json!("user"), &json!(true)));
    assert_eq!(stopped["summary"]["newTokens"].as_u64().unwrap() as usize, step_ids(&events).len());
}

#[test]
fn a_stepped_run_waits_for_each_advance() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    let whole = step_ids(&answers(&mut shell, start(1, "prompt", 4, "full")));
    let mut ids = step_ids(&answers(&mut shell, start(2, "prompt", 4, "stepped")));
    assert_eq!(ids.len(), 1);
    ids.extend(step_ids(&answers(&mut shell, json!({"type": "advance", "runId": 2}))));
    assert_eq!(ids.len(), 2);
    let rest = answers(&mut shell, json!({"type": "setPace", "runId": 2, "pace": "full"}));
    ids.extend(step_ids(&rest));
    assert_eq!(ids, whole);
    only(&rest, "stopped");
}

#[test]
fn new_settings_govern_the_next_token_of_a_run() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    answers(&mut shell, start(1, "prompt", 3, "stepped"));
    let greedy =
        json!({"type": "configure", "revision": 5, "settings": {"greedy": true}, "seed": 42, "rows": 10});
    only(&answers(&mut shell, greedy), "previewed");
    let events = answers(&mut shell, json!({"type": "advance", "runId": 1}));
    let stepped = only(&events, "stepped");
    assert_eq!(stepped["revision"], 5);
    assert_eq!((&stepped["steps"][0]["rank"], &stepped["steps"][0]["probability"]), (&json!(0), &json!(1.0)));
    assert_eq!(stepped["distribution"]["pickedId"], stepped["steps"][0]["id"]);
}

#[test]
fn a_new_prompt_ends_the_run_under_way() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    send(&mut shell, start(1, "prompt", 400, "full"));
    let mut events = slice(&mut shell);
    events.extend(answers(&mut shell, prepare("The ship turned")));
    assert_eq!(only(&events, "stopped")["reason"], "user");
    assert_eq!(events.last().unwrap()["type"], "previewed");
}

#[test]
fn a_prompt_that_cannot_be_read_is_an_error_and_starts_no_run() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    let events = answers(&mut shell, prepare(&"ship ".repeat(600)));
    let failed = only(&events, "failed");
    assert_eq!((&failed["error"]["code"], &failed["revision"]), (&json!("context"), &json!(1)));
    let refused = answers(&mut shell, start(3, "prompt", 5, "full"));
    assert_eq!((types(&refused), &refused[0]["runId"]), (vec!["failed"], &json!(3)));
    let events = answers(&mut shell, prepare("The ship"));
    assert_eq!(events.last().unwrap()["type"], "previewed", "and the next prompt works");
}

#[test]
fn settings_outside_their_range_are_an_error() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    for (settings, name) in [
        (json!({"chain": [{"kind": "temperature", "value": 0}]}), "temperature"),
        (json!({"chain": [{"kind": "topK", "value": 2.5}]}), "top_k"),
        (json!({"chain": [{"kind": "topP", "value": 1.5}]}), "top_p"),
        (json!({"noRepeatNgram": -1}), "no_repeat_ngram"),
    ] {
        let events = answers(
            &mut shell,
            json!({"type": "configure", "revision": 9, "settings": settings, "seed": 1, "rows": 5}),
        );
        let failed = only(&events, "failed");
        assert_eq!(
            (&failed["error"]["code"], &failed["error"]["details"]["subject"]),
            (&json!("settings"), &json!(name))
        );
    }
}

#[test]
fn clearing_the_text_shows_the_prompts_own_bars_again() {
    let mut shell = tales_shell();
    let before = answers(&mut shell, prepare("The ship"));
    answers(&mut shell, start(1, "prompt", 6, "full"));
    let events = answers(
        &mut shell,
        json!({"type": "clearText", "revision": 1, "settings": {}, "seed": 42, "rows": 20}),
    );
    assert_eq!(only(&events, "previewed"), only(&before, "previewed"));
}

#[test]
fn a_prompt_token_shows_the_prediction_after_it() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("Once upon a time"));
    let events = answers(
        &mut shell,
        json!({"type": "inspect", "revision": 1, "position": 1, "settings": {}, "rows": 5}),
    );
    let inspected = only(&events, "inspected");
    assert_eq!(inspected["nextId"], 937);
    assert!(inspected["distribution"]["tokens"]["ids"].as_array().unwrap().contains(&json!(937)));
    assert_eq!(inspected["shapes"][0]["dimensions"], json!([2]));
    assert_eq!(inspected["shapes"].as_array().unwrap().last().unwrap()["dimensions"], json!([4096]));
    let beyond = answers(
        &mut shell,
        json!({"type": "inspect", "revision": 1, "position": 4_000_000_000u32, "settings": {}, "rows": 5}),
    );
    assert_eq!(only(&beyond, "failed")["error"]["code"], "context");
}

#[test]
fn console_calls_work_and_queue() {
    let mut shell = tales_shell();
    send(&mut shell, call(1, json!({"method": "tokenize", "text": "In the beginning"})));
    send(&mut shell, call(2, json!({"method": "logits", "ids": [1273, 262, 2438], "positions": "all"})));
    send(
        &mut shell,
        call(3, json!({"method": "logits", "ids": [1273, 262, 2438], "positions": "all", "cache": false})),
    );
    let generate = json!({"method": "generate", "prompt": {"text": "In the beginning"}, "seed": 1,
        "settings": {"greedy": true}, "limits": {"maxNewTokens": 6}});
    send(&mut shell, call(4, generate));
    let events = drain(&mut shell);
    let answered: Vec<_> = events.iter().filter(|event| event["type"] == "answered").collect();
    assert_eq!(
        answered.iter().map(|event| event["runId"].as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert_eq!(answered[0]["answer"]["tokens"]["ids"], json!([1273, 262, 2438]));
    let rows = |event: &Value| -> Vec<f64> {
        event["answer"]["logits"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    let (cached, uncached) = (rows(answered[1]), rows(answered[2]));
    assert_eq!(cached.len(), 3 * 4096);
    assert!(cached.iter().zip(&uncached).all(|(one, other)| (one - other).abs() < 1e-4));
    let result = &answered[3]["answer"]["result"];
    assert_eq!(result["newIds"], json!([284, 262, 913, 14, 199, 2]));
    assert_eq!((&result["text"], &result["forwardCalls"]), (&json!(" of the night.\n\""), &json!(6)));
    assert_eq!(result["timingsMs"]["decodeSteps"].as_array().unwrap().len(), 5);
    assert_eq!(types(&events).iter().filter(|kind| **kind == "callStepped").count(), 6);
}

#[test]
fn without_a_model_only_sampling_answers() {
    let mut shell = empty_shell();
    let failed = answers(&mut shell, prepare("x"));
    assert_eq!(only(&failed, "failed")["error"]["code"], "noModel");
    let four = json!([8f32.ln(), 4f32.ln(), 2f32.ln(), 0.0]);
    let chain = json!([{"kind": "topP", "value": 0.8}]);
    let events = answers(
        &mut shell,
        json!({"type": "call", "runId": 1, "call":
            {"method": "sampleStep", "logits": four, "settings": {"chain": chain}, "uniform": 0.7}}),
    );
    let step = &only(&events, "answered")["answer"]["step"];
    assert_eq!(step["cuts"], json!([{"kind": "topP", "value": 0.8, "keptBefore": 4, "keptAfter": 2}]));
    let probability = step["probabilities"][0].as_f64().unwrap();
    assert!((probability - 2.0 / 3.0).abs() < 1e-6, "{probability}");
    assert_eq!((&step["draw"]["id"], &step["probabilities"][3]), (&json!(1), &json!(0.0)));
}

#[test]
fn a_load_that_fails_or_is_abandoned_leaves_the_model_before_it() {
    let mut shell = tales_shell();
    let answers_still = |shell: &mut Shell| {
        let tokenize = json!({"method": "tokenize", "text": "In the beginning"});
        let events = answers(shell, json!({"type": "call", "runId": 1, "call": tokenize}));
        assert_eq!(only(&events, "answered")["answer"]["tokens"]["ids"], json!([1273, 262, 2438]));
    };

    // Bytes that are no weights: their digest is told all the same, and the fault at the end.
    begin_tales(&mut shell);
    assert!(!shell.push_weights(b"<!DOCTYPE html><title>No model here</title><p>Nothing.").unwrap());
    assert!(!shell.push_weights(b"And more.").unwrap());
    assert!(shell.finish_file().unwrap().starts_with("bdcba884"));
    let fault = shell.finish_load().unwrap_err();
    assert!(fault.message.contains("<!DOCTYPE html>"), "{}", fault.message);
    answers_still(&mut shell);

    begin_tales(&mut shell);
    assert!(shell.push_weights(&TALES_WEIGHTS[..1_000_000]).unwrap());
    shell.abandon_load();
    assert_eq!(shell.push_weights(&[1]).unwrap_err().message, "no load was begun");
    assert!(shell.finish_load().is_err());
    answers_still(&mut shell);

    begin_tales(&mut shell);
    assert!(shell.push_weights(&TALES_WEIGHTS[..1_000_000]).unwrap());
    shell.finish_file().unwrap();
    assert!(shell.finish_load().unwrap_err().message.contains("truncated"));
    assert!(shell.begin_load(b"{}", None, None, &LoadOptions::default()).is_err());
    answers_still(&mut shell);
}

/// Loads Tales-2M without its tokenizer.
fn tales_card(options: &LoadOptions) -> Result<ModelCard, WireError> {
    let mut shell = empty_shell();
    let config = include_bytes!("../../../www/models/tales-2m/config.json");
    shell.begin_load(config, None, None, options)?;
    shell.begin_file("model.safetensors", Some(TALES_WEIGHTS.len()))?;
    shell.push_weights(TALES_WEIGHTS)?;
    shell.finish_file()?;
    shell.finish_load()
}

#[test]
fn the_model_card_says_how_weights_and_cache_are_stored() {
    let load = |options: Value| tales_card(&serde_json::from_value(options).unwrap());
    let stored = |options: Value| {
        let card = serde_json::to_value(load(options).unwrap()).unwrap();
        [card["precision"].clone(), card["kvCache"].clone(), card["memory"]["weightBytes"].clone()]
    };
    let [precision, cache, bytes] = stored(json!({}));
    assert_eq!((precision, cache), (json!("f32"), json!("f32")));
    let [precision, cache, fewer] = stored(json!({ "precision": "blocks=f32, head=int8", "kvCache": "f16" }));
    assert_eq!((precision, cache), (json!("head=int8"), json!("f16")));
    assert!(fewer.as_u64() < bytes.as_u64(), "{fewer} of {bytes}");
    assert_eq!(stored(json!({ "precision": "int8", "kvCache": "f32" }))[0], "int8");

    for (options, subject, words) in [
        (json!({ "precision": "tail=int8" }), "precision", "head, embedding or blocks"),
        (json!({ "kvCache": "int8" }), "kv_cache", "f32 or f16"),
        (json!({ "kvCache": "f16", "kernel": "candle" }), "kv_cache", "candle"),
        (json!({ "precision": "head=f16", "kernel": "candle" }), "precision", "candle"),
    ] {
        let refused = load(options).unwrap_err();
        assert_eq!(refused.details.subject.as_deref(), Some(subject));
        assert!(refused.message.contains(words), "{}", refused.message);
    }
}

#[test]
fn the_model_card_says_which_build_ran_and_the_other_is_refused() {
    let options = |simd: &str| serde_json::from_value::<LoadOptions>(json!({ "simd": simd }));
    let card = tales_card(&options("baseline").unwrap()).unwrap();
    assert_eq!(serde_json::to_value(card.simd).unwrap(), "baseline");
    let refused = tales_card(&options("relaxed").unwrap()).unwrap_err();
    assert_eq!(refused.details.subject.as_deref(), Some("simd"));
    assert!(refused.message.contains("baseline"), "{}", refused.message);
    assert!(options("fastest").is_err());
}
