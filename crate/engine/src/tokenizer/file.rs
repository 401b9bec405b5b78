//! What a `tokenizer.json` must be before the library sees it, and the library's refusals in words.
//!
//! The library panics on a decoder that is no sound JSON, and recurses as deep as a file nests; both are checked here.

use serde::Deserialize;
use serde_json::Value;

use super::error;
use crate::{EngineError, Result};

/// Lists and objects within one another. Published tokenizers have about ten.
const MOST_LEVELS: usize = 32;

pub(super) fn require_json_object(json: &[u8]) -> Result<()> {
    let start = json.trim_ascii_start();
    if start.first() == Some(&b'{') {
        return Ok(());
    }
    let head: String = String::from_utf8_lossy(start.get(..48).unwrap_or(start))
        .lines()
        .next()
        .unwrap_or_default()
        .escape_debug()
        .collect();
    let found = if start.is_empty() {
        "an empty file".to_owned()
    } else if start.starts_with(b"version https://git-lfs") {
        format!(
            "a Git LFS pointer, which stands for a file that was not downloaded; it starts with \"{head}\""
        )
    } else if start.starts_with(b"<") {
        format!("a web page, which starts with \"{head}\"")
    } else {
        format!("a file that starts with \"{head}\"")
    };
    Err(error("tokenizer.json", "a JSON object", found))
}

/// An error for a file that nests deeper than any tokenizer does.
pub(super) fn require_shallow(json: &[u8]) -> Result<()> {
    let (mut levels, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => levels += 1,
            b']' | b'}' if !in_string => levels = levels.saturating_sub(1),
            _ => {}
        }
        if levels > MOST_LEVELS {
            let expected = format!("lists and objects at most {MOST_LEVELS} deep");
            return Err(error("tokenizer.json", expected, "deeper ones"));
        }
    }
    Ok(())
}

/// An error unless the decoder can be read as JSON: the library panics on one that cannot.
pub(super) fn require_sound_decoder(json: &[u8]) -> Result<()> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default, rename = "decoder")]
        _decoder: Value,
    }
    match serde_json::from_slice::<File>(json) {
        Ok(_) => Ok(()),
        Err(fault) => Err(unreadable(&fault)),
    }
}

/// The library's refusal in words: a download cut short, JSON that is none, or JSON that is no tokenizer.
pub(super) fn unreadable(source: &(dyn std::error::Error + Send + Sync + 'static)) -> EngineError {
    use serde_json::error::Category;
    match source.downcast_ref::<serde_json::Error>().map(serde_json::Error::classify) {
        Some(Category::Eof) => {
            error("tokenizer.json", "a whole file", format!("one that ends early: {source}"))
        }
        Some(Category::Syntax) => error("tokenizer.json", "valid JSON", source.to_string()),
        _ => error(
            "tokenizer.json",
            "a tokenizer as Hugging Face's tokenizers library saves it",
            source.to_string(),
        ),
    }
}
