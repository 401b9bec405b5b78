//! Beam search: several continuations at once, of which the likeliest are kept at every step.
//!
//! A [`BeamSearch`] is a pull API, like the session: one call of [`BeamSearch::advance`] is one chunk of forward pass, so
//! that a caller with a user can stop in between. A step runs every beam by one token, takes the best two continuations
//! for each of them over all beams together, and sorts these: what ends is put aside with its score, the best of the rest
//! are the beams of the next step. Every step is kept as a [`BeamStep`], dropped continuations included; together they are
//! the tree.
//!
//! The rules are those of Hugging Face transformers (`GenerationMixin._beam_search`): a continuation is ranked by the sum
//! of its log-probabilities, a finished text by that sum divided by its length to the power of the length penalty; only
//! a continuation among the best `beams` of a step may finish. With one beam the search is greedy decoding.
//!
//! Beams share the KV cache of what they have in common ([`Forward::fork`]).

mod options;

pub use self::options::{BeamOptions, EarlyStopping, MAX_BEAMS};

use crate::error::{EngineError, Result};
use crate::model::Forward;
use crate::sampling::{Decoding, History, Sampler, SamplingSettings, SettingsValues};
use crate::session::{PREFILL_CHUNK, StopReason, check_ids};

/// What became of a continuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Not among the best.
    Dropped,
    /// It is the beam of this index in the next step.
    Kept(usize),
    /// It has ended and is among the best finished texts so far.
    Finished,
}

/// One token after one beam.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The beam that it continues: index among those of its step, best first. The first step has one beam, the prompt.
    pub parent: usize,
    /// The token.
    pub id: u32,
    /// Natural logarithm of the token's probability after its beam.
    pub log_probability: f64,
    /// Sum of the log-probabilities of all new tokens up to this one.
    pub sum: f64,
    /// `sum` divided by the number of new tokens to the power of the length penalty.
    pub score: f64,
    /// What became of it.
    pub fate: Fate,
}

/// The best continuations of all beams at one step, best first: twice as many as there may be beams, where the
/// vocabulary has them.
#[derive(Debug, Clone, PartialEq)]
pub struct BeamStep {
    /// In the order of `sum`; at a tie the better beam and then the lower rank comes first.
    pub candidates: Vec<Candidate>,
}

/// A text that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// Its new tokens, the end token included.
    pub new_ids: Vec<u32>,
    /// Sum of their log-probabilities.
    pub sum: f64,
    /// What texts of different lengths are compared by.
    pub score: f64,
    /// Why it ended.
    pub reason: StopReason,
    /// Its last token in the tree: index of the step, and of the candidate in it.
    pub leaf: (usize, usize),
}

impl Hypothesis {
    /// The tokens whose text is shown: all new ones but the end token.
    pub fn text_ids(&self) -> &[u32] {
        match self.new_ids.split_last() {
            Some((_, before)) if self.reason == StopReason::EndToken => before,
            _ => &self.new_ids,
        }
    }
}

/// A running beam.
struct Beam {
    model: Box<dyn Forward>,
    /// Prompt and new tokens. The cache holds all but the last of them, or fewer.
    ids: Vec<u32>,
    sum: f64,
    /// Its last token in the tree; none for the prompt.
    leaf: Option<(usize, usize)>,
}

/// A beam search under way. See the module's head.
pub struct BeamSearch {
    options: BeamOptions,
    prompt_length: usize,
    /// Most new tokens of a text, and the reason given to a text that has as many.
    most: (usize, StopReason),
    /// Best first.
    beams: Vec<Beam>,
    /// How many of the beams have been run in this step, and what they propose.
    run: usize,
    proposals: Vec<Candidate>,
    steps: Vec<BeamStep>,
    /// Best first, at most as many as beams.
    finished: Vec<Hypothesis>,
    forward_calls: usize,
    sampler: Sampler,
    greedy: SamplingSettings,
}

