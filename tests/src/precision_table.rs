//! Checks of the table of precisions, of the five meanings, and of what is quantised in blocks.

use logit_lab_engine::checkpoint::{Checkpoint, StoredDtype};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::block_scaling::{MOST_NUMBERS, PackedBytes, mebibytes, quantise};
use logit_lab_engine::lab::five_meanings::{Configuration, Meaning, five_meanings};
use logit_lab_engine::lab::number_formats::{BF16, CodeFormat};
use logit_lab_engine::lab::precision_report::compare;
use logit_lab_engine::lab::precision_table::{PrecisionRow, REPEATS, RowChoice, note};
use logit_lab_engine::lab::prompt_logits::{Positions, PromptLogits};
use logit_lab_engine::lab::{PrecisionTable, TableSource};
use logit_lab_engine::memory::{MemoryBudget, MemoryLimit, MemoryNeed};
use logit_lab_engine::model::{self, Kernel, LoadChoice};
use logit_lab_engine::precision::{CachePrecision, Precision, WeightPrecision, stored_bytes};
use logit_lab_engine::session::CachePolicy;

use crate::clock::millisecond_clock;
use crate::fixtures::{TALES_CONFIG, TALES_WEIGHTS, tales_expected, tiny};

fn source(kernel: Kernel) -> TableSource {
    let config = ModelConfig::from_json(TALES_CONFIG).unwrap();
    let checkpoint = Checkpoint::from_file(TALES_WEIGHTS.to_vec()).unwrap();
    let report = model::load(config.clone(), checkpoint.clone(), LoadChoice::default()).unwrap().1;
    TableSource { config, checkpoint, report, kernel, budget: None }
}

fn text() -> Vec<u32> {
    tales_expected().full_context.ids[..24].to_vec()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn rows(source: TableSource, wanted: &[&str]) -> Vec<PrecisionRow> {
    let mut table = PrecisionTable::new(source, text(), &names(wanted), millisecond_clock).unwrap();
    while !table.advance().unwrap() {}
    table.rows().to_vec()
}

pub fn the_table_says_what_single_comparisons_say() {
    let all = rows(source(Kernel::Fused), &RowChoice::NAMES);
    assert_eq!(all.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), RowChoice::NAMES);
    let figures = |name: &str| {
        all.iter()
            .find(|row| row.name == name)
            .unwrap()
            .outcome
            .clone()
            .unwrap_or_else(|words| panic!("{words}"))
    };
    let load = |choice: LoadChoice| {
        let source = source(Kernel::Fused);
        model::load(source.config, source.checkpoint, choice).unwrap().0
    };
    let exact = load(LoadChoice::default());
    for name in RowChoice::NAMES {
        let RowChoice { precision, kv_cache } = RowChoice::parse(name).unwrap();
        let other = load(LoadChoice { precision, kv_cache, ..LoadChoice::default() });
        assert_eq!(figures(name).report, compare(exact.as_ref(), other.as_ref(), &text()).unwrap(), "{name}");
        assert_eq!(figures(name).weight_bytes, other.weight_bytes(), "{name}");
    }
    // The file is F16, so F16 loses nothing; everything else does.
    for name in ["f32", "f16"] {
        assert_eq!(
            (figures(name).report.largest_logit_error, figures(name).report.kl_divergence_nats),
            (0.0, 0.0)
        );
        assert_eq!(figures(name).report.perplexity(), figures("f32").report.perplexity());
    }
    for name in ["bf16", "int8", "head=int8", "q4", "cache=f16"] {
        assert!(figures(name).report.largest_logit_error > 0.0, "{name}");
    }
    assert_eq!(figures("cache=f16").kv_token_bytes * 2, figures("f32").kv_token_bytes);
    // 2 x layers x hidden_size x 4 bytes.
    let config = ModelConfig::from_json(TALES_CONFIG).unwrap();
    assert_eq!(figures("f32").kv_token_bytes, 2 * config.num_hidden_layers * config.hidden_size * 4);
}

