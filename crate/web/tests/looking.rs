//! The sampling bench through the shell: any row of any step, branches, numbers set by hand, many draws.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use logit_lab_web::shell::Shell;
use serde_json::{Value, json};

use support::*;

fn show(step: Option<usize>, select: Value) -> Value {
    json!({"type": "show", "revision": 3, "step": step, "settings": null, "seed": null, "select": select})
}

fn shown(shell: &mut Shell, step: Option<usize>, select: Value) -> Value {
    only(&answers(shell, show(step, select)), "shown")["distribution"].clone()
}

fn branch(new_ids: &[u64]) -> Value {
    json!({"type": "branch", "revision": 4, "newIds": new_ids, "settings": {}, "seed": 42, "rows": 20})
}

fn started() -> (Shell, Vec<Value>) {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    let events = answers(&mut shell, start(1, "prompt", 12, "full"));
    (shell, events)
}

fn floats(column: &Value) -> Vec<f64> {
    column.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

#[test]
fn pages_of_rows_show_the_whole_vocabulary() {
    let (mut shell, _) = started();
    let (mut probability, mut ids, mut high) = (0.0, Vec::new(), 0.0);
    for first in (0..4096).step_by(1000) {
        let page = shown(&mut shell, None, json!({"ranks": {"first": first, "count": 1000}}));
        probability += sum(&page["probabilities"]);
        ids.extend(floats(&page["tokens"]["ids"]));
        assert_eq!(page["ranks"][0], first);
        assert_eq!(page["lows"][0].as_f64().unwrap(), high, "pages follow on each other");
        high = *floats(&page["highs"]).last().unwrap();
        assert_eq!(floats(&page["cumulative"]), floats(&page["highs"]));
    }
    assert!((probability - 1.0).abs() < 1e-9 && high == 1.0);
    ids.sort_by(f64::total_cmp);
    assert!(ids.iter().enumerate().all(|(index, id)| index as f64 == *id));
}

#[test]
fn a_row_is_found_by_its_id_or_its_text() {
    let (mut shell, _) = started();
    let by_id = shown(&mut shell, None, json!({"ids": [4095, 7, 7, 9_999_999]}));
    let mut ids = floats(&by_id["tokens"]["ids"]);
    ids.sort_by(f64::total_cmp);
    assert_eq!(ids, [7.0, 4095.0]);
    let by_text = shown(&mut shell, None, json!({"text": {"text": " the", "count": 5}}));
    let texts: Vec<&str> =
        by_text["tokens"]["text"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert!(texts.len() == 5 && texts.iter().all(|text| text.starts_with("·the")), "{texts:?}");
    assert!(texts.contains(&"·the"), "the token that is the text itself");
    assert!(floats(&by_text["ranks"]).is_sorted());
    let none = shown(&mut shell, None, json!({"text": {"text": "", "count": 5}}));
    assert_eq!(none["tokens"]["ids"], json!([]));
}

#[test]
fn a_step_carries_its_history_and_can_be_shown_again_as_it_was_picked() {
    let (mut shell, events) = started();
    let steps: Vec<&Value> = events
        .iter()
        .filter(|event| event["type"] == "stepped")
        .flat_map(|event| event["steps"].as_array().unwrap())
        .collect();
    // Other settings are shown meanwhile.
    answers(
        &mut shell,
        json!({"type": "configure", "revision": 5, "settings": {"greedy": true}, "seed": 1, "rows": 5}),
    );
    for (index, step) in steps.iter().enumerate() {
        let again = shown(&mut shell, Some(index), json!({"top": {"count": 6}}));
        let history = &step["history"];
        assert_eq!(again["pickedId"], step["id"]);
        assert_eq!((&again["draw"]["id"], &again["draw"]["uniform"]), (&step["id"], &history["uniform"]));
        let (shown, kept) = (&again["tokens"]["ids"], &history["top"]["ids"]);
        assert_eq!(shown.as_array().unwrap()[..6], kept.as_array().unwrap()[..]);
        assert_eq!(
            again["probabilities"].as_array().unwrap()[..6],
            history["probabilities"].as_array().unwrap()[..]
        );
        for figure in ["entropy", "margin", "kept"] {
            assert_eq!(again[figure], history[figure], "{figure}");
        }
        let top = sum(&history["probabilities"]) + history["rest"].as_f64().unwrap();
        assert!((top - 1.0).abs() < 1e-9);
    }
    // With settings it is what these would have picked.
    let greedy = json!({"type": "show", "revision": 6, "step": 2, "settings": {"greedy": true}, "seed": null,
        "select": {"top": {"count": 1}}});
    let events = answers(&mut shell, greedy);
    assert_eq!(only(&events, "shown")["distribution"]["greedy"], true);
    let beyond = answers(&mut shell, show(Some(400), json!({"top": {"count": 1}})));
    assert_eq!(only(&beyond, "failed")["error"]["code"], "context");
}

#[test]
fn a_token_is_replaced_and_the_old_branch_comes_back_as_it_was() {
    let (mut shell, events) = started();
    let old = step_ids(&events);
    let before = shown(&mut shell, Some(11), json!({"top": {"count": 9}}));
    let mut other = old[..5].to_vec();
    other.push(300);
    let events = answers(&mut shell, branch(&other));
    assert_eq!(types(&events), ["branched", "previewed"]);
    assert_eq!(only(&events, "branched")["tokens"]["ids"], json!(other));
    let preview = &only(&events, "previewed")["distribution"];
    assert_eq!((&preview["pickedId"], &preview["contextTokens"]), (&Value::Null, &json!(2 + 6)));
    let more = answers(&mut shell, start(2, "end", 4, "full"));
    assert_eq!(step_ids(&more)[0], preview["draw"]["id"].as_u64().unwrap(), "what was previewed is picked");
    assert_eq!(only(&more, "stopped")["summary"]["newTokens"], 10);

    let back = answers(&mut shell, branch(&old));
    assert_eq!(only(&back, "branched")["reusedTokens"], 2 + 5);
    assert_eq!(shown(&mut shell, Some(11), json!({"top": {"count": 9}})), before);
    let texts = only(&back, "branched")["texts"].as_array().unwrap();
    assert_eq!(texts.len(), 12);
}

#[test]
fn a_branch_may_come_before_its_prompt_is_read_but_not_without_one_or_beyond_the_context() {
    let mut shell = tales_shell();
    send(&mut shell, prepare("The ship"));
    let at_once = answers(&mut shell, branch(&[300]));
    assert_eq!(types(&at_once), ["tokenized", "branched", "prefilled", "previewed"]);
    let mut shell = tales_shell();
    let early = answers(&mut shell, branch(&[1]));
    assert_eq!(only(&early, "failed")["error"]["code"], "context");
    let (mut shell, events) = started();
    let failed = answers(&mut shell, branch(&[5; 600]));
    assert_eq!((types(&failed), &failed[0]["revision"]), (vec!["failed"], &json!(4)));
    let more = answers(&mut shell, start(2, "end", 1, "full"));
    assert_eq!(only(&more, "stopped")["summary"]["newTokens"], step_ids(&events).len() + 1);
}

#[test]
fn a_number_set_by_hand_moves_the_pick() {
    let mut shell = tales_shell();
    answers(&mut shell, prepare("The ship"));
    let mut picks = Vec::new();
    for uniform in [0.0, 0.5, 0.999] {
        let configure = json!({"type": "configure", "revision": 5, "settings": {"uniform": uniform}, "seed": 42, "rows": 5});
        let events = answers(&mut shell, configure);
        let shown = &only(&events, "previewed")["distribution"];
        assert_eq!(shown["draw"]["uniform"], uniform);
        let mut run = start(9, "prompt", 2, "full");
        run["settings"] = json!({"uniform": uniform});
        let made = step_ids(&answers(&mut shell, run));
        assert_eq!(made[0], shown["draw"]["id"].as_u64().unwrap());
        picks.push(made);
        answers(&mut shell, prepare("The ship"));
    }
    assert!(picks[0][0] != picks[2][0]);
    let plain = answers(&mut shell, start(10, "prompt", 2, "full"));
    let second = |events: &[Value]| {
        let stepped = events.iter().rev().find(|event| event["type"] == "stepped").unwrap();
        stepped["steps"].as_array().unwrap().last().unwrap()["history"]["uniform"].clone()
    };
    let mut by_hand = start(11, "prompt", 2, "full");
    by_hand["settings"] = json!({"uniform": 0.25});
    assert_eq!(
        second(&answers(&mut shell, by_hand)),
        second(&plain),
        "only the first token is decided by hand"
    );
    let outside =
        json!({"type": "configure", "revision": 5, "settings": {"uniform": 1.0}, "seed": 42, "rows": 5});
    assert_eq!(only(&answers(&mut shell, outside), "failed")["error"]["details"]["subject"], "uniform");
}

#[test]
fn two_tokens_are_compared_by_the_engine() {
    let (mut shell, _) = started();
    let rows = shown(&mut shell, Some(3), json!({"ranks": {"first": 0, "count": 2}}));
    let (first, second) = (&rows["tokens"]["ids"][0], &rows["tokens"]["ids"][1]);
    let compare = json!({"type": "compare", "revision": 8, "step": 3, "settings": null, "seed": null,
        "firstId": first, "secondId": second});
    let events = answers(&mut shell, compare);
    let comparison = &only(&events, "compared")["comparison"];
    let ratio = rows["probabilities"][0].as_f64().unwrap() / rows["probabilities"][1].as_f64().unwrap();
    assert!((comparison["odds"].as_f64().unwrap() / ratio - 1.0).abs() < 1e-5);
    assert_eq!(comparison["rawGap"], rows["margin"]["logit"]);
}

#[test]
fn samples_by_seed_are_the_runs_of_their_seeds_and_a_stop_keeps_those_that_are_done() {
    let mut shell = tales_shell();
    let samples = |count: usize| {
        json!({"method": "samples", "prompt": {"text": "The ship"}, "seed": 41, "count": count,
            "limits": {"maxNewTokens": 5}})
    };
    let events = answers(&mut shell, call(1, samples(3)));
    let answer = &only(&events, "answered")["answer"];
    assert_eq!((answer["samples"].as_array().unwrap().len(), &answer["distinct"]), (3, &json!(3)));
    let alone = json!({"method": "generate", "prompt": {"text": "The ship"}, "seed": 42, "settings": {},
        "limits": {"maxNewTokens": 5}});
    let events = answers(&mut shell, call(2, alone));
    let expected = &only(&events, "answered")["answer"]["result"];
    let second = &answer["samples"][1];
    assert_eq!((&second["newIds"], &second["text"]), (&expected["newIds"], &expected["text"]));
    assert_eq!(second["seed"], 42);

    send(&mut shell, call(3, samples(1000)));
    slice(&mut shell);
    slice(&mut shell);
    send(&mut shell, json!({"type": "stop", "runId": 3}));
    let events = drain(&mut shell);
    let made = only(&events, "answered")["answer"]["samples"].as_array().unwrap().len();
    assert!((1..1000).contains(&made), "{made}");
}

#[test]
fn the_boundary_rule_and_all_stages_reach_the_wire() {
    let mut shell = empty_shell();
    let four = json!([8f32.ln(), 4f32.ln(), 2f32.ln(), 0.0]);
    let step = |shell: &mut Shell, boundary: &str| {
        let settings = json!({"chain": [{"kind": "topP", "value": 0.8}], "boundary": boundary});
        let sample = json!({"method": "sampleStep", "logits": four, "settings": settings, "uniform": 0.7});
        only(&answers(shell, call(1, sample)), "answered")["answer"]["step"].clone()
    };
    let (ours, listing) = (step(&mut shell, "smallest"), step(&mut shell, "listing"));
    assert_eq!((&ours["cutBy"], &listing["cutBy"]), (&json!([0, 0, 1, 1]), &json!([0, 0, 0, 1])));
    assert!((ours["highs"][0].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-6);
    assert!((ours["cumulative"][1].as_f64().unwrap() - 0.8).abs() < 1e-6);
    assert_eq!((&ours["lows"][3], &ours["scaledLogits"][0]), (&json!(1.0), &json!(0.0)));
    assert!(ours["entropy"]["bits"].as_f64().unwrap() < ours["baseEntropy"]["bits"].as_f64().unwrap());

    let draws = json!({"method": "draws", "logits": four, "seed": 3, "draws": 1000});
    let result = only(&answers(&mut shell, call(2, draws)), "answered")["answer"]["result"].clone();
    assert_eq!(sum(&result["counts"]), 1000.0);
    assert!(result["chiSquare"].as_f64().unwrap() < 3.0 * result["chiSquare95"].as_f64().unwrap());
    let many = json!({"method": "draws", "logits": four, "seed": 3, "draws": 4_000_000_000u32});
    assert_eq!(only(&answers(&mut shell, call(3, many)), "failed")["error"]["code"], "settings");

    let (mut shell, _) = started();
    let of_text = json!({"method": "draws", "seed": 3, "draws": 500, "settings": {"chain": [{"kind": "topK", "value": 3}]}});
    let result = only(&answers(&mut shell, call(4, of_text)), "answered")["answer"]["result"].clone();
    assert!(sum(&result["counts"]) == 500.0 && result["tokens"]["ids"].as_array().unwrap().len() <= 3);
    assert!((sum(&result["probabilities"]) - 1.0).abs() < 1e-9);
}
