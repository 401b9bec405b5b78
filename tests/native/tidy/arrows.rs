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

type Module = Vec<String>;
type Names = BTreeMap<String, BTreeSet<String>>;

/// The modules of a crate and which others each names, by paths that begin with `crate` or `super`.
fn modules_of(folder: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let start = root().join(folder);
    let texts: BTreeMap<Module, String> = files(folder, &["rs"])
        .into_iter()
        .map(|(path, text)| {
            let path = path.strip_prefix(&start).unwrap().with_extension("");
            let mut module: Module = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            module.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            (module, code.collect::<Vec<_>>().join("\n"))
        })
        .collect();
    let uses = |module: &Module, text: &str| {
        let mut used = BTreeSet::new();
        let crates = text.match_indices("crate::").map(|(at, word)| (0, at + word.len()));
        let supers = text.match_indices("super::").map(|(at, word)| {
            let climbs = text[..at].rsplit("super::").take_while(|between| between.is_empty()).count();
            (module.len().saturating_sub(climbs + 1), at + word.len())
        });
        for (depth, at) in crates.chain(supers) {
            follow(&module[..depth], &text[at..], &mut |path| {
                let mut ends = (1..=path.len()).rev().map(|end| &path[..end]);
                used.extend(ends.find(|path| texts.contains_key(*path)).map(<[String]>::to_vec));
            });
        }
        used
    };
    texts.iter().map(|(module, text)| (module.clone(), uses(module, text))).collect()
}

/// Every path that `text` begins with, behind `base`: of a group in braces, all of them.
fn follow(base: &[String], text: &str, see: &mut impl FnMut(&[String])) {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        let (mut depth, mut item) = (0, 0);
        for (at, character) in group.char_indices() {
            match character {
                '}' if depth == 0 => return follow(base, &group[item..at], see),
                ',' if depth == 0 => {
                    follow(base, &group[item..at], see);
                    item = at + 1;
                }
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
        }
        return;
    }
    let name = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
    let path = [base, &[name.to_owned()]].concat();
    match text[name.len()..].strip_prefix("::") {
        Some(rest) if !name.is_empty() => follow(&path, rest, see),
        _ => see(&path),
    }
}

/// The modules right below `parent`, each with those below it, and which of the others it names.
fn below(parent: &[String], modules: &BTreeMap<Module, BTreeSet<Module>>) -> Names {
    let child = |module: &Module| module.strip_prefix(parent)?.first().cloned();
    let mut names = Names::new();
    for (module, named) in modules {
        let Some(user) = child(module) else { continue };
        let used = named.iter().filter_map(child).filter(|used| *used != user);
        names.entry(user.clone()).or_default().extend(used);
    }
    names
}

#[test]
fn each_module_of_the_engine_uses_those_before_it_in_the_order_of_reading() {
    let map = read("crate/engine/src/lib.rs");
    let sentence = map.split("Read in this order:").nth(1).unwrap().split("Each uses").next().unwrap();
    let order: Vec<&str> =
        sentence.split("[`").skip(1).map(|part| part.split("`]").next().unwrap()).collect();
    let modules = below(&[], &modules_of("crate/engine/src"));
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

/// What is left when all are taken away that use nothing that is left.
fn circle_in(mut modules: Names) -> Vec<String> {
    while let Some(leaf) = modules.iter().find(|(_, used)| used.is_empty()).map(|(name, _)| name.clone()) {
        modules.remove(&leaf);
        for used in modules.values_mut() {
            used.remove(&leaf);
        }
    }
    modules.into_keys().collect()
}

#[test]
fn no_module_comes_back_to_itself() {
    for folder in ["crate/engine/src", "crate/web/src"] {
        let modules = modules_of(folder);
        for parent in modules.keys() {
            let names = below(parent, &modules);
            assert!(circle_in(names).is_empty(), "a circle in {folder} below {parent:?}");
        }
    }
    let shell = below(&[], &modules_of("crate/web/src"));
    assert!(shell["shell"].contains("protocol"), "{shell:?}");
    let model = below(&["model".to_owned()], &modules_of("crate/engine/src"));
    assert!(model["gpt_neox"].contains("forward") && model["fused"].contains("kernels"), "{model:?}");
}

#[test]
fn a_circle_is_found_where_there_is_one() {
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let modules = BTreeMap::from([
        (module("a::one"), BTreeSet::from([module("a::two::deep")])),
        (module("a::two"), BTreeSet::new()),
        (module("a::two::deep"), BTreeSet::from([module("b")])),
        (module("b"), BTreeSet::from([module("a")])),
    ]);
    assert_eq!(circle_in(below(&[], &modules)), ["a", "b"]);
    assert!(circle_in(below(&module("a"), &modules)).is_empty());
}

#[test]
fn paths_in_braces_are_followed_one_by_one() {
    let mut found = Vec::new();
    follow(&["a".to_owned()], "b::{self, c::{D, e}, f};\nx", &mut |path| found.push(path.join("::")));
    assert_eq!(found, ["a::b::self", "a::b::c::D", "a::b::c::e", "a::b::f"]);
}
