//! Console calls, one at a time: they have sessions of their own and leave the page's text alone.

use std::sync::Arc;

use logit_lab_engine::EngineError;
use logit_lab_engine::lab::head_time::head_ms;
use logit_lab_engine::lab::prompt_logits::Positions;
use logit_lab_engine::lab::{PromptLogits, Samples, TimedRun};
use logit_lab_engine::sampling::{Decoding, History, Sampler, SamplingSettings, SamplingStep, uniform};
use logit_lab_engine::search::{BeamOptions, BeamSearch};
use logit_lab_engine::session::{Session, StartFrom};
use logit_lab_engine::tokenizer::Tokenizer;

use super::generation::Generation;
use super::lab::cache::CacheCheckJob;
use super::lab::{self, BatchJob, DigestJob, LabJob, ScoreJob};
use super::prompt::{ids_of, no_tokenizer, prompt_ids};
use super::{Result, Shell};
use crate::columns::F32Column;
use crate::protocol::{self as wire, Answer, Call, ErrorCode, ErrorDetails, Event, Prompt, WireError};
use crate::{convert, project};

/// Draws of one call: they are made at once.
const MOST_DRAWS: usize = 1_000_000;
/// Applications of the output head in one call: on a slow machine a second or two.
const MOST_HEADS: usize = 256;

pub(super) enum ActiveCall {
    Logits(PromptLogits),
    Predict(Box<Prediction>),
    Generate(Box<Generation>),
    Beam(Box<Beam>),
    Samples(Box<Samples>),
    /// An experiment of the lab panels, and how many hundredths of it have been told.
    Lab(Box<dyn LabJob>, usize),
}

/// A beam search on the weights of the page's model.
pub(super) struct Beam {
    search: BeamSearch,
    tokenizer: Option<Arc<Tokenizer>>,
    /// Steps that have been told.
    told: usize,
}

/// One step of a run that need not exist.
pub(super) struct Prediction {
    job: PromptLogits,
    ids: Vec<u32>,
    prompt_length: usize,
    settings: SamplingSettings,
    seed: u32,
    rows: usize,
    marked_id: Option<u32>,
}

