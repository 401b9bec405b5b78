//! `--beams`: a beam search in place of a sampled text.

use logit_lab_engine::model::Forward;
use logit_lab_engine::search::{BeamOptions, BeamSearch, EarlyStopping, Hypothesis};
use logit_lab_engine::tokenizer::Tokenizer;
use serde_json::{Value, json};

use crate::{Fallible, Options};

/// Runs the whole search.
pub fn search(
    model: &dyn Forward,
    ids: Vec<u32>,
    options: &Options,
    beams: usize,
    eos_id: Option<u32>,
) -> Fallible<BeamSearch> {
    if options.no_cache || !options.stop.is_empty() {
        return Err("a beam search knows neither --no-cache nor --stop; leave them out".into());
    }
    let options = BeamOptions {
        beams,
        num_return: options.num_return,
        length_penalty: options.length_penalty,
        early_stopping: EarlyStopping::parse(&options.early_stopping)?,
        max_new_tokens: options.max_new_tokens,
        eos_id: eos_id.filter(|_| !options.ignore_eos),
    };
    let mut search = BeamSearch::new(model, ids, options)?;
    while !search.advance()? {}
    Ok(search)
}

/// The best text as that of any run, and all that are returned under `beams`, best first.
pub fn output(search: &BeamSearch, prompt: &[u32], tokenizer: Option<&Tokenizer>) -> Value {
    let text = |found: &Hypothesis| tokenizer.map(|tokenizer| tokenizer.decode(found.text_ids()));
    let best: &[u32] = search.sequences().first().map_or(&[], |best| &best.new_ids);
    let ids = [prompt, best].concat();
    json!({
        "ids": ids,
        "new_ids": best,
        "text": search.sequences().first().and_then(text),
        "stop_reason": search.sequences().first().map(|best| best.reason.name()),
        "forward_calls": search.forward_calls(),
        "beams": search.sequences().iter().map(|sequence| json!({
            "new_ids": sequence.new_ids,
            "text": text(sequence),
            "score": sequence.score,
            "stop_reason": sequence.reason.name(),
        })).collect::<Vec<_>>(),
    })
}
