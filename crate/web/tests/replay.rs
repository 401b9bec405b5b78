//! A recorded text that the page repeats: the answer is the text of the run, tokens put in by hand included.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use serde_json::{Value, json};

use support::*;

#[test]
fn a_replay_of_a_run_is_the_run_and_tokens_put_in_stay() {
    let mut shell = tales_shell();
    let generate = json!({"method": "generate", "prompt": {"text": "The ship"}, "seed": 9,
        "settings": {"chain": [{"kind": "temperature", "value": 0.8}]}, "limits": {"maxNewTokens": 8}});
    let events = answers(&mut shell, call(1, generate));
    let run = only(&events, "answered")["answer"]["result"].clone();
    let ids = run["ids"].as_array().unwrap();
    let prompt = &ids[..ids.len() - 8];
    let part = |uniform: Value| {
        json!({"first": 0, "seed": 9, "limits": {"maxNewTokens": 8},
            "settings": {"chain": [{"kind": "temperature", "value": 0.8}], "uniform": uniform}})
    };
    let replay = |parts: Value, forced: Value| json!({"method": "replay", "ids": prompt, "parts": parts, "forced": forced});

    let events = answers(&mut shell, call(2, replay(json!([part(Value::Null)]), json!([]))));
    let again = &only(&events, "answered")["answer"]["result"];
    assert_eq!(again["tokens"]["ids"], run["newIds"]);
    assert_eq!((&again["text"], &again["stopReason"]), (&run["text"], &json!("maxNewTokens")));
    assert!(events.iter().any(|event| event["type"] == "callProgressed"));

    let forced = json!([{"index": 3, "id": 1000}]);
    let events = answers(&mut shell, call(3, replay(json!([part(Value::Null)]), forced)));
    let again = &only(&events, "answered")["answer"]["result"];
    assert_eq!(again["tokens"]["ids"].as_array().unwrap()[..3], run["newIds"].as_array().unwrap()[..3]);
    assert_eq!((&again["tokens"]["ids"][3], &again["stopReason"]), (&json!(1000), &Value::Null));

    let events = answers(&mut shell, call(4, replay(json!([part(json!(0.9999))]), json!([]))));
    assert_ne!(only(&events, "answered")["answer"]["result"]["tokens"]["ids"][0], run["newIds"][0]);
}

#[test]
fn a_replay_that_cannot_be_fails_in_words() {
    let mut shell = tales_shell();
    let unordered = json!({"method": "replay", "ids": [47], "parts": [], "forced": [{"index": 1, "id": 1}, {"index": 0, "id": 1}]});
    assert_eq!(only(&answers(&mut shell, call(1, unordered)), "failed")["error"]["code"], "settings");
    let beyond = json!({"method": "replay", "ids": [47], "parts": [], "forced": [{"index": 0, "id": 5000}]});
    assert_eq!(only(&answers(&mut shell, call(2, beyond)), "failed")["error"]["code"], "context");
}
