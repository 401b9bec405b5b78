//! The KV cache and memory through the shell: counts of a pass, an uncached run, two paths compared, bytes that are counted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use serde_json::{Value, json};

use logit_lab_web::shell::Shell;
use support::*;

fn prepare_ids(ids: &[u32]) -> Value {
    json!({"type": "prepare", "revision": 1, "prompt": {"ids": ids}, "settings": {"greedy": true}, "seed": 42, "rows": 5})
}

fn ids(count: u32) -> Vec<u32> {
    (0..count).map(|i| i * 37 % 4096).collect()
}

fn result(events: &[Value]) -> &Value {
    &only(events, "answered")["answer"]["result"]
}

#[test]
fn an_edited_prompt_tells_what_was_reused_and_what_was_discarded() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare_ids(&ids(80)));
    let mut edited = ids(80);
    edited[50] = 9;
    let events = answers(&mut shell, prepare_ids(&edited));
    let prefilled = only(&events, "prefilled");
    assert_eq!((&prefilled["reusedTokens"], &prefilled["discardedTokens"]), (&json!(32), &json!(48)));
    let events = answers(&mut shell, call(3, json!({"method": "cacheState"})));
    let state = result(&events);
    for (name, value) in [("reused", 32), ("computed", 48), ("discarded", 48), ("shared", 50), ("layers", 6)]
    {
        assert_eq!(state[name], value, "{name}");
    }
    assert_eq!((&state["cache"], state["tokens"]["ids"].as_array().unwrap().len()), (&json!(true), 80));
}

#[test]
fn an_uncached_run_makes_the_same_text_and_computes_every_position_again() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    let cached = step_ids(&answers(&mut shell, start(1, "prompt", 9, "full")));
    send(&mut shell, json!({"type": "useCache", "cache": false}));
    assert_eq!(step_ids(&answers(&mut shell, start(2, "prompt", 9, "full"))), cached);
    let events = answers(&mut shell, call(3, json!({"method": "cacheState"})));
    let state = result(&events);
    assert_eq!(
        (&state["cache"], &state["reused"], &state["computed"]),
        (&json!(false), &json!(0), &json!(2 + 8))
    );
    // The same prompt once more: nothing of it is used again.
    let events = answers(&mut shell, prepare("The ship"));
    assert_eq!(only(&events, "prefilled")["reusedTokens"], 0);
    send(&mut shell, json!({"type": "useCache", "cache": true}));
    answers(&mut shell, start(4, "prompt", 9, "full"));
    let events = answers(&mut shell, call(5, json!({"method": "cacheState"})));
    assert_eq!((&result(&events)["reused"], &result(&events)["computed"]), (&json!(9), &json!(1)));
}

#[test]
fn two_paths_are_compared_and_a_stop_answers_with_the_steps_there_are() {
    let mut shell = tales_shell();
    let check = |second: Value, steps: usize| json!({"method": "cacheCheck", "ids": ids(20), "continuation": {"greedy": steps}, "first": {}, "second": second});
    let events = answers(&mut shell, call(1, check(json!({"cache": false}), 12)));
    let found = result(&events);
    assert_eq!(found["contexts"], json!((20..32).collect::<Vec<_>>()));
    assert!(found["sameBits"].as_array().unwrap().iter().all(|same| same == 1));
    assert!(sum(&found["firstMs"]) > 0.0 && sum(&found["secondMs"]) > 0.0);
    let told: Vec<_> = events.iter().filter(|event| event["type"] == "callProgressed").collect();
    assert_eq!(told.last().unwrap()["done"], 12);

    let events = answers(&mut shell, call(2, check(json!({"kernel": "candle"}), 6)));
    let found = result(&events);
    assert!(found["sameBits"].as_array().unwrap().contains(&json!(0)));
    assert_eq!(found["firstBest"]["ids"], found["secondBest"]["ids"]);

    send(&mut shell, call(3, check(json!({"cache": false}), 400)));
    let mut events = slice(&mut shell);
    send(&mut shell, json!({"type": "stop", "runId": 3}));
    events.extend(drain(&mut shell));
    let found = result(&events);
    let steps = found["contexts"].as_array().unwrap().len();
    assert!(steps < 400 && found["total"] == 400, "{steps}");
    let failed = answers(&mut shell, call(4, check(json!({}), 0)));
    assert_eq!(only(&failed, "failed")["error"]["details"]["subject"], "steps");
}

#[test]
fn counted_memory_and_the_rest_add_up_to_what_is_measured() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    answers(&mut shell, start(1, "prompt", 9, "full"));
    let use_of = |shell: &mut Shell| result(&answers(shell, call(2, json!({"method": "memoryUse"})))).clone();
    let before = use_of(&mut shell);
    let bytes = |found: &Value, name: &str| found[name].as_u64().unwrap();
    assert_eq!(bytes(&before, "kvUsedBytes"), 10 * bytes(&before, "kvBytesPerPosition"));
    assert_eq!(bytes(&before, "kvBytesPerPosition"), 2 * 6 * 128 * 4);
    // The test's clock of memory says 64 KiB, which is less than what is counted.
    assert_eq!((&before["wasmBytes"], &before["otherBytes"]), (&json!(65_536), &Value::Null));
    assert_eq!(bytes(&before, "secondKernelBytes"), 0);
    let on_candle = json!({"method": "logits", "ids": [1, 2], "kernel": "candle"});
    answers(&mut shell, call(3, on_candle));
    let after = use_of(&mut shell);
    assert!(bytes(&after, "secondKernelBytes") > bytes(&after, "weightBytes"), "f32 against the file's f16");
}
