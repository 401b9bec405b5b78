//! The command line's records: a page's record is repeated natively with the same ids, and both programs write one schema.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program, which `cargo test` has built beside the tests.
fn generate(arguments: &[&str]) -> Output {
    let tests = std::env::current_exe().unwrap();
    let program = tests
        .parent()
        .unwrap()
        .parent()
        .unwrap()
        .join(format!("examples/generate{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "cargo build -p logit-lab-engine --example generate makes {}",
        program.display()
    );
    let model = root().join("www/models/tales-2m");
    Command::new(program).arg("--model").arg(model).args(arguments).output().unwrap()
}

fn answer(arguments: &[&str]) -> Value {
    let output = generate(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A file that is gone with the test.
struct Kept(PathBuf);

impl Kept {
    fn new(name: &str, value: &Value) -> Self {
        let path = std::env::temp_dir().join(format!("logit-lab-{}-{name}.json", std::process::id()));
        std::fs::write(&path, value.to_string()).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        _ = std::fs::remove_file(&self.0);
    }
}

fn page_record() -> Value {
    let path = root().join("tests/fixtures/record-page.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Names of all fields, with those of their objects; lists count by their first entry.
fn shape(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, part) in fields {
                let inner = format!("{path}.{name}");
                shape(part, &inner, found);
                found.push(inner);
            }
        }
        Value::Array(parts) => parts.iter().take(1).for_each(|part| shape(part, path, found)),
        _ => {}
    }
}

#[test]
fn a_record_of_the_page_gives_the_same_ids_natively() {
    let record = page_record();
    assert_eq!((record["byHand"].clone(), record["runs"].as_array().unwrap().len()), (json!([5]), 2));
    let kept = Kept::new("page", &json!([record, record]));
    let results = answer(&["--repeat", kept.path()]);
    assert_eq!(results.as_array().unwrap().len(), 2);
    for result in results.as_array().unwrap() {
        assert_eq!(result["first_divergence"], Value::Null);
        assert_eq!((&result["new_ids"], &result["text"]), (&record["newIds"], &record["text"]));
        assert_eq!(result["stop_reason"]["recorded"], result["stop_reason"]["now"]);
    }
}

#[test]
fn another_seed_parts_where_it_first_drew_another_token() {
    let mut record = page_record();
    record["runs"][1]["seed"] = json!(1);
    record["seed"] = json!(1);
    let kept = Kept::new("seed", &record);
    let result = answer(&["--repeat", kept.path()]);
    let index = result["first_divergence"]["index"].as_u64().unwrap() as usize;
    assert!(index >= 6, "what was made before the second run is as it was");
    assert_eq!(result["first_divergence"]["recorded"]["id"], record["newIds"][index]);
    assert_eq!(result["first_divergence"]["now"]["id"], result["new_ids"][index]);
}

#[test]
fn a_record_of_the_command_line_has_the_page_s_schema_and_repeats() {
    let arguments =
        ["--prompt", "The ship", "--seed", "7", "--max-new-tokens", "12", "--temperature", "0.8", "--record"];
    let record = answer(&arguments);
    let (mut own, mut page) = (Vec::new(), Vec::new());
    shape(&record, "record", &mut own);
    shape(&page_record(), "record", &mut page);
    // What is null on one side has no fields there.
    let open = ["settings", "browser", "model.card.memory", "model.card.memoryNeed", "model.card.report"];
    let open = [open.as_slice(), &["model.selfTest", "model.timingsMs"]].concat();
    page.retain(|name| !open.iter().any(|part| name.starts_with(&format!("record.{part}."))));
    assert_eq!(own, page);
    let kept = Kept::new("own", &record);
    let result = answer(&["--repeat", kept.path()]);
    assert_eq!((&result["first_divergence"], &result["tokens"]), (&Value::Null, &json!(12)));
}

#[test]
fn what_cannot_be_repeated_is_one_sentence_and_status_2() {
    let tries = [
        ("version", "/version", json!(2), "of version 1"),
        ("weights", "/model/files/2/sha256", json!("0".repeat(64)), "weights here are not those"),
        ("simd", "/engine/simd", json!("relaxed"), "relaxed SIMD"),
        ("inexact", "/runs/0/exact", json!(false), "nobody knows at which token"),
        ("types", "/runs/0/seed", json!("42"), "not sound"),
        ("range", "/runs/0/sampling/chain/0/value", json!(-1), "temperature"),
    ];
    for (name, pointer, value, words) in tries {
        let mut record = page_record();
        *record.pointer_mut(pointer).unwrap() = value;
        let kept = Kept::new(name, &record);
        let output = generate(&["--repeat", kept.path()]);
        let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {sentence}");
        assert!(sentence.contains(words) && sentence.lines().count() == 1, "{name}: {sentence}");
    }
}
