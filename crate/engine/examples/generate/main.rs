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
mod bench;
mod cache_check;
mod folder;
mod latency;
mod memory;
mod precisions;
mod record;
mod score;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use clap::{Parser, ValueEnum};
use logit_lab_engine::lab::benchmark::Workload;
use logit_lab_engine::lab::prompt_logits::Positions;
use logit_lab_engine::lab::{PromptLogits, TimedRun};
use logit_lab_engine::model::Forward;
use logit_lab_engine::precision::CachePrecision;
use logit_lab_engine::sampling::{BoundaryRule, ChainStep, Decoding, SamplingSettings, SettingsValues};
use logit_lab_engine::session::{CachePolicy, Limits, Session, StartFrom};
use logit_lab_engine::stop::StopStrings;
use logit_lab_engine::tokenizer::Tokenizer;
use serde_json::{Value, json};

use self::folder::{load, load_choice, report_json};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// Runs a GPT-NeoX model of a folder and prints what happened as JSON.
#[derive(Parser)]
#[command(name = "generate")]
struct Options {
    /// Folder with config.json, model.safetensors (or its index and shards) and, for text, tokenizer.json
    #[arg(long)]
    model: PathBuf,
    /// Prompt as text
    #[arg(long, required_unless_present_any = ["ids", "batch", "repeat"], conflicts_with = "ids")]
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
    #[command(flatten)]
    check: cache_check::CheckOptions,
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
    /// Compares precisions on the prompt in place of a text: f32,f16,bf16,int8,head=int8,q4,cache=f16 (join with +)
    #[arg(long, value_delimiter = ',')]
    compare_precisions: Option<Vec<String>>,
    /// Makes the run so many times, each with exactly --max-new-tokens tokens, and prints every outcome
    #[arg(long, conflicts_with_all = ["beams", "logits", "stop"])]
    bench: Option<usize>,
    /// Runs before those that count
    #[arg(long, default_value_t = 1, requires = "bench")]
    warmup: usize,
    /// Print the run's record, as the page makes it, in place of the usual answer
    #[arg(long, conflicts_with_all = ["beams", "logits"])]
    record: bool,
    /// Repeat the record, or the list of records, of a file, and say where the tokens part
    #[arg(long, conflicts_with_all = ["prompt", "ids", "beams", "logits", "record"])]
    repeat: Option<PathBuf>,
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
    if let Some(names) = &options.compare_precisions {
        return precisions::compare(options, names);
    }
    if let Some(file) = &options.repeat {
        return record::repeat(&options.model, file);
    }
    let settings = sampling_settings(options)?;
    let load_started_ms = now_ms();
    let choice = load_choice(options, &options.kernel)?;
    let (model, tokenizer, report, checkpoint) = load(&options.model, choice)?;
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
    let ids = prompt_ids(options, tokenizer.as_deref())?;
    if !options.stop.is_empty() && tokenizer.is_none() {
        return Err("the folder has no tokenizer.json, so --stop has no text to look at".into());
    }
    let tokenize_ms = timed.elapsed_ms();
    // What is asked for beside the run is no part of its times.
    timed.pause();
    let cache = if options.no_cache { CachePolicy::Recompute } else { CachePolicy::Reuse };
    let logits =
        options.logits.map(|rows| prompt_logits(model.as_ref(), ids.clone(), rows, cache)).transpose()?;

    let check = cache_check::check(model.as_ref(), &ids, options)?;

    if let Some(beams) = options.beams {
        timed.resume();
        let search = beams::search(model.as_ref(), ids.clone(), options, beams, limits.eos_id)?;
        let mut output = beams::output(&search, &ids, tokenizer.as_deref());
        if let Some(object) = output.as_object_mut() {
            let timings = json!({"load": load_ms, "tokenize": tokenize_ms, "total": timed.elapsed_ms()});
            object.insert("timings_ms".into(), timings);
            object.insert("memory_bytes".into(), json!({"weights": model.weight_bytes()}));
            object.insert("load_report".into(), report_json(&report));
            object.extend(logits.map(|logits| ("logits".to_owned(), logits)));
            object.extend(check.map(|check| ("cache_check".to_owned(), check)));
        }
        return Ok(output);
    }

    if options.score.score {
        return score::output(model.as_ref(), tokenizer.as_deref(), &ids, &options.score, limits.eos_id);
    }
    let digests = options.score.digests.then(|| score::digests(&checkpoint, model.as_ref()));
    let seed = options.seed.unwrap_or_else(fresh_seed);
    if let Some(repeats) = options.bench {
        let workload = Workload { ids, settings, seed, limits, cache };
        return bench::output(model, tokenizer, workload, options.max_new_tokens, (options.warmup, repeats));
    }
    let mut session = Session::new(model, tokenizer, cache);
    session.set_prompt(ids)?;
    session.start(StartFrom::Prompt, limits.clone());
    let mut tokens = Vec::new();
    while session.stopped().is_none() {
        tokens.extend(timed.advance(&mut session, &settings, seed)?);
    }
    // A run of no tokens still takes its prefill.
    while session.logits().is_none() && !session.forward_chunk()? {}

    let total_ms = timed.elapsed_ms();
    if options.record {
        let made = record::Made { cache, session: &session, timed: &timed, tokens: &tokens, tokenize_ms };
        return record::record(
            &options.model,
            options.prompt.as_deref(),
            choice,
            (&settings, seed, &limits),
            made,
        );
    }
    let timings = timed.timings();
    let text = session.tokenizer().map(|_| timed.text().to_owned() + &session.held_text());
    let cache_precision = CachePrecision::parse(&options.kv_cache)?;
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
            "total": total_ms,
        },
        "latency": latency::output(&timed, session.prompt_length()),
        "memory_bytes": memory::output(&session, cache_precision),
        "load_report": report_json(&report),
    });
    if let Some(object) = output.as_object_mut() {
        object.extend(logits.map(|logits| ("logits".to_owned(), logits)));
        let after =
            digests.map(|before| score::compared(&before, &score::digests(&checkpoint, session.model())));
        object.extend(after.map(|compared| ("weights_digest".to_owned(), compared)));
        object.extend(check.map(|check| ("cache_check".to_owned(), check)));
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

fn prompt_ids(options: &Options, tokenizer: Option<&Tokenizer>) -> Fallible<Vec<u32>> {
    match (&options.ids, &options.prompt, tokenizer) {
        (Some(ids), _, _) => Ok(ids.clone()),
        (None, Some(text), Some(tokenizer)) => Ok(tokenizer.encode(text)?),
        _ => {
            Err("the folder has no tokenizer.json, so a text prompt cannot be read; give --ids instead"
                .into())
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

fn fresh_seed() -> u32 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.subsec_nanos() ^ elapsed.as_secs() as u32)
}

fn now_ms() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3
}