pub fn perplexity_is_that_of_the_text_s_own_next_tokens() {
    let source = source(Kernel::Fused);
    let model = model::load(source.config.clone(), source.checkpoint, LoadChoice::default()).unwrap().0;
    let ids = text();
    let mut job = PromptLogits::new(model.as_ref(), ids.clone(), Positions::All, CachePolicy::Reuse).unwrap();
    while !job.advance().unwrap() {}
    let logits = job.into_logits();
    let nll: f64 = logits
        .chunks(source.config.vocab_size)
        .zip(&ids[1..])
        .map(|(row, next)| {
            let sum: f64 = row.iter().map(|logit| f64::from(*logit).exp()).sum();
            sum.ln() - f64::from(row[*next as usize])
        })
        .sum();
    let report = compare(model.as_ref(), model.as_ref(), &ids).unwrap();
    assert_eq!(report.scored_tokens, 23);
    let expected = (nll / 23.0).exp();
    let found = report.perplexity().unwrap();
    assert!((found - expected).abs() < 1e-6 * expected, "{found} instead of {expected}");
    assert_eq!(report.perplexity(), report.reference_perplexity());
    assert_eq!(compare(model.as_ref(), model.as_ref(), &ids[..1]).unwrap().perplexity(), None);
}

pub fn scales_are_part_of_the_bytes_and_counted_apart() {
    let all = rows(source(Kernel::Fused), &["f16", "int8", "head=int8", "q4"]);
    let config = ModelConfig::from_json(TALES_CONFIG).unwrap();
    let (h, v, f) = (config.hidden_size, config.vocab_size, config.intermediate_size);
    let figures: Vec<_> = all.iter().map(|row| row.outcome.clone().unwrap()).collect();
    assert_eq!(figures[0].scale_bytes, 0);
    let block_rows = config.num_hidden_layers * (3 * h + h + f + h);
    assert_eq!(figures[1].scale_bytes, 4 * (2 * v + block_rows));
    assert_eq!(figures[2].scale_bytes, 4 * v);
    // Without its scales a matrix of INT8 has a byte a weight.
    let head = stored_bytes(Precision::Int8, v, h) - v * h;
    assert_eq!(head, figures[2].scale_bytes);
    let q4 = figures[3].scale_bytes;
    let groups = |rows: usize, columns: usize| rows * columns.div_ceil(64);
    let of_block = groups(4 * h + f, h) + groups(h, f);
    assert_eq!(q4, 2 * (2 * groups(v, h) + config.num_hidden_layers * of_block));
}

pub fn a_stopped_table_has_the_rows_so_far_and_tells_how_far_it_is() {
    let wanted = names(&["f32", "q4", "bf16"]);
    let mut table = PrecisionTable::new(source(Kernel::Fused), text(), &wanted, millisecond_clock).unwrap();
    let mut before = table.progress();
    assert_eq!(before.0, 0);
    while table.rows().len() < 2 {
        assert!(!table.advance().unwrap());
        let now = table.progress();
        assert!(now.0 >= before.0 && now.0 <= now.1 && now.1 == before.1, "{before:?} {now:?}");
        before = now;
    }
    assert_eq!(table.rows().iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["f32", "q4"]);
    while !table.advance().unwrap() {}
    let (done, total) = table.progress();
    assert_eq!((done, table.rows().len()), (total, 3));
    assert!(table.advance().unwrap(), "the end is the end");
}

