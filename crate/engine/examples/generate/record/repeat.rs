//! A record that is repeated: what of it is not to be had here, and where the tokens part.

use std::path::Path;

use logit_lab_engine::lab::replay::{Part, Replay, first_divergence};
use logit_lab_engine::model::{Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, WeightPrecision};
use logit_lab_engine::sampling::{BoundaryRule, ChainStep, Decoding, SamplingSettings, SettingsValues};
use logit_lab_engine::session::{CachePolicy, Limits, Session};
use logit_lab_engine::stop::StopStrings;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{SCHEMA, VERSION, files_of, reason_name, shown};
use crate::Fallible;
use crate::folder::{load, read};

const MOST_FILE_BYTES: u64 = 16_000_000;

/// Repeats the record of a file, or each of its list, on the model of a folder.
pub fn repeat(folder: &Path, file: &Path) -> Fallible<Value> {
    let bytes = std::fs::metadata(file).map_or(0, |data| data.len());
    if bytes > MOST_FILE_BYTES {
        return Err(format!("{}: a record has at most {MOST_FILE_BYTES} bytes", file.display()).into());
    }
    let value: Value = serde_json::from_slice(&read(file)?)
        .map_err(|error| format!("{}: this is no record, for it is no JSON: {error}", file.display()))?;
    match value {
        Value::Array(records) => Ok(Value::Array(
            records.into_iter().map(|record| repeat_one(folder, record)).collect::<Fallible<_>>()?,
        )),
        record => repeat_one(folder, record),
    }
}

fn repeat_one(folder: &Path, value: Value) -> Fallible<Value> {
    if value["schema"] != SCHEMA || value["version"] != VERSION {
        return Err(format!("this is no {SCHEMA} of version {VERSION}").into());
    }
    let record: Record =
        serde_json::from_value(value).map_err(|error| format!("the record is not sound: {error}"))?;
    let engine = record.engine.as_ref().ok_or("the record does not say on which engine it was made")?;
    hindrance(folder, &record, engine)?;
    let choice = LoadChoice {
        kernel: Kernel::parse(&engine.kernel)?,
        precision: WeightPrecision::parse(&engine.precision)?,
        kv_cache: CachePrecision::parse(&engine.kv_cache)?,
    };
    let cache = if engine.cache_policy == "recompute" { CachePolicy::Recompute } else { CachePolicy::Reuse };
    let (model, tokenizer, _, _) = load(folder, choice)?;
    let mut session = Session::new(model, tokenizer.clone(), cache);
    session.set_prompt(record.prompt_ids.clone())?;
    let forced = record.by_hand.iter().filter_map(|&index| Some((index, *record.new_ids.get(index)?)));
    let mut replay = Replay::new(session, parts(&record)?, forced.collect())?;
    while !replay.advance()? {}

    let name = |id: u32| json!({"id": id, "shown": shown(tokenizer.as_deref(), id)});
    let recorded =
        |index: usize, id: u32| match record.tokens.as_ref().and_then(|tokens| tokens.shown.get(index)) {
            Some(shown) => json!({"id": id, "shown": shown}),
            None => name(id),
        };
    let divergence = first_divergence(&record.new_ids, replay.new_ids()).map(|(index, then, now)| {
        json!({"index": index, "recorded": then.map(|id| recorded(index, id)), "now": now.map(name)})
    });
    Ok(json!({
        "first_divergence": divergence,
        "tokens": record.new_ids.len(),
        "put_in_by_hand": record.by_hand.len(),
        "new_ids": replay.new_ids(),
        "text": replay.text(),
        "stop_reason": {"recorded": record.stop_reason, "now": replay.stop_reason().map(reason_name)},
    }))
}

/// Why it cannot be repeated here, as an error.
fn hindrance(folder: &Path, record: &Record, engine: &Engine) -> Fallible<()> {
    if engine.simd != "baseline" {
        return Err("the record was made with relaxed SIMD, which a native run does not have".into());
    }
    if record.padding != "none" || record.row_order.len() != 1 {
        return Err("the record was made in a batch, so it cannot be repeated as one run".into());
    }
    if record.runs.iter().any(|run| !run.exact) {
        return Err("its settings were changed while it ran, and nobody knows at which token".into());
    }
    if record.new_ids.is_empty() {
        return Err("the record has no new tokens: there is nothing to repeat".into());
    }
    let here = files_of(folder)?;
    let model = record.model.as_ref().ok_or("the record names no model")?;
    for file in model.files.iter().filter(|file| file.name.ends_with(".safetensors")) {
        if !here.iter().any(|own| own["sha256"] == file.sha256.as_str()) {
            let message =
                format!("the weights here are not those of the record ({}, {})", model.title, file.name);
            return Err(message.into());
        }
    }
    Ok(())
}

