//! Projections of engine values for display. A projection limits what is copied out, never the maths behind it.

mod beam;
pub mod precision;
mod sampling;
mod timing;

use logit_lab_engine::checkpoint::LoadReport;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::memory::MemoryBudget;
use logit_lab_engine::model::LoadChoice;
use logit_lab_engine::tokenizer::{Piece, PieceKind, Tokenizer};

use crate::columns::U32Column;
use crate::protocol as wire;

pub use self::beam::{beam_result, beam_tree};
pub use self::sampling::{comparison, distribution, draws, full_step, sample, step};
pub use self::timing::{benchmark_summary, latency, outcome};

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

fn memory_need(MemoryBudget { need, limit }: MemoryBudget) -> wire::MemoryNeed {
    wire::MemoryNeed {
        weight_bytes: need.checkpoint_bytes.saturating_add(need.derived_bytes),
        kv_cache_bytes: need.kv_cache_bytes,
        work_bytes: need.work_bytes.saturating_add(need.engine_bytes),
        tokenizer_bytes: need.tokenizer_bytes,
        total_bytes: need.total_bytes(),
        limit_bytes: limit.bytes(),
    }
}

/// What was loaded.
pub fn model_card(
    config: &ModelConfig,
    report: &LoadReport,
    tokenizer: Option<&Tokenizer>,
    choice: LoadChoice,
    (memory, budget): (wire::Memory, Option<MemoryBudget>),
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
        tokenizer_ids_beyond: tokenizer.map_or(0, |tokenizer| tokenizer.ids_from(config.vocab_size)),
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
        memory_need: budget.map(memory_need),
        kernel: choice.kernel.name().into(),
        precision: choice.precision.to_string(),
        kv_cache: choice.kv_cache.name().into(),
        simd: wire::SimdLevel::BUILT,
    }
}
