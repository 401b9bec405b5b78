//! The record of a run, in the schema of the page (`logit-lab-record`, version 1), and its repeat.
//!
//! On the fused kernel and the baseline SIMD level the logits have the same bits natively and in every browser, so a
//! record that a page has made gives the same ids here.

mod repeat;

use std::path::Path;

use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::{TimedRun, TimedToken};
use logit_lab_engine::model::LoadChoice;
use logit_lab_engine::sampling::{BoundaryRule, ChainStep, Decoding, SamplingSettings, SettingsValues};
use logit_lab_engine::session::{CachePolicy, Limits, Session, StopReason};
use logit_lab_engine::tokenizer::Tokenizer;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub use self::repeat::repeat;
use crate::Fallible;
use crate::folder::read;

const SCHEMA: &str = "logit-lab-record";
const VERSION: u64 = 1;

/// What a run has made.
pub struct Made<'a> {
    pub cache: CachePolicy,
    pub session: &'a Session,
    pub timed: &'a TimedRun,
    pub tokens: &'a [TimedToken],
    pub tokenize_ms: f64,
}

/// The record of a run that has ended.
pub fn record(
    folder: &Path,
    prompt: Option<&str>,
    choice: LoadChoice,
    (settings, seed, limits): (&SamplingSettings, u32, &Limits),
    made: Made<'_>,
) -> Fallible<Value> {
    let Made { cache, session, timed, tokens, tokenize_ms } = made;
    let files = files_of(folder)?;
    let config = session.model().config();
    let tokenizer = session.tokenizer().map(AsRef::as_ref);
    let timings = timed.timings();
    let new_ids = session.new_ids();
    let greedy = settings.values().decoding == Decoding::Greedy;
    let uniform = |index: usize| session.origin(index).filter(|_| !greedy).map(|origin| origin.uniform);
    Ok(json!({
        "schema": SCHEMA,
        "version": VERSION,
        // The engine's program keeps no calendar.
        "recordedAt": null,
        "model": model_json(folder, config, tokenizer, choice, &files),
        "tokenizer": {
            "sha256": digest_of(&files, "tokenizer.json"),
            "entries": tokenizer.map(Tokenizer::entries),
        },
        "engine": {
            "precision": choice.precision.to_string(),
            "kernel": choice.kernel.name(),
            "simd": "baseline",
            "kvCache": choice.kv_cache.name(),
            "cachePolicy": match cache {
                CachePolicy::Reuse => "reuse",
                CachePolicy::Recompute => "recompute",
            },
        },
        "padding": "none",
        "rowOrder": [0],
        "settings": null,
        "seed": seed,
        "handUniform": null,
        "runs": [{
            "first": 0,
            "sampling": sampling_json(settings.values()),
            "seed": seed,
            "uniform": null,
            "limits": {
                "maxNewTokens": limits.max_new_tokens,
                "stop": limits.stop.iter().collect::<Vec<_>>(),
                "ignoreEos": limits.ignore_eos,
                "eosId": limits.eos_id,
            },
            "exact": true,
        }],
        "prompt": prompt.unwrap_or_default(),
        "promptIds": session.ids().get(..session.prompt_length()),
        "newIds": new_ids,
        "byHand": [],
        "text": tokenizer.map(|_| timed.text().to_owned() + &session.held_text()),
        "tokens": {
            "shown": new_ids.iter().map(|id| shown(tokenizer, *id)).collect::<Vec<_>>(),
            "probability": tokens.iter().map(|token| token.probability.min(1.0)).collect::<Vec<_>>(),
            "rank": tokens.iter().map(|token| token.rank).collect::<Vec<_>>(),
            "uniform": (0..new_ids.len()).map(uniform).collect::<Vec<_>>(),
            "forwardMs": tokens.iter().map(|token| token.forward_ms).collect::<Vec<_>>(),
            "samplingMs": tokens.iter().map(|token| token.sampling_ms).collect::<Vec<_>>(),
        },
        "stopReason": session.stopped().map(reason_name),
        "forwardCalls": session.forward_calls(),
        "timingsMs": {
            "tokenize": tokenize_ms,
            "prefill": timings.prefill_ms,
            "decodeSteps": timings.decode_steps_ms,
            "sampling": timings.sampling_ms,
            "detokenize": timings.detokenize_ms,
            "firstToken": timings.first_token_ms,
            "total": timed.elapsed_ms(),
        },
        "browser": null,
        "page": {"program": "command line", "build": null, "engineVersion": env!("CARGO_PKG_VERSION")},
    }))
}

