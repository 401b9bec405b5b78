//! The memory budget as data: what a model will take, known before its weights are there, and what there is.
//!
//! WebAssembly's memory never shrinks, and an allocation that fails in it ends the engine. So what will not fit is refused
//! by these figures before anything is allocated. They are upper bounds of what the engine sets aside with the context
//! full, and close ones: a browser test compares them with the memory that was really taken.

use crate::choice::{Kernel, LoadChoice};
use crate::config::ModelConfig;
use crate::error::{EngineError, Result};
use crate::precision::{CachePrecision, Precision, stored_bytes};

/// What 32-bit WebAssembly can address: 65,536 pages of 64 KiB.
pub const WASM_LIMIT_BYTES: u64 = 1 << 32;

/// The engine's own code tables and stack, and what is left over when memory is taken and freed in pieces.
const ENGINE_BYTES: u64 = 8 << 20;
/// A tokenizer in memory against its file: measured, 25 MB for the 2.1 MB of Pythia's.
const TOKENIZER_FACTOR: u64 = 12;
/// Of each row of the vocabulary: the kept logits, those of an inspected position, the processed ones, the ranking and
/// its scratch, and what is copied out for display.
const BYTES_PER_LOGIT: u64 = 48;
/// Positions that the kernels run at a time.
const TILE: u64 = 32;
const F32_BYTES: u64 = 4;

/// What a model takes, in bytes, by what it takes it for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryNeed {
    /// The tensors as the file stores them. Two bytes a parameter, which is the least, until the headers are known.
    pub checkpoint_bytes: u64,
    /// What the kernel makes of them: another precision, vectors in f32, all of them for candle.
    pub derived_bytes: u64,
    /// Keys and values of the whole context.
    pub kv_cache_bytes: u64,
    /// Buffers of the forward pass and of sampling, and the prompt's hidden states.
    pub work_bytes: u64,
    /// The tokenizer.
    pub tokenizer_bytes: u64,
    /// The engine itself.
    pub engine_bytes: u64,
}

impl MemoryNeed {
    /// Of a model by its configuration, with a `tokenizer.json` of that length or none.
    pub fn of(config: &ModelConfig, choice: LoadChoice, tokenizer_file_bytes: Option<u64>) -> Self {
        Self {
            checkpoint_bytes: (config.parameters() as u64).saturating_mul(2),
            derived_bytes: derived_bytes(config, choice),
            kv_cache_bytes: kv_cache_bytes(config, choice),
            work_bytes: work_bytes(config, choice),
            tokenizer_bytes: tokenizer_file_bytes.unwrap_or(0).saturating_mul(TOKENIZER_FACTOR),
            engine_bytes: ENGINE_BYTES,
        }
    }

    /// All of it.
    pub fn total_bytes(&self) -> u64 {
        [
            self.checkpoint_bytes,
            self.derived_bytes,
            self.kv_cache_bytes,
            self.work_bytes,
            self.tokenizer_bytes,
            self.engine_bytes,
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }
}

/// How much memory there may be, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryLimit {
    /// WebAssembly's address space.
    WebAssembly,
    /// Half of a device that says how much it has: the rest is the system's, the browser's and the other tabs'.
    HalfOfDevice {
        /// What the device says.
        device_bytes: u64,
    },
    /// A figure of the caller's.
    Bytes(u64),
}

impl MemoryLimit {
    /// The narrower of what WebAssembly can address and of what a device has, where that is known.
    pub fn of_device(device_bytes: Option<u64>) -> Self {
        match device_bytes {
            Some(device_bytes) if device_bytes / 2 < WASM_LIMIT_BYTES => Self::HalfOfDevice { device_bytes },
            _ => Self::WebAssembly,
        }
    }

    /// In bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Self::WebAssembly => WASM_LIMIT_BYTES,
            Self::HalfOfDevice { device_bytes } => device_bytes / 2,
            Self::Bytes(bytes) => bytes,
        }
    }

    fn reason(self) -> String {
        match self {
            Self::WebAssembly => "which is all that WebAssembly can address".to_owned(),
            Self::HalfOfDevice { device_bytes } => {
                format!("half of the {} that this device says it has", shown(device_bytes))
            }
            Self::Bytes(_) => "which is all there is".to_owned(),
        }
    }
}

/// A need held against a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryBudget {
    /// What the model takes.
    pub need: MemoryNeed,
    /// What there is.
    pub limit: MemoryLimit,
}