pub fn speeds_are_tokens_against_the_clock() {
    let ids = tales_expected().full_context.ids[..70].to_vec();
    let mut table =
        PrecisionTable::new(source(Kernel::Fused), ids, &names(&["f32"]), millisecond_clock).unwrap();
    while !table.advance().unwrap() {}
    let figures = table.rows()[0].outcome.clone().unwrap();
    // Of 70 tokens 38 are prefilled, in two chunks of a millisecond each, and 32 decoded, a millisecond each.
    let (prefill, decode) =
        (figures.prefill_tokens_per_second.unwrap(), figures.decode_tokens_per_second.unwrap());
    assert_eq!((prefill.median, prefill.lowest, prefill.highest), (19_000.0, 19_000.0, 19_000.0));
    assert!((decode.median - 1000.0).abs() < 1e-9, "{decode:?}");
    assert_eq!(REPEATS, 3);
    let mut short =
        PrecisionTable::new(source(Kernel::Fused), vec![5], &names(&["f32"]), millisecond_clock).unwrap();
    while !short.advance().unwrap() {}
    let one = short.rows()[0].outcome.clone().unwrap();
    assert_eq!((one.report.positions, one.report.perplexity()), (1, None));
    assert!(one.prefill_tokens_per_second.is_some() && one.decode_tokens_per_second.is_none());
}

pub fn what_a_kernel_lacks_or_memory_has_no_room_for_is_a_row_with_words() {
    let candle = rows(source(Kernel::Candle), &["f16", "int8", "cache=f16"]);
    assert_eq!(candle[0].outcome.as_ref().unwrap().report.largest_logit_error, 0.0);
    for (row, words) in
        candle[1..].iter().zip(["not available for the candle kernel", "candle kernel keeps keys"])
    {
        assert!(row.outcome.as_ref().unwrap_err().contains(words), "{row:?}");
    }
    let mut narrow = source(Kernel::Fused);
    let need = MemoryNeed::of(&narrow.config, LoadChoice::default(), None);
    // Room for the page's model and the reference, none for a third.
    let limit = need.total_bytes() + need.derived_bytes + need.kv_cache_bytes + need.work_bytes;
    narrow.budget = Some(MemoryBudget { need, limit: MemoryLimit::Bytes(limit) });
    let refused = rows(narrow.clone(), &["f32", "int8"]);
    assert!(refused[0].outcome.is_ok());
    let words = refused[1].outcome.as_ref().unwrap_err();
    assert!(words.contains("memory") && words.contains("MB for the weights"), "{words}");
    narrow.budget = Some(MemoryBudget { need, limit: MemoryLimit::Bytes(need.total_bytes()) });
    assert!(PrecisionTable::new(narrow, text(), &names(&["f32"]), millisecond_clock).is_err());
    for wrong in ["f8", "cache=int8", "cache=f16+cache=f32", ""] {
        assert!(
            PrecisionTable::new(source(Kernel::Fused), text(), &names(&[wrong]), millisecond_clock).is_err(),
            "{wrong}"
        );
    }
    let both = RowChoice::parse("head=int8 + cache=f16").unwrap();
    assert_eq!(
        (both.precision, both.kv_cache),
        (WeightPrecision::parse("head=int8").unwrap(), CachePrecision::F16)
    );
}

pub fn why_f16_is_f32_is_told_from_the_files_formats() {
    let f16 = RowChoice::parse("f16").unwrap();
    let of = |dtypes: &[StoredDtype]| note(f16, Kernel::Fused, dtypes).unwrap();
    assert!(
        of(&[StoredDtype::F16]).contains("same bits")
            && of(&[StoredDtype::F16]).contains("checkpoint of F32")
    );
    assert!(
        of(&[StoredDtype::F32]).contains("11 of the 24")
            && of(&[StoredDtype::F32]).contains("checkpoint of F16")
    );
    assert!(of(&[StoredDtype::BF16]).contains("stores BF16"));
    let bf16 = RowChoice::parse("bf16").unwrap();
    assert!(note(bf16, Kernel::Fused, &[StoredDtype::BF16]).unwrap().contains("same bits"));

    // And the measurement agrees: a file of F32 numbers loses something in F16, one of BF16 nothing in BF16.
    let report = |fixture: &str, name: &str| {
        let small = tiny(fixture);
        let RowChoice { precision, .. } = RowChoice::parse(name).unwrap();
        let other = small.load_as(LoadChoice { precision, ..LoadChoice::default() });
        compare(small.load_on(Kernel::Fused).as_ref(), other.as_ref(), &[1, 2, 3, 4, 5]).unwrap()
    };
    assert!(report("relu", "f16").largest_logit_error > 0.0);
    assert_eq!(report("parallel-f16", "f16").largest_logit_error, 0.0);
    assert_eq!(report("bf16", "bf16").largest_logit_error, 0.0);
}

