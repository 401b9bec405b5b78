//! Several requests in padded batches, each with its name, its own random stream and its own end, beside the same requests
//! one at a time on the same kernel.
//!
//! Boundaries of the times: everything between the first prompt column and the last pick counts, forward passes, picks and
//! the copying of caches alike; what lies between two calls of [`BatchExperiment::advance`] does not. All requests are there at
//! time 0, so a request's latency includes its wait for a row.
//!
//! Two mistakes can be made on purpose: padding on the right whose last column is read all the same
//! ([`PaddingSide::Right`](crate::model::batch::PaddingSide::Right)), and one stream of random numbers for all rows ([`Streams::Shared`]).

mod alone;
mod experiment;
mod layout;
mod plan;

use std::collections::VecDeque;
use std::sync::Arc;

pub use alone::Alone;
use alone::AloneRun;
pub use experiment::{BatchExperiment, BatchOutcome};
pub use layout::{Cell, Layout, LayoutRow};
use plan::check;
pub use plan::{BatchPlan, BatchRequest, BatchSettings, BatchText, MOST_REQUESTS, Schedule, Streams, Work};

use super::timed_run::Clock;
use crate::error::Result;
use crate::model::Forward;
use crate::model::batch::{NewRow, PaddedBatch};
use crate::model::gpt_neox::GptNeox;
use crate::sampling::{Decoding, History, Sampler, uniform};
use crate::session::{PREFILL_CHUNK, StopReason};

/// Logits that a run keeps for the comparison with the runs alone: those of so many bytes.
const KEPT_BYTES: usize = 48 << 20;

/// A pass over all requests.
struct BatchRun {
    model: GptNeox,
    requests: Arc<[BatchRequest]>,
    settings: BatchSettings,
    plan: BatchPlan,
    clock: Clock,
    order: Vec<usize>,
    /// Requests that have no row yet, in the order in which they get one.
    waiting: VecDeque<usize>,
    batch: Option<PaddedBatch>,
    /// The request of each row.
    rows: Vec<usize>,
    /// Requests that are to join the batch, and how much of their prompts has been run.
    joining: Vec<(usize, GptNeox)>,
    is_prefilling: bool,
    texts: Vec<BatchText>,
    sampler: Sampler,
    /// Numbers that a shared stream has given out.
    draws: u64,
    elapsed_ms: f64,
    admission_ms: f64,
    work: Work,
    layouts: Vec<Layout>,
    /// The logits of each request's tokens, the first ones, as far as [`KEPT_BYTES`] goes; none where they are not wanted.
    kept: Option<Vec<Vec<Vec<f32>>>>,
    kept_bytes: usize,
}

impl BatchRun {
    /// Errors: no request or too many, a prompt that the model cannot read, no new token wanted, no row.
    fn new(
        model: &GptNeox,
        requests: Arc<[BatchRequest]>,
        settings: BatchSettings,
        plan: BatchPlan,
        clock: Clock,
    ) -> Result<Self> {
        check(model, &requests, plan)?;
        let mut order: Vec<usize> = (0..requests.len()).collect();
        if plan.sort_by_length {
            order.sort_by_key(|index| requests.get(*index).map(|request| request.ids.len()));
        }
        if plan.reversed {
            order.reverse();
        }
        Ok(Self {
            model: model.sharing(),
            texts: vec![BatchText::default(); requests.len()],
            waiting: order.iter().copied().collect(),
            requests,
            settings,
            plan,
            clock,
            order,
            batch: None,
            rows: Vec::new(),
            joining: Vec::new(),
            is_prefilling: false,
            sampler: Sampler::new(),
            draws: 0,
            elapsed_ms: 0.0,
            admission_ms: 0.0,
            work: Work::default(),
            layouts: Vec::new(),
            kept: None,
            kept_bytes: 0,
        })
    }

    /// Keeps logits, for [`AloneRun::advance`].
    fn keeping_logits(mut self) -> Self {
        self.kept = Some(vec![Vec::new(); self.requests.len()]);
        self
    }

