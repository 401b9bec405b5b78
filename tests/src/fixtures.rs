//! The small checkpoints and reference values, compiled in, because a test in a browser has no files.

use std::collections::BTreeMap;

use logit_lab_engine::checkpoint::{Checkpoint, LoadReport};
use logit_lab_engine::config::ModelConfig;
use logit_lab_engine::model::gpt_neox::GptNeox;
use logit_lab_engine::model::{self, Forward, Kernel, LoadChoice};
use logit_lab_engine::precision::Precision;
use serde::Deserialize;

use crate::stand_in::stand_in;

/// The two implementations of the forward pass.
pub const KERNELS: [Kernel; 2] = [Kernel::Fused, Kernel::Candle];

/// The weights of a fixture, as its folder holds them.
pub enum WeightFiles {
    /// One `model.safetensors`.
    One(&'static [u8]),
    /// `model.safetensors.index.json` and the shards, by name.
    Shards { index: &'static [u8], shards: &'static [(&'static str, &'static [u8])] },
}

/// A folder of `tests/fixtures/tiny`.
pub struct Tiny {
    pub name: &'static str,
    pub config: &'static [u8],
    pub expected: &'static [u8],
    pub weights: WeightFiles,
}

macro_rules! fixture {
    ($($part:expr),*) => { include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/", $($part),*)).as_slice() };
}

macro_rules! tiny {
    ($name:literal) => {
        Tiny {
            name: $name,
            config: fixture!("tiny/", $name, "/config.json"),
            expected: fixture!("tiny/", $name, "/expected.json"),
            weights: WeightFiles::One(fixture!("tiny/", $name, "/model.safetensors")),
        }
    };
}

/// All small checkpoints.
pub static TINY: [Tiny; 12] = [
    tiny!("bf16"),
    tiny!("full-rotary"),
    tiny!("gelu-new"),
    tiny!("legacy-buffers-f16"),
    tiny!("lm-head-name"),
    tiny!("no-attention-bias"),
    tiny!("parallel-f16"),
    tiny!("relu"),
    tiny!("sequential-residual"),
    Tiny {
        name: "sharded",
        config: fixture!("tiny/sharded/config.json"),
        expected: fixture!("tiny/sharded/expected.json"),
        weights: WeightFiles::Shards {
            index: fixture!("tiny/sharded/model.safetensors.index.json"),
            shards: &[
                (
                    "model-00001-of-00002.safetensors",
                    fixture!("tiny/sharded/model-00001-of-00002.safetensors"),
                ),
                (
                    "model-00002-of-00002.safetensors",
                    fixture!("tiny/sharded/model-00002-of-00002.safetensors"),
                ),
            ],
        },
    },
    tiny!("tied-embeddings"),
    tiny!("wide-odd"),
];

/// The fixture of that name.
pub fn tiny(name: &str) -> &'static Tiny {
    TINY.iter().find(|tiny| tiny.name == name).expect("a folder of tests/fixtures/tiny")
}

impl Tiny {
    pub fn config(&self) -> ModelConfig {
        ModelConfig::from_json(self.config).expect(self.name)
    }

    pub fn checkpoint(&self) -> Checkpoint {
        match &self.weights {
            WeightFiles::One(bytes) => Checkpoint::from_file(bytes.to_vec()),
            WeightFiles::Shards { index, shards } => {
                let shards =
                    shards.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
                Checkpoint::from_shards(index, shards)
            }
        }
        .expect(self.name)
    }

    pub fn load(&self) -> (GptNeox, LoadReport) {
        GptNeox::load(self.config(), self.checkpoint(), Precision::F32).expect(self.name)
    }

    pub fn load_on(&self, kernel: Kernel) -> Box<dyn Forward> {
        self.load_as(LoadChoice::exact(kernel))
    }

    pub fn load_as(&self, choice: LoadChoice) -> Box<dyn Forward> {
        model::load(self.config(), self.checkpoint(), choice).expect(self.name).0
    }

