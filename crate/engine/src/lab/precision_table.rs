//! Several precisions of one model, compared on one text, one after the other: what each takes of memory, how far its
//! logits are from those of the file's own numbers, how likely it finds the text, and how fast it was.
//!
//! Every model is derived from the one checkpoint, and dropped before the next is made. A precision that a kernel lacks, or
//! that has no room, is a row with the reason.
//!
//! Boundaries of the times: a prefill is the forward pass over the first part of the text, in chunks, and the head for its
//! last position; a decode step is the forward pass over one further token of the text, and its head. Both are run once
//! for nothing, then [`REPEATS`] times, and the median of those is taken. The rows are not interleaved, so what else the
//! machine does between them counts as a difference: spread and a second run say how far to trust it.

mod notes;

use std::collections::VecDeque;

use super::Clock;
use super::precision_report::{PrecisionComparison, PrecisionReport};
use crate::checkpoint::{Checkpoint, LoadReport};
use crate::config::ModelConfig;
use crate::error::{EngineError, Result};
use crate::memory::{MemoryBudget, MemoryNeed};
use crate::model::kernels::q4;
use crate::model::{self, Forward, Kernel, LoadChoice};
use crate::precision::{CachePrecision, Precision, WeightPrecision};
use crate::session::{PREFILL_CHUNK, check_ids};
pub use notes::note;

/// How often a row is timed.
pub const REPEATS: usize = 3;
/// Passes before those, which are not counted: the first one finds memory and the processor's caches cold.
const WARM_UPS: usize = 1;
/// Decode steps that are timed, if the text is long enough: at most half of it is left for them.
pub const DECODE_STEPS: usize = 32;
/// Positions of one unit of the comparison.
const COMPARED_PER_UNIT: usize = 4;

/// What is compared with the file's own numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowChoice {
    /// How weights are stored.
    pub precision: WeightPrecision,
    /// How keys and values are stored.
    pub kv_cache: CachePrecision,
}

impl RowChoice {
    /// Those of the lesson's comparison.
    pub const NAMES: [&'static str; 7] = ["f32", "f16", "bf16", "int8", "head=int8", "q4", "cache=f16"];

    /// Reads a name: a precision, or classes of weights with one each, and `cache`, joined by `+`: `f16`, `cache=f16`,
    /// `head=int8+cache=f16`. What is absent is F32.
    ///
    /// Errors: a name that is none of these, a class or the cache twice.
    pub fn parse(name: &str) -> Result<Self> {
        let (cache, weights): (Vec<&str>, Vec<&str>) =
            name.split('+').map(str::trim).partition(|part| part.starts_with("cache="));
        let kv_cache = match cache.as_slice() {
            [] => CachePrecision::F32,
            [one] => CachePrecision::parse(one.trim_start_matches("cache="))?,
            _ => {
                return Err(EngineError::Settings {
                    name: "precisions",
                    expected: "the cache once".into(),
                    found: name.chars().take(40).collect(),
                });
            }
        };
        let precision = if weights.is_empty() {
            WeightPrecision::default()
        } else {
            WeightPrecision::parse(&weights.join(","))?
        };
        Ok(Self { precision, kv_cache })
    }

    fn on(self, kernel: Kernel) -> LoadChoice {
        LoadChoice { kernel, precision: self.precision, kv_cache: self.kv_cache }
    }
}

/// Where the models come from.
#[derive(Debug, Clone)]
pub struct TableSource {
    /// Of the model.
    pub config: ModelConfig,
    /// Its tensors.
    pub checkpoint: Checkpoint,
    /// What became of them, for its formats.
    pub report: LoadReport,
    /// The kernel of all rows.
    pub kernel: Kernel,
    /// What there is of memory and what is in use already; `None` where nobody counts.
    pub budget: Option<MemoryBudget>,
}

/// A precision and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PrecisionRow {
    /// As [`RowChoice::parse`] read it.
    pub name: String,
    /// What a reader should know beside the figures.
    pub note: Option<String>,
    /// The figures, or why there are none.
    pub outcome: std::result::Result<RowFigures, String>,
}

/// The figures of a precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowFigures {
    /// All weights as the kernel keeps them, scales included.
    pub weight_bytes: usize,
    /// The scales among them.
    pub scale_bytes: usize,
    /// Keys and values of one position.
    pub kv_token_bytes: usize,
    /// Against the reference.
    pub report: PrecisionReport,
    /// The text's first part at once; `None` for a text of one token.
    pub prefill_tokens_per_second: Option<Speed>,
    /// The rest of it, token by token.
    pub decode_tokens_per_second: Option<Speed>,
}

/// Repeated measurements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// The middle one.
    pub median: f64,
    /// The slowest.
    pub lowest: f64,
    /// The fastest.
    pub highest: f64,
}

