//! Number formats on the command line: what the precision panel says of a number, a list or packed weights, as one JSON
//! object. No model is needed.
//!
//! ```text
//! cargo run --release -p logit-lab-engine --example numbers -- describe 0.1
//! cargo run --release -p logit-lab-engine --example numbers -- block --format nf4 --block-size 8 0.1,-0.2,3
//! cargo run --release -p logit-lab-engine --example numbers -- pack 1048576 4 64 2
//! ```
#![allow(clippy::print_stdout, reason = "standard output is this program's interface")]

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use logit_lab_engine::lab::block_scaling::{self, PackedBytes, Quantised, mebibytes};
use logit_lab_engine::lab::number_formats::{CodeFormat, StoredNumber, describe};
use serde_json::{Value, json};

/// Prints what number formats make of numbers, as JSON.
#[derive(Parser)]
#[command(name = "numbers")]
struct Options {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// One number in every format
    Describe {
        #[arg(allow_negative_numbers = true)]
        value: f64,
        /// The largest number that shares a scale with it, for the formats that have one
        #[arg(long, default_value_t = 1.0)]
        largest: f64,
    },
    /// A list with one scale, and with a scale for each block
    Block {
        #[arg(value_delimiter = ',', required = true, allow_negative_numbers = true)]
        values: Vec<f64>,
        #[arg(long, default_value_t = 64)]
        block_size: usize,
        /// int8, int4, nf4, e4m3 or e5m2
        #[arg(long, default_value = "int4")]
        format: String,
    },
    /// Bytes of packed weights
    Pack { weights: u64, code_bits: u64, group: u64, scale_bytes: u64 },
}

fn main() -> ExitCode {
    match answer(Options::parse().question) {
        Ok(value) => {
            println!("{value}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn answer(question: Question) -> Result<Value, Box<dyn Error>> {
    match question {
        Question::Describe { value, largest } => {
            let described = describe(value, largest)?;
            let trip = &described.round_trip;
            Ok(json!({
                "value": described.value,
                "formats": described.formats.iter().map(stored).collect::<Vec<_>>(),
                "fp16_to_fp32": {
                    "saved": stored(&trip.saved),
                    "widened": stored(&trip.widened),
                    "direct": stored(&trip.direct),
                },
            }))
        }
        Question::Block { values, block_size, format } => {
            let format = CodeFormat::parse(&format)
                .ok_or_else(|| format!("--format: int8, int4, nf4, e4m3 or e5m2, found {format}"))?;
            let scaling = block_scaling::quantise(values, block_size, format)?;
            Ok(json!({
                "format": format.name(),
                "values": scaling.values,
                "one_scale": quantised(&scaling.whole),
                "scale_by_block": quantised(&scaling.blocks),
            }))
        }
        Question::Pack { weights, code_bits, group, scale_bytes } => {
            Ok(packed(PackedBytes::of(weights, code_bits, group, scale_bytes)?))
        }
    }
}

/// Infinities and NaN, which JSON has not, become null; `kind` says what they are.
fn stored(number: &StoredNumber) -> Value {
    let bits: Vec<&str> = number.fields.iter().map(|field| field.bits.as_str()).collect();
    json!({
        "format": number.format,
        "bits": bits.join(" "),
        "kind": format!("{:?}", number.kind),
        "value": number.value,
        "error": number.error,
        "spacing": number.spacing,
        "largest": number.largest,
        "larger_becomes": number.overflow,
        "scale": number.scale,
    })
}

fn quantised(list: &Quantised) -> Value {
    json!({
        "block_size": list.block_size,
        "scales": list.scales,
        "values": list.values,
        "largest_error": list.largest_error,
        "rms_error": list.rms_error,
        "became_0": list.lost,
        "bytes": packed(list.bytes),
    })
}

fn packed(bytes: PackedBytes) -> Value {
    json!({
        "code_bytes": bytes.code_bytes,
        "groups": bytes.groups,
        "scale_bytes": bytes.scale_bytes,
        "total_bytes": bytes.total_bytes(),
        "total_mib": mebibytes(bytes.total_bytes()),
    })
}
