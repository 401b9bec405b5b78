//! Who may know whom: `www -> crate/web -> crate/engine`, and inside the engine one order of its modules.
//! The page's own modules have the same rule in `tests/web/imports.test.mjs`.

use std::collections::{BTreeMap, BTreeSet};

use super::{assert_absent, files, read, root};

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
fn crates_point_one_way() {
    for (manifest, forbidden) in [
        ("crate/engine/Cargo.toml", ["logit-lab-web", "logit-lab-tests"]),
        ("crate/web/Cargo.toml", ["logit-lab-tests", "logit-lab-bench"]),
    ] {
        let text = read(manifest);
        for name in forbidden {
            assert!(!text.contains(&format!("\n{name}")), "{manifest} depends on {name}");
        }
    }
    // Wire types are the shell's: the engine does not know how it is shown.
    assert_absent(&files("crate/engine/src", &["rs"]), &["Serialize", "wasm_bindgen", "JsValue"]);
}

/// The modules of a crate and which others each names, by the first part of a path that begins with `crate::`.
fn modules_of(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let start = root().join(folder);
    let mut named_by: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in files(folder, &["rs"]) {
        let first = path.strip_prefix(&start).unwrap().components().next().unwrap();
        let module = first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
        let names = named_by.entry(module.clone()).or_default();
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for path in code.split("crate::").skip(1) {
            // `use crate::{a::b, c}` names several; paths that begin with `super` stay within a module.
            let named = match path.strip_prefix('{') {
                Some(group) => group.split('}').next().unwrap().split(',').collect(),
                None => vec![path],
            };
            for name in named {
                let name =
                    name.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                names.insert(name.to_owned());
            }
        }
        names.remove(&module);
    }
    named_by.retain(|module, _| module != "lib");
    let known: BTreeSet<String> = named_by.keys().cloned().collect();
    for names in named_by.values_mut() {
        names.retain(|name| known.contains(name));
    }
    named_by
}

#[test]
fn each_module_of_the_engine_uses_those_before_it_in_the_order_of_reading() {
    let map = read("crate/engine/src/lib.rs");
    let sentence = map.split("Read in this order:").nth(1).unwrap().split("Each uses").next().unwrap();
    let order: Vec<&str> =
        sentence.split("[`").skip(1).map(|part| part.split("`]").next().unwrap()).collect();
    let modules = modules_of("crate/engine/src");
    assert_eq!(
        order.iter().copied().collect::<BTreeSet<_>>(),
        modules.keys().map(String::as_str).collect(),
        "lib.rs names every module once"
    );
    for (place, module) in order.iter().enumerate() {
        for used in &modules[*module] {
            assert!(order[..place].contains(&used.as_str()), "{module} uses {used}, which comes after it");
        }
    }
    assert!(modules["lab"].contains("session") && modules["session"].contains("sampling"), "{modules:?}");
}

#[test]
fn no_module_of_the_shell_comes_back_to_itself() {
    let mut modules = modules_of("crate/web/src");
    assert!(modules["shell"].contains("protocol"), "{modules:?}");
    // What uses nothing that is left can be taken away; a circle stays.
    while let Some(leaf) = modules.iter().find(|(_, used)| used.is_empty()).map(|(name, _)| name.clone()) {
        modules.remove(&leaf);
        for used in modules.values_mut() {
            used.remove(&leaf);
        }
    }
    assert!(modules.is_empty(), "a circle among {:?}", modules.keys());
}