fn parts(record: &Record) -> Fallible<Vec<Part>> {
    let cut_short = record.stop_reason.as_deref().is_none_or(|reason| reason == "user");
    let mut parts = Vec::new();
    for (place, run) in record.runs.iter().enumerate() {
        let mut max_new_tokens = run.limits.max_new_tokens;
        if cut_short && place + 1 == record.runs.len() {
            // The run had no end of its own: the repeat ends at the same length.
            let later = record.by_hand.iter().filter(|index| **index > run.first).count();
            max_new_tokens = record.new_ids.len().saturating_sub(run.first).saturating_sub(later);
        }
        parts.push(Part {
            first: run.first,
            settings: settings(&run.sampling)?,
            seed: run.seed,
            limits: Limits {
                max_new_tokens,
                eos_id: run.limits.eos_id,
                ignore_eos: run.limits.ignore_eos,
                stop: StopStrings::new(run.limits.stop.clone())?,
            },
            uniform: run.uniform,
        });
    }
    Ok(parts)
}

fn settings(sampling: &Sampling) -> Fallible<SamplingSettings> {
    let decoding = if sampling.greedy {
        Decoding::Greedy
    } else {
        Decoding::Sample { chain: sampling.chain.iter().map(chain_step).collect::<Fallible<_>>()? }
    };
    Ok(SamplingSettings::new(SettingsValues {
        decoding,
        repetition_penalty: sampling.repetition_penalty,
        no_repeat_ngram: sampling.no_repeat_ngram,
        suppress: sampling.suppress.clone(),
        min_new_tokens: sampling.min_new_tokens,
        boundary: BoundaryRule::parse(&sampling.boundary)?,
    })?)
}

fn chain_step(Step { kind, value }: &Step) -> Fallible<ChainStep> {
    match kind.as_str() {
        "temperature" => Ok(ChainStep::Temperature(*value)),
        "topK" if value.fract() == 0.0 && (0.0..=1e9).contains(value) => Ok(ChainStep::TopK(*value as usize)),
        "topP" => Ok(ChainStep::TopP(*value)),
        "minP" => Ok(ChainStep::MinP(*value)),
        _ => Err(format!("the record is not sound: {kind} {value} is no step of the chain").into()),
    }
}

/// What a repeat reads of a record; the rest is told and not needed. No field is unknown.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(dead_code, reason = "a record of another shape is refused, whatever of it is needed")]
struct Record {
    schema: String,
    version: u64,
    recorded_at: Value,
    model: Option<RecordedModel>,
    tokenizer: Value,
    engine: Option<Engine>,
    padding: String,
    row_order: Vec<usize>,
    settings: Value,
    seed: Option<u32>,
    hand_uniform: Option<f64>,
    runs: Vec<Run>,
    prompt: String,
    prompt_ids: Vec<u32>,
    new_ids: Vec<u32>,
    by_hand: Vec<usize>,
    text: Option<String>,
    tokens: Option<Tokens>,
    stop_reason: Option<String>,
    forward_calls: Value,
    timings_ms: Value,
    /// Of the page alone, and not of its first records.
    #[serde(default)]
    timing: Value,
    browser: Value,
    page: Value,
}

#[derive(Deserialize)]
struct RecordedModel {
    title: String,
    files: Vec<RecordedFile>,
}

#[derive(Deserialize)]
struct RecordedFile {
    name: String,
    sha256: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Engine {
    precision: String,
    kernel: String,
    simd: String,
    kv_cache: String,
    cache_policy: String,
}

#[derive(Deserialize)]
struct Tokens {
    shown: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Run {
    first: usize,
    sampling: Sampling,
    seed: u32,
    uniform: Option<f64>,
    limits: RunLimits,
    exact: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sampling {
    greedy: bool,
    chain: Vec<Step>,
    repetition_penalty: f64,
    no_repeat_ngram: usize,
    suppress: Vec<u32>,
    min_new_tokens: usize,
    boundary: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    kind: String,
    value: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RunLimits {
    max_new_tokens: usize,
    stop: Vec<String>,
    ignore_eos: bool,
    eos_id: Option<u32>,
}