    /// One forward pass, or one piece of a prompt, and the picks that follow; `true` at the end.
    fn advance(&mut self) -> Result<bool> {
        let started_ms = (self.clock)();
        let done = self.unit(started_ms);
        self.elapsed_ms += (self.clock)() - started_ms;
        done
    }

    fn unit(&mut self, started_ms: f64) -> Result<bool> {
        let Some(batch) = &mut self.batch else { return self.begin() };
        if self.is_prefilling {
            if let Some(logits) = batch.prefill_piece()? {
                self.is_prefilling = false;
                self.pick(logits, started_ms)?;
            }
            return Ok(false);
        }
        if self.rows.iter().all(|request| self.is_finished(*request)) && self.joining.is_empty() {
            self.batch = None;
            return Ok(self.waiting.is_empty());
        }
        if matches!(self.plan.schedule, Schedule::Continuous(_)) && self.admit(started_ms)? {
            self.admission_ms += (self.clock)() - started_ms;
            return Ok(false);
        }
        self.step(started_ms)?;
        Ok(false)
    }

    /// Gives the next requests a batch.
    fn begin(&mut self) -> Result<bool> {
        let most = match self.plan.schedule {
            Schedule::OneBatch => self.waiting.len(),
            Schedule::Groups(rows) | Schedule::Continuous(rows) => rows.min(self.waiting.len()),
        };
        if most == 0 {
            return Ok(true);
        }
        self.rows = self.waiting.drain(..most).collect();
        let prompts: Vec<Vec<u32>> =
            self.rows.iter().filter_map(|index| self.requests.get(*index)).map(|r| r.ids.clone()).collect();
        let batch = PaddedBatch::begin(&self.model, &prompts, self.plan.padding)?;
        let width = prompts.iter().map(Vec::len).max().unwrap_or(0);
        let padding: usize = batch.padding().iter().map(ExactSizeIterator::len).sum();
        self.work.padding += padding;
        self.work.real += width * prompts.len() - padding;
        self.work.forward_calls += 1;
        self.layouts.push(Layout::new(&batch, width, &self.rows, &self.texts, false));
        self.batch = Some(batch);
        self.is_prefilling = true;
        Ok(false)
    }

    /// One more column: the newest token of each row that is running.
    fn step(&mut self, started_ms: f64) -> Result<()> {
        let ids: Vec<Option<u32>> = self
            .rows
            .iter()
            .map(|request| {
                self.texts.get(*request).filter(|text| text.reason.is_none())?.new_ids.last().copied()
            })
            .collect();
        let Some(batch) = &mut self.batch else { return Ok(()) };
        let logits = batch.step_running(&ids)?;
        let running = ids.iter().flatten().count();
        self.work.real += running;
        self.work.finished += ids.len() - running;
        self.work.forward_calls += 1;
        if let Some(layout) = self.layouts.last_mut() {
            layout.step(&ids);
        }
        self.pick(logits, started_ms)
    }

    /// Lets the finished rows go and the waiting requests in. False where there is nothing to do, so that a step is next.
    ///
    /// A newcomer's prompt is run alone, piece by piece, while the batch stands still; then the batch is put together
    /// anew from the caches of those that stay and those that come. That costs the newcomer's prefill and a copy of all keys
    /// and values, and saves every later step of a finished row.
    fn admit(&mut self, started_ms: f64) -> Result<bool> {
        if let Some((request, model)) = self.joining.last_mut() {
            let (request, done) = (*request, model.cached());
            let prompt = self.requests.get(request).map_or(&[][..], |request| &request.ids);
            if done < prompt.len() {
                let end = prompt.len().min(done + PREFILL_CHUNK);
                let hidden = model.extend(prompt.get(done..end).unwrap_or_default())?;
                self.work.real += end - done;
                self.work.forward_calls += usize::from(done == 0);
                if end == prompt.len() {
                    let last = hidden.len().saturating_sub(model.config().hidden_size);
                    let logits = model.logits(hidden.get(last..).unwrap_or_default())?;
                    self.pick_for(request, logits, started_ms)?;
                    if self.is_finished(request) {
                        self.joining.pop();
                    }
                }
                return Ok(true);
            }
        }
        let free = self.rows.iter().filter(|request| self.is_finished(**request)).count();
        if free == 0 {
            return Ok(false);
        }
        if self.joining.len() < free
            && let Some(request) = self.waiting.pop_front()
        {
            self.joining.push((request, self.model.sharing()));
            return Ok(true);
        }
        self.rebuild()?;
        Ok(true)
    }

