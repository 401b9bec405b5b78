//! Typed access to the fields of `config.json`, with errors that name the field.

use serde_json::{Map, Value};

use super::Activation;
use crate::error::{EngineError, Result};

pub(super) fn config_error(field: &str, expected: impl Into<String>, found: impl ToString) -> EngineError {
    EngineError::Config { field: field.to_owned(), expected: expected.into(), found: found.to_string() }
}

/// The beginning of a file for an error message, on one line and short, whatever the bytes are.
pub(crate) fn starts_with(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "an empty file".to_owned();
    }
    let head: String = String::from_utf8_lossy(bytes.get(..48).unwrap_or(bytes)).chars().take(40).collect();
    format!("a file that starts with {head:?}")
}

/// A value for an error message: a long text, list or object must not fill the page.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(fields) => format!("an object of {} fields", fields.len()),
        Value::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        scalar => scalar.to_string(),
    }
}

/// The parsed object. Typed access by hand and not by derive, because a derived error does not name the field.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        const MOST_BYTES: usize = 1 << 20;
        if bytes.len() > MOST_BYTES {
            let found = format!("{} bytes", bytes.len());
            return Err(config_error("the file", format!("at most {MOST_BYTES} bytes"), found));
        }
        // serde_json stops at 128 levels of nesting with an error, so depth cannot exhaust the stack.
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(other) => Err(config_error("the file", "a JSON object", shown(&other))),
            Err(error) => {
                Err(config_error("the file", "a JSON object", format!("{} ({error})", starts_with(bytes))))
            }
        }
    }

    /// The field, unless it is absent or null.
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn size(&self, name: &str, most: usize) -> Result<usize> {
        let expected = || format!("a whole number from 1 to {most}");
        let value = self.get(name).ok_or_else(|| config_error(name, expected(), "nothing"))?;
        value
            .as_u64()
            .and_then(|size| usize::try_from(size).ok())
            .filter(|size| (1..=most).contains(size))
            .ok_or_else(|| config_error(name, expected(), shown(value)))
    }

    pub(super) fn number(&self, name: &str, absent: f64, least: f64, most: f64) -> Result<f64> {
        self.get(name).map_or(Ok(absent), |value| number(name, value, least, most))
    }

    pub(super) fn flag(&self, name: &str, absent: bool) -> Result<bool> {
        match self.get(name) {
            None => Ok(absent),
            Some(value) => value.as_bool().ok_or_else(|| config_error(name, "true or false", shown(value))),
        }
    }

    fn text(&self, name: &str) -> Result<Option<&str>> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => match value.as_str() {
                Some(text) => Ok(Some(text)),
                None => Err(config_error(name, "a text", shown(value))),
            },
        }
    }

    pub(super) fn expect_gpt_neox(&self) -> Result<()> {
        match self.text("model_type")? {
            None | Some("gpt_neox") => Ok(()),
            Some(other) => Err(config_error("model_type", "gpt_neox", shown(&Value::from(other)))),
        }
    }

    pub(super) fn activation(&self) -> Result<Activation> {
        let name = self.text("hidden_act")?.unwrap_or("gelu");
        Activation::parse(name)
            .ok_or_else(|| config_error("hidden_act", Activation::SUPPORTED, shown(&Value::from(name))))
    }

    pub(super) fn token_ids(&self, name: &str) -> Result<Vec<u32>> {
        let wrong =
            |value: &Value| config_error(name, "a token id, null or a list of token ids", shown(value));
        let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(ids)) => {
                ids.iter().map(|value| id(value).ok_or_else(|| wrong(value))).collect()
            }
            Some(value) => Ok(vec![id(value).ok_or_else(|| wrong(value))?]),
        }
    }

    /// Share and base of the rotary embedding, from the old names or the new; the new ones win where a file has both,
    /// and of those `rope_scaling`, as in Hugging Face transformers 5.
    pub(super) fn rotary(&self) -> Result<(f64, f64)> {
        let mut share = self.number("rotary_pct", 0.25, 0.0, 1.0)?;
        let mut base = self.number("rotary_emb_base", 10_000.0, 1.0, 1e12)?;
        for name in ["rope_parameters", "rope_scaling"] {
            let Some(value) = self.get(name) else {
                continue;
            };
            let Some(object) = value.as_object() else {
                return Err(config_error(name, "an object or null", shown(value)));
            };
            // Other types bend the frequencies; computing them plainly would be silently wrong.
            for kind in ["rope_type", "type"] {
                if let Some(found) = object.get(kind).filter(|found| found.as_str() != Some("default")) {
                    let wanted = "default (scaled rotary embedding is not supported)";
                    return Err(config_error(&format!("{name}.{kind}"), wanted, shown(found)));
                }
            }
            if let Some(factor) = object.get("factor").filter(|factor| factor.as_f64() != Some(1.0)) {
                let wanted = "1 or nothing (scaled rotary embedding is not supported)";
                return Err(config_error(&format!("{name}.factor"), wanted, shown(factor)));
            }
            if let Some(value) = object.get("partial_rotary_factor") {
                share = number(&format!("{name}.partial_rotary_factor"), value, 0.0, 1.0)?;
            }
            if let Some(value) = object.get("rope_theta") {
                base = number(&format!("{name}.rope_theta"), value, 1.0, 1e12)?;
            }
        }
        Ok((share, base))
    }
}

fn number(name: &str, value: &Value, least: f64, most: f64) -> Result<f64> {
    value
        .as_f64()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| config_error(name, format!("a number from {least} to {most}"), shown(value)))
}
