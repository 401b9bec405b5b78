//! What a comparison of runs asks of the shell: steps of a run, logits of some positions, and calls that are stopped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use serde_json::{Value, json};

use support::*;

const CHAIN: &str = r#"{"chain": [{"kind": "temperature", "value": 0.8}, {"kind": "topP", "value": 0.9}]}"#;

fn chain() -> Value {
    serde_json::from_str(CHAIN).unwrap()
}

#[test]
fn a_predicted_step_is_the_one_that_the_run_took() {
    let mut shell = tales_shell();
    for (kernel, cache) in [("fused", true), ("fused", false), ("candle", true)] {
        let generate = json!({"method": "generate", "prompt": {"text": "The ship"}, "settings": chain(), "seed": 9,
            "limits": {"maxNewTokens": 12}, "kernel": kernel, "cache": cache});
        let events = answers(&mut shell, call(1, generate));
        let steps: Vec<_> = events.iter().filter(|event| event["type"] == "callStepped").collect();
        let result = &only(&events, "answered")["answer"]["result"];
        let (ids, new_ids) = (result["ids"].as_array().unwrap(), result["newIds"].as_array().unwrap());
        let prompt_length = ids.len() - new_ids.len();
        for index in [0, 1, 11] {
            let predict = json!({"method": "predict", "ids": ids[..prompt_length + index], "promptLength": prompt_length,
                "settings": chain(), "seed": 9, "rows": 5, "markedId": 4000, "kernel": kernel, "cache": cache});
            let events = answers(&mut shell, call(2, predict));
            let found = &only(&events, "answered")["answer"]["distribution"];
            assert_eq!(found["draw"]["id"], new_ids[index], "token {index} of {kernel}");
            let row = found["tokens"]["ids"]
                .as_array()
                .unwrap()
                .iter()
                .position(|id| *id == new_ids[index])
                .unwrap();
            let [seen, drawn] = [&found["probabilities"][row], &steps[index]["step"]["probability"]]
                .map(|value| value.as_f64().unwrap());
            assert!((seen - drawn).abs() < 1e-12, "{seen}, not {drawn}");
            assert_eq!(
                (&found["pickedId"], &found["contextTokens"]),
                (&json!(4000), &json!(prompt_length + index))
            );
            assert!(found["tokens"]["ids"].as_array().unwrap().contains(&json!(4000)));
        }
    }
}

#[test]
fn a_prediction_under_settings_that_leave_nothing_fails_in_words() {
    let mut shell = tales_shell();
    let all: Vec<u32> = (0..4096).collect();
    let predict = json!({"method": "predict", "ids": [47, 1840], "promptLength": 2, "settings": {"suppress": all},
        "seed": 1, "rows": 5});
    let events = answers(&mut shell, call(1, predict));
    assert_eq!(only(&events, "failed")["runId"], 1);
}

#[test]
fn logits_of_some_positions_are_as_many_as_there_are() {
    let mut shell = tales_shell();
    let logits = |some: Value| json!({"method": "logits", "ids": [1273, 262, 2438], "positions": {"some": some}, "promptLength": 2});
    let events = answers(&mut shell, call(1, logits(json!({"first": 1, "count": 16}))));
    assert_eq!(only(&events, "answered")["answer"]["logits"].as_array().unwrap().len(), 2 * 4096);
    let events = answers(&mut shell, call(2, logits(json!({"first": 3, "count": 1}))));
    assert_eq!(only(&events, "failed")["error"]["code"], "context");
}

#[test]
fn samples_can_be_had_of_the_other_kernel_and_without_the_cache() {
    let mut shell = tales_shell();
    let mut texts = Vec::new();
    for options in [json!({}), json!({"cache": false}), json!({"kernel": "candle"})] {
        let mut samples = json!({"method": "samples", "prompt": {"text": "The ship"}, "settings": chain(), "seed": 3,
            "count": 3, "limits": {"maxNewTokens": 8}});
        samples.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let events = answers(&mut shell, call(1, samples));
        texts.push(only(&events, "answered")["answer"].clone());
    }
    assert_eq!(texts[0]["distinct"], 3);
    assert!(texts.iter().all(|answer| *answer == texts[0]), "{texts:?}");
    let unknown = json!({"method": "samples", "prompt": {"text": "x"}, "seed": 3, "count": 1,
        "limits": {"maxNewTokens": 1}, "kernel": "magic"});
    assert_eq!(only(&answers(&mut shell, call(2, unknown)), "failed")["error"]["code"], "settings");
}

#[test]
fn a_call_that_waits_is_stopped_before_it_begins_and_the_others_go_on() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    let generate =
        json!({"method": "generate", "prompt": {"text": "The"}, "seed": 1, "limits": {"maxNewTokens": 4}});
    send(&mut shell, start(7, "prompt", 5, "full"));
    send(&mut shell, call(8, generate.clone()));
    send(&mut shell, call(9, generate));
    send(&mut shell, json!({"type": "stop", "runId": 8}));
    let events = drain(&mut shell);
    let failed = only(&events, "failed");
    assert_eq!((&failed["runId"], &failed["error"]["code"]), (&json!(8), &json!("command")));
    assert_eq!(only(&events, "answered")["runId"], 9);
    let end = |kind: &str| events.iter().position(|event| event["type"] == kind).unwrap();
    assert!(end("stopped") < end("answered"), "the page's run goes first");
}

#[test]
fn logits_that_are_stopped_answer_with_the_positions_that_are_done() {
    let mut shell = tales_shell();
    let ids: Vec<u32> = (1..400).collect();
    send(&mut shell, call(1, json!({"method": "logits", "ids": ids, "positions": "all", "cache": false})));
    let mut events = slice(&mut shell);
    send(&mut shell, json!({"type": "stop", "runId": 1}));
    events.extend(drain(&mut shell));
    let rows = only(&events, "answered")["answer"]["logits"].as_array().unwrap().len() / 4096;
    assert!(rows < 399, "{rows} rows");
}
