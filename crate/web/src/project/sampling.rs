//! Sampling steps as columns: the rows of a display, every stage of all tokens, and figures beside them.

use logit_lab_engine::lab::{Sample, TimedToken};
use logit_lab_engine::sampling::{self, Draw, Row, SamplingStep, StepSummary};
use logit_lab_engine::tokenizer::Tokenizer;

use super::{piece, token_kind, tokens};
use crate::columns::{F32Column, F64Column, U8Column, U32Column};
use crate::convert::chain_kind;
use crate::protocol as wire;

/// In [`wire::Distribution::cut_by`]: banned before the chain.
const BANNED: u8 = 255;

/// The selected rows of a step, and all other tokens together.
pub fn distribution(
    step: &mut SamplingStep<'_>,
    tokenizer: Option<&Tokenizer>,
    select: &wire::Select,
    context_tokens: usize,
    marked: Option<u32>,
) -> wire::Distribution {
    let rows = selected(step, tokenizer, select, marked);
    let ids: Vec<u32> = rows.iter().map(|row| row.id).collect();
    let stages = step.stages(&rows);
    let base: Vec<f64> = stages.iter().map(|stage| stage.base_probability).collect();
    let kept_rows = rows.iter().filter(|row| row.rank < step.kept() && !row.banned).count();
    let vocabulary = step.raw_logits().len();
    let rest_of = |sum: f64| (1.0 - sum).max(0.0);
    let rest_kept = step.kept().saturating_sub(kept_rows);
    let shown: f64 = rows.iter().map(|row| row.probability).sum();
    wire::Distribution {
        context_tokens,
        ranks: U32Column(rows.iter().map(|row| row.rank as u32).collect()),
        raw_logits: F32Column(rows.iter().map(|row| row.raw_logit).collect()),
        processed_logits: F32Column(rows.iter().map(|row| row.processed_logit).collect()),
        scaled_logits: F32Column(stages.iter().map(|stage| stage.scaled_logit).collect()),
        probabilities: F64Column(rows.iter().map(|row| row.probability).collect()),
        cumulative: F64Column(stages.iter().map(|stage| stage.cumulative).collect()),
        lows: F64Column(stages.iter().map(|stage| stage.low).collect()),
        highs: F64Column(stages.iter().map(|stage| stage.high).collect()),
        cut_by: U8Column(rows.iter().map(cut_code).collect()),
        cuts: step.cuts().iter().map(cut).collect(),
        rest: wire::Rest {
            count: vocabulary.saturating_sub(rows.len()),
            base_probability: rest_of(base.iter().sum()),
            probability: if rest_kept == 0 { 0.0 } else { rest_of(shown) },
            kept: rest_kept,
        },
        vocabulary,
        kept: step.kept(),
        greedy: step.draw().uniform.is_none(),
        draw: draw(step.draw()),
        picked_id: marked,
        base_probabilities: F64Column(base),
        tokens: tokens(tokenizer, &ids),
        base_entropy: entropy(step.base_entropy()),
        entropy: entropy(step.entropy()),
        margin: step.margin().map(margin),
    }
}

/// Rows in the order of the ranking.
fn selected(
    step: &mut SamplingStep<'_>,
    tokenizer: Option<&Tokenizer>,
    select: &wire::Select,
    marked: Option<u32>,
) -> Vec<Row> {
    let mut rows = match select {
        wire::Select::Top { count } => {
            let mut rows = step.top_rows(*count);
            for id in marked.into_iter().chain([step.draw().id]) {
                if !rows.iter().any(|row| row.id == id) {
                    rows.extend(step.row(id));
                }
            }
            rows
        }
        wire::Select::Ranks { first, count } => step.rows(*first, *count),
        wire::Select::Ids(ids) => ids.iter().filter_map(|id| step.row(*id)).collect(),
        wire::Select::Text { text, count } => {
            let (same, containing) = tokenizer.map(|tokenizer| tokenizer.find(text)).unwrap_or_default();
            let mut rows: Vec<Row> = same.iter().filter_map(|id| step.row(*id)).collect();
            let ranked = step.rows(0, if containing.is_empty() { 0 } else { usize::MAX });
            rows.extend(ranked.into_iter().filter(|row| containing.binary_search(&row.id).is_ok()));
            rows.truncate(*count);
            rows
        }
    };
    rows.sort_by_key(|row| row.rank);
    rows.dedup_by_key(|row| row.rank);
    rows
}

fn cut_code(row: &Row) -> u8 {
    match row.cut_by {
        _ if row.banned => BANNED,
        Some(index) => 1 + index as u8,
        None => 0,
    }
}

fn cut(cut: &sampling::Cut) -> wire::Cut {
    let wire::ChainStep { kind, value } = chain_kind(cut.step);
    wire::Cut { kind, value, kept_before: cut.kept_before, kept_after: cut.kept_after }
}

