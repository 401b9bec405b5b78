//! Documents tell the truth about files: links lead somewhere, named files exist, an invariant names the test that holds it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{files, read, root};

/// Every document that people are meant to read, with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let mut documents = files("docs", &["md"]);
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md"] {
        documents.push((root().join(name), read(name)));
    }
    documents.extend(files("www/models", &["md"]));
    documents
}

#[test]
fn documents_close_their_code_blocks() {
    for (path, text) in documents() {
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

/// The lines of a document that are neither in a code block nor indented as one.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        !in_code && !line.starts_with("    ")
    })
}

/// What is in a line between backticks.
fn code_words(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The anchors of a document, as GitHub makes them from its headings.
fn anchors(text: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
            let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
            let count = counts.entry(anchor.clone()).or_default();
            *count += 1;
            if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
        })
        .collect()
}

#[test]
fn links_of_documents_lead_to_files_and_headings_that_exist() {
    let mut checked = 0;
    for (path, text) in documents() {
        let whole: String = prose(&text).map(|line| format!("{line}\n")).collect();
        for link in whole.split("](").skip(1) {
            let target = link.split(')').next().unwrap();
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let aim = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(aim.exists(), "{} links to {target}, which is not there", path.display());
            if !anchor.is_empty() {
                let anchors = anchors(&std::fs::read_to_string(&aim).unwrap());
                assert!(
                    anchors.iter().any(|known| known == anchor),
                    "{}: no heading {target}",
                    path.display()
                );
            }
            checked += 1;
        }
    }
    assert!(checked > 10, "only {checked} links were found");
}

/// Whether a path, in whose last part a `*` may stand for anything, is that of a file or folder.
fn exists(place: &Path) -> bool {
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((before, after)) = name.split_once('*') else { return place.exists() };
    let Ok(entries) = std::fs::read_dir(place.parent().unwrap()) else { return false };
    entries.flatten().any(|entry| {
        let found = entry.file_name().to_string_lossy().into_owned();
        found.starts_with(before) && found.ends_with(after)
    })
}

/// From where the map of the code names files.
const STARTS: [&str; 7] = [
    "",
    "crate/engine/src",
    "crate/engine/src/model",
    "crate/engine/src/lab",
    "crate/web/src",
    "www/src",
    "www",
];

/// In `dist/`, not in the repository.
const MADE_BY_A_BUILD: [&str; 3] = ["dist/", "relaxed/", "sw.js"];

#[test]
fn the_files_that_the_map_of_the_code_names_exist() {
    let mut checked = 0;
    for line in prose(&read("ARCHITECTURE.md")) {
        let mut folders = Vec::new();
        for word in code_words(line) {
            let is_path =
                word.contains('/') || [".rs", ".js", ".mjs", ".sh"].iter().any(|end| word.ends_with(end));
            // Code, and addresses with a part that changes.
            if !is_path || word.contains(['<', '(', '?', ' ', ':']) || MADE_BY_A_BUILD.contains(&word) {
                continue;
            }
            let mut starts: Vec<PathBuf> = STARTS.iter().map(|start| root().join(start)).collect();
            starts.extend(folders.clone());
            let found = starts.iter().map(|start| start.join(word)).find(|place| exists(place));
            let place =
                found.unwrap_or_else(|| panic!("ARCHITECTURE.md names {word}, which is not there: {line}"));
            // A row of the table goes on with names beside one, or within it.
            folders.push(if place.is_dir() { place } else { place.parent().unwrap().to_owned() });
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} paths were found");
}

#[test]
fn every_invariant_names_a_file_of_tests_that_holds_it() {
    let map = read("ARCHITECTURE.md");
    let table = map.split("| invariant | held by |").nth(1).unwrap().split("\n\n").next().unwrap();
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert!(rows.len() > 50, "only {} invariants were found", rows.len());
    for row in rows {
        let holder = row.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap();
        let words: Vec<&str> = code_words(holder).collect();
        let by_other_means = ["the type checker", "the same"].iter().any(|means| holder.starts_with(means));
        assert!(!words.is_empty() || by_other_means, "nothing holds: {row}");
        for word in words.iter().filter(|word| root().join(word).is_file()) {
            let is_test = |text: &str| {
                ["#[test]", "test(", "checks!", "pub fn ", "disallowed", "\ncheck "]
                    .iter()
                    .any(|mark| text.contains(mark))
            };
            assert!(by_other_means || is_test(&read(word)), "{word} tests nothing: {row}");
        }
    }
}

#[test]
fn the_scripts_that_documents_name_exist() {
    for (path, text) in documents() {
        for part in text.split("scripts/").skip(1) {
            let name =
                part.split(|c: char| !c.is_alphanumeric() && !['-', '.', '_'].contains(&c)).next().unwrap();
            let name = name.trim_end_matches('.');
            let there = name.is_empty() || root().join("scripts").join(name).exists();
            assert!(there, "{} names scripts/{name}", path.display());
        }
    }
}
