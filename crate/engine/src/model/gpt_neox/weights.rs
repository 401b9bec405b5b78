//! The weights of GPT-NeoX: what they are called in a file, their shapes, and the two kinds of layer that own them.
//!
//! Axes as in [`super`].

use candle_core::{D, Device, Tensor};

use super::compute;
use crate::checkpoint::{Checkpoint, LoadReport, TensorReader};
use crate::config::ModelConfig;
use crate::error::Result;
use crate::model::rotary::RotaryTables;
use crate::precision::Precision;

/// y = x Wᵀ + b, with W stored `[outputs, inputs]` as in the file.
pub(super) struct Linear {
    weight: Tensor,
    bias: Option<Tensor>,
}

impl Linear {
    /// `[r, t, inputs]` to `[r, t, outputs]`.
    pub(super) fn forward(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        let (r, t, inputs) = x.dims3()?;
        let y = x.reshape((r * t, inputs))?.matmul(&self.weight.t()?)?.reshape((r, t, ()))?;
        match &self.bias {
            Some(bias) => y.broadcast_add(bias),
            None => Ok(y),
        }
    }
}

/// Every position on its own: mean 0, variance 1, then a weight and a bias for each of the h dimensions.
///
/// Spelt out because candle's fused version takes the variance as E[x²] - E[x]² in f32, which cancels.
pub(super) struct LayerNorm {
    weight: Tensor,
    bias: Tensor,
    eps: f64,
}

impl LayerNorm {
    pub(super) fn forward(&self, x: &Tensor) -> candle_core::Result<Tensor> {
        let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
        let normal = centred.broadcast_div(&(variance + self.eps)?.sqrt()?)?;
        normal.broadcast_mul(&self.weight)?.broadcast_add(&self.bias)
    }
}

/// One block.
pub(super) struct Layer {
    pub(super) input_layernorm: LayerNorm,
    pub(super) post_attention_layernorm: LayerNorm,
    pub(super) query_key_value: Linear,
    pub(super) dense: Linear,
    pub(super) dense_h_to_4h: Linear,
    pub(super) dense_4h_to_h: Linear,
}

/// All that does not change while a model runs.
pub(in crate::model) struct Weights {
    pub(in crate::model) config: ModelConfig,
    /// `[v, h]`
    pub(super) embed_in: Tensor,
    pub(super) layers: Vec<Layer>,
    pub(super) final_layer_norm: LayerNorm,
    /// `[v, h]`; with tied embeddings the same storage as `embed_in`.
    pub(super) embed_out: Linear,
    /// `[max_position_embeddings, rotary_dimensions / 2]`
    pub(in crate::model) cosines: Tensor,
    pub(in crate::model) sines: Tensor,
    pub(super) bytes: usize,
}

/// Reads tensors by name and shape, and counts their bytes.
struct Loader<'a> {
    reader: TensorReader<'a>,
    bytes: usize,
}

impl Loader<'_> {
    fn tensor(&mut self, name: &str, shape: &[usize]) -> Result<Tensor> {
        let values = self.reader.f32(name, shape)?;
        self.bytes += values.len() * size_of::<f32>();
        Tensor::from_vec(values, shape, &Device::Cpu).map_err(compute("loading a tensor"))
    }

    fn linear(&mut self, name: &str, outputs: usize, inputs: usize, bias: bool) -> Result<Linear> {
        let weight = self.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
        let bias = if bias { Some(self.tensor(&format!("{name}.bias"), &[outputs])?) } else { None };
        Ok(Linear { weight, bias })
    }

    fn layer_norm(&mut self, name: &str, config: &ModelConfig) -> Result<LayerNorm> {
        let shape = [config.hidden_size];
        let weight = self.tensor(&format!("{name}.weight"), &shape)?;
        let bias = self.tensor(&format!("{name}.bias"), &shape)?;
        Ok(LayerNorm { weight, bias, eps: config.layer_norm_eps })
    }

    fn layer(&mut self, index: usize, config: &ModelConfig) -> Result<Layer> {
        let (h, f, bias) = (config.hidden_size, config.intermediate_size, config.attention_bias);
        let name = |part: &str| format!("gpt_neox.layers.{index}.{part}");
        Ok(Layer {
            input_layernorm: self.layer_norm(&name("input_layernorm"), config)?,
            post_attention_layernorm: self.layer_norm(&name("post_attention_layernorm"), config)?,
            query_key_value: self.linear(&name("attention.query_key_value"), 3 * h, h, bias)?,
            dense: self.linear(&name("attention.dense"), h, h, bias)?,
            dense_h_to_4h: self.linear(&name("mlp.dense_h_to_4h"), f, h, true)?,
            dense_4h_to_h: self.linear(&name("mlp.dense_4h_to_h"), h, f, true)?,
        })
    }
}

impl Weights {
    pub(super) fn load(
        config: ModelConfig,
        checkpoint: &Checkpoint,
        precision: Precision,
    ) -> Result<(Self, LoadReport)> {
        let mut loader = Loader { reader: checkpoint.reader(precision), bytes: 0 };
        let (v, h) = (config.vocab_size, config.hidden_size);
        let embed_in = loader.tensor("gpt_neox.embed_in.weight", &[v, h])?;
        let layers =
            (0..config.num_hidden_layers).map(|i| loader.layer(i, &config)).collect::<Result<Vec<_>>>()?;
        let final_layer_norm = loader.layer_norm("gpt_neox.final_layer_norm", &config)?;
        let embed_out = if config.tie_word_embeddings {
            Linear { weight: embed_in.clone(), bias: None }
        } else {
            // transformers 5 saves the head under its new name; an error names the one that Pythia has.
            let new_name =
                loader.reader.contains("lm_head.weight") && !loader.reader.contains("embed_out.weight");
            loader.linear(if new_name { "lm_head" } else { "embed_out" }, v, h, false)?
        };
        let tables = RotaryTables::new(&config);
        let table = |values: Vec<f32>| {
            Tensor::from_vec(values, (config.max_position_embeddings, tables.pairs), &Device::Cpu)
                .map_err(compute("the rotary tables"))
        };
        let (cosines, sines) = (table(tables.cosines)?, table(tables.sines)?);
        let bytes = loader.bytes;
        let weights = Self { config, embed_in, layers, final_layer_norm, embed_out, cosines, sines, bytes };
        Ok((weights, loader.reader.report()))
    }
}
