//! `model.safetensors.index.json`: which tensor lies in which file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::checkpoint_error;
use super::header::Pairs;
use crate::config::starts_with;
use crate::error::Result;

/// Tensors by name, each with the shard that holds it.
pub(super) fn parse(json: &[u8]) -> Result<BTreeMap<String, String>> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: Pairs,
    }
    const FILE: &str = "model.safetensors.index.json";
    // As for a header: parsed JSON takes many times its text.
    const MOST_BYTES: usize = 8 << 20;
    if json.len() > MOST_BYTES {
        return Err(checkpoint_error(
            FILE,
            format!("at most {MOST_BYTES} bytes"),
            format!("{} bytes", json.len()),
        ));
    }
    let index: Index = serde_json::from_slice(json).map_err(|error| {
        let found = format!("{} ({error})", starts_with(json));
        checkpoint_error(FILE, "a JSON object with a weight_map", found)
    })?;
    let mut places = BTreeMap::new();
    for (tensor, file) in index.weight_map.0 {
        let Some(file) = file.as_str() else {
            return Err(checkpoint_error(&tensor, "the name of a shard in the index", "another value"));
        };
        if places.insert(tensor.clone(), file.to_owned()).is_some() {
            return Err(checkpoint_error(&tensor, "once in the index", "twice"));
        }
    }
    if places.is_empty() {
        return Err(checkpoint_error(FILE, "a weight_map that places tensors", "an empty one"));
    }
    Ok(places)
}
