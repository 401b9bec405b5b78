//! Checks of the comparison of two precisions.

use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::lab::precision_report::{PrecisionComparison, compare};
use logit_lab_engine::lab::prompt_logits::{Positions, PromptLogits};
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::model::{self, Forward, KvBytes, LoadChoice};
use logit_lab_engine::precision::{Precision, WeightPrecision};
use logit_lab_engine::session::CachePolicy;
use logit_lab_engine::{EngineError, Result};

use crate::fixtures::{TALES_CONFIG, TALES_WEIGHTS, tales_expected, tiny};

/// A model whose logits stand in a table, one row a position.
#[derive(Clone)]
struct Table {
    config: ModelConfig,
    rows: Vec<Vec<f32>>,
    cached: usize,
}

impl Table {
    /// The first tokens' logits at each position; all other tokens have a chance of nothing.
    fn new(rows: &[&[f32]]) -> Self {
        let config = tiny("relu").config();
        let full = |row: &&[f32]| {
            let mut logits = row.to_vec();
            logits.resize(config.vocab_size, -1000.0);
            logits
        };
        Self { rows: rows.iter().map(full).collect(), config, cached: 0 }
    }
}

impl Forward for Table {
    fn config(&self) -> &ModelConfig {
        &self.config
    }
    fn cached(&self) -> usize {
        self.cached
    }
    fn truncate(&mut self, positions: usize) {
        self.cached = self.cached.min(positions);
    }
    fn extend(&mut self, ids: &[u32]) -> Result<Vec<f32>> {
        let positions = self.cached..self.cached + ids.len();
        self.cached = positions.end;
        // A hidden state that says its position.
        Ok(positions.flat_map(|position| vec![position as f32; self.config.hidden_size]).collect())
    }
    fn logits_into(&self, hidden: &[f32], logits: &mut [f32]) -> Result<()> {
        let rows = logits.chunks_exact_mut(self.config.vocab_size);
        for (hidden, logits) in hidden.chunks_exact(self.config.hidden_size).zip(rows) {
            logits.copy_from_slice(&self.rows[hidden[0] as usize]);
        }
        Ok(())
    }
    fn fresh(&self) -> Box<dyn Forward> {
        Box::new(Self { cached: 0, ..self.clone() })
    }
    fn fork(&self) -> Result<Box<dyn Forward>> {
        Ok(Box::new(self.clone()))
    }
    fn kv_bytes(&self) -> KvBytes {
        KvBytes::default()
    }
    fn weight_bytes(&self) -> usize {
        0
    }
    fn with_weights(&self, _: usize, _: &mut dyn FnMut(&[u8])) -> bool {
        false
    }
}

fn tales(precision: Precision) -> GptNeox {
    let config = ModelConfig::from_json(TALES_CONFIG).unwrap();
    let checkpoint = Checkpoint::from_file(TALES_WEIGHTS.to_vec()).unwrap();
    GptNeox::load(config, checkpoint, precision).unwrap().0
}

