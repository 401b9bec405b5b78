//! A recorded text once more: the runs that made it, each with its settings and its seed, and the tokens that were put in
//! by hand, put in again.
//!
//! A text may be the work of several runs: each goes on where the one before stood, with settings of its own. Token n has
//! the n-th uniform number of its run's seed in every case, so the parts of a record say all that decides. Where nothing
//! else differs (weights, kernel, precision, SIMD level), the same ids must come.

use crate::error::{EngineError, Result};
use crate::sampling::SamplingSettings;
use crate::session::{Limits, Session, StartFrom, StopReason};

/// One run of a recorded text.
#[derive(Debug, Clone)]
pub struct Part {
    /// Index among the new tokens of the first that it makes.
    pub first: usize,
    /// Settings of all its picks.
    pub settings: SamplingSettings,
    /// Its seed.
    pub seed: u32,
    /// When it ends; a part that follows ends it too.
    pub limits: Limits,
    /// The uniform number that was set by hand for token `first`, in place of the seed's.
    pub uniform: Option<f64>,
}

/// A record being repeated; call [`Replay::advance`] until it says `true`.
pub struct Replay {
    session: Session,
    parts: Vec<Part>,
    /// Index among the new tokens and id of each token that is put in and not drawn, by index.
    forced: Vec<(usize, u32)>,
    /// Place in `parts` of the run under way.
    running: Option<usize>,
    /// Parts that have begun.
    begun: usize,
    text: String,
    done: bool,
}

impl Replay {
    /// In a session that has its prompt. Parts and forced tokens stand in the order of their indexes.
    ///
    /// Errors: parts or forced tokens out of order, or a part that begins where nothing leads to.
    pub fn new(session: Session, parts: Vec<Part>, forced: Vec<(usize, u32)>) -> Result<Self> {
        let ordered = parts.is_sorted_by(|a, b| a.first < b.first) && forced.is_sorted_by(|a, b| a.0 < b.0);
        let clash =
            parts.iter().any(|part| forced.binary_search_by_key(&part.first, |token| token.0).is_ok());
        if !ordered || clash {
            return Err(EngineError::Settings {
                name: "parts",
                expected: "runs and tokens put in by hand in the order of their indexes, each index once"
                    .into(),
                found: "another order".into(),
            });
        }
        Ok(Self { session, parts, forced, running: None, begun: 0, text: String::new(), done: false })
    }

    /// One chunk of forward pass, one pick, or one token put in; `true` at the end.
    ///
    /// Errors: those of [`Session::forward_chunk`], [`Session::pick`] and [`Session::set_text`].
    pub fn advance(&mut self) -> Result<bool> {
        if self.done {
            return Ok(true);
        }
        let index = self.session.new_ids().len();
        if let Ok(place) = self.forced.binary_search_by_key(&index, |token| token.0) {
            self.force(place)?;
            return Ok(false);
        }
        if self.parts.get(self.begun).is_some_and(|part| part.first == index) {
            self.begin(index);
            return Ok(false);
        }
        let Some(part) = self.running.and_then(|place| self.parts.get(place)) else {
            self.done = true;
            return Ok(true);
        };
        if self.session.stopped().is_some() {
            self.done = true;
            return Ok(true);
        }
        if self.session.forward_chunk()? {
            self.session.pick(&part.settings, part.seed)?;
            let text = self.session.read();
            self.text.push_str(&text);
        }
        Ok(false)
    }

    fn force(&mut self, place: usize) -> Result<()> {
        let mut ids = self.session.new_ids().to_vec();
        ids.extend(self.forced.get(place).map(|token| token.1));
        let branch = self.session.set_text(&ids)?;
        self.text = branch.texts.concat();
        self.running = None;
        Ok(())
    }

    fn begin(&mut self, index: usize) {
        let Some(part) = self.parts.get(self.begun) else { return };
        let from = if index == 0 { StartFrom::Prompt } else { StartFrom::End };
        self.session.start(from, part.limits.clone());
        self.session.choose_uniform(part.uniform.map(|uniform| (index, uniform)));
        self.running = Some(self.begun);
        self.begun += 1;
    }

    /// The tokens so far.
    pub fn new_ids(&self) -> &[u32] {
        self.session.new_ids()
    }

    /// The text so far; none without a tokenizer.
    pub fn text(&self) -> Option<String> {
        self.session.tokenizer().map(|_| self.text.clone() + &self.session.held_text())
    }

    /// Why the last run ended; none where the text ends with a token that was put in, or goes on.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.running.and_then(|_| self.session.stopped())
    }

    /// The session, for what else is to be told of it.
    pub fn session(&self) -> &Session {
        &self.session
    }
}

/// Where two lists of tokens part: the index, and both tokens there; one of them is none where a list ends first. None if
/// the lists are equal.
pub fn first_divergence(one: &[u32], other: &[u32]) -> Option<(usize, Option<u32>, Option<u32>)> {
    let equal = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (a, b) = (one.get(equal).copied(), other.get(equal).copied());
    (a.is_some() || b.is_some()).then_some((equal, a, b))
}
