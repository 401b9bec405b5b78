//! Prompts to token ids.

use logit_lab_engine::EngineError;
use logit_lab_engine::session::check_text_bytes;
use logit_lab_engine::tokenizer::Tokenizer;

use super::{Loaded, Result};
use crate::protocol::Prompt;

/// The ids of a prompt, unless its text alone shows that it is too long.
pub(super) fn prompt_ids(loaded: &Loaded, prompt: &Prompt) -> Result<Vec<u32>> {
    if let Prompt::Text(text) = prompt {
        check_text_bytes(text.len(), loaded.config.max_position_embeddings)?;
    }
    ids_of(loaded.tokenizer.as_deref(), prompt)
}

/// The ids of a text of any length.
pub(super) fn ids_of(tokenizer: Option<&Tokenizer>, prompt: &Prompt) -> Result<Vec<u32>> {
    match (prompt, tokenizer) {
        (Prompt::Ids(ids), _) => Ok(ids.clone()),
        (Prompt::Text(text), Some(tokenizer)) => Ok(tokenizer.encode(text)?),
        (Prompt::Text(_), None) => Err(no_tokenizer().into()),
    }
}

/// Why nothing can be made of text, or text of ids.
pub(super) fn no_tokenizer() -> EngineError {
    EngineError::Tokenizer {
        subject: "text".into(),
        expected: "a model with a tokenizer.json, or token ids".into(),
        found: "a model without one".into(),
    }
}
