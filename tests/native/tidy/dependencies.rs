//! What the project depends on: versions that agree, no dependency that nobody uses, and a number that somebody looks at.

use std::collections::BTreeSet;

use super::{files, read};

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

/// Every manifest with the folder of its sources.
const MANIFESTS: [(&str, &str); 5] = [
    ("crate/engine/Cargo.toml", "crate/engine"),
    ("crate/web/Cargo.toml", "crate/web"),
    ("tests/Cargo.toml", "tests"),
    ("bench/Cargo.toml", "bench"),
    ("fuzz/Cargo.toml", "fuzz/fuzz_targets"),
];

/// Declared for the sake of their features alone, as the comment beside them says.
const FOR_FEATURES: [&str; 2] = ["getrandom_03", "getrandom_04"];

/// The names under which a manifest declares dependencies, in all sections whose title ends with `dependencies`.
fn declared(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut wanted = false;
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            wanted = section.trim_end().ends_with("dependencies]");
        } else if wanted && line.starts_with(|first: char| first.is_ascii_alphabetic()) {
            names.push(line.split(['.', ' ', '=']).next().unwrap().to_owned());
        }
    }
    names
}

#[test]
fn every_declared_crate_is_used_by_its_sources() {
    let mut used = BTreeSet::new();
    for (manifest, folder) in MANIFESTS {
        let code: String = files(folder, &["rs"]).into_iter().map(|(_, text)| text).collect();
        let names = declared(&read(manifest));
        assert!(!names.is_empty(), "{manifest} declares nothing");
        for name in names {
            let in_code = name.replace('-', "_");
            let places = [format!("{in_code}::"), format!("use {in_code};"), format!("use {in_code} as")];
            assert!(
                FOR_FEATURES.contains(&name.as_str()) || places.iter().any(|place| code.contains(place)),
                "{manifest} declares {name}, and nothing in {folder} uses it"
            );
            used.insert(name);
        }
    }
    for name in declared(&read("Cargo.toml")) {
        assert!(used.contains(&name), "the workspace declares {name}, and no crate takes it");
    }
}

/// Packages that are run by a command of another name.
const COMMANDS: [(&str, &str); 3] = [("binaryen", "wasm-opt"), ("sirv-cli", "sirv"), ("typescript", "tsc")];

#[test]
fn every_declared_package_is_used_by_the_scripts_or_tests() {
    let mut code: String = files("scripts", &["sh", "mjs"]).into_iter().map(|(_, text)| text).collect();
    for folder in ["tests/web", "tests/browser", "bench/browser"] {
        code.extend(files(folder, &["mjs"]).into_iter().map(|(_, text)| text));
    }
    let manifest = read("package.json");
    let section = manifest.split("\"devDependencies\"").nth(1).unwrap().split('}').next().unwrap();
    let names: Vec<&str> = section.split('"').skip(1).step_by(4).collect();
    assert!(names.contains(&"lit-html"), "{names:?}");
    assert!(!manifest.contains("\"dependencies\""), "the page takes no package but through www/vendor");
    for name in names {
        let command = COMMANDS.iter().find(|(package, _)| *package == name).map(|(_, command)| *command);
        let types =
            name.strip_prefix("@types/").map(|package| if package == "node" { "node:" } else { package });
        let wanted = command.or(types).unwrap_or(name);
        assert!(code.contains(wanted), "package.json declares {name}, and nothing uses it");
    }
}

/// What Cargo.lock holds with everything for tests and benchmarks, all platforms. Most of it comes with candle, tokenizers,
/// criterion, proptest, clap and wasm-bindgen-test; what of it is in the page, `tests/web/notices.test.mjs` counts.
const MOST_LOCKED_CRATES: usize = 237;
/// The same for npm: Observable Plot's d3, the browser driver, the page's checkers and builders, each with all its platforms.
const MOST_LOCKED_PACKAGES: usize = 131;

#[test]
fn no_dependency_comes_in_unnoticed() {
    let crates = read("Cargo.lock").matches("[[package]]").count();
    assert!(crates <= MOST_LOCKED_CRATES, "{crates} crates: what are the new ones worth?");
    let packages = read("package-lock.json").matches("\n    \"node_modules/").count();
    assert!(packages <= MOST_LOCKED_PACKAGES, "{packages} packages: what are the new ones worth?");
}