impl BeamSearch {
    /// A search that begins after `prompt`, on the weights of `model`.
    ///
    /// Errors: options outside their ranges; a prompt that the model cannot read, or that fills it.
    pub fn new(model: &dyn Forward, prompt: Vec<u32>, options: BeamOptions) -> Result<Self> {
        options.check()?;
        let config = model.config();
        let positions = config.max_position_embeddings;
        check_ids(&prompt, config.vocab_size, positions)?;
        let room = positions.saturating_sub(prompt.len());
        if room == 0 {
            return Err(EngineError::Context {
                subject: "prompt",
                expected: format!("fewer than {positions} tokens, so that one can follow"),
                found: prompt.len().to_string(),
            });
        }
        let most = if room < options.max_new_tokens {
            (room, StopReason::ContextFull)
        } else {
            (options.max_new_tokens, StopReason::MaxNewTokens)
        };
        Ok(Self {
            options,
            prompt_length: prompt.len(),
            most,
            beams: vec![Beam { model: model.fresh(), ids: prompt, sum: 0.0, leaf: None }],
            run: 0,
            proposals: Vec::new(),
            steps: Vec::new(),
            finished: Vec::new(),
            forward_calls: 0,
            sampler: Sampler::new(),
            // Nothing is drawn: only the ranking and the model's own probabilities are read.
            greedy: SamplingSettings::new(SettingsValues {
                decoding: Decoding::Greedy,
                ..SettingsValues::default()
            })?,
        })
    }

    /// One chunk of the forward pass of one beam; `true` when the search has ended. [`BeamSearch::steps`] is longer by
    /// one whenever the last beam of a step has been run.
    ///
    /// Errors: those of the model, and [`EngineError::Numeric`] for a logit that is not finite.
    pub fn advance(&mut self) -> Result<bool> {
        let Some(beam) = self.beams.get_mut(self.run) else { return Ok(true) };
        let cached = beam.model.cached();
        let end = beam.ids.len().min((cached / PREFILL_CHUNK + 1) * PREFILL_CHUNK);
        let hidden = beam.model.prefill(beam.ids.get(cached..end).unwrap_or_default())?;
        if end < beam.ids.len() {
            return Ok(false);
        }
        let last_row = hidden.len().saturating_sub(beam.model.config().hidden_size);
        let logits = beam.model.logits(hidden.get(last_row..).unwrap_or_default())?;
        self.forward_calls += 1;

        let history = History { ids: &beam.ids, prompt_length: self.prompt_length, eos_id: None };
        let mut step = self.sampler.step(&logits, &self.greedy, &history, 0.0)?;
        let base = step.base();
        let length = beam.ids.len() + 1 - self.prompt_length;
        // No more of one beam's continuations can be among the best of all.
        for row in step.top_rows(2 * self.options.beams) {
            let log_probability = base.log_probability(row.id);
            let sum = beam.sum + log_probability;
            let score = self.options.score(sum, length);
            let fate = Fate::Dropped;
            self.proposals.push(Candidate {
                parent: self.run,
                id: row.id,
                log_probability,
                sum,
                score,
                fate,
            });
        }
        self.run += 1;
        if self.run == self.beams.len() {
            self.select()?;
        }
        Ok(self.beams.is_empty())
    }

    /// Ends a step: finishes, keeps and drops.
    fn select(&mut self) -> Result<()> {
        let (width, index) = (self.options.beams, self.steps.len());
        let mut candidates = std::mem::take(&mut self.proposals);
        // Stable: proposals stand in the order of beam and rank.
        candidates.sort_by(|one, other| other.sum.total_cmp(&one.sum));
        candidates.truncate(2 * width);
        let mut parents: Vec<Option<Beam>> = std::mem::take(&mut self.beams).into_iter().map(Some).collect();
        self.run = 0;

        let mut kept = 0;
        let (most, full) = self.most;
        for (place, candidate) in candidates.iter_mut().enumerate() {
            let Some(Some(parent)) = parents.get(candidate.parent) else { continue };
            let reason = if self.options.eos_id == Some(candidate.id) {
                Some(StopReason::EndToken)
            } else {
                (parent.ids.len() + 1 - self.prompt_length >= most).then_some(full)
            };
            match reason {
                Some(reason) if place < width => {
                    let mut new_ids = parent.ids.get(self.prompt_length..).unwrap_or_default().to_vec();
                    new_ids.push(candidate.id);
                    let Candidate { sum, score, .. } = *candidate;
                    self.finished.push(Hypothesis { new_ids, sum, score, reason, leaf: (index, place) });
                }
                None if kept < width => {
                    candidate.fate = Fate::Kept(kept);
                    kept += 1;
                }
                _ => {}
            }
        }
        self.rank_finished();
        for hypothesis in self.finished.iter().filter(|hypothesis| hypothesis.leaf.0 == index) {
            if let Some(candidate) = candidates.get_mut(hypothesis.leaf.1) {
                candidate.fate = Fate::Finished;
            }
        }
        if !self.is_settled(&candidates) {
            self.beams = next_beams(&mut parents, &candidates, index)?;
        }
        self.steps.push(BeamStep { candidates });
        Ok(())
    }

