//! The forward pass: token ids in, logits out, with a KV cache.
//!
//! [`forward`] holds the contract; [`gpt_neox`] is the readable implementation on candle; `kernels` holds the inner
//! loops that sampling and model share.

pub mod forward;
pub mod gpt_neox;
pub mod kernels;

pub use forward::{Forward, KvBytes};