fn model_json(
    folder: &Path,
    config: &ModelConfig,
    tokenizer: Option<&Tokenizer>,
    choice: LoadChoice,
    files: &[Value],
) -> Value {
    json!({
        "id": null,
        "title": folder.file_name().map(|name| name.to_string_lossy()),
        "origin": "folder",
        "base": null,
        "revision": null,
        "licence": null,
        "files": files,
        "warnings": [],
        "kept": null,
        "notKept": null,
        "hasTokenizer": tokenizer.is_some(),
        "selfTest": null,
        "timingsMs": null,
        "card": {
            "vocabSize": config.vocab_size,
            "hiddenSize": config.hidden_size,
            "numHiddenLayers": config.num_hidden_layers,
            "numAttentionHeads": config.num_attention_heads,
            "intermediateSize": config.intermediate_size,
            "maxPositionEmbeddings": config.max_position_embeddings,
            "rotaryDimensions": config.rotary_dimensions(),
            "eosTokenId": config.eos_token_id,
            "tokenizerEntries": tokenizer.map(Tokenizer::entries),
            "tokenizerIdsBeyond": tokenizer.map(|tokenizer| tokenizer.ids_from(config.vocab_size)),
            "parameters": config.parameters(),
            "hiddenAct": config.hidden_act.name(),
            "useParallelResidual": config.use_parallel_residual,
            "tieWordEmbeddings": config.tie_word_embeddings,
            "kernel": choice.kernel.name(),
            "precision": choice.precision.to_string(),
            "kvCache": choice.kv_cache.name(),
            "simd": "baseline",
            "memory": null,
            "memoryNeed": null,
            "report": null,
        },
    })
}

/// Name, bytes and digest of each file of a model.
fn files_of(folder: &Path) -> Fallible<Vec<Value>> {
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let small =
            ["config.json", "tokenizer.json", "model.safetensors.index.json"].contains(&name.as_str());
        if small || name.ends_with(".safetensors") {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.iter().map(|name| file_json(folder, name)).collect()
}

fn file_json(folder: &Path, name: &str) -> Fallible<Value> {
    let bytes = read(&folder.join(name))?;
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(json!({"name": name, "bytes": bytes.len(), "sha256": digest, "check": null}))
}

fn digest_of(files: &[Value], name: &str) -> Value {
    files.iter().find(|file| file["name"] == name).map_or(Value::Null, |file| file["sha256"].clone())
}

fn sampling_json(values: &SettingsValues) -> Value {
    let chain = match &values.decoding {
        Decoding::Greedy => Vec::new(),
        Decoding::Sample { chain } => chain.iter().map(|step| step_json(*step)).collect(),
    };
    json!({
        "greedy": values.decoding == Decoding::Greedy,
        "chain": chain,
        "repetitionPenalty": values.repetition_penalty,
        "noRepeatNgram": values.no_repeat_ngram,
        "suppress": values.suppress,
        "minNewTokens": values.min_new_tokens,
        "boundary": match values.boundary {
            BoundaryRule::Smallest => "smallest",
            BoundaryRule::Listing => "listing",
        },
    })
}

fn step_json(step: ChainStep) -> Value {
    match step {
        ChainStep::Temperature(value) => json!({"kind": "temperature", "value": value}),
        ChainStep::TopK(count) => json!({"kind": "topK", "value": count}),
        ChainStep::TopP(value) => json!({"kind": "topP", "value": value}),
        ChainStep::MinP(value) => json!({"kind": "minP", "value": value}),
    }
}

fn shown(tokenizer: Option<&Tokenizer>, id: u32) -> String {
    tokenizer.map_or_else(|| format!("⟨{id}⟩"), |tokenizer| tokenizer.piece(id).text)
}

fn reason_name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::EndToken => "endToken",
        StopReason::MaxNewTokens => "maxNewTokens",
        StopReason::StopString => "stopString",
        StopReason::ContextFull => "contextFull",
        StopReason::User => "user",
    }
}
