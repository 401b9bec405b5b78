//! The calls of the precision panel: those that need no model, the five meanings, and the table with its stop.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use serde_json::{Value, json};

use support::*;

fn result(events: &[Value]) -> &Value {
    &only(events, "answered")["answer"]["result"]
}

#[test]
fn numbers_are_described_and_quantised_without_a_model() {
    let mut shell = empty_shell();
    let events = answers(&mut shell, call(1, json!({"method": "describeNumber", "value": 0.1})));
    let formats = result(&events)["formats"].as_array().unwrap();
    assert_eq!(formats.len(), 8);
    assert_eq!(formats[1]["value"], 0.0999755859375);
    assert_eq!(formats[1]["float"]["spacingFromOneExponent"], -10);
    assert_eq!(formats[3]["fields"][1], json!({"name": "exponent", "bits": "0011"}));

    let block =
        json!({"method": "quantizeBlock", "values": [1, 0.1, 100, -50], "blockSize": 2, "format": "int4"});
    let events = answers(&mut shell, call(2, block));
    assert_eq!(
        (&result(&events)["whole"]["lost"], &result(&events)["blocks"]["lost"]),
        (&json!(2), &json!(0))
    );
    let packed =
        json!({"method": "packedBytes", "weights": 1_048_576, "codeBits": 4, "group": 64, "scaleBytes": 2});
    let events = answers(&mut shell, call(3, packed));
    assert_eq!(
        (&result(&events)["totalBytes"], &result(&events)["totalMib"]),
        (&json!(557_056), &json!(0.53125))
    );
    let wrong = json!({"method": "quantizeBlock", "values": [1], "blockSize": 2, "format": "fp4"});
    assert_eq!(only(&answers(&mut shell, call(4, wrong)), "failed")["error"]["code"], "settings");
    let events = answers(&mut shell, call(5, json!({"method": "fiveMeanings"})));
    assert_eq!(only(&events, "failed")["error"]["code"], "noModel");
}

#[test]
fn the_five_meanings_are_those_of_the_loaded_model() {
    let mut shell = tales_shell();
    let events = answers(&mut shell, call(1, json!({"method": "fiveMeanings"})));
    let meanings = only(&events, "answered")["answer"]["meanings"].as_array().unwrap();
    assert_eq!(meanings.len(), 5);
    assert_eq!(meanings[0]["facts"][0]["format"], "F16");
    assert!(
        meanings[1]["facts"][1]["detail"].as_str().unwrap().contains("6144 bytes a token"),
        "{meanings:?}"
    );
}

#[test]
fn precisions_are_compared_with_progress_and_the_page_s_model_stays() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    let report = json!({"method": "precisionReport", "prompt": {"text": "The ship sailed out to sea."},
        "precisions": ["f32", "f16", "q4"]});
    let events = answers(&mut shell, call(1, report));
    assert!(types(&events).iter().filter(|kind| **kind == "callProgressed").count() > 10);
    let rows = result(&events)["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1]["figures"]["largestLogitError"], 0.0);
    assert!(rows[1]["note"].as_str().unwrap().contains("same bits"));
    let [exact, q4] = [0, 2].map(|row| &rows[row]["figures"]);
    assert!(q4["klDivergenceNats"].as_f64().unwrap() > 0.0);
    assert!(q4["weightBytes"].as_u64().unwrap() < exact["weightBytes"].as_u64().unwrap() / 3);
    assert!(q4["perplexity"].as_f64().unwrap() > 1.0 && q4["decodeTokensPerSecond"]["median"].is_number());
    let events = answers(&mut shell, start(7, "prompt", 3, "full"));
    assert_eq!(step_ids(&events).len(), 3);
}

#[test]
fn a_comparison_that_is_stopped_answers_with_the_rows_so_far() {
    let mut shell = tales_shell();
    let ids: Vec<u32> = (1..60).collect();
    let report = json!({"method": "precisionReport", "prompt": {"ids": ids},
        "precisions": ["f32", "bf16", "int8", "q4"], "kernel": "candle"});
    send(&mut shell, call(1, report));
    let mut events = Vec::new();
    // More than one of the four rows.
    let is_beyond_a_row = |event: &Value| {
        event["type"] == "callProgressed"
            && event["done"].as_u64() > event["total"].as_u64().map(|total| total / 4)
    };
    while !events.iter().any(is_beyond_a_row) {
        events.extend(slice(&mut shell));
    }
    send(&mut shell, json!({"type": "stop", "runId": 1}));
    events.extend(drain(&mut shell));
    let rows = result(&events)["rows"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.len() < 4, "{rows:?}");
    assert_eq!(rows[0]["name"], "f32");
}