impl Shell {
    pub(super) fn begin_call(&mut self, run_id: u32, call: Call) {
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
            Call::Detokenize { ids } => {
                let tokenizer = self.loaded_mut()?.tokenizer.clone().ok_or_else(no_tokenizer)?;
                let tokens = project::tokens(Some(&tokenizer), &ids);
                Ok(Some(Answer::Detokenize { tokens, text: tokenizer.decode(&ids) }))
            }
            Call::SampleStep { logits, history, settings, uniform: given, seed, prompt_length, eos_id } => {
                let settings_uniform = settings.uniform;
                let settings = convert::settings(&settings)?;
                let prompt_length = prompt_length.unwrap_or(history.len());
                let index = history.len().saturating_sub(prompt_length) as u64;
                // Greedy draws nothing.
                let greedy = (settings.values().decoding == Decoding::Greedy).then_some(0.0);
                let u =
                    given.or(settings_uniform).or(seed.map(|seed| uniform(seed, index))).or(greedy).ok_or(
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
            Call::Logits { ids, positions, prompt_length, cache, kernel } => {
                let model = self.loaded_mut()?.fresh_model(kernel.as_deref())?;
                let mut job =
                    PromptLogits::new(model.as_ref(), ids, positions.into(), convert::cache_policy(cache))?;
                if let Some(prompt_length) = prompt_length {
                    job = job.as_in_a_run(prompt_length);
                }
                self.active_call = Some((run_id, ActiveCall::Logits(job)));
                Ok(None)
            }
            Call::Predict { ids, prompt_length, settings, seed, rows, marked_id, cache, kernel } => {
                let settings = convert::settings(&settings)?;
                let model = self.loaded_mut()?.fresh_model(kernel.as_deref())?;
                let cache = convert::cache_policy(cache);
                let job = PromptLogits::new(model.as_ref(), ids.clone(), Positions::Last, cache)?
                    .as_in_a_run(prompt_length);
                let prediction = Prediction { job, ids, prompt_length, settings, seed, rows, marked_id };
                self.active_call = Some((run_id, ActiveCall::Predict(Box::new(prediction))));
                Ok(None)
            }
            Call::Generate { prompt, settings, seed, limits, cache, kernel } => {
                let timed = TimedRun::new(self.clock);
                self.timed_runs = self.timed_runs.saturating_add(1);
                let loaded = self.loaded_mut()?;
                let settings = convert::settings(&settings)?;
                let ids = prompt_ids(loaded, &prompt)?;
                let tokenize_ms = timed.elapsed_ms();
                let model = loaded.fresh_model(kernel.as_deref())?;
                let mut session = Session::new(model, loaded.tokenizer.clone(), convert::cache_policy(cache));
                session.set_prompt(ids)?;
                session.start(StartFrom::Prompt, convert::limits(&limits, loaded.eos_id)?);
                let generation = Generation { session, timed, settings, seed, tokenize_ms };
                self.active_call = Some((run_id, ActiveCall::Generate(Box::new(generation))));
                Ok(None)
            }
            Call::Samples { prompt, settings, seed, count, limits, cache, kernel } => {
                let loaded = self.loaded_mut()?;
                let tokenizer = loaded.tokenizer.clone();
                let ids = prompt_ids(loaded, &prompt)?;
                let (settings, limits) =
                    (convert::settings(&settings)?, convert::limits(&limits, loaded.eos_id)?);
                let model = loaded.fresh_model(kernel.as_deref())?;
                let mut session = Session::new(model, tokenizer, convert::cache_policy(cache));
                session.set_prompt(ids)?;
                let samples = Samples::new(session, settings, limits, seed, count);
                self.active_call = Some((run_id, ActiveCall::Samples(Box::new(samples))));
                Ok(None)
            }
            Call::Benchmark(benchmark) => {
                let job = self.benchmark(benchmark)?;
                Ok(self.begin_job(run_id, Box::new(job)))
            }
            Call::Summarize { first, second } => {
                Ok(Some(Answer::Summarize { summary: project::benchmark_summary(first, second) }))
            }
            Call::Replay { ids, parts, forced, cache, kernel } => {
                let job = self.replay(ids, &parts, &forced, cache, kernel.as_deref())?;
                Ok(self.begin_job(run_id, job))
            }
            Call::Draws { logits, settings, seed, draws } => {
                convert::at_most("draws", draws, MOST_DRAWS)?;
                let result = match logits {
                    Some(logits) => {
                        let (settings, mut sampler) = (convert::settings(&settings)?, Sampler::new());
                        let mut step = sampler.step(&logits, &settings, &History::default(), 0.0)?;
                        project::draws(&mut step, None, seed, draws)
                    }
                    None => {
                        let read = |step: &mut SamplingStep<'_>, tokenizer: Option<&Tokenizer>, _, _| {
                            project::draws(step, tokenizer, seed, draws)
                        };
                        self.look(None, Some(&settings), Some(seed), read)?.1
                    }
                };
                Ok(Some(Answer::Draws { result }))
            }
            Call::CacheCheck { ids, continuation, first, second, all_positions } => {
                let clock = self.clock;
                let paths = [first, second];
                let loaded = self.loaded_mut()?;
                let job = CacheCheckJob::new(loaded, ids, continuation, paths, all_positions, clock)?;
                Ok(self.begin_job(run_id, Box::new(job)))
            }
            Call::CacheState {} => {
                Ok(Some(Answer::CacheState { result: lab::cache::cache_state(self.loaded_mut()?) }))
            }
            Call::MemoryUse {} => {
                let wasm_bytes = (self.wasm_bytes)();
                Ok(Some(Answer::MemoryUse { result: lab::cache::memory_use(self.loaded_mut()?, wasm_bytes) }))
            }
            Call::HeadTime { repeats } => {
                convert::at_most("repeats", repeats, MOST_HEADS)?;
                let clock = self.clock;
                let model = self.loaded_mut()?.fresh_model(None)?;
                Ok(Some(Answer::HeadTime { ms: head_ms(model.as_ref(), repeats, clock)? }))
            }
            Call::Beam {
                prompt,
                beams,
                num_return,
                length_penalty,
                early_stopping,
                max_new_tokens,
                eos_id,
                kernel,
            } => {
                let loaded = self.loaded_mut()?;
                let tokenizer = loaded.tokenizer.clone();
                let ids = prompt_ids(loaded, &prompt)?;
                let options = BeamOptions {
                    beams,
                    num_return: num_return.unwrap_or(1),
                    length_penalty: length_penalty.unwrap_or(1.0),
                    early_stopping: early_stopping.into(),
                    max_new_tokens,
                    eos_id: eos_id.unwrap_or(loaded.eos_id),
                };
                let model = loaded.fresh_model(kernel.as_deref())?;
                let search = BeamSearch::new(model.as_ref(), ids, options)?;
                let beam = Beam { search, tokenizer, told: 0 };
                self.active_call = Some((run_id, ActiveCall::Beam(Box::new(beam))));
                Ok(None)
            }
            Call::Batch(call) => {
                let clock = self.clock;
                let job = BatchJob::new(self.loaded_mut()?, &call, clock)?;
                Ok(self.begin_job(run_id, Box::new(job)))
            }
            Call::Score(call) => {
                let job = ScoreJob::new(self.loaded_mut()?, &call)?;
                Ok(self.begin_job(run_id, Box::new(job)))
            }
            Call::WeightsDigest {} => {
                let job = DigestJob::new(self.loaded_mut()?);
                Ok(self.begin_job(run_id, Box::new(job)))
            }
            Call::PrecisionReport { prompt, precisions, kernel } => {
                let job = self.precision_table(&prompt, precisions, kernel.as_deref())?;
                Ok(self.begin_job(run_id, job))
            }
            Call::FiveMeanings
            | Call::DescribeNumber { .. }
            | Call::QuantizeBlock { .. }
            | Call::PackedBytes { .. } => self.precision_call(call),
        }
    }

