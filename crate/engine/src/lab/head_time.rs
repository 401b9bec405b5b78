//! The output head alone: what a decode step spends most of its time on in a small model with a large vocabulary.

use super::Clock;
use crate::error::Result;
use crate::model::Forward;

/// Milliseconds of one application of the output head to one position, as the mean of `repeats` (at least one) after one
/// that is not timed. Together, because a browser's clock may be coarser than one of them.
///
/// Errors: those of [`Forward::logits`].
pub fn head_ms(model: &dyn Forward, repeats: usize, clock: Clock) -> Result<f64> {
    let config = model.config();
    // Any ordinary numbers do: no kernel's speed depends on them.
    let hidden = vec![0.5; config.hidden_size];
    let mut logits = vec![0.0; config.vocab_size];
    model.logits_into(&hidden, &mut logits)?;
    let repeats = repeats.max(1);
    let start = clock();
    for _ in 0..repeats {
        model.logits_into(&hidden, &mut logits)?;
    }
    Ok((clock() - start) / repeats as f64)
}
