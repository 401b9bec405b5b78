//! `config.json`, read once and validated once.

/// The fields of `config.json` that the forward pass uses, named as in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelConfig {
    /// Rows of the embedding and of the output head.
    pub vocab_size: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
}
