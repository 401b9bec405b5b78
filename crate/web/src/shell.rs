//! Commands in, events out, in slices of a few milliseconds.
//!
//! A [`Shell`] holds at most one model, one prompt being prefilled, one run and one console call. Each unit of work is
//! short (a chunk of forward pass, or a pick), and between slices the worker hears the next command, so a stop or a slider
//! gets in at once.

use std::collections::VecDeque;
use std::sync::Arc;

use logit_lab_engine::EngineError;
use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::{Clock, PromptLogits, TimedRun, TimedToken};
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::precision::Precision;
use logit_lab_engine::sampling::{Decoding, History, Sampler, SamplingSettings, uniform};
use logit_lab_engine::session::{CachePolicy, Session, StartFrom};
use logit_lab_engine::tokenizer::Tokenizer;
use serde::Deserialize;

use crate::columns::{F32Column, F64Column, U32Column};
use crate::convert;
use crate::project;
use crate::protocol::{
    self as wire, Answer, Call, Command, ErrorCode, ErrorDetails, Event, Limits, Memory, ModelCard, Pace,
    Prompt, RunSummary, Settings, Step, WireError,
};

/// What the shell cannot do, ready for the wire.
type Result<T> = std::result::Result<T, WireError>;

/// One weight file, named as in the index.
pub struct WeightFile {
    /// File name.
    pub name: String,
    /// The whole file.
    pub bytes: Vec<u8>,
}

/// How a model is loaded; what is absent is the default.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LoadOptions {
    /// Rounding of the weights.
    pub precision: Option<String>,
    /// Which forward pass.
    pub kernel: Option<String>,
}

/// The only kernel so far.
const KERNEL: &str = "candle";

struct Loaded {
    session: Session,
    tokenizer: Option<Arc<Tokenizer>>,
    eos_id: Option<u32>,
}

/// What is being shown, and with which settings the next token is picked.
struct Display {
    revision: u32,
    settings: SamplingSettings,
    seed: u32,
    rows: usize,
}

struct Preparing {
    revision: u32,
    tokens: usize,
    reused_tokens: usize,
    prefill_ms: f64,
}

struct Run {
    id: u32,
    pace: Pace,
    /// A stepped run that has made its token.
    waiting: bool,
    timed: TimedRun,
}

enum ActiveCall {
    Logits(PromptLogits),
    Generate(Box<Generation>),
}

/// A generation asked for by the console: a session of its own on the same weights.
struct Generation {
    session: Session,
    timed: TimedRun,
    settings: SamplingSettings,
    seed: u32,
    tokenize_ms: f64,
}

/// See the module's head.
pub struct Shell {
    clock: Clock,
    wasm_bytes: fn() -> usize,
    loaded: Option<Loaded>,
    display: Option<Display>,
    preparing: Option<Preparing>,
    /// Why the newest prompt could not be prepared: a run must not start from the one before it.
    prompt_fault: bool,
    preview_wanted: bool,
    run: Option<Run>,
    steps: Vec<Step>,
    calls: VecDeque<(u32, Call)>,
    active_call: Option<(u32, ActiveCall)>,
    commands: VecDeque<Command>,
    events: Vec<Event>,
}

impl Shell {
    /// A shell without a model, with the worker's clock (milliseconds) and its measure of the whole WebAssembly memory.
    pub fn new(clock: Clock, wasm_bytes: fn() -> usize) -> Self {
        Self {
            clock,
            wasm_bytes,
            loaded: None,
            display: None,
            preparing: None,
            prompt_fault: true,
            preview_wanted: false,
            run: None,
            steps: Vec::new(),
            calls: VecDeque::new(),
            active_call: None,
            commands: VecDeque::new(),
            events: Vec::new(),
        }
    }

