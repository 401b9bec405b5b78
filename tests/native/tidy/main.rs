//! The house rules that a machine can hold: here those of the code, beside it arrows, dependencies and documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod arrows;
mod dependencies;
mod documents;

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

/// What a public function of the engine can refuse is part of its contract: whoever calls it has to put it into words.
#[test]
fn public_functions_of_the_engine_say_what_their_errors_are() {
    let mut checked = 0;
    for (path, text) in files("crate/engine/src", &["rs"]) {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let mut documentation = String::new();
        let mut lines = code.lines().enumerate();
        while let Some((line, content)) = lines.next() {
            let content = content.trim();
            if content.starts_with("///") {
                documentation.push_str(content);
            } else if content.starts_with("pub fn ") {
                // Up to its body, which may begin some lines later.
                let mut signature = content.to_owned();
                while !signature.ends_with(['{', ';', '}']) {
                    signature.push_str(lines.next().unwrap().1.trim());
                }
                if signature.contains("-> Result<") {
                    let says = ["rror", "efuse", "fault"].iter().any(|word| documentation.contains(word));
                    assert!(says, "{}:{}: {content}", path.display(), line + 1);
                    checked += 1;
                }
                documentation.clear();
            } else if !content.starts_with("#[") {
                documentation.clear();
            }
        }
    }
    assert!(checked > 60, "only {checked} functions were found");
}
