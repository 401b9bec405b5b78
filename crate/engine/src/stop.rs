//! Stop strings: text that ends a run, found while the text still arrives.
//!
//! The match is made on text, not on ids, because a model may spell the same text with other tokens, and one token may
//! hold the stop string with more on either side. What may yet become a stop string is held back, since text that a
//! student has read cannot be taken back.

use std::sync::Arc;

use crate::{EngineError, Result};

/// The texts that end a run, in the order given. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub struct StopStrings {
    patterns: Arc<[Pattern]>,
}

impl StopStrings {
    /// No strings is allowed and stops nothing; duplicates are harmless.
    ///
    /// # Errors
    ///
    /// [`EngineError::Settings`] for an empty string, which would end every run before it began.
    pub fn new(strings: Vec<String>) -> Result<Self> {
        let empty = strings.iter().position(String::is_empty);
        if let Some(index) = empty {
            return Err(EngineError::Settings {
                name: "stop",
                expected: "stop strings of at least one character".to_owned(),
                found: format!("an empty one, number {} of {}", index + 1, strings.len()),
            });
        }
        Ok(Self { patterns: strings.into_iter().map(Pattern::new).collect() })
    }

    /// The strings as given.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().map(|pattern| pattern.text.as_str())
    }

    /// Whether nothing can stop a run.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }
}

/// What one delta brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopDelta {
    /// Text that may be shown now.
    pub text: String,
    /// Which of the strings ended the run, as an index into those given. The rest of the delta is dropped.
    pub hit: Option<usize>,
}

/// Watches the text of one run.
///
/// The stop string that ends earliest in the text ends the run, however the text was cut into deltas; of those that end
/// at the same place, the one that starts first, so that none of it is shown.
///
/// ```
/// use logit_lab_engine::stop::{StopStream, StopStrings};
///
/// # fn main() -> logit_lab_engine::Result<()> {
/// let mut stream = StopStream::new(StopStrings::new(vec!["\nUser:".to_owned()])?);
/// assert_eq!(stream.push("Yes.\nU").text, "Yes."); // "\nU" may be the beginning of the stop string,
/// assert_eq!(stream.push("sually").text, "\nUsually"); // and was not.
/// assert_eq!(stream.push("\nUser").text, "");
/// assert_eq!(stream.push(": hello").hit, Some(0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct StopStream {
    strings: StopStrings,
    /// For each string, how many of its bytes the text so far ends with, at most all but one.
    matched_bytes: Vec<usize>,
    /// The end of the text so far that is not shown yet: as long as the largest of `matched_bytes`.
    held: String,
    hit: Option<usize>,
}

impl StopStream {
    /// A stream at the beginning of a run.
    #[must_use]
    pub fn new(strings: StopStrings) -> Self {
        let matched_bytes = vec![0; strings.patterns.len()];
        Self { strings, matched_bytes, held: String::new(), hit: None }
    }

    /// Adds text and returns what may be shown. After a hit nothing more is shown, and the hit is repeated.
    #[must_use]
    pub fn push(&mut self, delta: &str) -> StopDelta {
        if self.hit.is_some() {
            return StopDelta { text: String::new(), hit: self.hit };
        }
        let held_bytes = self.held.len();
        self.held.push_str(delta);
        // Byte by byte is safe: UTF-8 never matches in the middle of a character.
        for (index, byte) in delta.bytes().enumerate() {
            if let Some((hit, stop_bytes)) = self.advance(byte) {
                self.hit = Some(hit);
                let end = held_bytes + index + 1;
                let mut text = std::mem::take(&mut self.held);
                text.truncate(text.floor_char_boundary(end.saturating_sub(stop_bytes)));
                return StopDelta { text, hit: self.hit };
            }
        }
        let keep_bytes = self.matched_bytes.iter().copied().max().unwrap_or(0);
        let ready = self.held.floor_char_boundary(self.held.len().saturating_sub(keep_bytes));
        let keep = self.held.split_off(ready);
        StopDelta { text: std::mem::replace(&mut self.held, keep), hit: None }
    }

    /// Ends the run and releases what was held back; nothing after a hit.
    #[must_use]
    pub fn finish(&mut self) -> String {
        self.matched_bytes.fill(0);
        std::mem::take(&mut self.held)
    }

    /// The string that ended the run, as an index into those given.
    #[must_use]
    pub fn hit(&self) -> Option<usize> {
        self.hit
    }

    /// Moves every string's match on by a byte. Of those that are now complete: index and bytes of the longest, the
    /// first of equals.
    fn advance(&mut self, byte: u8) -> Option<(usize, usize)> {
        let mut longest: Option<(usize, usize)> = None;
        let patterns = self.strings.patterns.iter();
        for (index, (pattern, matched)) in patterns.zip(&mut self.matched_bytes).enumerate() {
            *matched = pattern.advance(*matched, byte);
            let length = pattern.text.len();
            if *matched == length && longest.is_none_or(|(_, other)| length > other) {
                longest = Some((index, length));
            }
        }
        longest
    }
}

/// A stop string prepared for the search of Knuth, Morris and Pratt, whose state is just what has to be held back: the
/// length of the longest beginning of the string that the text ends with.
#[derive(Debug)]
struct Pattern {
    text: String,
    /// Entry n: after n + 1 matched bytes, the length of the longest shorter match.
    fallback: Vec<usize>,
}

impl Pattern {
    fn new(text: String) -> Self {
        let mut pattern = Self { fallback: Vec::with_capacity(text.len()), text };
        let mut matched = 0;
        for index in 0..pattern.text.len() {
            if index > 0 {
                let byte = pattern.text.as_bytes().get(index).copied().unwrap_or_default();
                matched = pattern.advance(matched, byte);
            }
            pattern.fallback.push(matched);
        }
        pattern
    }

    /// The length of the match after one more byte; constant time on average.
    fn advance(&self, mut matched: usize, byte: u8) -> usize {
        loop {
            if self.text.as_bytes().get(matched) == Some(&byte) {
                return matched + 1;
            }
            // A match of no bytes has nothing to fall back to.
            let Some(shorter) = matched.checked_sub(1).and_then(|last| self.fallback.get(last)) else {
                return 0;
            };
            matched = *shorter;
        }
    }
}