    /// Loads a model from the bytes of its files. Errors as the engine's loaders; a model loaded before stays.
    pub fn load(
        &mut self,
        config: &[u8],
        tokenizer: Option<&[u8]>,
        weights: Vec<WeightFile>,
        index: Option<&[u8]>,
        options: &LoadOptions,
    ) -> Result<ModelCard> {
        let kernel = check_kernel(options.kernel.as_deref())?;
        let precision = options.precision.as_deref().map_or(Ok(Precision::F32), Precision::parse)?;
        let config = ModelConfig::from_json(config)?;
        let tokenizer = tokenizer.map(Tokenizer::from_bytes).transpose()?.map(Arc::new);
        let mut files: Vec<(String, Vec<u8>)> =
            weights.into_iter().map(|file| (file.name, file.bytes)).collect();
        let checkpoint = match (index, files.pop()) {
            (None, Some((_, bytes))) if files.is_empty() => Checkpoint::from_file(bytes)?,
            (Some(index), Some(last)) => {
                files.push(last);
                Checkpoint::from_shards(index, files)?
            }
            (_, last) => {
                return Err(EngineError::Checkpoint {
                    subject: "weight files".into(),
                    expected: "one file, or shards with an index".into(),
                    found: format!(
                        "{} and {}",
                        files.len() + usize::from(last.is_some()),
                        if index.is_some() { "an index" } else { "no index" }
                    ),
                }
                .into());
            }
        };
        let (model, report) = GptNeox::load(config.clone(), checkpoint, precision)?;
        let session = Session::new(Box::new(model), tokenizer.clone(), CachePolicy::Reuse);
        let card = project::model_card(
            &config,
            &report,
            tokenizer.as_deref(),
            kernel,
            precision,
            self.memory_of(&session),
        );
        let eos_id = config.eos_token_id;
        self.loaded = Some(Loaded { session, tokenizer, eos_id });
        self.display = None;
        self.preparing = None;
        self.prompt_fault = true;
        Ok(card)
    }

    /// Queues a command.
    pub fn command(&mut self, command: Command) {
        self.commands.push_back(command);
    }

    /// Reports a message that is no command.
    pub fn reject(&mut self, error: WireError) {
        self.events.push(Event::Failed { run_id: None, revision: None, error });
    }

    /// Whether there is work that needs no further command.
    pub fn busy(&self) -> bool {
        !self.commands.is_empty()
            || self.preparing.is_some()
            || self.preview_wanted
            || self.run.as_ref().is_some_and(|run| !run.waiting)
            || self.active_call.is_some()
            || !self.calls.is_empty()
    }

