//! What the native benchmarks work on. Nothing is read from files: the model is the stand-in of Pythia-14M's shape.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::Duration;

use logit_lab_engine::checkpoint::Checkpoint;
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::Precision;
use logit_lab_tests::fixtures::PYTHIA_CONFIG;
use logit_lab_tests::stand_in::{noise_values, stand_in};

/// Time for one figure; with the warm-up, the whole set takes a few minutes.
pub const MEASUREMENT: Duration = Duration::from_secs(2);
/// Time before each figure.
pub const WARM_UP: Duration = Duration::from_millis(500);

/// Pythia-14M's vocabulary, the rows without a token included.
pub const VOCABULARY: usize = 50_304;

/// Sets of logits, shape `[sets][VOCABULARY]`, spread as those of the stand-in are: a number in the middle of [0, 1) finds
/// its token some hundred ranks down.
pub fn logit_sets(sets: u64) -> Vec<Vec<f32>> {
    (0..sets).map(|seed| noise_values(seed, VOCABULARY, 2.8)).collect()
}

/// Loads a checkpoint with one of the kernels.
pub type Loader = fn(ModelConfig, Checkpoint) -> Box<dyn Forward>;

/// The kernels that are timed, by name.
pub const KERNELS: [(&str, Loader); 3] = [
    ("fused", |config, checkpoint| load(config, checkpoint, Kernel::Fused, Precision::F32)),
    ("fused int8", |config, checkpoint| load(config, checkpoint, Kernel::Fused, Precision::Int8)),
    ("candle", |config, checkpoint| load(config, checkpoint, Kernel::Candle, Precision::F32)),
];

fn load(
    config: ModelConfig,
    checkpoint: Checkpoint,
    kernel: Kernel,
    precision: Precision,
) -> Box<dyn Forward> {
    let choice = LoadChoice { precision: precision.into(), ..LoadChoice::exact(kernel) };
    model::load(config, checkpoint, choice).expect("the stand-in").0
}

/// The stand-in with one of the kernels.
pub fn model(load: Loader) -> Box<dyn Forward> {
    let config = ModelConfig::from_json(PYTHIA_CONFIG).expect("Pythia-14M's config");
    load(config, Checkpoint::from_file(stand_in(1)).expect("the stand-in"))
}

/// Token ids for a prompt of this length.
pub fn prompt(length: usize) -> Vec<u32> {
    (0..length as u32).map(|index| index.wrapping_mul(2_654_435_761) % 50_000).collect()
}

/// A paragraph of plain English, of about 80 tokens.
pub const PARAGRAPH: &str = "A model that has read a great deal of text can say, for each word of its vocabulary, how \
likely it is to come next. It does not know whether a sentence is true. Given \"The capital of France is\", it finds that \
some continuations were frequent in what it read, and others were not; a sampler then picks one of them, by chance, and \
the whole computation starts again with one more token.\n";