impl Speed {
    /// Of `tokens` in each of these times; `None` where the clock saw no time pass.
    fn of(tokens: usize, times_ms: &[f64]) -> Option<Self> {
        let mut speeds: Vec<f64> = times_ms.iter().map(|ms| tokens as f64 / ms * 1e3).collect();
        speeds.sort_by(f64::total_cmp);
        let (lowest, highest) = (*speeds.first()?, *speeds.last()?);
        let median = *speeds.get(speeds.len() / 2)?;
        (tokens > 0 && highest.is_finite()).then_some(Self { median, lowest, highest })
    }
}

/// A comparison under way; call [`PrecisionTable::advance`] until it says `true`.
pub struct PrecisionTable {
    source: TableSource,
    reference: Box<dyn Forward>,
    ids: Vec<u32>,
    clock: Clock,
    /// Rows to come, with their names.
    waiting: VecDeque<(String, RowChoice)>,
    current: Option<Current>,
    rows: Vec<PrecisionRow>,
    units_a_row: usize,
    /// Of the row under way.
    units: usize,
    row_count: usize,
}

/// The row under way.
struct Current {
    name: String,
    choice: RowChoice,
    model: Box<dyn Forward>,
    /// Milliseconds of whole prefills and of all decode steps, the last of each under way.
    prefill_ms: Vec<f64>,
    decode_ms: Vec<f64>,
    /// Repeats that are done.
    repeats: usize,
    kv_token_bytes: usize,
    comparison: Option<PrecisionComparison>,
}

impl PrecisionTable {
    /// `names` as [`RowChoice::parse`] reads them, over the text `ids`.
    ///
    /// Errors: a name that is none, ids that the model cannot read, no room for the reference.
    pub fn new(source: TableSource, ids: Vec<u32>, names: &[String], clock: Clock) -> Result<Self> {
        let config = &source.config;
        check_ids(&ids, config.vocab_size, config.max_position_embeddings)?;
        let waiting = names.iter().map(|name| Ok((name.clone(), RowChoice::parse(name)?)));
        let waiting: VecDeque<_> = waiting.collect::<Result<_>>()?;
        let exact = LoadChoice::exact(source.kernel);
        check_room(&source, &[exact])?;
        let (reference, _) = model::load(config.clone(), source.checkpoint.clone(), exact)?;
        let (prefilled, steps) = parts(ids.len());
        let timed = (WARM_UPS + REPEATS) * (prefilled.div_ceil(PREFILL_CHUNK) + steps);
        Ok(Self {
            units_a_row: 1 + timed + ids.len().div_ceil(COMPARED_PER_UNIT),
            row_count: waiting.len(),
            source,
            reference,
            ids,
            clock,
            waiting,
            current: None,
            rows: Vec::new(),
            units: 0,
        })
    }

    /// A model loaded, a chunk or a step timed, or a few positions compared. `true` at the end.
    ///
    /// What is wrong with one row is told in it; only what nothing foresaw is an error.
    pub fn advance(&mut self) -> Result<bool> {
        self.units += 1;
        let Some(mut current) = self.current.take() else {
            let Some((name, choice)) = self.waiting.pop_front() else { return Ok(true) };
            match self.begin(&name, choice) {
                Ok(current) => self.current = Some(current),
                Err(error) => self.end(name, choice, Err(error.to_string())),
            }
            return Ok(self.current.is_none() && self.waiting.is_empty());
        };
        match self.step(&mut current) {
            Ok(None) => self.current = Some(current),
            Ok(Some(figures)) => self.end(current.name, current.choice, Ok(figures)),
            Err(error) => self.end(current.name, current.choice, Err(error.to_string())),
        }
        Ok(self.current.is_none() && self.waiting.is_empty())
    }

    /// Units done, and in all.
    pub fn progress(&self) -> (usize, usize) {
        let done = self.rows.len() * self.units_a_row + self.units.min(self.units_a_row);
        (done, self.row_count * self.units_a_row)
    }

    /// The rows that are done.
    pub fn rows(&self) -> &[PrecisionRow] {
        &self.rows
    }

    /// Tokens of the text.
    pub fn tokens(&self) -> usize {
        self.ids.len()
    }

    /// Of those, how many one prefill takes, and how many decode steps follow.
    pub fn timed_tokens(&self) -> (usize, usize) {
        parts(self.ids.len())
    }

    fn begin(&self, name: &str, choice: RowChoice) -> Result<Current> {
        let TableSource { config, checkpoint, kernel, .. } = &self.source;
        let choice_on = choice.on(*kernel);
        let exact = LoadChoice::exact(*kernel);
        let model = if choice_on == exact {
            self.reference.fresh()
        } else {
            check_room(&self.source, &[exact, choice_on])?;
            model::load(config.clone(), checkpoint.clone(), choice_on)?.0
        };
        Ok(Current {
            name: name.to_owned(),
            choice,
            model,
            prefill_ms: Vec::new(),
            decode_ms: Vec::new(),
            repeats: 0,
            kv_token_bytes: 0,
            comparison: None,
        })
    }