impl MemoryBudget {
    /// An error with all figures, unless the model fits.
    ///
    /// Errors: [`EngineError::Memory`], with limit and need in decimal MB or GB.
    pub fn check(&self) -> Result<()> {
        let (need, limit) = (&self.need, self.limit);
        if need.total_bytes() <= limit.bytes() {
            return Ok(());
        }
        let tensors = need.checkpoint_bytes.saturating_add(need.derived_bytes);
        let rest = need.work_bytes.saturating_add(need.engine_bytes);
        Err(EngineError::Memory {
            expected: format!("at most {}, {}", shown(limit.bytes()), limit.reason()),
            found: format!(
                "a need of {}: {} for the weights, {} for the KV cache at full context, {} for the tokenizer, {} for \
                 the work",
                shown(need.total_bytes()),
                shown(tensors),
                shown(need.kv_cache_bytes),
                shown(need.tokenizer_bytes),
                shown(rest),
            ),
        })
    }

    /// Takes note of tensors that a file's header announces, before there is room for them. They replace the estimate
    /// when they are more than it.
    ///
    /// Errors: those of [`MemoryBudget::check`].
    pub fn announce_tensors(&mut self, bytes: u64) -> Result<()> {
        self.need.checkpoint_bytes = self.need.checkpoint_bytes.max(bytes);
        self.check()
    }
}

/// Decimal units, as the files of a model are counted.
fn shown(bytes: u64) -> String {
    if bytes >= 1_000_000_000 {
        format!("{:.2} GB", bytes as f64 / 1e9)
    } else {
        format!("{} MB", bytes.div_ceil(1_000_000))
    }
}

fn derived_bytes(config: &ModelConfig, choice: LoadChoice) -> u64 {
    let (h, v, f) = (config.hidden_size, config.vocab_size, config.intermediate_size);
    let layers = config.num_hidden_layers as u64;
    let precision = choice.precision;
    // Each matrix with its precision, and how often there is one. Tied embeddings may keep a head of their own.
    let matrices = [
        (precision.embedding, v, h, 1),
        (precision.head, v, h, 1),
        (precision.blocks, 3 * h, h, layers),
        (precision.blocks, h, h, layers),
        (precision.blocks, f, h, layers),
        (precision.blocks, h, f, layers),
    ];
    let product =
        |rows: usize, columns: usize, bytes: u64| (rows as u64 * columns as u64).saturating_mul(bytes);
    let mut derived = 0_u64;
    let mut largest_in_f32 = 0;
    for (precision, rows, columns, count) in matrices {
        let in_f32 = product(rows, columns, F32_BYTES);
        let kept = match (choice.kernel, precision) {
            (Kernel::Candle, _) => in_f32,
            // As the file has them.
            (Kernel::Fused, Precision::F32) => continue,
            (Kernel::Fused, precision) => stored_bytes(precision, rows, columns) as u64,
        };
        derived = derived.saturating_add(kept.saturating_mul(count));
        if choice.kernel == Kernel::Fused {
            largest_in_f32 = in_f32.max(largest_in_f32);
        }
    }
    // Norms and biases of a block, and the last norm.
    let vectors = layers.saturating_mul(9 * h as u64 + f as u64) + 2 * h as u64;
    derived.saturating_add(vectors * F32_BYTES).saturating_add(largest_in_f32)
}

fn kv_cache_bytes(config: &ModelConfig, choice: LoadChoice) -> u64 {
    let number_bytes = match choice.kv_cache {
        CachePrecision::F32 => F32_BYTES,
        CachePrecision::F16 => 2,
    };
    // Pages are whole, and the vectors of a head are filled up to four numbers.
    let positions = (config.max_position_embeddings as u64).next_multiple_of(64);
    let head = (config.head_size() as u64).next_multiple_of(4);
    [config.num_hidden_layers as u64, config.num_attention_heads as u64, head, positions, 2 * number_bytes]
        .into_iter()
        .fold(1, u64::saturating_mul)
}

