//! The forward pass: token ids in, logits out, with a KV cache.
//!
//! [`forward`] holds the contract; [`gpt_neox`] is the readable implementation on candle, with its [`kv_cache`] and
//! [`rotary`] tables, and [`batch`] runs several prompts through it at once; `kernels` holds the inner loops that
//! sampling and model share.

pub mod batch;
pub mod forward;
pub mod gpt_neox;
pub mod kernels;
pub mod kv_cache;
pub mod rotary;

pub use forward::{Forward, KvBytes};