    fn rebuild(&mut self) -> Result<()> {
        let Some(batch) = &self.batch else { return Ok(()) };
        let (mut rows, mut sources) = (Vec::new(), Vec::new());
        let mut joining = self.joining.iter();
        for (row, request) in self.rows.iter().enumerate() {
            if !self.is_finished(*request) {
                rows.push(*request);
                sources.push(NewRow::Kept(row));
            } else if let Some((newcomer, model)) = joining.next() {
                rows.push(*newcomer);
                sources.push(NewRow::Alone(model));
            }
        }
        if sources.is_empty() {
            self.rows.clear();
            return Ok(());
        }
        let (batch, copied_bytes) = batch.rebuilt(&sources)?;
        self.work.rebuilds += 1;
        self.work.copied_bytes += copied_bytes;
        self.layouts.push(Layout::new(&batch, batch.columns(), &rows, &self.texts, true));
        self.batch = Some(batch);
        self.rows = rows;
        self.joining.clear();
        Ok(())
    }

    /// A token for every row that is running, in the order of the rows.
    fn pick(&mut self, logits: Vec<Vec<f32>>, started_ms: f64) -> Result<()> {
        let rows = self.rows.clone();
        for (request, logits) in rows.into_iter().zip(logits) {
            if !self.is_finished(request) {
                self.pick_for(request, logits, started_ms)?;
            }
        }
        Ok(())
    }

    fn pick_for(&mut self, index: usize, logits: Vec<f32>, started_ms: f64) -> Result<()> {
        let (Some(request), Some(text)) = (self.requests.get(index), self.texts.get_mut(index)) else {
            return Ok(());
        };
        let number = match self.plan.streams {
            Streams::PerRequest => uniform(request.seed, text.new_ids.len() as u64),
            Streams::Shared { seed } => {
                let number = uniform(seed, self.draws);
                self.draws += u64::from(self.settings.sampling.values().decoding != Decoding::Greedy);
                number
            }
        };
        let ids = [request.ids.as_slice(), &text.new_ids].concat();
        let history = History { ids: &ids, prompt_length: request.ids.len(), eos_id: self.settings.eos_id };
        let id = self.sampler.step(&logits, &self.settings.sampling, &history, number)?.draw().id;
        text.new_ids.push(id);
        let most = self.model.config().max_position_embeddings;
        text.reason = if self.settings.eos_id == Some(id) && !self.settings.ignore_eos {
            Some(StopReason::EndToken)
        } else if text.new_ids.len() >= request.max_new_tokens {
            Some(StopReason::MaxNewTokens)
        } else if request.ids.len() + text.new_ids.len() >= most {
            Some(StopReason::ContextFull)
        } else {
            None
        };
        let now_ms = self.elapsed_ms + (self.clock)() - started_ms;
        text.first_token_ms.get_or_insert(now_ms);
        text.latency_ms = text.reason.map(|_| now_ms);
        if let Some(kept) = self.kept.as_mut().and_then(|kept| kept.get_mut(index)) {
            let bytes = size_of_val(logits.as_slice());
            // A gap would put the later ones at the wrong tokens.
            if kept.len() + 1 == text.new_ids.len() && self.kept_bytes + bytes <= KEPT_BYTES {
                self.kept_bytes += bytes;
                kept.push(logits);
            }
        }
        Ok(())
    }

    fn is_finished(&self, request: usize) -> bool {
        self.texts.get(request).is_none_or(|text| text.reason.is_some())
    }

    /// Tokens so far, and at most.
    fn progress(&self) -> (usize, usize) {
        let done = self.texts.iter().zip(&*self.requests).map(|(text, request)| match text.reason {
            Some(_) => request.max_new_tokens,
            None => text.new_ids.len(),
        });
        (done.sum(), self.requests.iter().map(|request| request.max_new_tokens).sum())
    }
}
