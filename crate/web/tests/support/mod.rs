//! A shell with a clock that the test turns, and its events as JSON.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::cell::Cell;

use logit_lab_web::shell::{LoadOptions, Shell};
use serde_json::{Value, json};

thread_local! {
    pub static NOW_MS: Cell<f64> = const { Cell::new(0.0) };
}

/// Each look at the clock takes a quarter of a millisecond.
pub fn clock() -> f64 {
    NOW_MS.with(|now| {
        now.set(now.get() + 0.25);
        now.get()
    })
}

pub fn empty_shell() -> Shell {
    Shell::new(clock, || 65_536)
}

pub const TALES_WEIGHTS: &[u8] = include_bytes!("../../../../www/models/tales-2m/model.safetensors");

pub fn begin_tales(shell: &mut Shell) {
    let config = include_bytes!("../../../../www/models/tales-2m/config.json");
    let tokenizer = include_bytes!("../../../../www/models/tales-2m/tokenizer.json");
    shell.begin_load(config, Some(tokenizer), None, &LoadOptions::default()).unwrap();
    assert!(shell.begin_file("model.safetensors", Some(TALES_WEIGHTS.len())).unwrap());
}

pub fn tales_shell() -> Shell {
    let mut shell = empty_shell();
    begin_tales(&mut shell);
    assert!(TALES_WEIGHTS.chunks(100_001).all(|piece| shell.push_weights(piece).unwrap()));
    let digest = shell.finish_file().unwrap();
    assert!(include_str!("../../../../www/models/catalogue.json").contains(&digest), "{digest}");
    let card = shell.finish_load().unwrap();
    assert_eq!((card.parameters, card.vocab_size, card.report.bytes), (2_238_464, 4096, 4_485_272));
    shell
}

pub fn send(shell: &mut Shell, command: Value) {
    shell.command(serde_json::from_value(command).unwrap());
}

pub fn call(run_id: u32, call: Value) -> Value {
    json!({"type": "call", "runId": run_id, "call": call})
}

pub fn slice(shell: &mut Shell) -> Vec<Value> {
    shell.slice(8.0).iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

/// All events until there is nothing more to do.
pub fn drain(shell: &mut Shell) -> Vec<Value> {
    let mut events = Vec::new();
    while shell.busy() {
        events.extend(slice(shell));
    }
    events
}

pub fn answers(shell: &mut Shell, command: Value) -> Vec<Value> {
    send(shell, command);
    drain(shell)
}

pub fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

pub fn only<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    let found: Vec<_> = events.iter().filter(|event| event["type"] == kind).collect();
    assert_eq!(found.len(), 1, "one {kind} in {:?}", types(events));
    found[0]
}

pub fn prepare(text: &str) -> Value {
    json!({"type": "prepare", "revision": 1, "prompt": {"text": text}, "settings": {}, "seed": 42, "rows": 20})
}

pub fn start(run_id: u32, from: &str, max_new_tokens: usize, pace: &str) -> Value {
    json!({"type": "start", "runId": run_id, "revision": 2, "from": from, "settings": {}, "seed": 42, "rows": 10,
        "limits": {"maxNewTokens": max_new_tokens}, "pace": pace})
}

pub fn step_ids(events: &[Value]) -> Vec<u64> {
    events
        .iter()
        .filter(|event| event["type"] == "stepped")
        .flat_map(|event| event["steps"].as_array().unwrap())
        .map(|step| step["id"].as_u64().unwrap())
        .collect()
}

pub fn sum(column: &Value) -> f64 {
    column.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).sum()
}
