//! Times as the shell tells them: of the page's runs with and without pauses, of calls, and of benchmarks.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use logit_lab_web::shell::Shell;
use serde_json::{Value, json};

use support::*;

fn ms(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn timing(events: &[Value]) -> &Value {
    &only(events, "stopped")["summary"]["timing"]
}

/// A run of `tokens` tokens in which the page waits `pause_ms` after each.
fn paced(shell: &mut Shell, tokens: usize, pause_ms: f64) -> Vec<Value> {
    let mut events = answers(shell, start(1, "prompt", tokens, "stepped"));
    for _ in 1..tokens {
        NOW_MS.with(|now| now.set(now.get() + pause_ms));
        events.extend(answers(shell, json!({"type": "advance", "runId": 1})));
    }
    events
}

#[test]
fn a_run_tells_the_time_of_its_prompt_and_of_every_part() {
    let mut shell = tales_shell();
    let prepared = answers(&mut shell, prepare("In the beginning"));
    let events = answers(&mut shell, start(1, "prompt", 5, "full"));
    let timing = timing(&events);
    assert_eq!(timing["tokenizeMs"], only(&prepared, "tokenized")["tokenizeMs"]);
    assert_eq!(timing["prefillMs"], only(&prepared, "prefilled")["prefillMs"]);
    assert_eq!((&timing["prefillTokens"], &timing["reusedTokens"]), (&json!(3), &json!(0)));
    assert_eq!((&timing["decodeSteps"], &timing["paced"]), (&json!(4), &json!(false)));
    let steps: Vec<&Value> = events
        .iter()
        .filter(|event| event["type"] == "stepped")
        .flat_map(|event| event["steps"].as_array().unwrap())
        .collect();
    let total = |part: &str| steps.iter().map(|step| ms(&step[part])).sum::<f64>();
    assert!((ms(&timing["samplingMs"]) - total("samplingMs")).abs() < 1e-9);
    assert!((ms(&timing["detokenizeMs"]) - total("detokenizeMs")).abs() < 1e-9);
    // The head of the prompt's last position runs again for the first token, which is no decode step.
    let decode = total("forwardMs") - ms(&steps[0]["forwardMs"]);
    assert!((ms(&timing["decodeMs"]) - decode).abs() < 1e-9);

    let latency = &timing["latency"];
    let first = ms(&timing["tokenizeMs"]) + ms(&timing["prefillMs"]) + ms(&timing["afterStartMs"])
        - ms(&steps[0]["forwardMs"]);
    assert!((ms(&latency["firstTokenMs"]) - first).abs() < 1e-9);
    assert_eq!((&latency["outputTokens"], &latency["clockStepMs"]), (&json!(5), &json!(0.25)));
    let mean = (ms(&latency["requestMs"]) - ms(&latency["firstTokenMs"])) / 4.0;
    assert!((ms(&latency["meanIntervalMs"]) - mean).abs() < 1e-9);
    assert!(latency["groups"]["tokens"].as_array().unwrap().len() <= 4);
}

#[test]
fn pauses_of_a_paced_run_are_in_no_time() {
    let requests = [0.0, 5000.0].map(|pause_ms| {
        let mut shell = tales_shell();
        answers(&mut shell, prepare("In the beginning"));
        let events = paced(&mut shell, 6, pause_ms);
        let timing = timing(&events);
        assert_eq!(timing["paced"], true);
        ms(&timing["latency"]["requestMs"])
    });
    assert_eq!(requests[0], requests[1]);
    assert!(requests[0] < 100.0, "{requests:?}");
}

#[test]
fn a_run_that_begins_while_its_prompt_is_read_counts_that_once() {
    let run = |at_once: bool| {
        let mut shell = tales_shell();
        send(&mut shell, prepare("In the beginning"));
        let mut events = if at_once { Vec::new() } else { drain(&mut shell) };
        events.extend(answers(&mut shell, start(1, "prompt", 3, "full")));
        let (timing, prefill) = (timing(&events), ms(&only(&events, "prefilled")["prefillMs"]));
        assert_eq!(ms(&timing["prefillMs"]), prefill);
        ms(&timing["latency"]["firstTokenMs"])
    };
    // The looks at the clock differ by a few; the prefill is not there twice.
    assert!((run(true) - run(false)).abs() <= 1.0);
}

#[test]
fn a_run_that_goes_on_has_no_prompt_and_only_the_first_run_is_cold() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("In the beginning"));
    let first = answers(&mut shell, start(1, "prompt", 2, "full"));
    assert_eq!(timing(&first)["runOfModel"], 1);
    let second = answers(&mut shell, start(2, "end", 1, "full"));
    let timing = timing(&second);
    assert_eq!((&timing["prefillMs"], &timing["tokenizeMs"]), (&Value::Null, &Value::Null));
    assert_eq!((&timing["decodeSteps"], &timing["runOfModel"]), (&json!(1), &json!(2)));
    let latency = &timing["latency"];
    assert_eq!((&latency["meanIntervalMs"], &latency["intervalMs"]), (&Value::Null, &Value::Null));
    assert_eq!(latency["inputTokensPerSecond"], Value::Null);
    assert_eq!(latency["firstTokenMs"], latency["requestMs"]);
}

