//! `--batch`: several prompts in padded batches in place of one text, beside the same prompts one at a time.

use std::path::PathBuf;

use clap::Args;
use logit_lab_engine::lab::batch_run::{Schedule, Streams};
use logit_lab_engine::lab::{BatchExperiment, BatchOutcome, BatchPlan, BatchRequest, BatchSettings};
use logit_lab_engine::model::Forward;
use logit_lab_engine::model::batch::PaddingSide;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::sampling::SamplingSettings;
use logit_lab_engine::session::Limits;
use logit_lab_engine::tokenizer::Tokenizer;
use serde_json::{Value, json};

use crate::folder::read;
use crate::{Fallible, Options, fresh_seed, now_ms};

/// What a batch can be asked for.
#[derive(Args)]
pub struct BatchFlags {
    /// File with one prompt a line, "name TAB prompt" or the prompt alone; needs --kernel candle
    #[arg(long, conflicts_with_all = ["prompt", "ids", "beams", "stop", "no_cache", "logits", "score"])]
    batch: Option<PathBuf>,
    /// Rows of a batch; absent: all prompts in one
    #[arg(long, requires = "batch")]
    batch_rows: Option<usize>,
    /// Let a waiting prompt take the place of a finished one
    #[arg(long, requires = "batch_rows")]
    batch_continuous: bool,
    /// Shortest prompts first
    #[arg(long, requires = "batch")]
    batch_sort: bool,
    /// Rows in the opposite order
    #[arg(long, requires = "batch")]
    batch_reversed: bool,
    /// A mistake: pad on the right and read the last column all the same
    #[arg(long, requires = "batch")]
    batch_pad_right: bool,
    /// A mistake: one random stream for all rows
    #[arg(long, requires = "batch")]
    batch_shared_stream: bool,
}

impl BatchFlags {
    /// Whether a batch is to be run.
    pub fn is_asked_for(&self) -> bool {
        self.batch.is_some()
    }
}

/// Runs the experiment. The prompt of line n (from 0) draws with the seed plus n.
pub fn output(
    model: &dyn Forward,
    tokenizer: Option<&Tokenizer>,
    options: &Options,
    sampling: SamplingSettings,
    limits: &Limits,
) -> Fallible<Value> {
    let flags = &options.batch;
    let model =
        GptNeox::of(model).ok_or("only the candle kernel runs padded batches; add --kernel candle")?;
    let tokenizer = tokenizer.ok_or("the folder has no tokenizer.json, so prompts cannot be read")?;
    let seed = options.seed.unwrap_or_else(fresh_seed);
    let text = String::from_utf8(read(flags.batch.as_deref().unwrap_or(options.model.as_path()))?)?;
    let requests = text
        .lines()
        .filter(|line| !line.is_empty())
        .zip(0..)
        .map(|(line, index)| {
            let numbered = format!("request {}", index + 1);
            let (name, prompt) = line.split_once('\t').unwrap_or((&numbered, line));
            Ok(BatchRequest {
                name: name.to_owned(),
                ids: tokenizer.encode(prompt)?,
                seed: seed.wrapping_add(index),
                max_new_tokens: options.max_new_tokens,
            })
        })
        .collect::<Fallible<Vec<_>>>()?;
    let plan = BatchPlan {
        schedule: match (flags.batch_rows, flags.batch_continuous) {
            (None, _) => Schedule::OneBatch,
            (Some(rows), false) => Schedule::Groups(rows),
            (Some(rows), true) => Schedule::Continuous(rows),
        },
        sort_by_length: flags.batch_sort,
        reversed: flags.batch_reversed,
        padding: if flags.batch_pad_right { PaddingSide::Right } else { PaddingSide::Left },
        streams: if flags.batch_shared_stream { Streams::Shared { seed } } else { Streams::PerRequest },
    };
    let settings = BatchSettings { sampling, eos_id: limits.eos_id, ignore_eos: limits.ignore_eos };
    let mut experiment = BatchExperiment::new(model, requests, settings, plan, false, now_ms)?;
    while !experiment.advance()? {}
    Ok(told(&experiment.outcome(), tokenizer))
}

fn told(outcome: &BatchOutcome, tokenizer: &Tokenizer) -> Value {
    let requests = outcome.requests.iter().zip(&outcome.texts).zip(&outcome.alone);
    let name = |index: &usize| outcome.requests.get(*index).map(|request| request.name.as_str());
    json!({
        "requests": requests.map(|((request, text), alone)| json!({
            "name": request.name,
            "prompt_tokens": request.ids.len(),
            "seed": request.seed,
            "new_ids": text.new_ids,
            "text": tokenizer.decode(&text.new_ids),
            "stop_reason": text.reason.map(|reason| reason.name()),
            "latency_ms": text.latency_ms,
            "alone": {
                "run_ms": alone.run_ms,
                "latency_ms": alone.latency_ms,
                "same_tokens": alone.new_ids == text.new_ids,
                "largest_logit_difference": alone.largest_logit_difference,
            },
        })).collect::<Vec<_>>(),
        "row_order": outcome.order.iter().map(name).collect::<Vec<_>>(),
        "places": {
            "real": outcome.work.real,
            "padding": outcome.work.padding,
            "finished": outcome.work.finished,
        },
        "forward_calls": outcome.work.forward_calls,
        "admissions": {
            "rebuilds": outcome.work.rebuilds,
            "copied_bytes": outcome.work.copied_bytes,
            "ms": outcome.admission_ms,
        },
        "batch_ms": outcome.batch_ms,
        "tokens_per_second": outcome.tokens_per_second(),
        "tokens_per_second_alone": outcome.tokens_per_second_alone(),
    })
}
