//! `--compare-precisions`: the table of precisions on the prompt in place of a text.

use logit_lab_engine::lab::five_meanings::{Configuration, five_meanings};
use logit_lab_engine::lab::precision_table::{PrecisionRow, REPEATS, Speed};
use logit_lab_engine::lab::{PrecisionTable, TableSource};
use logit_lab_engine::model;
use logit_lab_engine::model::kernels::RELAXED_SIMD;
use serde_json::{Value, json};

use crate::folder::{load_choice, open};
use crate::{Fallible, Options, now_ms, prompt_ids};

/// Runs all rows; with them go the five meanings of "precision" for the kernel, precision and KV cache of the options.
pub fn compare(options: &Options, names: &[String]) -> Fallible<Value> {
    let choice = load_choice(options, &options.kernel)?;
    let (config, tokenizer, checkpoint) = open(&options.model)?;
    let ids = prompt_ids(options, tokenizer.as_deref())?;
    let (_, report) = model::load(config.clone(), checkpoint.clone(), choice)?;
    let running =
        Configuration { config: &config, checkpoint: &checkpoint, choice, relaxed_simd: RELAXED_SIMD };
    let meanings = five_meanings(running).map(|meaning| {
        let facts = meaning.facts.iter();
        json!({
            "name": meaning.name,
            "facts": facts
                .map(|fact| json!({"part": fact.part, "format": fact.format, "detail": fact.detail}))
                .collect::<Vec<_>>(),
        })
    });
    let source = TableSource { config, checkpoint, report, kernel: choice.kernel, budget: None };
    let mut table = PrecisionTable::new(source, ids, names, now_ms)?;
    while !table.advance()? {}
    let (prefilled, decode_steps) = table.timed_tokens();
    Ok(json!({
        "tokens": table.tokens(),
        "kernel": choice.kernel.name(),
        "reference": "f32",
        "timed": {"prefill_tokens": prefilled, "decode_steps": decode_steps, "repeats": REPEATS},
        "rows": table.rows().iter().map(row_json).collect::<Vec<_>>(),
        "five_meanings": meanings,
    }))
}

fn row_json(row: &PrecisionRow) -> Value {
    let speed = |speed: Option<Speed>| {
        speed.map(|speed| json!({"median": speed.median, "lowest": speed.lowest, "highest": speed.highest}))
    };
    match &row.outcome {
        Err(refused) => json!({"name": row.name, "note": row.note, "refused": refused}),
        Ok(figures) => json!({
            "name": row.name,
            "note": row.note,
            "weight_bytes": figures.weight_bytes,
            "scale_bytes": figures.scale_bytes,
            "kv_token_bytes": figures.kv_token_bytes,
            "largest_logit_error": figures.report.largest_logit_error,
            "rms_logit_error": figures.report.rms_logit_error,
            "kl_divergence_nats": figures.report.kl_divergence_nats,
            "top_1_agreement": figures.report.top_1_agreement,
            "nll_nats": figures.report.nll_nats,
            "perplexity": figures.report.perplexity(),
            "prefill_tokens_per_second": speed(figures.prefill_tokens_per_second),
            "decode_tokens_per_second": speed(figures.decode_tokens_per_second),
        }),
    }
}
