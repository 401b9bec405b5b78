//! Commands in, events out, in slices of a few milliseconds.
//!
//! A [`Shell`] holds at most one model, one prompt being prefilled, one run and one console call. Each unit of work is
//! short (a chunk of forward pass, or a pick), and between slices the worker hears the next command, so a stop or a slider
//! gets in at once.

mod calls;
mod generation;
mod lab;
mod load;
mod looking;
mod prompt;
mod runs;

use std::collections::VecDeque;
use std::sync::Arc;

use logit_lab_engine::checkpoint::{Checkpoint, LoadReport};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::{Clock, TimedRun, clock_step_ms};
use logit_lab_engine::memory::MemoryBudget;
use logit_lab_engine::model::{Forward, LoadChoice};
use logit_lab_engine::sampling::SamplingSettings;
use logit_lab_engine::session::{CachePolicy, Session};
use logit_lab_engine::tokenizer::Tokenizer;

use self::calls::ActiveCall;
pub use self::load::LoadOptions;
use self::load::Loading;
pub(crate) use self::load::hexadecimal;
use self::prompt::{Preparing, Reading};
use self::runs::Bars;
use crate::protocol::{
    self as wire, Call, Command, ErrorCode, ErrorDetails, Event, Memory, Pace, Settings, Step, WireError,
};
use crate::{convert, project};

/// What the shell cannot do, ready for the wire.
type Result<T> = std::result::Result<T, WireError>;

struct Loaded {
    session: Session,
    tokenizer: Option<Arc<Tokenizer>>,
    eos_id: Option<u32>,
    choice: LoadChoice,
    config: ModelConfig,
    /// The file's own numbers, shared with the model where it computes with them as they are.
    checkpoint: Checkpoint,
    report: LoadReport,
    /// What was reckoned before the weights came, and what there may be.
    budget: Option<MemoryBudget>,
    /// The model on the kernel that is not loaded, while console calls compare the two.
    other_kernel: Option<Box<dyn Forward>>,
}

/// What is being shown, and with which settings the next token is picked.
struct Display {
    revision: u32,
    settings: SamplingSettings,
    seed: u32,
    rows: usize,
    /// Set by hand for one token.
    uniform: Option<f64>,
}

struct Run {
    id: u32,
    pace: Pace,
    /// Has waited for the page after a token, or may have.
    paced: bool,
    /// Goes on from a text: the prompt is no part of its request.
    goes_on: bool,
    /// A stepped run that has made its token.
    waiting: bool,
    timed: TimedRun,
    bars: Bars,
}

/// See the module's head.
pub struct Shell {
    clock: Clock,
    wasm_bytes: fn() -> usize,
    /// What the page's runs may reuse, whatever model is loaded.
    cache: CachePolicy,
    loaded: Option<Loaded>,
    loading: Option<Loading>,
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
    /// Of the prompt in the cache.
    reading: Reading,
    /// Runs and timed calls since the model was loaded: the first one is cold.
    timed_runs: usize,
    /// Once it has been measured.
    clock_step_ms: Option<f64>,
}

impl Shell {
    /// A shell without a model, with the worker's clock (milliseconds) and its measure of the whole WebAssembly memory.
    pub fn new(clock: Clock, wasm_bytes: fn() -> usize) -> Self {
        Self {
            clock,
            wasm_bytes,
            cache: CachePolicy::Reuse,
            loaded: None,
            loading: None,
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
            reading: Reading::default(),
            timed_runs: 0,
            clock_step_ms: None,
        }
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
        self.flush_steps(false);
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
                self.hold_uniform();
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
                    run.paced |= pace == Pace::Stepped;
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
            Command::Branch { revision, new_ids, settings, seed, rows } => {
                self.end_run();
                let result =
                    self.show(revision, &settings, seed, rows).and_then(|()| self.branch(revision, &new_ids));
                self.report(result, None, Some(revision));
            }
            Command::Show { revision, step, settings, seed, select } => {
                let result = self.show_rows(revision, step, settings.as_ref(), seed, &select);
                self.report(result, None, Some(revision));
            }
            Command::Compare { revision, step, settings, seed, first_id, second_id } => {
                let result = self.compare(revision, step, settings.as_ref(), seed, [first_id, second_id]);
                self.report(result, None, Some(revision));
            }
            Command::Inspect { revision, position, settings, rows } => {
                let result = self.inspect(revision, position, &settings, rows);
                self.report(result, None, Some(revision));
            }
            Command::UseCache { cache } => self.use_cache(cache),
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
        let uniform = settings.uniform;
        self.display =
            Some(Display { revision, settings: convert::settings(settings)?, seed, rows, uniform });
        Ok(())
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
            project::distribution(
                &mut step,
                tokenizer,
                &wire::Select::Top { count: display.rows },
                context,
                picked,
            ),
        )))
    }

    fn inspect(&mut self, revision: u32, position: usize, settings: &Settings, rows: usize) -> Result<()> {
        let settings = convert::settings(settings)?;
        let loaded = self.loaded_mut()?;
        let read = position.saturating_add(1);
        let next_id = loaded.session.ids().get(read).copied();
        let shapes = project::shapes(loaded.session.model().config(), read);
        let mut step = loaded.session.inspect(position, &settings)?;
        let select = wire::Select::Top { count: rows };
        let tokenizer = loaded.tokenizer.as_deref();
        let distribution = project::distribution(&mut step, tokenizer, &select, read, next_id);
        self.events.push(Event::Inspected { revision, position, distribution, next_id, shapes });
        Ok(())
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

    /// How finely the worker's clock tells time. Looking takes some milliseconds, once.
    fn clock_step_ms(&mut self) -> f64 {
        let clock = self.clock;
        *self.clock_step_ms.get_or_insert_with(|| clock_step_ms(clock))
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
