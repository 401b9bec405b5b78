//! What the engine knows of precision and number formats, as the wire has it.

use logit_lab_engine::lab::block_scaling::{self, mebibytes};
use logit_lab_engine::lab::five_meanings::Meaning;
use logit_lab_engine::lab::number_formats::{self, CodeFormat, Kind};
use logit_lab_engine::lab::precision_table;

use crate::columns::{F64Column, U32Column};
use crate::protocol as wire;

/// One of the five meanings.
pub fn meaning(meaning: Meaning) -> wire::PrecisionMeaning {
    let facts = meaning.facts.into_iter();
    wire::PrecisionMeaning {
        name: meaning.name.to_owned(),
        question: meaning.question.to_owned(),
        facts: facts
            .map(|fact| wire::PrecisionFact { part: fact.part, format: fact.format, detail: fact.detail })
            .collect(),
    }
}

/// A row of the table of precisions.
pub fn precision_row(row: &precision_table::PrecisionRow) -> wire::PrecisionRow {
    let (figures, refused) = match &row.outcome {
        Ok(figures) => (Some(self::figures(figures)), None),
        Err(words) => (None, Some(words.clone())),
    };
    wire::PrecisionRow { name: row.name.clone(), note: row.note.clone(), figures, refused }
}

fn figures(figures: &precision_table::RowFigures) -> wire::PrecisionFigures {
    let report = &figures.report;
    let speed = |speed: Option<precision_table::Speed>| {
        speed.map(|speed| wire::MeasuredSpeed {
            median: speed.median,
            lowest: speed.lowest,
            highest: speed.highest,
        })
    };
    wire::PrecisionFigures {
        weight_bytes: figures.weight_bytes,
        scale_bytes: figures.scale_bytes,
        kv_token_bytes: figures.kv_token_bytes,
        largest_logit_error: report.largest_logit_error,
        rms_logit_error: report.rms_logit_error,
        kl_divergence_nats: report.kl_divergence_nats,
        top1_agreement: report.top_1_agreement,
        scored_tokens: report.scored_tokens,
        perplexity: report.perplexity(),
        prefill_tokens_per_second: speed(figures.prefill_tokens_per_second),
        decode_tokens_per_second: speed(figures.decode_tokens_per_second),
    }
}

/// A number in every format.
pub fn number(described: number_formats::NumberDescription) -> wire::NumberDescription {
    let trip = described.round_trip;
    wire::NumberDescription {
        value: described.value,
        formats: described.formats.into_iter().map(stored).collect(),
        largest_of_scale: described.largest_of_scale,
        direct: stored(trip.direct),
        saved: stored(trip.saved),
        widened: stored(trip.widened),
        narrows_back: trip.narrows_back,
        int4_codes: F64Column(CodeFormat::Int4.code_book()),
        nf4_codes: F64Column(CodeFormat::Nf4.code_book()),
    }
}

fn stored(number: number_formats::StoredNumber) -> wire::StoredNumber {
    let fields = number.fields.into_iter();
    wire::StoredNumber {
        format: number.format.to_owned(),
        fields: fields
            .map(|field| wire::BitField { name: field.name.to_owned(), bits: field.bits })
            .collect(),
        kind: match number.kind {
            Kind::Normal => wire::NumberKind::Normal,
            Kind::Subnormal => wire::NumberKind::Subnormal,
            Kind::Zero => wire::NumberKind::Zero,
            Kind::Infinite => wire::NumberKind::Infinite,
            Kind::NotANumber => wire::NumberKind::NotANumber,
            Kind::Code => wire::NumberKind::Code,
            Kind::Clipped => wire::NumberKind::Clipped,
        },
        value: number.value,
        error: number.error,
        relative_error: number.relative_error,
        spacing: number.spacing,
        spacing_exponent: number.spacing_exponent,
        largest: number.largest,
        overflow: number.overflow,
        float: number.float.map(|facts| wire::FloatFacts {
            exponent_field: facts.exponent_field,
            bias: facts.bias,
            spacing_from_one_exponent: facts.spacing_from_one_exponent,
            smallest_normal_exponent: facts.smallest_normal_exponent,
            smallest_subnormal_exponent: facts.smallest_subnormal_exponent,
        }),
        scale: number.scale,
    }
}

/// A list with one scale and with several.
pub fn block_scaling(scaling: block_scaling::BlockScaling, format: CodeFormat) -> wire::BlockScaling {
    wire::BlockScaling {
        values: F64Column(scaling.values),
        format: format.name().to_owned(),
        code_bits: format.bits(),
        whole: quantised(scaling.whole),
        blocks: quantised(scaling.blocks),
    }
}

fn quantised(list: block_scaling::Quantised) -> wire::Quantised {
    wire::Quantised {
        block_size: list.block_size,
        scales: F64Column(list.scales),
        codes: U32Column(list.codes),
        values: F64Column(list.values),
        errors: F64Column(list.errors),
        largest_error: list.largest_error,
        rms_error: list.rms_error,
        lost: list.lost,
        bytes: packed_bytes(list.bytes),
    }
}

/// Bytes, and the same in MiB.
pub fn packed_bytes(packed: block_scaling::PackedBytes) -> wire::PackedBytes {
    wire::PackedBytes {
        code_bytes: packed.code_bytes,
        groups: packed.groups,
        scale_bytes: packed.scale_bytes,
        total_bytes: packed.total_bytes(),
        code_mib: mebibytes(packed.code_bytes),
        scale_mib: mebibytes(packed.scale_bytes),
        total_mib: mebibytes(packed.total_bytes()),
    }
}
