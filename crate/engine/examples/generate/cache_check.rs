//! `--cache-check`: the prompt and a greedy continuation through two paths, step by step.

use clap::Args;
use logit_lab_engine::lab::cache_check::largest_difference;
use logit_lab_engine::lab::{CacheCheck, CheckStep, Continuation, HeadRows};
use logit_lab_engine::model::Forward;
use logit_lab_engine::session::CachePolicy;
use serde_json::{Value, json};

use crate::folder::{load, load_choice};
use crate::{Fallible, Options, now_ms};

/// What is checked against what.
#[derive(Args)]
pub struct CheckOptions {
    /// Compare so many steps of a greedy continuation with the KV cache and without: logits, likeliest token, time
    #[arg(long, value_name = "STEPS")]
    cache_check: Option<usize>,
    /// Compare with this kernel, both with the cache, in place of the same kernel without
    #[arg(long, value_name = "KERNEL", requires = "cache_check")]
    against: Option<String>,
    /// Apply the output head to every position that a step reads, not to the last alone
    #[arg(long, requires = "cache_check")]
    all_positions: bool,
}

/// Runs the check, if one was asked for.
pub fn check(model: &dyn Forward, ids: &[u32], options: &Options) -> Fallible<Option<Value>> {
    let CheckOptions { cache_check, against, all_positions } = &options.check;
    let Some(steps) = *cache_check else { return Ok(None) };
    let second = match against {
        Some(kernel) => (load(&options.model, load_choice(options, kernel)?)?.0, CachePolicy::Reuse),
        None => (model.fresh(), CachePolicy::Recompute),
    };
    let head = if *all_positions { HeadRows::All } else { HeadRows::Last };
    let paths = [(model.fresh(), CachePolicy::Reuse), second];
    let mut check = CacheCheck::new(paths, ids.to_vec(), Continuation::Greedy(steps), head, now_ms)?;
    while !check.advance()? {}
    let second = json!({
        "kernel": against.as_ref().unwrap_or(&options.kernel),
        "cache": against.is_some(),
    });
    Ok(Some(json!({
        "first": {"kernel": options.kernel, "cache": true},
        "second": second,
        "logits_of": if *all_positions { "every position of a call" } else { "the last position" },
        "ids": check.ids(),
        "largest_difference": largest_difference(check.steps()).map(|step| step.difference),
        "steps_with_same_bits": check.steps().iter().filter(|step| step.same_bits).count(),
        "steps_with_same_argmax": check.steps().iter().filter(|step| step.best[0] == step.best[1]).count(),
        "steps": check.steps().iter().map(output).collect::<Vec<_>>(),
    })))
}

fn output(step: &CheckStep) -> Value {
    json!({
        "context": step.context,
        "largest_difference": step.difference,
        "token_id": step.id,
        "same_bits": step.same_bits,
        "argmax": step.best,
        "first_ms": step.forward_ms[0],
        "second_ms": step.forward_ms[1],
    })
}