fn draw(draw: Draw) -> wire::Draw {
    wire::Draw { id: draw.id, uniform: draw.uniform, low: draw.low, high: draw.high }
}

fn entropy(entropy: sampling::Entropy) -> wire::Entropy {
    wire::Entropy {
        nats: entropy.nats,
        bits: entropy.bits(),
        effective_vocabulary: entropy.effective_vocabulary(),
    }
}

fn margin(margin: sampling::Margin) -> wire::Margin {
    wire::Margin { logit: margin.logit, probability: margin.probability }
}

/// Two tokens side by side.
pub fn comparison(comparison: sampling::Comparison) -> wire::Comparison {
    let sampling::Comparison { raw_gap, base_odds, scaled_gap, odds } = comparison;
    wire::Comparison { raw_gap, base_odds, scaled_gap, odds }
}

/// Every stage over the full vocabulary, indexed by token id.
pub fn full_step(step: &mut SamplingStep<'_>) -> wire::FullStep {
    let full = step.full();
    let rows = step.rows(0, usize::MAX);
    let stages = step.stages(&rows);
    let vocabulary = step.raw_logits().len();
    let by_id = |value: &dyn Fn(usize) -> f64| {
        let mut column = vec![0.0; vocabulary];
        for (index, row) in rows.iter().enumerate() {
            if let Some(slot) = column.get_mut(row.id as usize) {
                *slot = value(index);
            }
        }
        column
    };
    let stage = |read: fn(&sampling::Stages) -> f64| by_id(&|index| stages.get(index).map_or(0.0, read));
    wire::FullStep {
        raw_logits: F32Column(step.raw_logits().to_vec()),
        processed_logits: F32Column(full.processed_logits),
        scaled_logits: F32Column(
            stage(|stage| f64::from(stage.scaled_logit)).into_iter().map(|logit| logit as f32).collect(),
        ),
        base_probabilities: F64Column(full.base_probabilities),
        probabilities: F64Column(full.probabilities),
        cumulative: F64Column(stage(|stage| stage.cumulative)),
        lows: F64Column(stage(|stage| stage.low)),
        highs: F64Column(stage(|stage| stage.high)),
        cut_by: U8Column(
            by_id(&|index| rows.get(index).map_or(0.0, |row| f64::from(cut_code(row))))
                .into_iter()
                .map(|code| code as u8)
                .collect(),
        ),
        ranking: U32Column(full.ranking),
        cuts: step.cuts().iter().map(cut).collect(),
        draw: draw(step.draw()),
        base_entropy: entropy(step.base_entropy()),
        entropy: entropy(step.entropy()),
        margin: step.margin().map(margin),
    }
}

/// Many draws from a step's distribution.
pub fn draws(
    step: &mut SamplingStep<'_>,
    tokenizer: Option<&Tokenizer>,
    seed: u32,
    draws: usize,
) -> wire::Draws {
    let tally = step.tally(seed, draws);
    let ids: Vec<u32> = tally.counts.iter().map(|(id, _)| *id).collect();
    wire::Draws {
        seed,
        draws,
        tokens: tokens(tokenizer, &ids),
        counts: U32Column(tally.counts.iter().map(|(_, count)| *count as u32).collect()),
        probabilities: F64Column(ids.iter().map(|id| step.probability(*id)).collect()),
        largest_deviation: tally.largest_deviation,
        chi_square: tally.chi_square,
        degrees_of_freedom: tally.degrees_of_freedom,
        chi_square95: tally.chi_square_95(),
    }
}

/// One of several texts.
pub fn sample(sample: &Sample) -> wire::Sample {
    wire::Sample {
        seed: sample.seed,
        new_ids: U32Column(sample.new_ids.clone()),
        text: sample.text.clone(),
        stop_reason: sample.reason.into(),
    }
}

/// A token as it was made.
pub fn step(token: TimedToken, tokenizer: Option<&Tokenizer>) -> wire::Step {
    let piece = piece(tokenizer, token.id);
    wire::Step {
        index: token.index,
        id: token.id,
        text: token.text,
        shown: piece.text,
        spoken: piece.spoken,
        kind: token_kind(piece.kind),
        probability: token.probability,
        rank: token.rank,
        forward_ms: token.forward_ms,
        sampling_ms: token.sampling_ms,
        detokenize_ms: token.detokenize_ms,
        history: token.summary.map(|summary| history(&summary, tokenizer)),
    }
}

fn history(summary: &StepSummary, tokenizer: Option<&Tokenizer>) -> wire::StepHistory {
    let ids: Vec<u32> = summary.top.iter().map(|row| row.id).collect();
    wire::StepHistory {
        top: tokens(tokenizer, &ids),
        probabilities: F64Column(summary.top.iter().map(|row| row.probability).collect()),
        rest: summary.rest,
        kept: summary.kept,
        uniform: summary.uniform,
        base_probability: summary.base_probability,
        entropy: entropy(summary.entropy),
        margin: summary.margin.map(margin),
    }
}