#[test]
fn a_call_tells_its_latency_from_the_call_on() {
    let mut shell = tales_shell();
    let generate = json!({"method": "generate", "prompt": {"text": "In the beginning"}, "seed": 1,
        "limits": {"maxNewTokens": 4}});
    let events = answers(&mut shell, call(1, generate));
    let result = &only(&events, "answered")["answer"]["result"];
    let (latency, timings) = (&result["latency"], &result["timingsMs"]);
    assert_eq!(latency["firstTokenMs"], timings["firstToken"]);
    assert!(ms(&latency["firstTokenMs"]) > ms(&timings["tokenize"]) + ms(&timings["prefill"]));
    assert!(ms(&latency["requestMs"]) <= ms(&timings["total"]));
    assert!((ms(&latency["inputTokensPerSecond"]) - 3e3 / ms(&timings["prefill"])).abs() < 1e-6);
}

#[test]
fn a_benchmark_keeps_every_outcome_and_two_are_compared_by_pairs() {
    let mut shell = tales_shell();
    let mut benchmark = |run_id, cache: bool| {
        let ids: Vec<u32> = (300..308).collect();
        let events = answers(
            &mut shell,
            call(
                run_id,
                json!({"method": "benchmark", "ids": ids, "settings": {"greedy": true}, "seed": 1,
                "limits": {"maxNewTokens": 28, "stop": ["e"]}, "forced": true, "warmUps": 1, "repeats": 5,
                "cache": cache}),
            ),
        );
        assert!(types(&events).iter().all(|kind| ["callProgressed", "answered"].contains(kind)));
        only(&events, "answered")["answer"]["outcomes"].clone()
    };
    let (cached, uncached) = (benchmark(1, true), benchmark(2, false));
    for outcome in cached.as_array().unwrap().iter().chain(uncached.as_array().unwrap()) {
        assert_eq!(outcome["outputTokens"], 28);
    }
    // On this clock, which counts looks, the uncached run has a second chunk to look at.
    let events =
        answers(&mut shell, call(3, json!({"method": "summarize", "first": cached, "second": uncached})));
    let summary = &only(&events, "answered")["answer"]["summary"];
    let comparison = &summary["comparison"];
    assert_eq!(comparison["pairs"], 5);
    let total = &comparison["metrics"][2];
    assert_eq!((&total["metric"], &total["verdict"]), (&json!("totalMs"), &json!("first")));
    assert!(ms(&total["ratio"]["smallest"]) > 1.0);
    assert_eq!(summary["first"][2]["spread"]["count"], 5);

    let too_long = json!({"method": "benchmark", "ids": [1], "seed": 1, "limits": {"maxNewTokens": 9999},
        "forced": true, "warmUps": 0, "repeats": 1});
    let events = answers(&mut shell, call(4, too_long));
    assert_eq!(only(&events, "failed")["error"]["code"], "context");
}

#[test]
fn outcomes_are_summed_up_without_a_model() {
    let mut shell = empty_shell();
    let outcome = json!({"warmUp": false, "outputTokens": 3, "prefillMs": 1.0, "decodeMs": 8.0, "totalMs": 10.0,
        "clockStepMs": 0.1});
    let events = answers(&mut shell, call(1, json!({"method": "summarize", "first": [outcome, outcome]})));
    let summary = &only(&events, "answered")["answer"]["summary"];
    assert_eq!((&summary["comparison"], &summary["second"][0]["spread"]), (&Value::Null, &Value::Null));
    assert_eq!(summary["first"][1]["spread"]["median"], 4.0);
    assert_eq!(summary["first"][3]["spread"]["median"], 300.0);
}

#[test]
fn the_output_head_is_timed_as_the_mean_of_its_repeats_and_not_without_end() {
    let mut shell = tales_shell();
    let events = answers(&mut shell, call(1, json!({"method": "headTime", "repeats": 5})));
    // One step of this clock, from the look before the five to the one after them.
    assert_eq!(ms(&only(&events, "answered")["answer"]["ms"]), 0.25 / 5.0);
    let events = answers(&mut shell, call(2, json!({"method": "headTime", "repeats": 257})));
    let message = only(&events, "failed")["error"]["message"].as_str().unwrap();
    assert!(message.contains("256") && message.contains("257"), "{message}");
}