    /// Works for about `budget_ms` and returns the events of that time.
    pub fn slice(&mut self, budget_ms: f64) -> Vec<Event> {
        let end = (self.clock)() + budget_ms;
        while let Some(command) = self.commands.pop_front() {
            self.obey(command);
        }
        while self.work() && (self.clock)() < end {}
        self.flush_steps();
        if self.preview_wanted && self.preparing.is_none() {
            self.preview_wanted = false;
            self.preview();
        }
        std::mem::take(&mut self.events)
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Prepare { revision, prompt, settings, seed, rows } => {
                self.end_run();
                self.preparing = None;
                self.prompt_fault = true;
                let result =
                    self.show(revision, &settings, seed, rows).and_then(|()| self.prepare(revision, &prompt));
                self.report(result, None, Some(revision));
            }
            Command::Configure { revision, settings, seed, rows } => {
                let result = self.show(revision, &settings, seed, rows);
                self.preview_wanted = result.is_ok() && self.run.as_ref().is_none_or(|run| run.waiting);
                self.report(result, None, Some(revision));
            }
            Command::Start { run_id, revision, from, settings, seed, rows, limits, pace } => {
                self.end_run();
                let result = self
                    .show(revision, &settings, seed, rows)
                    .and_then(|()| self.start(run_id, from, &limits, pace));
                self.report(result, Some(run_id), Some(revision));
            }
            Command::Advance { run_id } => {
                if let Some(run) = self.run.as_mut().filter(|run| run.id == run_id) {
                    run.waiting = false;
                }
            }
            Command::SetPace { run_id, pace } => {
                if let Some(run) = self.run.as_mut().filter(|run| run.id == run_id) {
                    run.pace = pace;
                    run.waiting &= pace == Pace::Stepped;
                }
            }
            Command::Stop { run_id } => self.stop(run_id),
            Command::ClearText { revision, settings, seed, rows } => {
                self.end_run();
                let result = self.show(revision, &settings, seed, rows).and_then(|()| {
                    self.loaded_mut()?.session.rewind();
                    Ok(())
                });
                if result.is_ok() && !self.prompt_fault && self.preparing.is_none() {
                    self.preparing = Some(self.preparing_again(revision));
                }
                self.report(result, None, Some(revision));
            }
            Command::Inspect { revision, position, settings, rows } => {
                let result = self.inspect(revision, position, &settings, rows);
                self.report(result, None, Some(revision));
            }
            Command::Call { run_id, call } => self.calls.push_back((run_id, call)),
        }
    }

    /// One unit of work; `false` when there is none.
    fn work(&mut self) -> bool {
        if self.preparing.is_some() {
            self.prefill();
        } else if self.run.as_ref().is_some_and(|run| !run.waiting) {
            self.make_token();
        } else if self.active_call.is_some() {
            self.advance_call();
        } else if let Some((run_id, call)) = self.calls.pop_front() {
            self.begin_call(run_id, call);
        } else {
            return false;
        }
        true
    }

    // ------------------------------------------------------------------------------------------------ prompt and bars

    fn show(&mut self, revision: u32, settings: &Settings, seed: u32, rows: usize) -> Result<()> {
        self.display = Some(Display { revision, settings: convert::settings(settings)?, seed, rows });
        Ok(())
    }

    fn prepare(&mut self, revision: u32, prompt: &Prompt) -> Result<()> {
        let before = (self.clock)();
        let loaded = self.loaded_mut()?;
        let ids = ids_of(loaded.tokenizer.as_deref(), prompt)?;
        let tokens = project::tokens(loaded.tokenizer.as_deref(), &ids);
        let tokenize_ms = (self.clock)() - before;
        self.events.push(Event::Tokenized { revision, tokens, tokenize_ms });
        let count = ids.len();
        let reused_tokens = self.loaded_mut()?.session.set_prompt(ids)?;
        self.prompt_fault = false;
        self.preparing = Some(Preparing { revision, tokens: count, reused_tokens, prefill_ms: 0.0 });
        Ok(())
    }

    /// After a rewind the prompt's hidden states are still there: only the head runs again.
    fn preparing_again(&self, revision: u32) -> Preparing {
        let tokens = self.loaded.as_ref().map_or(0, |loaded| loaded.session.prompt_length());
        Preparing { revision, tokens, reused_tokens: tokens, prefill_ms: 0.0 }
    }

    fn prefill(&mut self) {
        let Some(mut preparing) = self.preparing.take() else { return };
        let Some(loaded) = &mut self.loaded else { return };
        let before = (self.clock)();
        let result = loaded.session.forward_chunk();
        preparing.prefill_ms += (self.clock)() - before;
        match result {
            Ok(true) => {
                let memory = self.memory();
                let Preparing { revision, tokens, reused_tokens, prefill_ms } = preparing;
                self.events.push(Event::Prefilled { revision, tokens, reused_tokens, prefill_ms, memory });
                self.preview_wanted = true;
            }
            Ok(false) => self.preparing = Some(preparing),
            Err(error) => {
                self.prompt_fault = true;
                self.report(Err(error.into()), None, Some(preparing.revision));
            }
        }
    }

    fn preview(&mut self) {
        let revision = self.display.as_ref().map(|display| display.revision);
        match self.distribution() {
            Ok(Some((revision, distribution))) => {
                self.events.push(Event::Previewed { revision, distribution })
            }
            Ok(None) => {}
            Err(error) => self.report(Err(error), None, revision),
        }
    }

    /// The kept logits under the shown settings; `None` while there are none.
    fn distribution(&mut self) -> Result<Option<(u32, wire::Distribution)>> {
        let (Some(loaded), Some(display)) = (&mut self.loaded, &self.display) else { return Ok(None) };
        if loaded.session.logits().is_none() {
            return Ok(None);
        }
        let (context, picked) = (loaded.session.logits_at(), loaded.session.picked_id());
        let mut step = loaded.session.preview(&display.settings, display.seed)?;
        let tokenizer = loaded.tokenizer.as_deref();
        Ok(Some((
            display.revision,
            project::distribution(&mut step, tokenizer, display.rows, context, picked),
        )))
    }

    fn inspect(&mut self, revision: u32, position: usize, settings: &Settings, rows: usize) -> Result<()> {
        let settings = convert::settings(settings)?;
        let loaded = self.loaded_mut()?;
        let read = position.saturating_add(1);
        let next_id = loaded.session.ids().get(read).copied();
        let shapes = project::shapes(loaded.session.model().config(), read);
        let mut step = loaded.session.inspect(position, &settings)?;
        let distribution = project::distribution(&mut step, loaded.tokenizer.as_deref(), rows, read, next_id);
        self.events.push(Event::Inspected { revision, position, distribution, next_id, shapes });
        Ok(())
    }

    // ------------------------------------------------------------------------------------------------ runs

    fn start(&mut self, run_id: u32, from: wire::StartFrom, limits: &Limits, pace: Pace) -> Result<()> {
        let prompt_fault = self.prompt_fault;
        let clock = self.clock;
        let loaded = self.loaded_mut()?;
        if prompt_fault {
            return Err(EngineError::Context {
                subject: "prompt",
                expected: "a prompt that the model can read".into(),
                found: "none".into(),
            }
            .into());
        }
        let limits = convert::limits(limits, loaded.eos_id)?;
        let from = match from {
            wire::StartFrom::Prompt => StartFrom::Prompt,
            wire::StartFrom::End => StartFrom::End,
        };
        let ended = loaded.session.start(from, limits);
        self.run = Some(Run { id: run_id, pace, waiting: false, timed: TimedRun::new(clock) });
        if ended.is_some() {
            self.end_run();
        }
        Ok(())
    }

    fn make_token(&mut self) {
        let (Some(run), Some(loaded), Some(display)) = (&mut self.run, &mut self.loaded, &self.display)
        else {
            return;
        };
        match run.timed.advance(&mut loaded.session, &display.settings, display.seed) {
            Ok(None) => {}
            Ok(Some(token)) => {
                self.steps.push(project::step(token, loaded.tokenizer.as_deref()));
                run.waiting = run.pace == Pace::Stepped;
                if loaded.session.stopped().is_some() {
                    self.end_run();
                }
            }
            Err(error) => {
                let run_id = run.id;
                self.flush_steps();
                self.run = None;
                self.report(Err(error.into()), Some(run_id), None);
            }
        }
    }

    /// Posts the tokens made since the last time, with the bars of the newest.
    fn flush_steps(&mut self) {
        let (false, Some(run_id)) = (self.steps.is_empty(), self.run.as_ref().map(|run| run.id)) else {
            return;
        };
        let steps = std::mem::take(&mut self.steps);
        let memory = self.memory();
        let revision = self.display.as_ref().map_or(0, |display| display.revision);
        // New settings may leave nothing to pick from; the tokens that were made stand all the same.
        let distribution = self.distribution().ok().flatten().map(|(_, distribution)| distribution);
        self.events.push(Event::Stepped { run_id, revision, steps, distribution, memory });
    }

    /// Ends the run, if there is one: with the session's own reason, or else because the user asked for it.
    fn end_run(&mut self) {
        if self.run.is_none() {
            return;
        }
        self.flush_steps();
        let (Some(run), Some(loaded), Some(display)) = (self.run.take(), &mut self.loaded, &self.display)
        else {
            return;
        };
        let reason = loaded.session.stop();
        let session = &loaded.session;
        self.events.push(Event::Stopped {
            run_id: run.id,
            reason: reason.into(),
            summary: RunSummary {
                seed: display.seed,
                prompt_tokens: session.prompt_length(),
                new_tokens: session.new_ids().len(),
                final_text: session.held_text(),
                forward_calls: session.forward_calls(),
                can_continue: reason.can_continue(),
            },
        });
    }

    fn stop(&mut self, run_id: u32) {
        if self.run.as_ref().is_some_and(|run| run.id == run_id) {
            self.end_run();
        } else if let Some((id, ActiveCall::Generate(generation))) = &mut self.active_call
            && *id == run_id
        {
            generation.session.stop();
            self.finish_call();
        }
    }

    // ------------------------------------------------------------------------------------------------ console calls

    fn begin_call(&mut self, run_id: u32, call: Call) {
        match self.call(run_id, call) {
            Ok(Some(answer)) => self.events.push(Event::Answered { run_id, answer }),
            Ok(None) => {}
            Err(error) => self.report(Err(error), Some(run_id), None),
        }
    }

    /// Answers at once, or sets `active_call`.
    fn call(&mut self, run_id: u32, call: Call) -> Result<Option<Answer>> {
        match call {
            Call::Tokenize { text } => {
                let tokenizer = self.loaded_mut()?.tokenizer.clone();
                let ids = ids_of(tokenizer.as_deref(), &Prompt::Text(text))?;
                Ok(Some(Answer::Tokenize { tokens: project::tokens(tokenizer.as_deref(), &ids) }))
            }
            Call::SampleStep { logits, history, settings, uniform: given, seed, prompt_length, eos_id } => {
                let settings = convert::settings(&settings)?;
                let prompt_length = prompt_length.unwrap_or(history.len());
                let index = history.len().saturating_sub(prompt_length) as u64;
                // Greedy draws nothing.
                let greedy = (settings.values().decoding == Decoding::Greedy).then_some(0.0);
                let u = given.or(seed.map(|seed| uniform(seed, index))).or(greedy).ok_or(
                    EngineError::Settings {
                        name: "uniform",
                        expected: "a number from 0 to below 1, or a seed".into(),
                        found: "neither".into(),
                    },
                )?;
                let mut sampler = Sampler::new();
                let history = History { ids: &history, prompt_length, eos_id };
                let mut step = sampler.step(&logits, &settings, &history, u)?;
                Ok(Some(Answer::SampleStep { step: project::full_step(&mut step) }))
            }
            Call::Logits { ids, positions, cache, kernel } => {
                check_kernel(kernel.as_deref())?;
                let model = self.loaded_mut()?.session.model();
                let job = PromptLogits::new(model, ids, positions.into(), convert::cache_policy(cache))?;
                self.active_call = Some((run_id, ActiveCall::Logits(job)));
                Ok(None)
            }
            Call::Generate { prompt, settings, seed, limits, cache, kernel } => {
                check_kernel(kernel.as_deref())?;
                let clock = self.clock;
                let timed = TimedRun::new(clock);
                let loaded = self.loaded_mut()?;
                let settings = convert::settings(&settings)?;
                let ids = ids_of(loaded.tokenizer.as_deref(), &prompt)?;
                let tokenize_ms = timed.elapsed_ms();
                let model = loaded.session.model().fresh();
                let mut session = Session::new(model, loaded.tokenizer.clone(), convert::cache_policy(cache));
                session.set_prompt(ids)?;
                session.start(StartFrom::Prompt, convert::limits(&limits, loaded.eos_id)?);
                let generation = Generation { session, timed, settings, seed, tokenize_ms };
                self.active_call = Some((run_id, ActiveCall::Generate(Box::new(generation))));
                Ok(None)
            }
        }
    }

    fn advance_call(&mut self) {
        let Some((run_id, call)) = &mut self.active_call else { return };
        let run_id = *run_id;
        let done = match call {
            ActiveCall::Logits(job) => job.advance(),
            ActiveCall::Generate(generation) => generation.advance().map(|(token, done)| {
                let tokenizer = generation.session.tokenizer().map(AsRef::as_ref);
                self.events.extend(
                    token.map(|token| Event::CallStepped { run_id, step: project::step(token, tokenizer) }),
                );
                done
            }),
        };
        match done {
            Ok(false) => {}
            Ok(true) => self.finish_call(),
            Err(error) => {
                self.active_call = None;
                self.report(Err(error.into()), Some(run_id), None);
            }
        }
    }

    fn finish_call(&mut self) {
        let Some((run_id, call)) = self.active_call.take() else { return };
        let answer = match call {
            ActiveCall::Logits(job) => Answer::Logits { logits: F32Column(job.into_logits()) },
            ActiveCall::Generate(generation) => {
                let memory_bytes = self.memory_of(&generation.session);
                Answer::Generate { result: Box::new(generation.result(memory_bytes)) }
            }
        };
        self.events.push(Event::Answered { run_id, answer });
    }

    // ------------------------------------------------------------------------------------------------ small things

    fn loaded_mut(&mut self) -> Result<&mut Loaded> {
        self.loaded.as_mut().ok_or_else(|| WireError {
            code: ErrorCode::NoModel,
            message: "no model is loaded yet".into(),
            details: ErrorDetails::default(),
        })
    }

    fn report(&mut self, result: Result<()>, run_id: Option<u32>, revision: Option<u32>) {
        if let Err(error) = result {
            self.events.push(Event::Failed { run_id, revision, error });
        }
    }

    fn memory(&self) -> Memory {
        match &self.loaded {
            Some(loaded) => self.memory_of(&loaded.session),
            None => Memory {
                weight_bytes: 0,
                kv_used_bytes: 0,
                kv_reserved_bytes: 0,
                wasm_bytes: (self.wasm_bytes)(),
            },
        }
    }

    fn memory_of(&self, session: &Session) -> Memory {
        let kv = session.kv_bytes();
        Memory {
            weight_bytes: session.model().weight_bytes(),
            kv_used_bytes: kv.used,
            kv_reserved_bytes: kv.reserved,
            wasm_bytes: (self.wasm_bytes)(),
        }
    }
}

