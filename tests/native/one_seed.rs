//! One seed gives one text and the same bits of logits wherever the engine runs: `fixtures/one_seed.json` is what it makes
//! natively, and `tests/browser/one-seed.test.mjs` has every browser engine make the same.
//! `LOGIT_LAB_UPDATE=1 cargo test -p logit-lab-tests --test one_seed` writes ids and digests anew.
#![allow(missing_docs)]

use std::path::Path;
use std::{env, fs};

use logit_lab_engine::lab::self_test::digest;
use logit_lab_engine::model::{Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, WeightPrecision};
use logit_lab_engine::session::{CachePolicy, Limits, Session, StartFrom};
use logit_lab_tests::fixtures::{load_tales_as, tiny};
use logit_lab_web::convert;
use logit_lab_web::protocol::Settings;
use serde_json::{Value, json};

/// The new ids of a case and the digest of the logits after the last of them.
fn made_natively(case: &Value) -> (Vec<u32>, String) {
    let text = |name: &str| case[name].as_str().unwrap_or_else(|| panic!("{name} in {case}"));
    let choice = LoadChoice {
        kernel: Kernel::Fused,
        precision: WeightPrecision::parse(text("precision")).unwrap(),
        kv_cache: CachePrecision::parse(text("kvCache")).unwrap(),
    };
    let model = match text("model") {
        "tales-2m" => load_tales_as(choice),
        name => tiny(name.trim_start_matches("tiny/")).load_as(choice),
    };
    let settings: Settings = serde_json::from_value(case["settings"].clone()).unwrap();
    let settings = convert::settings(&settings).unwrap();
    let prompt: Vec<u32> = serde_json::from_value(case["ids"].clone()).unwrap();
    let seed = u32::try_from(case["seed"].as_u64().unwrap()).unwrap();
    let max_new_tokens = usize::try_from(case["maxNewTokens"].as_u64().unwrap()).unwrap();

    let mut session = Session::new(model, None, CachePolicy::Reuse);
    session.set_prompt(prompt).unwrap();
    session.start(StartFrom::Prompt, Limits { max_new_tokens, ignore_eos: true, ..Limits::default() });
    while session.stopped().is_none() {
        while !session.forward_chunk().unwrap() {}
        session.pick(&settings, seed).unwrap();
    }
    while !session.forward_chunk().unwrap() {}
    (session.new_ids().to_vec(), format!("{:016x}", digest(session.logits().unwrap())))
}

#[test]
fn one_seed_gives_the_ids_and_the_bits_that_every_browser_has_to_give() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/one_seed.json");
    let mut kept: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let cases = kept["cases"].as_array_mut().unwrap();
    assert!(cases.len() >= 6, "cases have gone missing");
    let update = env::var_os("LOGIT_LAB_UPDATE").is_some();
    for case in cases {
        let (new_ids, logits_digest) = made_natively(case);
        if update {
            case["newIds"] = json!(new_ids);
            case["logitsDigest"] = json!(logits_digest);
        }
        assert_eq!(json!(new_ids), case["newIds"], "{}", case["name"]);
        assert_eq!(json!(logits_digest), case["logitsDigest"], "{}", case["name"]);
    }
    if update {
        fs::write(&file, format!("{}\n", one_case_a_line(&kept))).unwrap();
    }
}

/// A long list of ids is no better for a line each.
fn one_case_a_line(kept: &Value) -> String {
    let cases: Vec<String> =
        kept["cases"].as_array().unwrap().iter().map(|case| format!("    {case}")).collect();
    format!("{{\n  \"cases\": [\n{}\n  ]\n}}", cases.join(",\n"))
}
