//! The engine without a browser: a model folder and a prompt in, one JSON object out.
//!
//! ```text
//! cargo run --release -p logit-lab-engine --example generate -- --model DIR --prompt "Once upon a time" --seed 42
//! ```
//!
//! Errors go to standard error as one sentence, with exit status 2.
#![allow(clippy::print_stdout, reason = "standard output is this program's interface")]

mod batch;
mod beams;
mod score;

use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use clap::{Parser, ValueEnum};
use logit_lab_engine::checkpoint::{Checkpoint, CheckpointBuilder, LoadReport};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::prompt_logits::Positions;
use logit_lab_engine::lab::{PromptLogits, TimedRun};
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, WeightPrecision};
use logit_lab_engine::sampling::{BoundaryRule, ChainStep, Decoding, SamplingSettings, SettingsValues};
use logit_lab_engine::session::{CachePolicy, Limits, Session, StartFrom};
use logit_lab_engine::stop::StopStrings;
use logit_lab_engine::tokenizer::Tokenizer;
use serde_json::{Value, json};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// Runs a GPT-NeoX model of a folder and prints what happened as JSON.
#[derive(Parser)]
#[command(name = "generate")]
struct Options {
    /// Folder with config.json, model.safetensors (or its index and shards) and, for text, tokenizer.json
    #[arg(long)]
    model: PathBuf,
    /// Prompt as text
    #[arg(long, required_unless_present_any = ["ids", "batch"], conflicts_with = "ids")]
    prompt: Option<String>,
    /// Prompt as token ids: 1,2,3
    #[arg(long, value_delimiter = ',')]
    ids: Option<Vec<u32>>,
    #[arg(long, default_value_t = 32)]
    max_new_tokens: usize,
    /// Always take the token with the largest logit
    #[arg(long)]
    greedy: bool,
    #[arg(long)]
    temperature: Option<f64>,
    #[arg(long)]
    top_k: Option<usize>,
    #[arg(long)]
    top_p: Option<f64>,
    #[arg(long)]
    min_p: Option<f64>,
    /// Order in which the filters act
    #[arg(long, value_delimiter = ',', default_value = "temperature,top_k,top_p,min_p")]
    order: Vec<Filter>,
    /// What top-k and top-p do with a token exactly on the border: smallest (as few as reach it) or listing (one more at
    /// p, ties at k, temperature 0 as 1e-5)
    #[arg(long, default_value = "smallest")]
    boundary: String,
    #[arg(long, default_value_t = 1.0)]
    repetition_penalty: f64,
    #[arg(long, default_value_t = 0)]
    no_repeat_ngram: usize,
    /// Token ids that are never picked: 1,2
    #[arg(long, value_delimiter = ',')]
    suppress: Vec<u32>,
    #[arg(long, default_value_t = 0)]
    min_new_tokens: usize,
    /// Text that ends the output; may be given again
    #[arg(long)]
    stop: Vec<String>,
    /// Go on past the end token
    #[arg(long)]
    ignore_eos: bool,
    /// The end token's id, or none; absent: the configuration's
    #[arg(long)]
    eos_id: Option<String>,
    /// Repeats a run; absent: a fresh one, printed
    #[arg(long)]
    seed: Option<u32>,
    /// How weights are stored: f32, f16, bf16, int8, q4, or by class: head=int8,embedding=f16,blocks=f32
    #[arg(long, default_value = "f32")]
    precision: String,
    /// How keys and values are stored: f32 or f16
    #[arg(long, default_value = "f32")]
    kv_cache: String,
    #[arg(long, default_value = "fused")]
    kernel: String,
    /// Recompute every position at each step
    #[arg(long)]
    no_cache: bool,
    /// Print the prompt's logits, before any new token
    #[arg(long)]
    logits: Option<Rows>,
    /// Beam search with 1 to 8 beams; sampling settings play no part
    #[arg(long)]
    beams: Option<usize>,
    /// How many texts a beam search returns
    #[arg(long, default_value_t = 1, requires = "beams")]
    num_return: usize,
    #[arg(long, default_value_t = 1.0, requires = "beams", allow_negative_numbers = true)]
    length_penalty: f64,
    /// When to end with as many finished texts as beams: true (at once), false (when a better one is unlikely) or never
    #[arg(long, default_value = "false", default_missing_value = "true", num_args = 0..=1, requires = "beams")]
    early_stopping: String,
    #[command(flatten)]
    batch: batch::BatchFlags,
    #[command(flatten)]
    score: score::ScoreFlags,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Filter {
    Temperature,
    TopK,
    TopP,
    MinP,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rows {
    Last,
    All,
}

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) if error.use_stderr() => {
            let text = error.to_string();
            let first_line = text.lines().next().unwrap_or_default().trim_end_matches(':');
            eprintln!("{first_line}; see --help");
            return ExitCode::from(2);
        }
        Err(help) => {
            print!("{help}");
            return ExitCode::SUCCESS;
        }
    };
    match run(&options) {
        // A reader that has heard enough and closed the pipe is no error.
        Ok(value) => match writeln!(io::stdout(), "{value}") {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                eprintln!("error: the answer could not be written: {error}");
                ExitCode::from(2)
            }
            _ => ExitCode::SUCCESS,
        },
        Err(error) => {
            let cause = error.source().map(|source| format!(": {source}")).unwrap_or_default();
            eprintln!("error: {error}{cause}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Fallible<Value> {
    let settings = sampling_settings(options)?;
    let load_started_ms = now_ms();
    let (model, tokenizer, report, checkpoint) = load(options)?;
    let load_ms = now_ms() - load_started_ms;
    let limits = Limits {
        max_new_tokens: options.max_new_tokens,
        eos_id: eos_id(options.eos_id.as_deref(), model.config().eos_token_id)?,
        ignore_eos: options.ignore_eos,
        stop: StopStrings::new(options.stop.clone())?,
    };

    if options.batch.is_asked_for() {
        return batch::output(model.as_ref(), tokenizer.as_deref(), options, settings, &limits);
    }
    let mut timed = TimedRun::new(now_ms);
    let ids = match (&options.ids, &options.prompt, &tokenizer) {
        (Some(ids), _, _) => ids.clone(),
        (None, Some(text), Some(tokenizer)) => tokenizer.encode(text)?,
        _ => {
            return Err(
                "the folder has no tokenizer.json, so a text prompt cannot be read; give --ids instead"
                    .into(),
            );
        }
    };
    if !options.stop.is_empty() && tokenizer.is_none() {
        return Err("the folder has no tokenizer.json, so --stop has no text to look at".into());
    }
    let tokenize_ms = timed.elapsed_ms();
    let cache = if options.no_cache { CachePolicy::Recompute } else { CachePolicy::Reuse };
    let logits =
        options.logits.map(|rows| prompt_logits(model.as_ref(), ids.clone(), rows, cache)).transpose()?;

    if let Some(beams) = options.beams {
        let search = beams::search(model.as_ref(), ids.clone(), options, beams, limits.eos_id)?;
        let mut output = beams::output(&search, &ids, tokenizer.as_deref());
        if let Some(object) = output.as_object_mut() {
            let timings = json!({"load": load_ms, "tokenize": tokenize_ms, "total": timed.elapsed_ms()});
            object.insert("timings_ms".into(), timings);
            object.insert("memory_bytes".into(), json!({"weights": model.weight_bytes()}));
            object.insert("load_report".into(), report_json(&report));
            object.extend(logits.map(|logits| ("logits".to_owned(), logits)));
        }
        return Ok(output);
    }

    if options.score.score {
        return score::output(model.as_ref(), tokenizer.as_deref(), &ids, &options.score, limits.eos_id);
    }
    let digests = options.score.digests.then(|| score::digests(&checkpoint, model.as_ref()));
    let seed = options.seed.unwrap_or_else(fresh_seed);
    let mut session = Session::new(model, tokenizer, cache);
    session.set_prompt(ids)?;
    session.start(StartFrom::Prompt, limits);
    while session.stopped().is_none() {
        timed.advance(&mut session, &settings, seed)?;
    }
    // A run of no tokens still takes its prefill.
    while session.logits().is_none() && !session.forward_chunk()? {}

    let timings = timed.timings();
    let text = session.tokenizer().map(|_| timed.text().to_owned() + &session.held_text());
    let kv = session.kv_bytes();
    let mut output = json!({
        "ids": session.ids(),
        "new_ids": session.new_ids(),
        "text": text,
        "stop_reason": session.stop().name(),
        "forward_calls": session.forward_calls(),
        "seed": seed,
        "timings_ms": {
            "load": load_ms,
            "tokenize": tokenize_ms,
            "prefill": timings.prefill_ms,
            "decode_steps": timings.decode_steps_ms,
            "sampling": timings.sampling_ms,
            "detokenize": timings.detokenize_ms,
            "first_token": timings.first_token_ms,
            "total": timed.elapsed_ms(),
        },
        "memory_bytes": {
            "weights": session.model().weight_bytes(),
            "kv_used": kv.used,
            "kv_reserved": kv.reserved,
        },
        "load_report": report_json(&report),
    });
    if let Some(object) = output.as_object_mut() {
        object.extend(logits.map(|logits| ("logits".to_owned(), logits)));
        let after =
            digests.map(|before| score::compared(&before, &score::digests(&checkpoint, session.model())));
        object.extend(after.map(|compared| ("weights_digest".to_owned(), compared)));
    }
    Ok(output)
}

fn sampling_settings(options: &Options) -> Fallible<SamplingSettings> {
    let decoding = if options.greedy {
        Decoding::Greedy
    } else {
        let given = [
            (Filter::Temperature, options.temperature.map(ChainStep::Temperature)),
            (Filter::TopK, options.top_k.map(ChainStep::TopK)),
            (Filter::TopP, options.top_p.map(ChainStep::TopP)),
            (Filter::MinP, options.min_p.map(ChainStep::MinP)),
        ];
        if given.iter().any(|(filter, step)| step.is_some() && !options.order.contains(filter)) {
            return Err("--order leaves out a filter that has a value".into());
        }
        let step_of =
            |filter: &Filter| given.iter().find(|(kind, _)| kind == filter).and_then(|(_, step)| *step);
        Decoding::Sample { chain: options.order.iter().filter_map(step_of).collect() }
    };
    Ok(SamplingSettings::new(SettingsValues {
        decoding,
        repetition_penalty: options.repetition_penalty,
        no_repeat_ngram: options.no_repeat_ngram,
        suppress: options.suppress.clone(),
        min_new_tokens: options.min_new_tokens,
        boundary: BoundaryRule::parse(&options.boundary)?,
    })?)
}

fn eos_id(given: Option<&str>, configured: Option<u32>) -> Fallible<Option<u32>> {
    match given {
        None => Ok(configured),
        Some("none") => Ok(None),
        Some(text) => match text.parse() {
            Ok(id) => Ok(Some(id)),
            Err(_) => Err(format!("--eos-id: expected a token id or none, found {text}").into()),
        },
    }
}

/// A model, its tokenizer where the folder has one, what the loader did, and the tensors, shared with the model.
type Loaded = (Box<dyn Forward>, Option<Arc<Tokenizer>>, LoadReport, Checkpoint);

fn load(options: &Options) -> Fallible<Loaded> {
    let choice = LoadChoice {
        kernel: Kernel::parse(&options.kernel)?,
        precision: WeightPrecision::parse(&options.precision)?,
        kv_cache: CachePrecision::parse(&options.kv_cache)?,
    };
    let folder = &options.model;
    let config = ModelConfig::from_json(&read(&folder.join("config.json"))?)?;
    let tokenizer_file = folder.join("tokenizer.json");
    let tokenizer = if tokenizer_file.exists() {
        Some(Arc::new(Tokenizer::from_bytes(&read(&tokenizer_file)?)?))
    } else {
        None
    };
    let single = folder.join("model.safetensors");
    let builder = if single.exists() {
        let mut builder = CheckpointBuilder::new(None)?;
        add_file(&mut builder, folder, "model.safetensors")?;
        builder
    } else {
        let index = read(&folder.join("model.safetensors.index.json"))?;
        let mut builder = CheckpointBuilder::new(Some(&index))?;
        for name in Checkpoint::shard_names(&index)? {
            add_file(&mut builder, folder, &name)?;
        }
        builder
    };
    let checkpoint = builder.finish()?;
    let (model, report) = model::load(config, checkpoint.clone(), choice)?;
    Ok((model, tokenizer, report, checkpoint))
}

fn read(path: &Path) -> Fallible<Vec<u8>> {
    std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

/// Reads a weight file in pieces, so that it is never in memory beside its tensors.
fn add_file(builder: &mut CheckpointBuilder, folder: &Path, name: &str) -> Fallible<()> {
    let path = folder.join(name);
    let cannot_read = |error| format!("cannot read {}: {error}", path.display());
    let mut file = File::open(&path).map_err(cannot_read)?;
    let length = file.metadata().map_err(cannot_read)?.len();
    builder.begin_file(name, usize::try_from(length).ok())?;
    let mut piece = vec![0; 1 << 20];
    loop {
        match file.read(&mut piece).map_err(cannot_read)? {
            0 => return Ok(builder.finish_file()?),
            length => builder.push(&piece[..length])?,
        }
    }
}

fn prompt_logits(model: &dyn Forward, ids: Vec<u32>, rows: Rows, cache: CachePolicy) -> Fallible<Value> {
    let positions = match rows {
        Rows::Last => Positions::Last,
        Rows::All => Positions::All,
    };
    let mut job = PromptLogits::new(model, ids, positions, cache)?;
    while !job.advance()? {}
    let logits = job.into_logits();
    Ok(match rows {
        Rows::Last => json!(logits),
        Rows::All => json!(logits.chunks(model.config().vocab_size).collect::<Vec<_>>()),
    })
}

fn report_json(report: &LoadReport) -> Value {
    json!({
        "bytes": report.bytes,
        "dtypes": report.dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>(),
        "tensors": report.tensors,
        "ignored": report.ignored.iter()
            .map(|tensor| json!({"name": tensor.name, "reason": tensor.reason})).collect::<Vec<_>>(),
        "converted": report.converted.iter()
            .map(|tensor| json!({"name": tensor.name, "from": tensor.from.name(), "to": tensor.to.name()}))
            .collect::<Vec<_>>(),
    })
}

fn fresh_seed() -> u32 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.subsec_nanos() ^ elapsed.as_secs() as u32)
}

fn now_ms() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3
}
