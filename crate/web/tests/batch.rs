//! Batches, scores and digests as the page asks for them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use serde_json::{Value, json};

use support::*;

fn request(name: &str, prompt: &str, seed: u32, max_new_tokens: usize) -> Value {
    json!({"name": name, "prompt": {"text": prompt}, "seed": seed, "maxNewTokens": max_new_tokens})
}

fn requests() -> Value {
    json!([
        request("Ada", "The old man looked at the", 1, 6),
        request("Ben", "The ship turned toward the planet and", 2, 9),
        request("Cem", "Once", 3, 3),
    ])
}

fn answer(events: &[Value]) -> &Value {
    &only(events, "answered")["answer"]["result"]
}

#[test]
fn a_batch_tells_each_request_under_its_name_beside_its_run_alone() {
    let mut shell = tales_shell();
    let batch = json!({"method": "batch", "requests": requests(), "rows": 2, "continuous": true, "sortByLength": true});
    let events = answers(&mut shell, call(1, batch));
    let result = answer(&events);
    assert_eq!(result["order"], json!([2, 0, 1]));
    for (index, name) in ["Ada", "Ben", "Cem"].into_iter().enumerate() {
        let found = &result["requests"][index];
        assert_eq!((&found["name"], &found["alone"]["run"]["firstDifference"]), (&json!(name), &Value::Null));
        let generate = json!({"method": "generate", "kernel": "candle", "prompt": requests()[index]["prompt"],
            "seed": index + 1, "limits": {"maxNewTokens": requests()[index]["maxNewTokens"]}});
        let events = answers(&mut shell, call(2, generate));
        assert_eq!(found["newTokens"]["ids"], answer(&events)["newIds"], "{name}");
        assert_eq!(found["text"], answer(&events)["text"], "{name}");
    }
    assert_eq!(result["newTokens"], 18);
    assert!(result["work"]["rebuilds"].as_u64().unwrap() > 0);
    let row = &result["layouts"][0]["rows"][0];
    assert_eq!(row["mask"].as_array().unwrap().len(), row["maskColumns"].as_u64().unwrap().pow(2) as usize);
    assert!(events.iter().any(|event| event["type"] == "callProgressed"));
}

#[test]
fn a_batch_that_is_stopped_answers_with_what_there_is() {
    let mut shell = tales_shell();
    let long = json!([request("Ada", "The", 1, 400), request("Ben", "Once upon a time", 2, 400)]);
    send(&mut shell, call(1, json!({"method": "batch", "requests": long})));
    let mut events = slice(&mut shell);
    send(&mut shell, json!({"type": "stop", "runId": 1}));
    events.extend(drain(&mut shell));
    let result = answer(&events);
    assert_eq!(result["requests"][0]["alone"], Value::Null);
    assert_eq!(result["requests"][0]["stopReason"], Value::Null);
    assert_eq!(result["requests"][1]["name"], "Ben");
}

#[test]
fn a_batch_that_cannot_be_run_fails_in_words() {
    let mut shell = tales_shell();
    for (change, code) in [
        (json!({"requests": []}), "context"),
        (json!({"rows": 0}), "context"),
        (json!({"requests": [request("Ada", "", 1, 4)]}), "context"),
        (json!({"settings": {"chain": [{"kind": "topP", "value": 2}]}}), "settings"),
    ] {
        let mut batch = json!({"method": "batch", "requests": requests()});
        batch.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let events = answers(&mut shell, call(1, batch));
        assert_eq!(only(&events, "failed")["error"]["code"], code, "{change}");
    }
}

#[test]
fn scores_of_a_text_are_the_chances_that_its_run_tells() {
    let mut shell = tales_shell();
    let generate = json!({"method": "generate", "prompt": {"text": "The ship"}, "seed": 9, "limits": {"maxNewTokens": 8}});
    let events = answers(&mut shell, call(1, generate));
    let ids = answer(&events)["ids"].clone();
    let drawn: Vec<f64> = events
        .iter()
        .filter(|event| event["type"] == "callStepped")
        .map(|event| event["step"]["probability"].as_f64().unwrap())
        .collect();
    let events = answers(&mut shell, call(2, json!({"method": "score", "prompt": {"ids": ids}})));
    let scores = answer(&events);
    let probabilities: Vec<f64> =
        scores["probabilities"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    // Plain sampling draws from the model's own chances.
    for (score, drawn) in probabilities.iter().rev().zip(drawn.iter().rev()) {
        assert!((score - drawn).abs() < 1e-12, "{score}, not {drawn}");
    }
    assert_eq!((&scores["unscored"], probabilities.len()), (&json!(1), ids.as_array().unwrap().len() - 1));
    assert!(scores["summary"]["natsPerByte"].as_f64().unwrap() > 0.0);
    let started = json!({"method": "score", "prompt": {"ids": ids}, "startId": 0});
    assert_eq!(answer(&answers(&mut shell, call(3, started)))["unscored"], 0);
    let alone = json!({"method": "score", "prompt": {"ids": [5]}});
    assert_eq!(only(&answers(&mut shell, call(4, alone)), "failed")["error"]["code"], "context");
}

#[test]
fn the_digest_of_the_weights_is_the_same_after_a_generation() {
    let mut shell = tales_shell();
    let digest = |shell: &mut _| answer(&answers(shell, call(1, json!({"method": "weightsDigest"})))).clone();
    let before = digest(&mut shell);
    assert_eq!(before["checkpoint"].as_str().unwrap().len(), 64);
    assert_eq!((&before["kernel"], &before["precision"]), (&json!("fused"), &json!("f32")));
    let generate =
        json!({"method": "generate", "prompt": {"text": "The"}, "seed": 1, "limits": {"maxNewTokens": 12}});
    answers(&mut shell, call(2, generate));
    assert_eq!(digest(&mut shell), before);
}
