//! The tensors of GPT-NeoX: what they are called in a file, and their shapes. Each kernel reads them in its own form.

use crate::config::ModelConfig;
use crate::error::Result;

/// Where a kernel gets its tensors from.
pub(super) trait TensorSource {
    /// A tensor of one or two axes, in the kernel's form.
    type Matrix;
    /// A tensor of one axis.
    type Vector;

    /// Whether there is a tensor of that name.
    fn contains(&self, name: &str) -> bool;
    /// The tensor of that name, `[rows, columns]`.
    fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Self::Matrix>;
    /// The tensor of that name, `[length]`.
    fn vector(&mut self, name: &str, length: usize) -> Result<Self::Vector>;
}

/// y = x Wᵀ + b, with W `[outputs, inputs]`.
pub(super) struct Linear<M, V> {
    pub(super) weight: M,
    pub(super) bias: Option<V>,
}

/// Weight and bias of a layer norm, `[h]` each.
pub(super) struct Norm<V> {
    pub(super) weight: V,
    pub(super) bias: V,
}

/// The embedding table, which is the head too where embeddings are tied.
pub(super) const EMBEDDING: &str = "gpt_neox.embed_in.weight";

/// One block.
pub(super) struct Block<M, V> {
    pub(super) input_layernorm: Norm<V>,
    pub(super) post_attention_layernorm: Norm<V>,
    pub(super) query_key_value: Linear<M, V>,
    pub(super) dense: Linear<M, V>,
    pub(super) dense_h_to_4h: Linear<M, V>,
    pub(super) dense_4h_to_h: Linear<M, V>,
}

/// All tensors of a model.
pub(super) struct Tensors<M, V> {
    /// `[v, h]`
    pub(super) embed_in: M,
    pub(super) blocks: Vec<Block<M, V>>,
    pub(super) final_layer_norm: Norm<V>,
    /// `[v, h]`; absent with tied embeddings, whose head is `embed_in`.
    pub(super) embed_out: Option<M>,
}

impl<M, V> Tensors<M, V> {
    /// Asks for every tensor that the configuration calls for. The first that is missing or misshapen is the error.
    pub(super) fn read(
        source: &mut impl TensorSource<Matrix = M, Vector = V>,
        config: &ModelConfig,
    ) -> Result<Self> {
        let (v, h) = (config.vocab_size, config.hidden_size);
        let embed_in = source.matrix(EMBEDDING, v, h)?;
        let blocks = (0..config.num_hidden_layers)
            .map(|index| block(source, index, config))
            .collect::<Result<Vec<_>>>()?;
        let final_layer_norm = norm(source, "gpt_neox.final_layer_norm", h)?;
        let embed_out = if config.tie_word_embeddings {
            None
        } else {
            // transformers 5 saves the head under its new name; an error names the one that Pythia has.
            let new_name = source.contains("lm_head.weight") && !source.contains("embed_out.weight");
            Some(source.matrix(if new_name { "lm_head.weight" } else { "embed_out.weight" }, v, h)?)
        };
        Ok(Self { embed_in, blocks, final_layer_norm, embed_out })
    }
}

/// One tensor of a model.
pub(super) enum Part<'a, M, V> {
    Matrix(&'a M),
    Vector(&'a V),
}

impl<M, V> Tensors<M, V> {
    /// All of them, always in the same order.
    pub(super) fn parts(&self) -> Vec<Part<'_, M, V>> {
        let mut parts = vec![Part::Matrix(&self.embed_in)];
        for block in &self.blocks {
            parts.extend(block.input_layernorm.parts());
            parts.extend(block.post_attention_layernorm.parts());
            for linear in [&block.query_key_value, &block.dense, &block.dense_h_to_4h, &block.dense_4h_to_h] {
                parts.push(Part::Matrix(&linear.weight));
                parts.extend(linear.bias.as_ref().map(Part::Vector));
            }
        }
        parts.extend(self.final_layer_norm.parts());
        parts.extend(self.embed_out.as_ref().map(Part::Matrix));
        parts
    }
}

impl<V> Norm<V> {
    fn parts<M>(&self) -> [Part<'_, M, V>; 2] {
        [Part::Vector(&self.weight), Part::Vector(&self.bias)]
    }
}

fn norm<S: TensorSource>(source: &mut S, name: &str, length: usize) -> Result<Norm<S::Vector>> {
    let weight = source.vector(&format!("{name}.weight"), length)?;
    let bias = source.vector(&format!("{name}.bias"), length)?;
    Ok(Norm { weight, bias })
}

fn linear<S: TensorSource>(
    source: &mut S,
    name: &str,
    (outputs, inputs): (usize, usize),
    bias: bool,
) -> Result<Linear<S::Matrix, S::Vector>> {
    let weight = source.matrix(&format!("{name}.weight"), outputs, inputs)?;
    let bias = if bias { Some(source.vector(&format!("{name}.bias"), outputs)?) } else { None };
    Ok(Linear { weight, bias })
}

fn block<S: TensorSource>(
    source: &mut S,
    index: usize,
    config: &ModelConfig,
) -> Result<Block<S::Matrix, S::Vector>> {
    let (h, f, bias) = (config.hidden_size, config.intermediate_size, config.attention_bias);
    let name = |part: &str| format!("gpt_neox.layers.{index}.{part}");
    Ok(Block {
        input_layernorm: norm(source, &name("input_layernorm"), h)?,
        post_attention_layernorm: norm(source, &name("post_attention_layernorm"), h)?,
        query_key_value: linear(source, &name("attention.query_key_value"), (3 * h, h), bias)?,
        dense: linear(source, &name("attention.dense"), (h, h), bias)?,
        dense_h_to_4h: linear(source, &name("mlp.dense_h_to_4h"), (f, h), true)?,
        dense_4h_to_h: linear(source, &name("mlp.dense_4h_to_h"), (h, f), true)?,
    })
}