    /// Whether no running beam is wanted any more, by the rule of early stopping.
    fn is_settled(&self, candidates: &[Candidate]) -> bool {
        let Some(worst) = self.finished.get(self.options.beams - 1) else { return false };
        // A single beam that has ended is what greedy decoding gives.
        if self.options.early_stopping == EarlyStopping::Always || self.options.beams == 1 {
            return true;
        }
        let running = candidates.iter().find(|candidate| matches!(candidate.fate, Fate::Kept(_)));
        running.is_none_or(|best| {
            let hopeful = match self.options.early_stopping {
                EarlyStopping::Never if self.options.length_penalty > 0.0 => {
                    self.options.score(best.sum, self.most.0)
                }
                _ => best.score,
            };
            hopeful <= worst.score
        })
    }

    fn rank_finished(&mut self) {
        self.finished.sort_by(|one, other| other.score.total_cmp(&one.score));
        self.finished.truncate(self.options.beams);
    }

    /// Ends the search at the user's wish: the running beams count as finished at their present length.
    pub fn stop(&mut self) {
        self.run = 0;
        self.proposals.clear();
        for beam in std::mem::take(&mut self.beams) {
            let Some(leaf) = beam.leaf else { continue };
            let new_ids = beam.ids.get(self.prompt_length..).unwrap_or_default().to_vec();
            let score = self.options.score(beam.sum, new_ids.len());
            self.finished.push(Hypothesis { new_ids, sum: beam.sum, score, reason: StopReason::User, leaf });
        }
        self.rank_finished();
    }

    /// The tree so far, step by step.
    pub fn steps(&self) -> &[BeamStep] {
        &self.steps
    }

    /// The best finished texts, best first: as many as are to be returned, when the search has ended.
    pub fn sequences(&self) -> &[Hypothesis] {
        self.finished.get(..self.options.num_return).unwrap_or(&self.finished)
    }

    /// One for the prompt, then one for each beam and token.
    pub fn forward_calls(&self) -> usize {
        self.forward_calls
    }
}

/// The kept candidates as beams, in the order in which they were kept. The last child of a beam takes its cache over.
fn next_beams(parents: &mut [Option<Beam>], candidates: &[Candidate], step: usize) -> Result<Vec<Beam>> {
    let is_kept = |candidate: &Candidate| matches!(candidate.fate, Fate::Kept(_));
    let mut beams = Vec::new();
    for (place, candidate) in candidates.iter().enumerate().filter(|(_, candidate)| is_kept(candidate)) {
        let Some(slot) = parents.get_mut(candidate.parent) else { continue };
        let has_younger =
            candidates.iter().skip(place + 1).any(|other| is_kept(other) && other.parent == candidate.parent);
        let (model, mut ids) = match slot.take() {
            Some(parent) if has_younger => {
                let child = (parent.model.fork()?, parent.ids.clone());
                *slot = Some(parent);
                child
            }
            Some(parent) => (parent.model, parent.ids),
            None => continue,
        };
        ids.push(candidate.id);
        beams.push(Beam { model, ids, sum: candidate.sum, leaf: Some((step, place)) });
    }
    Ok(beams)
}