    /// One unit of a row; the figures at its end.
    fn step(&self, current: &mut Current) -> Result<Option<RowFigures>> {
        if current.repeats < WARM_UPS + REPEATS {
            self.time(current)?;
            return Ok(None);
        }
        let comparison = match &mut current.comparison {
            Some(comparison) => comparison,
            none => {
                let (reference, other) = (self.reference.as_ref(), current.model.as_ref());
                none.insert(PrecisionComparison::new(reference, other, self.ids.clone())?)
            }
        };
        if !comparison.advance()? {
            return Ok(None);
        }
        let (prefilled, steps) = parts(self.ids.len());
        Ok(Some(RowFigures {
            weight_bytes: current.model.weight_bytes(),
            scale_bytes: scale_bytes(&self.source.config, current.choice.precision),
            kv_token_bytes: current.kv_token_bytes,
            report: comparison.report(),
            prefill_tokens_per_second: Speed::of(prefilled, &current.prefill_ms),
            decode_tokens_per_second: Speed::of(steps, &current.decode_ms),
        }))
    }

    /// A chunk of the prefill, or one decode step.
    fn time(&self, current: &mut Current) -> Result<()> {
        let (prefilled, steps) = parts(self.ids.len());
        let model = &mut current.model;
        let start = model.cached();
        if start == 0 {
            current.prefill_ms.push(0.0);
            current.decode_ms.push(0.0);
        }
        let decoding = start >= prefilled;
        let end = if decoding { start + 1 } else { (start + PREFILL_CHUNK).min(prefilled) };
        let before = (self.clock)();
        let hidden = model.prefill(self.ids.get(start..end).unwrap_or_default())?;
        if end >= prefilled {
            let last = hidden.len().saturating_sub(model.config().hidden_size);
            model.logits(hidden.get(last..).unwrap_or_default())?;
        }
        let elapsed_ms = (self.clock)() - before;
        let times = if decoding { &mut current.decode_ms } else { &mut current.prefill_ms };
        if let Some(time) = times.last_mut() {
            *time += elapsed_ms;
        }
        if end >= prefilled + steps {
            current.kv_token_bytes = model.kv_bytes().used / end.max(1);
            current.repeats += 1;
            if current.repeats == WARM_UPS {
                current.prefill_ms.clear();
                current.decode_ms.clear();
            }
            model.truncate(0);
        }
        Ok(())
    }

    fn end(&mut self, name: String, choice: RowChoice, outcome: std::result::Result<RowFigures, String>) {
        let note = note(choice, self.source.kernel, &self.source.report.dtypes);
        self.rows.push(PrecisionRow { name, note, outcome });
        self.units = 0;
    }
}

/// Positions of a timed prefill, and decode steps after it.
fn parts(tokens: usize) -> (usize, usize) {
    let steps = DECODE_STEPS.min(tokens / 2);
    (tokens - steps, steps)
}

/// An error with the figures, unless what is in use and these models beside it fit.
fn check_room(source: &TableSource, beside: &[LoadChoice]) -> Result<()> {
    let Some(mut budget) = source.budget else { return Ok(()) };
    for choice in beside {
        // The checkpoint is shared, and so is everything that does not belong to one model.
        let other = MemoryNeed::of(&source.config, *choice, None);
        budget.need.derived_bytes = budget.need.derived_bytes.saturating_add(other.derived_bytes);
        budget.need.kv_cache_bytes = budget.need.kv_cache_bytes.saturating_add(other.kv_cache_bytes);
        budget.need.work_bytes = budget.need.work_bytes.saturating_add(other.work_bytes);
    }
    budget.check()
}

/// Bytes of the scales of all matrices.
fn scale_bytes(config: &ModelConfig, precision: WeightPrecision) -> usize {
    let (h, v, f) = (config.hidden_size, config.vocab_size, config.intermediate_size);
    let of = |precision, rows: usize, columns: usize| match precision {
        Precision::Int8 => rows * size_of::<f32>(),
        Precision::Q4 => rows * q4::groups(columns) * size_of::<u16>(),
        Precision::F32 | Precision::F16 | Precision::BF16 => 0,
    };
    let blocks = [(3 * h, h), (h, h), (f, h), (h, f)];
    let of_block: usize = blocks.iter().map(|(rows, columns)| of(precision.blocks, *rows, *columns)).sum();
    // Tied embeddings of one precision are one matrix.
    let shared = config.tie_word_embeddings && precision.head == precision.embedding;
    let of_table = if shared { 0 } else { of(precision.embedding, v, h) };
    config.num_hidden_layers * of_block + of_table + of(precision.head, v, h)
}
