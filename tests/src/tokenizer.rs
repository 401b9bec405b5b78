//! The tokenizer against Hugging Face's: 222 texts with their ids, streamed and whole.

use std::sync::LazyLock;

use logit_lab_engine::tokenizer::{StreamDecoder, Tokenizer};

pub const PYTHIA_JSON: &[u8] = include_bytes!("../fixtures/pythia-14m/tokenizer.json");
pub const TALES_JSON: &[u8] = include_bytes!("../../www/models/tales-2m/tokenizer.json");
const CASES_JSON: &str = include_str!("../fixtures/tokenizer_cases.json");

pub static PYTHIA: LazyLock<Tokenizer> = LazyLock::new(|| Tokenizer::from_bytes(PYTHIA_JSON).unwrap());
pub static TALES: LazyLock<Tokenizer> = LazyLock::new(|| Tokenizer::from_bytes(TALES_JSON).unwrap());

pub struct Case {
    pub text: String,
    pub ids: Vec<u32>,
    pub decoded: String,
}

pub fn cases() -> Vec<Case> {
    let file: serde_json::Value = serde_json::from_str(CASES_JSON).unwrap();
    let string = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    file["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| Case {
            text: string(&case["text"]),
            ids: serde_json::from_value(case["ids"].clone()).unwrap(),
            decoded: string(&case["decoded"]),
        })
        .collect()
}

/// Streams the ids and checks on the way that only the beginning of a character is held back.
pub fn streamed(tokenizer: &Tokenizer, ids: &[u32]) -> String {
    let mut stream = StreamDecoder::new();
    let mut text = String::new();
    for (index, id) in ids.iter().enumerate() {
        text.push_str(&stream.push_token(tokenizer, *id));
        let whole = tokenizer.decode(&ids[..=index]);
        let held = whole.strip_prefix(&text).expect("what was shown stays");
        assert!(held.is_empty() || held == "\u{FFFD}", "{held:?} is held back");
    }
    text + &stream.finish()
}

pub fn all_222_reference_texts_have_the_reference_ids_and_decode_to_the_reference_text() {
    let cases = cases();
    assert_eq!(cases.len(), 222);
    for case in cases {
        assert_eq!(PYTHIA.encode(&case.text).unwrap(), case.ids, "{:?}", case.text);
        assert_eq!(PYTHIA.decode(&case.ids), case.decoded, "{:?}", case.text);
    }
}

pub fn streaming_every_reference_text_token_by_token_gives_the_whole_text() {
    for case in cases() {
        assert_eq!(streamed(&PYTHIA, &case.ids), case.decoded);
        let ids = TALES.encode(&case.text).unwrap();
        assert_eq!(streamed(&TALES, &ids), TALES.decode(&ids));
    }
}

pub fn sizes_are_those_of_the_vocabularies() {
    assert_eq!((PYTHIA.entries(), PYTHIA.max_id()), (50_277, 50_276));
    assert_eq!((TALES.entries(), TALES.max_id()), (4_096, 4_095));
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! tokenizer_checks {
    ($test:meta) => {
        $crate::checks!($test, tokenizer:
            all_222_reference_texts_have_the_reference_ids_and_decode_to_the_reference_text,
            streaming_every_reference_text_token_by_token_gives_the_whole_text,
            sizes_are_those_of_the_vocabularies,
        );
    };
}
