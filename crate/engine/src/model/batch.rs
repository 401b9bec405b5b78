//! Several prompts of different length in one forward pass, padded on the left.
//!
//! Padding stands on the left so that every row's next token stands in the same column. Three things keep a row's
//! result what it is alone: positions are counted from the row's first real token, no query sees a padding column, and
//! a padding query, which would see nothing at all and turn to NaN in the softmax, sees itself.
//!
//! Axes as in [`super::gpt_neox`].

use std::sync::Arc;

use candle_core::{Device, Tensor};

use super::forward::{KvBytes, check_ids};
use super::gpt_neox::{GptNeox, Weights, compute, flat};
use super::kv_cache::KvCache;
use crate::error::{EngineError, Result};

/// Any id does: nothing that comes out of a padding column is read.
const PADDING_ID: u32 = 0;
/// A batch beyond this is a mistake, not an experiment.
const MOST_ROWS: usize = 256;

/// A batch of sequences with their KV cache.
pub struct PaddedBatch {
    weights: Arc<Weights>,
    cache: KvCache,
    /// Padding columns of each row.
    padding: Vec<usize>,
}

impl PaddedBatch {
    /// Runs the prompts and returns, beside the batch, the logits of each row's last position.
    pub fn prefill(model: &GptNeox, rows: &[Vec<u32>]) -> Result<(Self, Vec<Vec<f32>>)> {
        let weights = Arc::clone(&model.weights);
        let most = weights.config.max_position_embeddings;
        if rows.is_empty() || rows.len() > MOST_ROWS {
            return Err(batch_error("number of prompts", format!("1 to {MOST_ROWS}"), rows.len()));
        }
        for row in rows {
            if row.is_empty() || row.len() > most {
                return Err(batch_error("number of tokens in a prompt", format!("1 to {most}"), row.len()));
            }
        }
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let padding: Vec<usize> = rows.iter().map(|row| width - row.len()).collect();
        let mut ids = Vec::with_capacity(rows.len() * width);
        for (row, padding) in rows.iter().zip(&padding) {
            check_ids(row, &weights.config)?;
            ids.extend(std::iter::repeat_n(PADDING_ID, *padding));
            ids.extend_from_slice(row);
        }
        let cache = KvCache::new(weights.config.num_hidden_layers, most);
        let mut batch = Self { weights, cache, padding };
        let logits = batch.run(&ids, width)?;
        Ok((batch, logits))
    }

    /// Appends one id to every row and returns each row's logits. After an error the batch is as it was.
    pub fn step(&mut self, ids: &[u32]) -> Result<Vec<Vec<f32>>> {
        let most = self.weights.config.max_position_embeddings;
        if ids.len() != self.padding.len() {
            return Err(batch_error(
                "number of tokens",
                format!("one for each of {} rows", self.padding.len()),
                ids.len(),
            ));
        }
        if self.columns() >= most {
            return Err(batch_error("number of columns", format!("at most {most}"), most.saturating_add(1)));
        }
        check_ids(ids, &self.weights.config)?;
        self.run(ids, 1)
    }

    /// Columns in the cache: padding and real tokens.
    pub fn columns(&self) -> usize {
        self.cache.positions()
    }

    /// Padding columns of each row.
    pub fn padding(&self) -> &[usize] {
        &self.padding
    }

    /// Bytes of the batch's KV cache.
    pub fn kv_bytes(&self) -> KvBytes {
        self.cache.bytes()
    }

    /// `ids` is `[r, t]`, row-major.
    fn run(&mut self, ids: &[u32], t: usize) -> Result<Vec<Vec<f32>>> {
        const OPERATION: &str = "the input of a padded batch";
        let (r, start) = (self.padding.len(), self.cache.positions());
        let input = Tensor::from_slice(ids, (r, t), &Device::Cpu).map_err(compute(OPERATION))?;
        let positions = self.positions(start, t);
        let gather = |table: &Tensor| {
            let pairs = table.dim(1)?;
            if pairs == 0 {
                return table.narrow(0, 0, 1);
            }
            table
                .index_select(&Tensor::from_slice(&positions, r * t, &Device::Cpu)?, 0)?
                .reshape((r, t, pairs))
        };
        let cosines = gather(&self.weights.cosines).map_err(compute(OPERATION))?; // [r, t, rotary pairs]
        let sines = gather(&self.weights.sines).map_err(compute(OPERATION))?; // [r, t, rotary pairs]
        let mask = Tensor::from_vec(self.mask(start, t), (r, 1, t, start + t), &Device::Cpu)
            .map_err(compute(OPERATION))?;
        let hidden = self.weights.hidden(&mut self.cache, &input, (&cosines, &sines), Some(&mask))?; // [r, t, h]
        let last = hidden.narrow(1, t - 1, 1).and_then(|last| last.contiguous());
        let logits = self.weights.head(&last.map_err(compute("the last hidden states"))?)?; // [r, 1, v]
        let logits = flat(&logits).map_err(compute("the logits"))?;
        self.cache.commit(t);
        Ok(logits.chunks(self.weights.config.vocab_size).map(<[f32]>::to_vec).collect())
    }

    /// Each new column's position in its row, `[r, t]`; padding is given position 0.
    fn positions(&self, start: usize, t: usize) -> Vec<u32> {
        let columns = start..start + t;
        let position =
            |column: usize, padding: usize| u32::try_from(column.saturating_sub(padding)).unwrap_or(0);
        self.padding
            .iter()
            .flat_map(|padding| columns.clone().map(move |column| position(column, *padding)))
            .collect()
    }

    /// `[r, 1, t, n]`: 0 where a query sees a key, minus infinity where it does not.
    fn mask(&self, start: usize, t: usize) -> Vec<f32> {
        let n = start + t;
        let mut mask = Vec::with_capacity(self.padding.len() * t * n);
        for padding in &self.padding {
            for query in start..n {
                mask.extend((0..n).map(|key| {
                    let seen = key == query || (*padding <= key && key <= query);
                    if seen { 0.0 } else { f32::NEG_INFINITY }
                }));
            }
        }
        mask
    }
}

fn batch_error(subject: &'static str, expected: String, found: usize) -> EngineError {
    EngineError::Context { subject, expected, found: found.to_string() }
}