    pub fn expected(&self) -> Expected {
        serde_json::from_slice(self.expected).expect(self.name)
    }
}

/// `expected.json` of a small checkpoint.
#[derive(Deserialize)]
pub struct Expected {
    pub cases: Vec<Case>,
    pub left_padded_batch: LeftPaddedBatch,
    pub beam_search: Vec<BeamCase>,
}

/// A beam search of transformers.
#[derive(Deserialize)]
pub struct BeamCase {
    pub input_ids: Vec<u32>,
    pub num_beams: usize,
    pub num_return_sequences: usize,
    pub length_penalty: f64,
    pub early_stopping: bool,
    pub eos_token_id: Option<u32>,
    pub max_new_tokens: usize,
    /// Whatever stands behind the end token is padding.
    pub sequences_padded_with_0: Vec<Vec<u32>>,
    /// None where there was one beam: greedy decoding has no score.
    pub sequences_scores: Option<Vec<f64>>,
}

/// One prompt and what the reference makes of it.
#[derive(Deserialize)]
pub struct Case {
    pub input_ids: Vec<u32>,
    pub logits_last: Vec<f32>,
    pub logits_all: Option<Vec<Vec<f32>>>,
    pub greedy_24: Option<Vec<u32>>,
}

/// Prompts of different length, decoded together.
#[derive(Deserialize)]
pub struct LeftPaddedBatch {
    pub rows: Vec<Vec<u32>>,
    pub greedy_12: Vec<Vec<u32>>,
}

pub const TALES_CONFIG: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../www/models/tales-2m/config.json"));
pub const TALES_WEIGHTS: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../www/models/tales-2m/model.safetensors"));

/// Tales-2M on the candle kernel.
pub fn load_tales() -> (GptNeox, LoadReport) {
    let config = ModelConfig::from_json(TALES_CONFIG).expect("Tales-2M's config");
    let checkpoint = Checkpoint::from_file(TALES_WEIGHTS.to_vec()).expect("Tales-2M's weights");
    GptNeox::load(config, checkpoint, Precision::F32).expect("Tales-2M")
}

pub fn load_tales_on(kernel: Kernel) -> Box<dyn Forward> {
    load_tales_as(LoadChoice::exact(kernel))
}

pub fn load_tales_as(choice: LoadChoice) -> Box<dyn Forward> {
    let config = ModelConfig::from_json(TALES_CONFIG).expect("Tales-2M's config");
    let checkpoint = Checkpoint::from_file(TALES_WEIGHTS.to_vec()).expect("Tales-2M's weights");
    model::load(config, checkpoint, choice).expect("Tales-2M").0
}

/// A checkpoint of Pythia-14M's shape.
pub fn load_stand_in_on(kernel: Kernel) -> Box<dyn Forward> {
    let config = ModelConfig::from_json(PYTHIA_CONFIG).expect("Pythia-14M's config");
    let checkpoint = Checkpoint::from_file(stand_in(14)).expect("the stand-in");
    model::load(config, checkpoint, LoadChoice::exact(kernel)).expect("the stand-in").0
}

pub fn tales_expected() -> TalesExpected {
    serde_json::from_slice(fixture!("tales-2m.json")).expect("tests/fixtures/tales-2m.json")
}

/// `tales-2m.json`.
#[derive(Deserialize)]
pub struct TalesExpected {
    pub cases: Vec<TalesCase>,
    pub full_context: FullContext,
}

#[derive(Deserialize)]
pub struct TalesCase {
    pub ids: Vec<u32>,
    pub greedy_48: Vec<u32>,
    pub last_logits_top10: Vec<(usize, f32)>,
    pub last_logits_sum: f64,
}

#[derive(Deserialize)]
pub struct FullContext {
    pub ids: Vec<u32>,
    pub last_logits_first_32: Vec<f32>,
    pub argmax: usize,
}

pub const PYTHIA_CONFIG: &[u8] = fixture!("pythia-14m/config.json");

pub fn pythia_known_values() -> KnownValues {
    serde_json::from_slice(fixture!("pythia-14m/known_values.json")).expect("known_values.json")
}

/// `pythia-14m/known_values.json`.
#[derive(Deserialize)]
pub struct KnownValues {
    pub greedy: Vec<KnownStep>,
    pub structure: Structure,
}

#[derive(Deserialize)]
pub struct KnownStep {
    pub prefix: Vec<u32>,
    pub choice: usize,
    pub choice_logit: f64,
    pub choice_probability: f64,
    pub mass_outside_top_5: f64,
    #[serde(default)]
    pub other_logits: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
pub struct Structure {
    pub header_bytes: usize,
    pub tensors: usize,
    pub parameters: usize,
}
