//! `--bench`: the same run again and again, every outcome with its times.

use std::sync::Arc;

use logit_lab_engine::lab::benchmark::{Benchmark, Metric, Outcome, Summary, Workload};
use logit_lab_engine::lab::{Spread, clock_step_ms};
use logit_lab_engine::model::Forward;
use logit_lab_engine::tokenizer::Tokenizer;
use serde_json::{Value, json};

use crate::{Fallible, now_ms};

/// Runs it and tells every outcome. Exactly `output_tokens` tokens are made in each run.
pub fn output(
    model: Box<dyn Forward>,
    tokenizer: Option<Arc<Tokenizer>>,
    workload: Workload,
    output_tokens: usize,
    (warm_ups, repeats): (usize, usize),
) -> Fallible<Value> {
    let ids = workload.ids.clone();
    let workload = workload.with_forced_length(output_tokens, model.config().max_position_embeddings)?;
    let step_ms = clock_step_ms(now_ms);
    let runs = (warm_ups, repeats);
    let mut benchmark = Benchmark::new(model, tokenizer, workload, runs, (now_ms, step_ms));
    while !benchmark.advance()? {}
    let summary = Summary::of(benchmark.outcomes());
    let metrics = Metric::ALL.into_iter().zip(summary.metrics);
    Ok(json!({
        "ids": ids,
        "benchmark": {
            "clock_step_ms": step_ms,
            "output_tokens": summary.output_tokens,
            "outcomes": benchmark.outcomes().iter().map(outcome).collect::<Vec<_>>(),
            "summary": metrics.map(|(metric, spread)| (name(metric).to_owned(), spread_json(spread)))
                .collect::<serde_json::Map<_, _>>(),
        },
    }))
}

fn outcome(outcome: &Outcome) -> Value {
    let mut value = json!({"warm_up": outcome.warm_up, "output_tokens": outcome.output_tokens});
    if let Some(object) = value.as_object_mut() {
        object.extend(
            Metric::ALL.into_iter().map(|metric| (name(metric).to_owned(), json!(metric.of(outcome)))),
        );
    }
    value
}

fn name(metric: Metric) -> &'static str {
    match metric {
        Metric::Prefill => "prefill_ms",
        Metric::DecodePerToken => "decode_ms_per_token",
        Metric::Total => "total_ms",
        Metric::TokensPerSecond => "tokens_per_second",
    }
}

/// A spread in the unit of its values.
pub fn spread_json(spread: Option<Spread>) -> Value {
    json!(spread.map(|spread| json!({
        "count": spread.count,
        "smallest": spread.smallest,
        "lower_quartile": spread.lower_quartile,
        "median": spread.median,
        "upper_quartile": spread.upper_quartile,
        "p95": spread.p95,
        "largest": spread.largest,
    })))
}
