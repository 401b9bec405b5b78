//! How often the bars of a run come: at the display's rate, and always when the run comes to rest.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::cell::Cell;

use logit_lab_web::shell::Shell;
use serde_json::{Value, json};

use support::{NOW_MS, answers, drain, prepare, send, slice, start, tales_shell, types};

/// Events with new tokens or bars, each as (clock after its slice, whether it has bars).
fn bars_of(shell: &mut Shell) -> Vec<(f64, bool)> {
    let mut bars = Vec::new();
    while shell.busy() {
        let events = slice(shell);
        let now_ms = NOW_MS.with(Cell::get);
        let stepped = events.iter().filter(|event| event["type"] == "stepped");
        bars.extend(stepped.map(|event| (now_ms, !event["distribution"].is_null())));
    }
    bars
}

#[test]
fn at_full_speed_the_bars_come_at_the_displays_rate_and_the_last_token_has_its_own() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    send(&mut shell, start(1, "prompt", 300, "full"));
    let bars = bars_of(&mut shell);
    let sent: Vec<f64> = bars.iter().filter(|(_, sent)| *sent).map(|(at_ms, _)| *at_ms).collect();
    assert!(bars[0].1, "the first token's bars come at once");
    assert!(bars.last().unwrap().1, "the last token's bars come before the end");
    let gaps: Vec<f64> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // A slice lasts 8 ms here and looks at the clock a little longer; the last gap is cut short by the end.
    assert!(
        gaps.len() > 3 && gaps[..gaps.len() - 1].iter().all(|gap| (16.0..27.0).contains(gap)),
        "{gaps:?}"
    );
    assert!(sent.len() < bars.len(), "some events have tokens alone");
}

#[test]
fn bars_that_fell_behind_catch_up_when_the_run_stops_or_waits() {
    for command in [
        json!({"type": "stop", "runId": 1}),
        json!({"type": "setPace", "runId": 1, "pace": "stepped"}),
        json!({"type": "configure", "revision": 9, "settings": {"suppress": (0..4096).collect::<Vec<_>>()},
            "seed": 42, "rows": 10}),
    ] {
        let mut shell = tales_shell();
        answers(&mut shell, prepare("The ship"));
        send(&mut shell, start(1, "prompt", 400, "full"));
        let mut events = slice(&mut shell);
        while !events.last().unwrap()["distribution"].is_null() {
            events = slice(&mut shell);
        }
        let made = events.last().unwrap()["steps"].as_array().unwrap().last().unwrap()["id"].clone();
        let banned = command["type"] == "configure";
        send(&mut shell, command);
        if banned {
            // Nothing is left to pick from: an error says so, and the run has ended.
            send(&mut shell, json!({"type": "stop", "runId": 1}));
            let events = drain(&mut shell);
            assert_eq!(types(&events), ["stepped", "failed", "stopped"]);
            assert_eq!((&events[0]["distribution"], &events[1]["revision"]), (&Value::Null, &json!(9)));
            continue;
        }
        let after = slice(&mut shell);
        let last = after.iter().rfind(|event| event["type"] == "stepped").unwrap();
        let newest = last["steps"].as_array().unwrap().last().map_or(&made, |step| &step["id"]);
        assert_eq!(&last["distribution"]["pickedId"], newest);
    }
}

#[test]
fn every_token_of_a_stepped_run_has_its_bars() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    send(&mut shell, start(1, "prompt", 5, "stepped"));
    let mut bars = bars_of(&mut shell);
    for _ in 1..5 {
        send(&mut shell, json!({"type": "advance", "runId": 1}));
        bars.extend(bars_of(&mut shell));
    }
    assert_eq!(bars.len(), 5);
    assert!(bars.iter().all(|(_, sent)| *sent));
}