fn meanings(fixture: &str, precision: &str, kernel: Kernel, relaxed_simd: bool) -> [Meaning; 5] {
    let small = tiny(fixture);
    let choice =
        LoadChoice { kernel, precision: WeightPrecision::parse(precision).unwrap(), ..LoadChoice::default() };
    let (config, checkpoint) = (small.config(), small.checkpoint());
    five_meanings(Configuration { config: &config, checkpoint: &checkpoint, choice, relaxed_simd })
}

/// "part: format (detail)" of each fact.
fn said(meaning: &Meaning) -> Vec<String> {
    meaning.facts.iter().map(|fact| format!("{}: {} ({})", fact.part, fact.format, fact.detail)).collect()
}

pub fn the_five_meanings_say_what_runs() {
    let plain = meanings("parallel-f16", "f32", Kernel::Fused, false);
    let names: Vec<&str> = plain.iter().map(|meaning| meaning.name).collect();
    assert_eq!(
        names,
        [
            "Stored weights",
            "Activations and cache",
            "Arithmetic operands",
            "Accumulation",
            "Returned results"
        ]
    );
    assert!(said(&plain[0])[0].starts_with("all weight matrices: F16 (as the file"), "{:?}", said(&plain[0]));
    assert!(said(&plain[2]).iter().any(|fact| fact.contains("F32 × F32")));
    assert!(said(&plain[3])[0].contains("same bits on every machine"));
    let relaxed = meanings("parallel-f16", "f32", Kernel::Fused, true);
    assert!(said(&relaxed[3])[0].contains("rounded once"), "{:?}", said(&relaxed[3]));

    let int8 = meanings("relu", "head=int8,blocks=q4", Kernel::Fused, true);
    let stored = said(&int8[0]);
    assert!(stored[0].starts_with("blocks: 4-bit codes, BF16 scales"), "{stored:?}");
    assert!(stored[1].starts_with("embedding table: F32"), "{stored:?}");
    assert!(stored[2].starts_with("output head: INT8 codes, F32 scales"), "{stored:?}");
    assert!(said(&int8[2])[1].contains("look-up"), "{:?}", said(&int8[2]));
    assert!(said(&int8[2])[2].contains("−8191 to 8191"));
    assert!(said(&int8[3])[1].contains("32-bit whole numbers, exact"), "{:?}", said(&int8[3]));

    let candle = meanings("bf16", "f16", Kernel::Candle, false);
    assert!(said(&candle[0])[0].contains("rounded from the file's BF16 to 11"), "{:?}", said(&candle[0]));
    assert!(said(&candle[3])[0].contains("candle's matrix library"));
    let tied = meanings("tied-embeddings", "int8", Kernel::Fused, false);
    assert_eq!(tied[0].facts[0].part, "all weight matrices");
    let apart = meanings("tied-embeddings", "head=int8", Kernel::Fused, false);
    assert_eq!(apart[0].facts.len(), 4, "{:?}", said(&apart[0]));
}

