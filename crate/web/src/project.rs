//! Projections of engine values for display. A projection limits what is copied out, never the maths behind it.

mod beam;

use logit_lab_engine::checkpoint::LoadReport;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::TimedToken;
use logit_lab_engine::model::LoadChoice;
use logit_lab_engine::sampling::{Draw, SamplingStep};
use logit_lab_engine::tokenizer::{Piece, PieceKind, Tokenizer};

use crate::columns::{F32Column, F64Column, U8Column, U32Column};
use crate::convert::chain_kind;
use crate::protocol as wire;

pub use self::beam::{beam_result, beam_tree};

/// In [`wire::Distribution::cut_by`]: banned before the chain.
const BANNED: u8 = 255;

/// Token names as columns; without a tokenizer a token is called by its id.
pub fn tokens(tokenizer: Option<&Tokenizer>, ids: &[u32]) -> wire::TokenColumn {
    let mut column = wire::TokenColumn { ids: U32Column(ids.to_vec()), ..Default::default() };
    for &id in ids {
        let piece = piece(tokenizer, id);
        column.text.push(piece.text);
        column.spoken.push(piece.spoken);
        column.kind.push(token_kind(piece.kind));
    }
    column
}

/// What a token is called.
pub fn piece(tokenizer: Option<&Tokenizer>, id: u32) -> Piece {
    match tokenizer {
        Some(tokenizer) => tokenizer.piece(id),
        None => Piece { text: format!("⟨{id}⟩"), spoken: format!("token {id}"), kind: PieceKind::Text },
    }
}

/// A piece's kind as the wire has it.
pub fn token_kind(kind: PieceKind) -> wire::TokenKind {
    match kind {
        PieceKind::Text => wire::TokenKind::Text,
        PieceKind::Bytes => wire::TokenKind::Bytes,
        PieceKind::Special => wire::TokenKind::Special,
        PieceKind::Unused => wire::TokenKind::Unused,
    }
}

/// The top `row_count` rows of a step, the token `marked` among them, and all other tokens together.
pub fn distribution(
    step: &mut SamplingStep<'_>,
    tokenizer: Option<&Tokenizer>,
    row_count: usize,
    context_tokens: usize,
    marked: Option<u32>,
) -> wire::Distribution {
    let mut rows = step.top_rows(row_count);
    let wanted = marked.into_iter().chain([step.draw().id]);
    for id in wanted {
        if !rows.iter().any(|row| row.id == id) {
            rows.extend(step.row(id));
        }
    }
    rows.sort_by_key(|row| row.rank);
    let ids: Vec<u32> = rows.iter().map(|row| row.id).collect();
    let own = step.base();
    let base: Vec<f64> = ids.iter().map(|&id| own.probability(id)).collect();
    let kept_rows = rows.iter().filter(|row| row.cut_by.is_none() && !row.banned).count();
    let vocabulary = step.raw_logits().len();
    let rest_of = |sum: f64| (1.0 - sum).max(0.0);
    let rest_kept = step.kept().saturating_sub(kept_rows);
    let shown: f64 = rows.iter().map(|row| row.probability).sum();
    wire::Distribution {
        context_tokens,
        ranks: U32Column(rows.iter().map(|row| row.rank as u32).collect()),
        raw_logits: F32Column(rows.iter().map(|row| row.raw_logit).collect()),
        probabilities: F64Column(rows.iter().map(|row| row.probability).collect()),
        cut_by: U8Column(rows.iter().map(|row| cut_code(row.banned, row.cut_by)).collect()),
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
    }
}

fn cut_code(banned: bool, cut_by: Option<usize>) -> u8 {
    match cut_by {
        _ if banned => BANNED,
        Some(index) => 1 + index as u8,
        None => 0,
    }
}

fn cut(cut: &logit_lab_engine::sampling::Cut) -> wire::Cut {
    let wire::ChainStep { kind, value } = chain_kind(cut.step);
    wire::Cut { kind, value, kept_before: cut.kept_before, kept_after: cut.kept_after }
}

fn draw(draw: Draw) -> wire::Draw {
    wire::Draw { id: draw.id, uniform: draw.uniform, low: draw.low, high: draw.high }
}

/// Every stage over the full vocabulary.
pub fn full_step(step: &mut SamplingStep<'_>) -> wire::FullStep {
    let full = step.full();
    wire::FullStep {
        raw_logits: F32Column(step.raw_logits().to_vec()),
        processed_logits: F32Column(full.processed_logits),
        base_probabilities: F64Column(full.base_probabilities),
        probabilities: F64Column(full.probabilities),
        ranking: U32Column(full.ranking),
        cuts: step.cuts().iter().map(cut).collect(),
        draw: draw(step.draw()),
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
    }
}

/// The shapes from `positions` token ids to the logits of the last of them.
pub fn shapes(config: &ModelConfig, positions: usize) -> Vec<wire::Shape> {
    let shape =
        |name: &str, dimensions: &[usize]| wire::Shape { name: name.into(), dimensions: dimensions.to_vec() };
    let width = config.hidden_size;
    vec![
        shape("token ids", &[positions]),
        shape("embeddings", &[positions, width]),
        shape(&format!("hidden states after {} blocks", config.num_hidden_layers), &[positions, width]),
        shape("last position after the final layer norm", &[width]),
        shape("logits", &[config.vocab_size]),
    ]
}

/// What was loaded.
pub fn model_card(
    config: &ModelConfig,
    report: &LoadReport,
    tokenizer: Option<&Tokenizer>,
    choice: LoadChoice,
    memory: wire::Memory,
) -> wire::ModelCard {
    wire::ModelCard {
        vocab_size: config.vocab_size,
        hidden_size: config.hidden_size,
        num_hidden_layers: config.num_hidden_layers,
        num_attention_heads: config.num_attention_heads,
        intermediate_size: config.intermediate_size,
        max_position_embeddings: config.max_position_embeddings,
        rotary_dimensions: config.rotary_dimensions(),
        hidden_act: config.hidden_act.name().into(),
        use_parallel_residual: config.use_parallel_residual,
        tie_word_embeddings: config.tie_word_embeddings,
        eos_token_id: config.eos_token_id,
        tokenizer_entries: tokenizer.map(Tokenizer::entries),
        parameters: config.parameters(),
        report: wire::LoadReport {
            bytes: report.bytes,
            dtypes: report.dtypes.iter().map(|dtype| dtype.name().into()).collect(),
            tensors: report.tensors,
            ignored: report
                .ignored
                .iter()
                .map(|tensor| wire::IgnoredTensor { name: tensor.name.clone(), reason: tensor.reason.into() })
                .collect(),
            converted: report
                .converted
                .iter()
                .map(|tensor| wire::ConvertedTensor {
                    name: tensor.name.clone(),
                    from: tensor.from.name().into(),
                    to: tensor.to.name().into(),
                })
                .collect(),
        },
        memory,
        kernel: choice.kernel.name().into(),
        precision: choice.precision.to_string(),
        kv_cache: choice.kv_cache.name().into(),
        simd: wire::SimdLevel::BUILT,
    }
}