impl Generation {
    /// One chunk of forward pass or one pick; `true` at the end. Even a run of no tokens takes its prefill.
    fn advance(&mut self) -> std::result::Result<(Option<TimedToken>, bool), EngineError> {
        if self.session.stopped().is_some() {
            return self.session.forward_chunk().map(|done| (None, done || self.session.logits_at() > 0));
        }
        let token = self.timed.advance(&mut self.session, &self.settings, self.seed)?;
        Ok((token, self.session.stopped().is_some() && self.session.logits_at() > 0))
    }

    fn result(mut self, memory_bytes: Memory) -> wire::Generated {
        let stop_reason = self.session.stop().into();
        let timings = self.timed.timings();
        wire::Generated {
            ids: U32Column(self.session.ids().to_vec()),
            new_ids: U32Column(self.session.new_ids().to_vec()),
            text: self.session.tokenizer().map(|_| self.timed.text().to_owned() + &self.session.held_text()),
            stop_reason,
            forward_calls: self.session.forward_calls(),
            seed: self.seed,
            timings_ms: wire::TimingsMs {
                tokenize: self.tokenize_ms,
                prefill: timings.prefill_ms,
                decode_steps: F64Column(timings.decode_steps_ms.clone()),
                sampling: timings.sampling_ms,
                detokenize: timings.detokenize_ms,
                first_token: timings.first_token_ms,
                total: self.timed.elapsed_ms(),
            },
            memory_bytes,
        }
    }
}

fn ids_of(tokenizer: Option<&Tokenizer>, prompt: &Prompt) -> Result<Vec<u32>> {
    match (prompt, tokenizer) {
        (Prompt::Ids(ids), _) => Ok(ids.clone()),
        (Prompt::Text(text), Some(tokenizer)) => Ok(tokenizer.encode(text)?),
        (Prompt::Text(_), None) => Err(EngineError::Tokenizer {
            subject: "text".into(),
            expected: "a model with a tokenizer.json, or token ids".into(),
            found: "a model without one".into(),
        }
        .into()),
    }
}

fn check_kernel(name: Option<&str>) -> Result<&'static str> {
    match name {
        None | Some(KERNEL) => Ok(KERNEL),
        Some(other) => {
            Err(EngineError::Settings { name: "kernel", expected: KERNEL.into(), found: other.to_owned() }
                .into())
        }
    }
}