fn text() -> Vec<u32> {
    tales_expected().full_context.ids[..70].to_vec()
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

pub fn known_distributions_give_their_known_divergence() {
    let three = 3f32.ln();
    // Chances of 3/4 and 1/4 against 1/2 each (a tie: the lowest id is first), against 1/4 and 3/4, and against the
    // same with every logit 2 higher.
    let reference = Table::new(&[&[three, 0.0], &[three, 0.0], &[three, 0.0]]);
    let mut other = Table::new(&[&[0.0, 0.0], &[0.0, three], &[three, 0.0]]);
    other.rows[2].iter_mut().for_each(|logit| *logit += 2.0);
    let report = compare(&reference, &other, &[5, 6, 7]).unwrap();
    let v = reference.config.vocab_size as f64;
    let ln_3 = 3f64.ln();
    let first = 0.75 * 1.5f64.ln() + 0.25 * 0.5f64.ln();
    let second = 0.5 * ln_3;
    assert_eq!(report.positions, 3);
    close(report.kl_divergence_nats, (first + second) / 3.0, 1e-7);
    close(report.largest_logit_error, 2.0, 1e-6);
    close(report.rms_logit_error, ((3.0 * ln_3 * ln_3 + 4.0 * v) / (3.0 * v)).sqrt(), 1e-7);
    close(report.top_1_agreement, 2.0 / 3.0, 1e-15);
    // The divergence is not symmetric.
    let backwards = compare(&other, &reference, &[5]).unwrap();
    close(backwards.kl_divergence_nats, 0.5 * (2f64 / 3.0).ln() + 0.5 * 2f64.ln(), 1e-7);
}

pub fn a_model_does_not_differ_from_itself() {
    let model = tales(Precision::F32);
    let report = compare(&model, &model, &text()).unwrap();
    assert_eq!((report.positions, report.largest_logit_error, report.rms_logit_error), (70, 0.0, 0.0));
    assert_eq!((report.kl_divergence_nats, report.top_1_agreement), (0.0, 1.0));
}

pub fn bf16_weights_differ_as_a_comparison_of_all_logits_says() {
    let (exact, rounded, ids) = (tales(Precision::F32), tales(Precision::BF16), text());
    let report = compare(&exact, &rounded, &ids).unwrap();

    let all = |model: &GptNeox| {
        let mut job = PromptLogits::new(model, ids.clone(), Positions::All, CachePolicy::Reuse).unwrap();
        while !job.advance().unwrap() {}
        job.into_logits()
    };
    let (a, b) = (all(&exact), all(&rounded));
    let v = exact.config().vocab_size;
    let softmax = |row: &[f32]| {
        let exponentials: Vec<f64> = row.iter().map(|logit| f64::from(*logit).exp()).collect();
        let sum: f64 = exponentials.iter().sum();
        exponentials.into_iter().map(|e| e / sum).collect::<Vec<f64>>()
    };
    let argmax = |row: &[f32]| (0..v).fold(0, |top, id| if row[id] > row[top] { id } else { top });
    let (mut divergence, mut agreements) = (0.0, 0);
    for (a, b) in a.chunks(v).zip(b.chunks(v)) {
        divergence += softmax(a).iter().zip(softmax(b)).map(|(p, q)| p * (p / q).ln()).sum::<f64>();
        agreements += usize::from(argmax(a) == argmax(b));
    }
    let errors: Vec<f64> = a.iter().zip(&b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs()).collect();
    let rms = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt();

    // Chunks of another length move candle's logits by about 1e-5.
    close(report.kl_divergence_nats, divergence / 70.0, 1e-6);
    close(report.largest_logit_error, errors.iter().copied().fold(0.0, f64::max), 1e-4);
    close(report.rms_logit_error, rms, 1e-5);
    close(report.top_1_agreement, f64::from(agreements as u32) / 70.0, 0.015);
    assert!(report.kl_divergence_nats > 1e-6 && report.kl_divergence_nats < 0.02, "{report:?}");
    assert!(report.rms_logit_error > 1e-3 && report.top_1_agreement > 0.9, "{report:?}");
}

pub fn a_comparison_goes_in_small_units() {
    let model = tales(Precision::F32);
    let mut comparison = PrecisionComparison::new(&model, &model, text()).unwrap();
    assert_eq!(comparison.report().positions, 0);
    let mut before = 0;
    while !comparison.advance().unwrap() {
        let positions = comparison.report().positions;
        assert!(positions > before && positions <= before + 8);
        before = positions;
    }
    assert_eq!(comparison.report().positions, 70);
    assert!(comparison.advance().unwrap(), "the end is the end");
}

pub fn what_cannot_be_compared_is_an_error_in_words() {
    let model = tales(Precision::F32);
    let table = Table::new(&[&[0.0], &[f32::NAN]]);
    let error = compare(&model, &table, &[1]).unwrap_err().to_string();
    assert!(error.contains("vocabulary") && error.contains("96"), "{error}");
    assert!(compare(&model, &model, &[]).is_err());
    assert!(compare(&model, &model, &[u32::MAX]).is_err());
    let error = compare(&table, &table, &[1, 2]).unwrap_err();
    assert!(matches!(error, EngineError::Numeric { step: 1, .. }), "{error}");
}

pub fn the_candle_kernel_refuses_int8_and_q4_in_words() {
    for precision in [Precision::Int8, Precision::Q4] {
        let small = tiny("relu");
        let error = GptNeox::load(small.config(), small.checkpoint(), precision).err().unwrap().to_string();
        assert!(error.contains("not available") && error.contains(precision.name()), "{error}");
    }
}

/// On a trained model: INT8 costs less than Q4, the head alone less than all, and none of them nothing.
pub fn quantised_weights_cost_more_the_fewer_bits_they_have() {
    let fused = |precision: &str| {
        let config = ModelConfig::from_json(TALES_CONFIG).unwrap();
        let checkpoint = Checkpoint::from_file(TALES_WEIGHTS.to_vec()).unwrap();
        let precision = WeightPrecision::parse(precision).unwrap();
        model::load(config, checkpoint, LoadChoice { precision, ..LoadChoice::default() }).unwrap().0
    };
    let exact = fused("f32");
    let [head, int8, q4] = ["head=int8", "int8", "q4"]
        .map(|precision| compare(exact.as_ref(), fused(precision).as_ref(), &text()).unwrap());
    let report = format!("head {head:?}, int8 {int8:?}, q4 {q4:?}");
    assert!(0.0 < head.kl_divergence_nats && head.kl_divergence_nats < int8.kl_divergence_nats, "{report}");
    assert!(int8.kl_divergence_nats < q4.kl_divergence_nats, "{report}");
    assert!(int8.rms_logit_error < q4.rms_logit_error, "{report}");
    assert!(q4.top_1_agreement <= int8.top_1_agreement, "{report}");
    eprintln!("{report}");
}

/// Every check above, for the native run and the one in Chromium.
#[macro_export]
macro_rules! precision_report_checks {
    ($test:meta) => {
        $crate::checks!($test, precision_report:
            known_distributions_give_their_known_divergence,
            a_model_does_not_differ_from_itself,
            bf16_weights_differ_as_a_comparison_of_all_logits_says,
            a_comparison_goes_in_small_units,
            what_cannot_be_compared_is_an_error_in_words,
            the_candle_kernel_refuses_int8_and_q4_in_words,
            quantised_weights_cost_more_the_fewer_bits_they_have,
        );
    };
}
