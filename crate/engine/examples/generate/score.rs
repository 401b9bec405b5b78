//! `--score`: what the model says of every token of the prompt. `--digests`: the weights before and after a run.

use clap::Args;
use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::lab::{Digests, TextScores, WeightsDigest};
use logit_lab_engine::model::Forward;
use logit_lab_engine::tokenizer::Tokenizer;
use serde_json::{Value, json};

use crate::Fallible;

/// What can be asked for.
#[derive(Args)]
pub struct ScoreFlags {
    /// Score the prompt's tokens and generate nothing
    #[arg(long, conflicts_with = "beams")]
    pub score: bool,
    /// Put the end token in front of the text, so that its first token has a score too
    #[arg(long, requires = "score")]
    start_token: bool,
    /// Print SHA-256 digests of the weights in memory before and after the run
    #[arg(long, conflicts_with_all = ["beams", "score"])]
    pub digests: bool,
}

/// The scores of all tokens and of the text.
pub fn output(
    model: &dyn Forward,
    tokenizer: Option<&Tokenizer>,
    ids: &[u32],
    flags: &ScoreFlags,
    eos_id: Option<u32>,
) -> Fallible<Value> {
    if flags.start_token && eos_id.is_none() {
        return Err("the model has no end token to start with".into());
    }
    let mut scores = TextScores::new(model, ids, eos_id.filter(|_| flags.start_token))?;
    while !scores.advance()? {}
    let summary = scores.summary(tokenizer).ok_or("no token was scored")?;
    Ok(json!({
        "ids": scores.ids(),
        "unscored": scores.unscored(),
        "scores": scores.scores().iter().map(|score| json!({
            "id": score.id,
            "text": tokenizer.map(|tokenizer| tokenizer.decode(&[score.id])),
            "log_probability": score.log_probability,
            "probability": score.probability,
            "rank": score.rank,
            "top_id": score.top_id,
        })).collect::<Vec<_>>(),
        "tokens": summary.tokens,
        "log_probability": summary.log_probability,
        "perplexity": summary.perplexity,
        "nats_per_byte": summary.nats_per_byte(),
        "nats_per_character": summary.nats_per_character(),
    }))
}

/// Both digests of the weights as they are now.
pub fn digests(checkpoint: &Checkpoint, model: &dyn Forward) -> Digests {
    let mut job = WeightsDigest::new(checkpoint, model);
    while !job.advance() {}
    job.digests()
}

/// The digests before and after, and whether they are equal.
pub fn compared(before: &Digests, after: &Digests) -> Value {
    let shown = |digests: &Digests| json!({"checkpoint": digests.checkpoint, "model": digests.model});
    json!({"before": shown(before), "after": shown(after), "equal": before == after})
}