fn work_bytes(config: &ModelConfig, choice: LoadChoice) -> u64 {
    let (h, f) = (config.hidden_size as u64, config.intermediate_size as u64);
    let positions = config.max_position_embeddings as u64;
    let buffers = TILE * (10 * h + 2 * f) * F32_BYTES;
    // The prompt's hidden states, twice while they grow.
    let hidden = positions * h * F32_BYTES * 2;
    let rotary = positions * config.rotary_dimensions() as u64 * F32_BYTES;
    let logits = config.vocab_size as u64 * BYTES_PER_LOGIT;
    let scores = match choice.kernel {
        Kernel::Fused => 0,
        // The scores of a tile, their mask and their softmax, and the layer's cache once more while it grows.
        Kernel::Candle => {
            4 * TILE * config.num_attention_heads as u64 * positions * F32_BYTES
                + 2 * positions * h * F32_BYTES
        }
    };
    [buffers, hidden, rotary, logits, scores].into_iter().fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn pythia(hidden: usize, layers: usize, heads: usize) -> ModelConfig {
        let json = format!(
            r#"{{"vocab_size":50304,"hidden_size":{hidden},"num_hidden_layers":{layers},"num_attention_heads":{heads},
                "intermediate_size":{},"max_position_embeddings":2048}}"#,
            4 * hidden
        );
        ModelConfig::from_json(json.as_bytes()).unwrap()
    }

    fn need(config: &ModelConfig) -> MemoryNeed {
        MemoryNeed::of(config, LoadChoice::default(), Some(2_114_042))
    }

    #[test]
    fn the_kv_cache_of_a_full_context_is_what_one_reckons_on_paper() {
        // 6 layers x 2 x 128 numbers x 4 bytes a token.
        assert_eq!(need(&pythia(128, 6, 4)).kv_cache_bytes, 2048 * 6 * 2 * 128 * 4);
        let f16 = LoadChoice { kv_cache: CachePrecision::F16, ..LoadChoice::default() };
        assert_eq!(MemoryNeed::of(&pythia(128, 6, 4), f16, None).kv_cache_bytes, 2048 * 6 * 2 * 128 * 2);
    }

    #[test]
    fn the_small_pythias_fit_and_a_billion_parameters_in_f32_do_not() {
        for (hidden, layers, heads) in [(128, 6, 4), (256, 6, 8), (512, 6, 8), (768, 12, 12)] {
            let need = need(&pythia(hidden, layers, heads));
            MemoryBudget { need, limit: MemoryLimit::WebAssembly }.check().unwrap();
            // On a device of 2 GB too.
            MemoryBudget { need, limit: MemoryLimit::of_device(Some(2 << 30)) }.check().unwrap();
        }
        let mut large =
            MemoryBudget { need: need(&pythia(2048, 16, 8)), limit: MemoryLimit::of_device(None) };
        let error = large.announce_tensors(4_047_000_000).unwrap_err().to_string();
        for words in [
            "4.29 GB",
            "WebAssembly",
            "GB for the weights",
            "537 MB for the KV cache",
            "26 MB for the tokenizer",
        ] {
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_device_that_says_how_much_it_has_gives_half_of_it() {
        let limit = MemoryLimit::of_device(Some(1 << 29));
        assert_eq!(limit.bytes(), 1 << 28);
        let budget = MemoryBudget { need: need(&pythia(768, 12, 12)), limit };
        let error = budget.check().unwrap_err().to_string();
        assert!(error.contains("half of the 537 MB that this device says it has"), "{error}");
        assert_eq!(MemoryLimit::of_device(Some(8 << 30)), MemoryLimit::WebAssembly);
        assert_eq!(MemoryLimit::of_device(None).bytes(), 4_294_967_296);
    }

    #[test]
    fn the_largest_configuration_is_counted_without_overflow() {
        let json = r#"{"vocab_size":1048576,"hidden_size":512,"num_hidden_layers":256,"num_attention_heads":512,
            "intermediate_size":1024,"max_position_embeddings":131072}"#;
        let config = ModelConfig::from_json(json.as_bytes()).unwrap();
        for kernel in [Kernel::Fused, Kernel::Candle] {
            let need = MemoryNeed::of(&config, LoadChoice::exact(kernel), Some(u64::MAX));
            assert!(MemoryBudget { need, limit: MemoryLimit::WebAssembly }.check().is_err());
        }
    }

    #[test]
    fn another_precision_and_another_kernel_cost_what_they_derive() {
        let config = pythia(128, 6, 4);
        let of = |choice| MemoryNeed::of(&config, choice, None).derived_bytes;
        let exact = of(LoadChoice::exact(Kernel::Fused));
        assert!(exact < 100_000, "only vectors: {exact}");
        let int8 = LoadChoice { precision: Precision::Int8.into(), ..LoadChoice::default() };
        assert!(of(int8) > exact + config.parameters() as u64);
        assert!(of(LoadChoice::exact(Kernel::Candle)) >= 4 * config.parameters() as u64);
    }
}