    /// No answer yet.
    fn begin_job(&mut self, run_id: u32, job: Box<dyn LabJob>) -> Option<Answer> {
        self.active_call = Some((run_id, ActiveCall::Lab(job, 0)));
        None
    }

    pub(super) fn advance_call(&mut self) {
        let Some((run_id, call)) = &mut self.active_call else { return };
        let run_id = *run_id;
        let done = match call {
            ActiveCall::Logits(job) => job.advance(),
            ActiveCall::Predict(prediction) => prediction.job.advance(),
            ActiveCall::Generate(generation) => generation.advance().map(|(token, done)| {
                let tokenizer = generation.session.tokenizer().map(AsRef::as_ref);
                self.events.extend(
                    token.map(|token| Event::CallStepped { run_id, step: project::step(token, tokenizer) }),
                );
                done
            }),
            ActiveCall::Samples(samples) => samples.advance(),
            ActiveCall::Lab(job, told) => {
                let finished = job.advance();
                let (done, total) = job.progress();
                let hundredths = done.saturating_mul(100) / total.max(1);
                if hundredths > *told {
                    *told = hundredths;
                    self.events.push(Event::CallProgressed { run_id, done, total });
                }
                finished
            }
            ActiveCall::Beam(beam) => {
                let done = beam.search.advance();
                if beam.search.steps().len() > beam.told {
                    let tree = project::beam_tree(&beam.search, beam.told, beam.tokenizer.as_deref());
                    beam.told = beam.search.steps().len();
                    self.events.push(Event::BeamStepped { run_id, tree });
                }
                done
            }
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

    /// Ends the call of that id, if it can end early, with what there is. One that waits does not begin.
    pub(super) fn stop_call(&mut self, run_id: u32) {
        let waiting = self.calls.len();
        self.calls.retain(|(id, _)| *id != run_id);
        if self.calls.len() < waiting {
            let message = "the call was stopped before it began".into();
            let error = WireError { code: ErrorCode::Command, message, details: ErrorDetails::default() };
            self.report(Err(error), Some(run_id), None);
            return;
        }
        match &mut self.active_call {
            Some((id, ActiveCall::Generate(generation))) if *id == run_id => _ = generation.session.stop(),
            Some((id, ActiveCall::Beam(beam))) if *id == run_id => beam.search.stop(),
            // The sample, position or experiment under way is left out.
            Some((id, ActiveCall::Samples(_) | ActiveCall::Logits(_) | ActiveCall::Lab(..)))
                if *id == run_id => {}
            _ => return,
        }
        self.finish_call();
    }

    fn finish_call(&mut self) {
        let Some((run_id, call)) = self.active_call.take() else { return };
        let answer = match call {
            ActiveCall::Logits(job) => Answer::Logits { logits: F32Column(job.into_logits()) },
            ActiveCall::Predict(prediction) => match self.predicted(*prediction) {
                Ok(distribution) => Answer::Predict { distribution: Box::new(distribution) },
                Err(error) => return self.report(Err(error), Some(run_id), None),
            },
            ActiveCall::Generate(mut generation) => {
                generation.timed.pause();
                let memory_bytes = self.memory_of(&generation.session);
                let step_ms = self.clock_step_ms();
                Answer::Generate { result: Box::new(generation.result(memory_bytes, step_ms)) }
            }
            ActiveCall::Lab(job, _) => match job.answer() {
                Ok(answer) => answer,
                Err(error) => return self.report(Err(error), Some(run_id), None),
            },
            ActiveCall::Samples(samples) => Answer::Samples {
                samples: samples.done().iter().map(project::sample).collect(),
                distinct: samples.distinct(),
            },
            ActiveCall::Beam(beam) => {
                Answer::Beam { result: project::beam_result(&beam.search, beam.tokenizer.as_deref()) }
            }
        };
        self.events.push(Event::Answered { run_id, answer });
    }

    fn predicted(&mut self, prediction: Prediction) -> Result<wire::Distribution> {
        let Prediction { job, ids, prompt_length, settings, seed, rows, marked_id } = prediction;
        let loaded = self.loaded_mut()?;
        let history = History { ids: &ids, prompt_length, eos_id: loaded.eos_id };
        let number = uniform(seed, ids.len().saturating_sub(prompt_length) as u64);
        let (logits, mut sampler) = (job.into_logits(), Sampler::new());
        let mut step = sampler.step(&logits, &settings, &history, number)?;
        let (select, tokenizer) = (wire::Select::Top { count: rows }, loaded.tokenizer.as_deref());
        Ok(project::distribution(&mut step, tokenizer, &select, ids.len(), marked_id))
    }
}
