//! What happens to the raw logits before the chain: repetition penalty and bans, as in Hugging Face transformers
//! (`RepetitionPenaltyLogitsProcessor`, `NoRepeatNGramLogitsProcessor`, `SuppressTokensLogitsProcessor` and
//! `MinNewTokensLengthLogitsProcessor`).

use super::settings::SettingsValues;
use crate::error::{EngineError, Result};
use crate::model::kernels::scan;

/// The text so far, as token ids.
#[derive(Debug, Clone, Copy, Default)]
pub struct History<'a> {
    /// Prompt and new tokens, oldest first.
    pub ids: &'a [u32],
    /// How many of `ids` are the prompt; the rest are new tokens.
    pub prompt_length: usize,
    /// The end token, if there is one. It is what `min_new_tokens` bans.
    pub eos_id: Option<u32>,
}

impl History<'_> {
    /// Index of the token about to be picked among the new tokens, counted from 0.
    ///
    /// # Errors
    ///
    /// [`EngineError::Context`] if the prompt is said to be longer than all ids.
    pub fn step(&self) -> Result<usize> {
        self.ids.len().checked_sub(self.prompt_length).ok_or_else(|| EngineError::Context {
            subject: "prompt length",
            expected: format!("at most the number of ids, {}", self.ids.len()),
            found: self.prompt_length.to_string(),
        })
    }
}

/// Writes the processed logits, shape `[vocabulary]`: raw logits after penalty and bans. A banned token is at negative
/// infinity and nothing else is. Returns how many tokens are not banned, which is at least one.
pub(super) fn process(
    raw: &[f32],
    values: &SettingsValues,
    history: &History<'_>,
    processed: &mut Vec<f32>,
) -> Result<usize> {
    let step = history.step()?;
    if !scan::all_finite(raw) {
        let bad = raw.iter().enumerate().find(|(_, logit)| !logit.is_finite());
        return Err(EngineError::Numeric {
            step,
            expected: "finite logits from the model".to_owned(),
            found: bad.map_or_else(String::new, |(id, logit)| format!("{logit} for token {id}")),
        });
    }
    processed.clear();
    processed.extend_from_slice(raw);

    for &id in history.ids {
        // The penalised value is computed from the raw logit, so a token that occurs twice is penalised once.
        let Some((&logit, value)) = raw.get(id as usize).zip(processed.get_mut(id as usize)) else {
            return Err(EngineError::Context {
                subject: "token id in the history",
                expected: format!("ids below {}", raw.len()),
                found: id.to_string(),
            });
        };
        if values.repetition_penalty != 1.0 {
            *value = penalise(logit, values.repetition_penalty);
            if !value.is_finite() {
                return Err(EngineError::Numeric {
                    step,
                    expected: "finite logits after the repetition penalty".to_owned(),
                    found: format!("{value} for token {id}"),
                });
            }
        }
    }

    let mut candidates = processed.len();
    for id in repeated_ngram_ends(history.ids, values.no_repeat_ngram) {
        ban(processed, &mut candidates, id);
    }
    for &id in &values.suppress {
        if !ban(processed, &mut candidates, id) {
            return Err(EngineError::Settings {
                name: "suppress",
                expected: format!("token ids below {}", raw.len()),
                found: id.to_string(),
            });
        }
    }
    if step < values.min_new_tokens
        && let Some(eos_id) = history.eos_id
    {
        // An end token outside the vocabulary cannot be picked: there is nothing to ban.
        ban(processed, &mut candidates, eos_id);
    }

    if candidates == 0 {
        return Err(EngineError::Numeric {
            step,
            expected: "at least one token to pick from".to_owned(),
            found: format!("all {} tokens banned", raw.len()),
        });
    }
    Ok(candidates)
}

/// A penalty above 1 makes the token less likely whatever the sign of its logit: positive logits are divided by it,
/// negative ones multiplied (Keskar et al., "CTRL", 2019, with the sign rule of transformers).
fn penalise(logit: f32, penalty: f64) -> f32 {
    let logit = f64::from(logit);
    (if logit < 0.0 { logit * penalty } else { logit / penalty }) as f32
}

/// Tokens that followed an earlier occurrence of the last `n - 1` ids.
fn repeated_ngram_ends(ids: &[u32], n: usize) -> impl Iterator<Item = u32> {
    let earlier = if n == 0 { [].windows(1) } else { ids.windows(n) };
    let prefix =
        n.checked_sub(1).and_then(|length| ids.len().checked_sub(length)).and_then(|start| ids.get(start..));
    earlier.filter_map(move |ngram| {
        let (last, beginning) = ngram.split_last()?;
        (Some(beginning) == prefix).then_some(*last)
    })
}