pub fn a_scale_for_each_block_keeps_what_one_scale_loses() {
    // Small numbers beside one large one.
    let mut values: Vec<f64> = (1..=8).map(|n| f64::from(n) / 100.0).collect();
    values.extend([40.0, -20.0, 10.0, 5.0]);
    for format in CodeFormat::ALL {
        let scaling = quantise(values.clone(), 4, format).unwrap();
        assert_eq!((scaling.whole.scales.len(), scaling.blocks.scales.len()), (1, 3));
        // FP8 has an exponent of its own for each number, so that a scale matters to it at the ends of its range only.
        if !matches!(format, CodeFormat::E4M3 | CodeFormat::E5M2) {
            assert!(scaling.blocks.rms_error < scaling.whole.rms_error, "{}", format.id());
        }
        for (list, size) in [(&scaling.whole, 12), (&scaling.blocks, 4)] {
            for (block, scale) in values.chunks(size).zip(&list.scales) {
                let largest = block.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
                assert_eq!(*scale, BF16.round(largest / format.largest()));
            }
            let largest = values.iter().zip(&list.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert_eq!(list.largest_error, largest);
        }
    }
    let int4 = quantise(values.clone(), 4, CodeFormat::Int4).unwrap();
    assert_eq!((int4.whole.lost, int4.blocks.lost), (8, 0), "{int4:?}");
    assert_eq!((int4.whole.bytes.code_bytes, int4.whole.bytes.scale_bytes), (6, 2));
    assert_eq!(int4.blocks.bytes.total_bytes(), 12);
    assert_eq!(quantise(vec![0.0; 3], 2, CodeFormat::Nf4).unwrap().whole.values, [0.0; 3]);
    for wrong in [vec![], vec![f64::NAN], vec![f64::INFINITY], vec![1.0; MOST_NUMBERS + 1]] {
        assert!(quantise(wrong, 4, CodeFormat::Int8).is_err());
    }
    assert!(quantise(values, 0, CodeFormat::Int8).is_err());
}

pub fn the_lesson_s_packed_weights_take_half_a_mib_and_a_thirty_second() {
    let packed = PackedBytes::of(1 << 20, 4, 64, 2).unwrap();
    assert_eq!((packed.code_bytes, packed.groups, packed.scale_bytes), (524_288, 16_384, 32_768));
    let mib = [packed.code_bytes, packed.scale_bytes, packed.total_bytes()].map(mebibytes);
    assert_eq!(mib, [0.5, 0.03125, 0.53125]);
    // As the engine stores them.
    assert_eq!(packed.total_bytes(), stored_bytes(Precision::Q4, 1 << 14, 64) as u64);
    let odd = PackedBytes::of(65, 4, 64, 2).unwrap();
    assert_eq!((odd.code_bytes, odd.groups, odd.scale_bytes), (33, 2, 4));
    assert_eq!(PackedBytes::of(0, 4, 64, 2).unwrap().total_bytes(), 0);
    for (weights, bits, group, scale) in [
        (1, 0, 64, 2),
        (1, 65, 64, 2),
        (1, 4, 0, 2),
        (u64::MAX, 8, 1, 1),
        (1 << 50, 64, 1, 4),
        (10, 4, 1, u64::MAX),
    ] {
        assert!(PackedBytes::of(weights, bits, group, scale).is_err(), "{weights} {bits} {group} {scale}");
    }
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! precision_table_checks {
    ($test:meta) => {
        $crate::checks!($test, precision_table:
            the_table_says_what_single_comparisons_say,
            perplexity_is_that_of_the_text_s_own_next_tokens,
            scales_are_part_of_the_bytes_and_counted_apart,
            a_stopped_table_has_the_rows_so_far_and_tells_how_far_it_is,
            speeds_are_tokens_against_the_clock,
            what_a_kernel_lacks_or_memory_has_no_room_for_is_a_row_with_words,
            why_f16_is_f32_is_told_from_the_files_formats,
            the_five_meanings_say_what_runs,
            a_scale_for_each_block_keeps_what_one_scale_loses,
            the_lesson_s_packed_weights_take_half_a_mib_and_a_thirty_second,
        );
    };
}
