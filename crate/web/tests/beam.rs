//! Beam search through the shell: its answer, its tree as columns, and a stop.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use serde_json::{Value, json};

use support::*;

fn beam(run_id: u32, change: Value) -> Value {
    let mut call_ = json!({"method": "beam", "prompt": {"text": "Once upon a time"}, "beams": 3, "numReturn": 2,
        "maxNewTokens": 8});
    call_.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    call(run_id, call_)
}

fn numbers(column: &Value) -> Vec<u64> {
    column.as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).collect()
}

/// Ids from the prompt to a row of the tree.
fn path(tree: &Value, row: usize) -> Vec<u64> {
    let parent = tree["parents"][row].as_u64().unwrap() as usize;
    let mut ids = parent.checked_sub(1).map_or_else(Vec::new, |parent| path(tree, parent));
    ids.push(tree["tokens"]["ids"][row].as_u64().unwrap());
    ids
}

#[test]
fn a_beam_search_answers_with_its_texts_and_the_tree_that_they_are_paths_of() {
    let mut shell = tales_shell();
    let events = answers(&mut shell, beam(4, json!({})));
    let result = &only(&events, "answered")["answer"]["result"];
    assert_eq!(result["sequences"].as_array().unwrap().len(), 2);
    let tree = &result["tree"];
    for sequence in result["sequences"].as_array().unwrap() {
        let leaf = sequence["leaf"].as_u64().unwrap() as usize;
        assert_eq!(path(tree, leaf), numbers(&sequence["newIds"]));
        assert_eq!(tree["scores"][leaf], sequence["score"]);
        assert_eq!((&tree["fates"][leaf], &sequence["stopReason"]), (&json!(2), &json!("maxNewTokens")));
        assert!(sequence["text"].as_str().unwrap().len() > 8);
    }
    assert_eq!(result["forwardCalls"], 1 + 7 * 3);
    // The parts that came on the way are the whole.
    let parts: Vec<&Value> =
        events.iter().filter(|event| event["type"] == "beamStepped").map(|event| &event["tree"]).collect();
    assert_eq!(parts.len(), 8);
    for column in ["steps", "parents", "sums", "scores", "logProbabilities"] {
        let joined: Vec<Value> =
            parts.iter().flat_map(|part| part[column].as_array().unwrap().clone()).collect();
        assert_eq!(&Value::from(joined), &tree[column], "{column}");
    }
}

#[test]
fn one_beam_gives_the_greedy_text() {
    let mut shell = tales_shell();
    let greedy = answers(
        &mut shell,
        call(
            1,
            json!({"method": "generate", "prompt": {"text": "In the beginning"}, "seed": 1,
            "settings": {"greedy": true}, "limits": {"maxNewTokens": 12}}),
        ),
    );
    let prompt =
        json!({"prompt": {"text": "In the beginning"}, "beams": 1, "numReturn": 1, "maxNewTokens": 12});
    let found = answers(&mut shell, beam(2, prompt));
    let sequence = &only(&found, "answered")["answer"]["result"]["sequences"][0];
    let expected = &only(&greedy, "answered")["answer"]["result"];
    assert_eq!((&sequence["newIds"], &sequence["text"]), (&expected["newIds"], &expected["text"]));
}

#[test]
fn a_beam_search_can_be_stopped_and_then_answers_with_what_it_has() {
    let mut shell = tales_shell();
    send(&mut shell, beam(9, json!({"maxNewTokens": 400})));
    let first = slice(&mut shell);
    assert!(types(&first).contains(&"beamStepped"));
    send(&mut shell, json!({"type": "stop", "runId": 9}));
    let events = drain(&mut shell);
    let result = &only(&events, "answered")["answer"]["result"];
    assert_eq!(result["sequences"][0]["stopReason"], "user");
    let leaf = result["sequences"][0]["leaf"].as_u64().unwrap() as usize;
    assert_eq!(path(&result["tree"], leaf), numbers(&result["sequences"][0]["newIds"]));
}

#[test]
fn options_that_cannot_be_are_errors_and_all_words_of_early_stopping_are_read() {
    let mut shell = tales_shell();
    for (change, subject) in [(json!({"beams": 9}), "beams"), (json!({"numReturn": 4}), "num_return")] {
        let events = answers(&mut shell, beam(1, change));
        let failed = only(&events, "failed");
        assert_eq!((&failed["runId"], &failed["error"]["details"]["subject"]), (&json!(1), &json!(subject)));
    }
    for word in [json!(true), json!(false), json!("never")] {
        let change = json!({"earlyStopping": word, "eosId": 14, "lengthPenalty": -1, "maxNewTokens": 3});
        only(&answers(&mut shell, beam(1, change)), "answered");
    }
    let unknown = beam(1, json!({"earlyStopping": "soon"}));
    assert!(serde_json::from_value::<logit_lab_web::protocol::Command>(unknown).is_err());
}