/// Bans a token, which leaves one candidate less unless it was banned before. Whether the id exists.
fn ban(processed: &mut [f32], candidates: &mut usize, id: u32) -> bool {
    let Some(logit) = processed.get_mut(id as usize) else { return false };
    *candidates -= usize::from(*logit != f32::NEG_INFINITY);
    *logit = f32::NEG_INFINITY;
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests {
    use super::*;

    fn run(raw: &[f32], values: &SettingsValues, history: &History<'_>) -> Result<(usize, Vec<f32>)> {
        let mut processed = Vec::new();
        let candidates = process(raw, values, history, &mut processed)?;
        Ok((candidates, processed))
    }

    fn prompt(ids: &[u32]) -> History<'_> {
        History { ids, prompt_length: ids.len(), eos_id: None }
    }

    #[test]
    fn the_penalty_divides_positive_and_multiplies_negative_logits_once_for_each_token() {
        let values = SettingsValues { repetition_penalty: 2.0, ..SettingsValues::default() };
        let (candidates, processed) =
            run(&[3.0, -3.0, 0.0, 1.0], &values, &prompt(&[0, 1, 0, 2, 0])).unwrap();
        assert_eq!(processed, [1.5, -6.0, 0.0, 1.0]);
        assert_eq!(candidates, 4);
    }

    #[test]
    fn a_penalty_that_leaves_the_range_of_f32_is_an_error() {
        let values = SettingsValues { repetition_penalty: 10.0, ..SettingsValues::default() };
        let message = run(&[0.0, -1e38], &values, &prompt(&[1])).unwrap_err().to_string();
        assert_eq!(
            message,
            "step 0: expected finite logits after the repetition penalty, found -inf for token 1"
        );
    }

    #[test]
    fn ngram_bans_look_at_the_whole_history() {
        let banned = |ids: &[u32], n: usize| repeated_ngram_ends(ids, n).collect::<Vec<_>>();
        assert_eq!(banned(&[1, 2, 3, 1, 2], 3), [3]);
        assert_eq!(banned(&[1, 2, 3, 1, 2, 4, 1, 2], 3), [3, 4]);
        assert_eq!(banned(&[5, 5, 5], 2), [5, 5]);
        assert_eq!(banned(&[4, 6], 1), [4, 6]);
        // The only earlier place is the end itself, which nothing follows.
        assert_eq!(banned(&[1, 2], 3), [0u32; 0]);
        assert_eq!(banned(&[1, 2], 2), [0u32; 0]);
        assert_eq!(banned(&[1], 5), [0u32; 0]);
        assert_eq!(banned(&[], 1), [0u32; 0]);
        assert_eq!(banned(&[1, 1], 0), [0u32; 0]);
        assert_eq!(banned(&[1, 1], usize::MAX), [0u32; 0]);
    }

    #[test]
    fn the_end_token_is_banned_until_there_are_enough_new_tokens() {
        let values = SettingsValues { min_new_tokens: 2, ..SettingsValues::default() };
        let banned_at = |length: usize| {
            let ids = [1, 1, 1, 1];
            let history = History { ids: &ids[..length], prompt_length: 2, eos_id: Some(0) };
            run(&[1.0, 1.0], &values, &history).unwrap().0 == 1
        };
        assert_eq!([2, 3, 4].map(banned_at), [true, true, false]);
        for eos_id in [None, Some(9)] {
            let history = History { ids: &[], prompt_length: 0, eos_id };
            assert_eq!(run(&[1.0, 1.0], &values, &history).unwrap().0, 2);
        }
    }

    #[test]
    fn ids_outside_the_vocabulary_are_errors_that_name_them() {
        let values = SettingsValues { suppress: vec![1, 2], ..SettingsValues::default() };
        let message = run(&[0.0, 0.0], &values, &prompt(&[])).unwrap_err().to_string();
        assert_eq!(message, "setting suppress: expected token ids below 2, found 2");
        let message = run(&[0.0, 0.0], &SettingsValues::default(), &prompt(&[7])).unwrap_err().to_string();
        assert_eq!(message, "context, token id in the history: expected ids below 2, found 7");
        let history = History { ids: &[0], prompt_length: 2, eos_id: None };
        let message = run(&[0.0], &SettingsValues::default(), &history).unwrap_err().to_string();
        assert_eq!(message, "context, prompt length: expected at most the number of ids, 1, found 2");
    }

    #[test]
    fn non_finite_logits_and_bans_of_everything_are_errors_that_name_the_step() {
        for (bad, shown) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")] {
            let history = History { ids: &[0, 0, 0], prompt_length: 1, eos_id: None };
            let message = run(&[0.0, bad], &SettingsValues::default(), &history).unwrap_err().to_string();
            assert_eq!(
                message,
                format!("step 2: expected finite logits from the model, found {shown} for token 1")
            );
        }
        let values = SettingsValues { suppress: vec![0, 1, 1], ..SettingsValues::default() };
        let message = run(&[0.0, 0.0], &values, &prompt(&[])).unwrap_err().to_string();
        assert_eq!(message, "step 0: expected at least one token to pick from, found all 2 tokens banned");
        let message = run(&[], &SettingsValues::default(), &prompt(&[])).unwrap_err().to_string();
        assert_eq!(message, "step 0: expected at least one token to pick from, found all 0 tokens banned");
    }
}
