//! `config.json`, read once and validated once.
//!
//! Every size that the forward pass multiplies or allocates comes from here, so each has an upper bound that keeps a
//! hostile file from asking for more than a browser has. After [`ModelConfig::from_json`] nothing is checked again.

mod fields;

use crate::error::Result;
pub(crate) use fields::starts_with;
use fields::{Fields, config_error};

/// The non-linearity of the feed-forward block, by what it computes and not by its many names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// `gelu`: x Φ(x) with the exact normal distribution (Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016).
    Gelu,
    /// `gelu_new`, `gelu_fast`, `gelu_pytorch_tanh`: the approximation by a hyperbolic tangent.
    GeluTanh,
    /// `relu`: max(x, 0).
    Relu,
}

impl Activation {
    const SUPPORTED: &'static str = "gelu, gelu_new, gelu_fast, gelu_pytorch_tanh or relu";

    /// The name in `config.json`, one of several for the approximation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gelu => "gelu",
            Self::GeluTanh => "gelu_new",
            Self::Relu => "relu",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        match name {
            "gelu" => Some(Self::Gelu),
            // Three ways of writing one formula; they differ in the last bit of f32 at most.
            "gelu_new" | "gelu_fast" | "gelu_pytorch_tanh" => Some(Self::GeluTanh),
            "relu" => Some(Self::Relu),
            _ => None,
        }
    }
}

/// The fields of `config.json` that the forward pass uses, named as in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelConfig {
    /// Rows of the embedding and of the output head.
    pub vocab_size: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Blocks of attention and feed-forward.
    pub num_hidden_layers: usize,
    /// Attention heads; `hidden_size` is a multiple of it.
    pub num_attention_heads: usize,
    /// Width of the feed-forward block.
    pub intermediate_size: usize,
    /// Length of the context in tokens.
    pub max_position_embeddings: usize,
    /// Added to the variance in every layer norm.
    pub layer_norm_eps: f64,
    /// Attention and feed-forward both read the block's input (true), or one after the other (false).
    pub use_parallel_residual: bool,
    /// The output head is the embedding.
    pub tie_word_embeddings: bool,
    /// The two attention projections have a bias.
    pub attention_bias: bool,
    /// The non-linearity of the feed-forward block.
    pub hidden_act: Activation,
    /// The first of `bos_token_id`.
    pub bos_token_id: Option<u32>,
    /// The first of `eos_token_id`.
    pub eos_token_id: Option<u32>,
    /// All of `eos_token_id`, which may be a list.
    pub eos_token_ids: Vec<u32>,
    /// The share of each head that rotary embedding turns; newer files call it `partial_rotary_factor`.
    pub rotary_pct: f64,
    /// The base of the rotary frequencies; newer files call it `rope_theta`.
    pub rotary_emb_base: f64,
}

impl ModelConfig {
    /// Reads and validates the bytes of a `config.json`.
    ///
    /// Errors, with the field, what was expected and what was found: no JSON, not GPT-NeoX, a field that lacks or lies
    /// outside what the engine can run, sizes that do not fit each other.
    pub fn from_json(bytes: &[u8]) -> Result<Self> {
        let fields = Fields::parse(bytes)?;
        fields.expect_gpt_neox()?;
        let hidden_act = fields.activation()?;
        let (rotary_pct, rotary_emb_base) = fields.rotary()?;
        let eos_token_ids = fields.token_ids("eos_token_id")?;
        let config = Self {
            vocab_size: fields.size("vocab_size", 1 << 20)?,
            hidden_size: fields.size("hidden_size", 1 << 14)?,
            num_hidden_layers: fields.size("num_hidden_layers", 256)?,
            num_attention_heads: fields.size("num_attention_heads", 512)?,
            intermediate_size: fields.size("intermediate_size", 1 << 17)?,
            max_position_embeddings: fields.size("max_position_embeddings", 1 << 17)?,
            layer_norm_eps: fields.number("layer_norm_eps", 1e-5, 0.0, 1.0)?,
            use_parallel_residual: fields.flag("use_parallel_residual", true)?,
            tie_word_embeddings: fields.flag("tie_word_embeddings", false)?,
            attention_bias: fields.flag("attention_bias", true)?,
            hidden_act,
            bos_token_id: fields.token_ids("bos_token_id")?.first().copied(),
            eos_token_id: eos_token_ids.first().copied(),
            eos_token_ids,
            rotary_pct,
            rotary_emb_base,
        };
        config.validate()?;
        Ok(config)
    }

    /// Width of one attention head.
    pub fn head_size(&self) -> usize {
        // Validated to divide; `max` keeps a config built by hand from dividing by zero.
        self.hidden_size / self.num_attention_heads.max(1)
    }

    /// How many dimensions of each head are turned: always even, at most [`ModelConfig::head_size`].
    pub fn rotary_dimensions(&self) -> usize {
        // Rounded down, as Hugging Face transformers does: int(head_size * rotary_pct).
        (self.head_size() as f64 * self.rotary_pct) as usize
    }

    /// Numbers in the checkpoint that the model uses.
    pub fn parameters(&self) -> usize {
        self.checked_parameters().and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX)
    }

    fn checked_parameters(&self) -> Option<u64> {
        let (h, v, f) = (self.hidden_size as u64, self.vocab_size as u64, self.intermediate_size as u64);
        let embeddings = v.checked_mul(h)?.checked_mul(if self.tie_word_embeddings { 1 } else { 2 })?;
        let attention_weights = h.checked_mul(h)?.checked_mul(4)?;
        let attention_biases = if self.attention_bias { h.checked_mul(4)? } else { 0 };
        let feed_forward = h.checked_mul(f)?.checked_mul(2)?.checked_add(h)?.checked_add(f)?;
        let norms = h.checked_mul(4)?;
        let layer =
            attention_weights.checked_add(attention_biases)?.checked_add(feed_forward)?.checked_add(norms)?;
        let layers = layer.checked_mul(self.num_hidden_layers as u64)?;
        embeddings.checked_add(layers)?.checked_add(h.checked_mul(2)?)
    }

    fn validate(&self) -> Result<()> {
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err(config_error(
                "hidden_size",
                format!("a multiple of num_attention_heads ({})", self.num_attention_heads),
                self.hidden_size,
            ));
        }
        let rotary = self.rotary_dimensions();
        if !rotary.is_multiple_of(2) {
            return Err(config_error(
                "rotary_pct",
                format!("a share that turns an even number of the head's {} dimensions", self.head_size()),
                format!("{} ({rotary} dimensions)", self.rotary_pct),
            ));
        }
        // Each bound alone allows products that no browser holds: the rotary tables here, the weights below.
        const MOST_ANGLES: usize = 1 << 26;
        let fitting =
            self.max_position_embeddings.checked_mul(rotary.max(1)).filter(|angles| *angles <= MOST_ANGLES);
        if fitting.is_none() {
            return Err(config_error(
                "max_position_embeddings",
                format!("at most {} with {rotary} rotary dimensions", MOST_ANGLES / rotary.max(1)),
                self.max_position_embeddings,
            ));
        }
        const MOST_PARAMETERS: u64 = 2_000_000_000;
        match self.checked_parameters() {
            Some(parameters) if parameters <= MOST_PARAMETERS => Ok(()),
            parameters => Err(config_error(
                "hidden_size, num_hidden_layers, intermediate_size and vocab_size together",
                format!("at most {MOST_PARAMETERS} parameters"),
                parameters.map_or_else(|| "more than can be counted".to_owned(), |count| count.to_string()),
            )),
        }
    }
}
