//! Writes checkpoints of the small Pythias' shapes, with noise for weights.
//!
//! `make-stand-in OUT_FILE` writes the weights of Pythia-14M, as long as the published file.
//! `make-stand-in --shape pythia-31m [--shards N] OUT_FOLDER` writes configuration and weights of another shape.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;
use std::process::ExitCode;

use logit_lab_tests::stand_in::{SHAPES, Shape, stand_in};

const SEED: u64 = 14;
const USAGE: &str = "usage: make-stand-in OUT_FILE, or make-stand-in --shape NAME [--shards N] OUT_FOLDER";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        [file] if !file.starts_with('-') => std::fs::write(file, stand_in(SEED)).map_err(|e| e.to_string()),
        ["--shape", name, folder] => write_folder(name, "1", Path::new(folder)),
        ["--shape", name, "--shards", count, folder] => write_folder(name, count, Path::new(folder)),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("make-stand-in: {error}");
            ExitCode::from(2)
        }
    }
}

fn write_folder(name: &str, shards: &str, folder: &Path) -> Result<(), String> {
    let shape: Shape = *SHAPES
        .iter()
        .find(|shape| shape.name == name)
        .ok_or_else(|| format!("no shape {name}; there are {}", SHAPES.map(|shape| shape.name).join(", ")))?;
    let count: usize = shards.parse().ok().filter(|count| (1..=64).contains(count)).ok_or(USAGE)?;
    let mut files = vec![("config.json".to_owned(), shape.config_json().into_bytes())];
    if count == 1 {
        files.push(("model.safetensors".to_owned(), shape.file(SEED)));
    } else {
        let (index, shards) = shape.shards(SEED, count);
        files.push(("model.safetensors.index.json".to_owned(), index.into_bytes()));
        files.extend(shards);
    }
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    for (file, bytes) in files {
        std::fs::write(folder.join(&file), bytes).map_err(|e| format!("{file}: {e}"))?;
    }
    Ok(())
}
