//! Writes a checkpoint of Pythia-14M's shape and size: `cargo run -p logit-lab-tests --bin make-stand-in -- OUT_FILE`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(file), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: make-stand-in OUT_FILE");
        return ExitCode::from(2);
    };
    match std::fs::write(&file, logit_lab_tests::stand_in::stand_in(14)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}
