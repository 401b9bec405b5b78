//! Padded batches: the engine's experiment on the page's weights, on the candle kernel.

use std::sync::Arc;

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::batch_run::{Alone, Cell, Layout, LayoutRow, Schedule, Streams};
use logit_lab_engine::lab::timed_run::Clock;
use logit_lab_engine::lab::{BatchExperiment, BatchOutcome, BatchPlan, BatchRequest, BatchSettings};
use logit_lab_engine::model::batch::PaddingSide;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::tokenizer::Tokenizer;

use super::super::prompt::prompt_ids;
use super::super::{Loaded, Result};
use super::LabJob;
use crate::columns::{U8Column, U32Column};
use crate::protocol::{self as wire, Answer, BatchCall};
use crate::{convert, project};

/// Columns of a mask that are told: a square of more is more than anybody reads.
const MOST_MASK_COLUMNS: usize = 48;

pub(in crate::shell) struct BatchJob {
    experiment: Box<BatchExperiment>,
    tokenizer: Option<Arc<Tokenizer>>,
}

impl BatchJob {
    /// The candle kernel is derived from the page's checkpoint where the page runs another. Errors: a precision that candle
    /// cannot run, and those of the engine.
    pub(in crate::shell) fn new(loaded: &mut Loaded, call: &BatchCall, clock: Clock) -> Result<Self> {
        let requests = call
            .requests
            .iter()
            .map(|request| {
                Ok(BatchRequest {
                    name: request.name.clone(),
                    ids: prompt_ids(loaded, &request.prompt)?,
                    seed: request.seed,
                    max_new_tokens: request.max_new_tokens,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let settings = BatchSettings {
            sampling: convert::settings(&call.settings)?,
            eos_id: call.eos_id.unwrap_or(loaded.eos_id),
            ignore_eos: call.ignore_eos,
        };
        let plan = BatchPlan {
            schedule: match (call.rows, call.continuous) {
                (None, false) => Schedule::OneBatch,
                (None, true) => Schedule::Continuous(requests.len()),
                (Some(rows), false) => Schedule::Groups(rows),
                (Some(rows), true) => Schedule::Continuous(rows),
            },
            sort_by_length: call.sort_by_length,
            reversed: call.reversed,
            padding: match call.padding {
                wire::PaddingSide::Left => PaddingSide::Left,
                wire::PaddingSide::Right => PaddingSide::Right,
            },
            streams: call.shared_seed.map_or(Streams::PerRequest, |seed| Streams::Shared { seed }),
        };
        let model = loaded.fresh_model(Some("candle"))?;
        let candle = GptNeox::of(model.as_ref()).ok_or_else(|| EngineError::Settings {
            name: "kernel",
            expected: "candle, which alone runs padded batches".into(),
            found: "another".into(),
        })?;
        let experiment = BatchExperiment::new(candle, requests, settings, plan, call.also_reversed, clock)?;
        Ok(Self { experiment: Box::new(experiment), tokenizer: loaded.tokenizer.clone() })
    }
}

impl LabJob for BatchJob {
    fn advance(&mut self) -> std::result::Result<bool, EngineError> {
        self.experiment.advance()
    }

    fn progress(&self) -> (usize, usize) {
        self.experiment.progress()
    }

    fn answer(self: Box<Self>) -> Result<Answer> {
        let Self { experiment, tokenizer } = *self;
        let result = Box::new(told(&experiment.outcome(), tokenizer.as_deref()));
        Ok(Answer::Batch { result })
    }
}

fn told(outcome: &BatchOutcome, tokenizer: Option<&Tokenizer>) -> wire::BatchResult {
    let text = |ids: &[u32]| tokenizer.map(|tokenizer| tokenizer.decode(ids));
    let other = |new_ids: &[u32], batched: &[u32]| wire::OtherText {
        new_ids: U32Column(new_ids.to_vec()),
        text: text(new_ids),
        first_difference: first_difference(new_ids, batched),
    };
    let alone = |alone: &Alone, batched: &[u32]| wire::BatchAlone {
        run: other(&alone.new_ids, batched),
        run_ms: alone.run_ms,
        latency_ms: alone.latency_ms,
        largest_logit_difference: alone.largest_logit_difference,
        compared: alone.compared,
    };
    let requests = outcome.requests.iter().zip(&outcome.texts).enumerate().map(|(index, (request, made))| {
        let reversed = outcome.reversed.as_ref().and_then(|texts| texts.get(index));
        wire::BatchedRequest {
            name: request.name.clone(),
            seed: request.seed,
            prompt_tokens: project::tokens(tokenizer, &request.ids),
            new_tokens: project::tokens(tokenizer, &made.new_ids),
            text: text(&made.new_ids),
            stop_reason: made.reason.map(Into::into),
            first_token_ms: made.first_token_ms,
            latency_ms: made.latency_ms,
            alone: outcome.alone.get(index).map(|found| alone(found, &made.new_ids)),
            // One that was stopped half-way would seem to differ.
            reversed: reversed
                .filter(|run| run.reason.is_some())
                .map(|run| other(&run.new_ids, &made.new_ids)),
        }
    });
    let work = outcome.work;
    wire::BatchResult {
        requests: requests.collect(),
        order: U32Column(outcome.order.iter().filter_map(|index| u32::try_from(*index).ok()).collect()),
        layouts: outcome.layouts.iter().map(layout).collect(),
        work: wire::BatchWork {
            real: work.real,
            padding: work.padding,
            finished: work.finished,
            forward_calls: work.forward_calls,
            rebuilds: work.rebuilds,
            copied_bytes: work.copied_bytes,
        },
        new_tokens: outcome.new_tokens(),
        batch_ms: outcome.batch_ms,
        admission_ms: outcome.admission_ms,
        tokens_per_second: outcome.tokens_per_second(),
        alone_ms: outcome.alone.last().map(|last| last.latency_ms),
        tokens_per_second_alone: outcome.tokens_per_second_alone(),
    }
}

fn layout(layout: &Layout) -> wire::BatchLayout {
    let row = |row: &LayoutRow| wire::BatchRow {
        request: row.request,
        cells: U8Column(layout.cells(row).into_iter().map(cell).collect()),
        mask: U8Column(layout.mask(row, MOST_MASK_COLUMNS).into_iter().map(u8::from).collect()),
        mask_columns: layout.start_columns.min(MOST_MASK_COLUMNS),
    };
    wire::BatchLayout {
        start_columns: layout.start_columns,
        carried: layout.carried,
        steps: layout.steps,
        rows: layout.rows.iter().map(row).collect(),
    }
}

fn cell(cell: Cell) -> u8 {
    match cell {
        Cell::Padding => 0,
        Cell::Prompt => 1,
        Cell::New => 2,
        Cell::Finished => 3,
    }
}

/// The first place at which two lists differ, the end of the shorter one included.
fn first_difference(a: &[u32], b: &[u32]) -> Option<usize> {
    let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (a != b).then_some(shared)
}
