//! The house rules that a machine can hold.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file below `folder` with one of these endings, with its text.
fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, endings: &[&str], found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                walk(&entry, endings, found);
            } else if entry.extension().is_some_and(|end| endings.iter().any(|wanted| end == *wanted)) {
                let text = fs::read_to_string(&entry).unwrap();
                found.push((entry, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), endings, &mut found);
    assert!(!found.is_empty(), "no file below {folder}");
    found
}

/// Fails with a list of the places where one of `forbidden` stands.
fn assert_absent(files: &[(PathBuf, String)], forbidden: &[&str]) {
    let places: Vec<String> = files
        .iter()
        .flat_map(|(path, text)| {
            text.lines().enumerate().filter_map(move |(line, code)| {
                let word = forbidden.iter().find(|word| code.contains(**word))?;
                Some(format!("{}:{}: {word}", path.display(), line + 1))
            })
        })
        .collect();
    assert!(places.is_empty(), "{}", places.join("\n"));
}

#[test]
fn the_engine_knows_no_web_clock_file_or_random_source() {
    let manifest = read("crate/engine/Cargo.toml");
    for dependency in ["wasm-bindgen", "js-sys", "web-sys", "getrandom", "logit-lab-web"] {
        assert!(!manifest.contains(dependency), "the engine must not depend on {dependency}");
    }
    let code = files("crate/engine/src", &["rs"]);
    assert_absent(
        &code,
        &["std::time", "SystemTime", "Instant::now", "std::fs", "std::net", "std::thread", "std::env"],
    );
}

#[test]
fn unsafe_code_stands_in_the_kernels_only() {
    let kernels = root().join("crate/engine/src/model/kernels");
    let code: Vec<_> =
        files("crate", &["rs"]).into_iter().filter(|(path, _)| !path.starts_with(&kernels)).collect();
    assert_absent(&code, &["unsafe {", "unsafe fn", "unsafe impl"]);
}

#[test]
fn views_compute_no_probability_and_write_no_markup_from_strings() {
    assert_absent(&files("www/src/views", &["js"]), &["Math.exp", "Math.log", "postMessage", "new Worker"]);
    assert_absent(
        &files("www/src", &["js"]),
        &["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "unsafeHTML", "eval("],
    );
}

/// The first line of a Git LFS pointer names it: text that a download is compared with, not an address.
const POINTER_FILE_MARK: &str = "git-lfs.github.com";

#[test]
fn the_page_names_no_host_but_the_hub() {
    let mut code = files("www/src", &["js"]);
    code.extend(files("www/styles", &["css"]));
    code.push((root().join("www/index.html"), read("www/index.html")));
    for (path, text) in code {
        for address in text.split("https://").skip(1) {
            let host = address.split(['/', '"', '\'', '`', ' ', ';', ')']).next().unwrap_or_default();
            assert!(
                ["huggingface.co", "*.huggingface.co", "*.hf.co", POINTER_FILE_MARK].contains(&host),
                "{} names {host}",
                path.display()
            );
        }
    }
}

#[test]
fn versions_that_must_agree_agree() {
    let scripts = read("scripts/env.sh");
    let version = |name: &str| {
        let line = scripts.lines().find(|line| line.starts_with(name)).unwrap();
        line.split('=').nth(1).unwrap().to_owned()
    };
    let wasm_bindgen = version("WASM_BINDGEN_VERSION");
    assert!(read("Cargo.toml").contains(&format!("wasm-bindgen = \"={wasm_bindgen}\"")));
    assert!(read("Trunk.toml").contains(&format!("wasm_bindgen = \"{wasm_bindgen}\"")));
    let lock = read("Cargo.lock");
    assert!(lock.contains(&format!("name = \"wasm-bindgen\"\nversion = \"{wasm_bindgen}\"")));
}

#[test]
fn files_are_short_and_say_what_they_are() {
    for (path, text) in files("crate", &["rs"]) {
        assert!(text.starts_with("//!"), "{} has no header", path.display());
    }
    let mut code = files("crate", &["rs"]);
    code.extend(files("www/src", &["js"]));
    code.extend(files("tests", &["rs", "mjs"]));
    for (path, text) in code {
        let lines = text.lines().count();
        assert!(lines <= 400, "{} has {lines} lines", path.display());
    }
}

#[test]
fn nothing_is_left_to_do_in_the_code() {
    let mut code = files("crate", &["rs"]);
    code.extend(files("www/src", &["js"]));
    assert_absent(&code, &["TODO", "FIXME", "XXX", "console.log(", "debugger;"]);
}

#[test]
fn documents_close_their_code_blocks() {
    let mut documents = files("docs", &["md"]);
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md"] {
        documents.push((root().join(name), read(name)));
    }
    for (path, text) in documents {
        let mut opened_at = None;
        for (line, content) in text.lines().enumerate() {
            if content.starts_with("```") {
                opened_at = if opened_at.is_some() { None } else { Some(line + 1) };
            }
            assert!(
                opened_at.is_none() || !content.starts_with("## "),
                "{}:{}: a heading stands in a code block",
                path.display(),
                line + 1
            );
        }
        assert_eq!(opened_at, None, "{}: a code block begins here and does not end", path.display());
    }
}
