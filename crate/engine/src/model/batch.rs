//! Several prompts of different length in one forward pass, as a padded batch.
//!
//! Padding stands on the left so that every row's next token stands in the same column. Three things keep a row's
//! result what it is alone: positions are counted over the row's real tokens, no query sees a padding column, and a
//! padding query, which may see nothing at all and would turn to NaN in the softmax, sees itself. With padding on the
//! right ([`PaddingSide::Right`]) all that holds too, and yet the first token goes wrong: it is read from the last column,
//! which is not the last token of a short row.
//!
//! [`PaddedBatch::rebuilt`] lets sequences in and out between two steps.
//!
//! Axes as in [`super::gpt_neox`].

use std::ops::Range;
use std::sync::Arc;

use candle_core::{Device, Tensor};

use super::forward::{KvBytes, check_ids};
use super::gpt_neox::{GptNeox, Weights, compute, flat};
use super::kv_cache::{CacheRow, KvCache};
use crate::error::{EngineError, Result};

/// Any id does: nothing that comes out of a padding column is to be read.
pub const PADDING_ID: u32 = 0;
/// A batch beyond this is a mistake, not an experiment.
const MOST_ROWS: usize = 256;
/// Columns of one piece of prefill: few enough for a stop to be answered soon, and for the scores of many rows to fit.
const PIECE_COLUMNS: usize = 32;

/// Where the padding of the shorter prompts stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PaddingSide {
    /// In front: every row's last token is in the last column.
    #[default]
    Left,
    /// Behind, with the last column read all the same: a mistake to look at.
    Right,
}

/// A row of a batch that is put together anew.
pub enum NewRow<'a> {
    /// This row of the batch as it is.
    Kept(usize),
    /// A sequence that was run alone, with everything in its KV cache.
    Alone(&'a GptNeox),
}

/// A batch of sequences with their KV cache.
pub struct PaddedBatch {
    weights: Arc<Weights>,
    cache: KvCache,
    /// Padding columns of each row.
    padding: Vec<Range<usize>>,
    /// What is still to be run of the prompts, `[r, prompt_columns]`, from the cache's first free column on.
    prompts: Vec<u32>,
    prompt_columns: usize,
}

impl PaddedBatch {
    /// Runs the prompts, padded on the left, and returns, beside the batch, the logits of each row's last position.
    ///
    /// `rows` are token ids, of any lengths; logits are `[rows][vocab_size]`. Errors: those of [`PaddedBatch::begin`].
    pub fn prefill(model: &GptNeox, rows: &[Vec<u32>]) -> Result<(Self, Vec<Vec<f32>>)> {
        let mut batch = Self::begin(model, rows, PaddingSide::Left)?;
        loop {
            if let Some(logits) = batch.prefill_piece()? {
                return Ok((batch, logits));
            }
        }
    }

    /// A batch whose prompts are still to be run, by [`PaddedBatch::prefill_piece`]. Errors: no row or too many, a prompt
    /// without tokens or with more than the model has positions, ids outside the vocabulary.
    pub fn begin(model: &GptNeox, rows: &[Vec<u32>], side: PaddingSide) -> Result<Self> {
        let weights = Arc::clone(&model.weights);
        let most = weights.config.max_position_embeddings;
        if rows.is_empty() || rows.len() > MOST_ROWS {
            return Err(batch_error("number of prompts", format!("1 to {MOST_ROWS}"), rows.len()));
        }
        for row in rows {
            if row.is_empty() || row.len() > most {
                return Err(batch_error("number of tokens in a prompt", format!("1 to {most}"), row.len()));
            }
            check_ids(row, &weights.config)?;
        }
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut prompts = Vec::with_capacity(rows.len() * width);
        let mut padding = Vec::with_capacity(rows.len());
        for row in rows {
            let lacking = std::iter::repeat_n(PADDING_ID, width - row.len());
            match side {
                PaddingSide::Left => {
                    padding.push(0..width - row.len());
                    prompts.extend(lacking.chain(row.iter().copied()));
                }
                PaddingSide::Right => {
                    padding.push(row.len()..width);
                    prompts.extend(row.iter().copied().chain(lacking));
                }
            }
        }
        let cache = KvCache::new(weights.config.num_hidden_layers, most);
        Ok(Self { weights, cache, padding, prompts, prompt_columns: width })
    }

    /// The next columns of the prompts; after the last of them the logits of the last column, one row for each sequence.
    ///
    /// Logits are `[rows][vocab_size]`. Errors: all columns have been run, or the tensor library fails.
    pub fn prefill_piece(&mut self) -> Result<Option<Vec<Vec<f32>>>> {
        let start = self.columns();
        let end = self.prompt_columns.min(start + PIECE_COLUMNS);
        if start >= end {
            return Err(batch_error("prompt columns", "some that have not been run".into(), 0));
        }
        let piece: Vec<u32> = self
            .prompts
            .chunks(self.prompt_columns)
            .flat_map(|row| row.get(start..end).unwrap_or_default())
            .copied()
            .collect();
        let hidden = self.run(&piece, end - start)?; // [r, t, h]
        if end < self.prompt_columns { Ok(None) } else { self.last_logits(&hidden).map(Some) }
    }

    /// Appends one id to every row and returns each row's logits. After an error the batch is as it was.
    ///
    /// `ids` is `[rows]`, the logits are `[rows][vocab_size]`. Errors: another number of ids, an id outside the
    /// vocabulary, a row that has all positions of the model.
    pub fn step(&mut self, ids: &[u32]) -> Result<Vec<Vec<f32>>> {
        self.step_running(&ids.iter().copied().map(Some).collect::<Vec<_>>())
    }

    /// The same for a batch of which some rows are finished (`None`): they are computed like the others, because a batch
    /// is one operation, and what comes out of them means nothing.
    ///
    /// Errors: those of [`PaddedBatch::step`]; a finished row may be full.
    pub fn step_running(&mut self, ids: &[Option<u32>]) -> Result<Vec<Vec<f32>>> {
        let most = self.weights.config.max_position_embeddings;
        if ids.len() != self.padding.len() {
            return Err(batch_error(
                "number of tokens",
                format!("one for each of {} rows", self.padding.len()),
                ids.len(),
            ));
        }
        let running = (0..).zip(ids).filter(|(_, id)| id.is_some());
        if running.map(|(row, _)| self.positions_of(row)).any(|positions| positions >= most) {
            return Err(batch_error(
                "number of positions",
                format!("at most {most}"),
                most.saturating_add(1),
            ));
        }
        let ids: Vec<u32> = ids.iter().map(|id| id.unwrap_or(PADDING_ID)).collect();
        check_ids(&ids, &self.weights.config)?;
        let hidden = self.run(&ids, 1)?;
        self.last_logits(&hidden)
    }

    /// A batch of these sequences, padded on the left to the longest, with all that was computed of them, and the bytes of
    /// keys and values that were copied for it. Rotated keys belong to positions, not to columns, so a row may move.
    ///
    /// Errors: no row, a row that is not there, a sequence of another model, prompts that have not been run.
    pub fn rebuilt(&self, rows: &[NewRow<'_>]) -> Result<(Self, usize)> {
        let mut joined = Vec::with_capacity(rows.len());
        for row in rows {
            joined.push(match row {
                NewRow::Kept(row) => {
                    CacheRow { cache: &self.cache, row: *row, columns: self.real_columns(*row)? }
                }
                NewRow::Alone(model) => {
                    if !Arc::ptr_eq(&model.weights, &self.weights) {
                        return Err(batch_error("sequence", "one of the batch's own model".into(), 0));
                    }
                    let end = model.cache.positions();
                    CacheRow { cache: &model.cache, row: 0, columns: [0..end, end..end] }
                }
            });
        }
        if joined.is_empty() || self.columns() < self.prompt_columns {
            return Err(batch_error(
                "rows",
                "some, of a batch whose prompts have been run".into(),
                joined.len(),
            ));
        }
        let most = self.weights.config.max_position_embeddings;
        let (cache, copied) = KvCache::aligned(&joined, most).map_err(compute("joining the KV caches"))?;
        let padding = joined.iter().map(|row| 0..cache.positions() - row.positions()).collect();
        let weights = Arc::clone(&self.weights);
        Ok((Self { weights, cache, padding, prompts: Vec::new(), prompt_columns: 0 }, copied))
    }

    /// Columns in the cache: padding and real tokens.
    pub fn columns(&self) -> usize {
        self.cache.positions()
    }

    /// Padding columns of each row.
    pub fn padding(&self) -> &[Range<usize>] {
        &self.padding
    }

    /// Bytes of the batch's KV cache.
    pub fn kv_bytes(&self) -> KvBytes {
        self.cache.bytes()
    }

    /// Real tokens of a row that have been run.
    fn positions_of(&self, row: usize) -> usize {
        self.padding.get(row).map_or(0, |padding| position(padding, self.columns()))
    }

    fn real_columns(&self, row: usize) -> Result<[Range<usize>; 2]> {
        let padding = self
            .padding
            .get(row)
            .ok_or_else(|| batch_error("row", format!("one of {} rows", self.padding.len()), row))?;
        Ok([0..padding.start, padding.end..self.columns()])
    }

    /// `ids` is `[r, t]`, row-major; the final hidden states are `[r, t, h]`.
    fn run(&mut self, ids: &[u32], t: usize) -> Result<Tensor> {
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
        self.cache.commit(t);
        Ok(hidden)
    }

    /// Hidden states `[r, t, h]` to the logits of the last column.
    fn last_logits(&self, hidden: &Tensor) -> Result<Vec<Vec<f32>>> {
        let last = hidden.dim(1).and_then(|t| hidden.narrow(1, t.saturating_sub(1), 1)?.contiguous());
        let logits = self.weights.head(&last.map_err(compute("the last hidden states"))?)?; // [r, 1, v]
        let logits = flat(&logits).map_err(compute("the logits"))?;
        Ok(logits.chunks(self.weights.config.vocab_size).map(<[f32]>::to_vec).collect())
    }

    /// Each new column's position in its row, `[r, t]`; padding is given position 0. A finished row that is computed on
    /// stays at the last position that there is.
    fn positions(&self, start: usize, t: usize) -> Vec<u32> {
        let last = self.weights.config.max_position_embeddings.saturating_sub(1);
        let at = |column: usize, padding: &Range<usize>| match padding.contains(&column) {
            true => 0,
            false => u32::try_from(position(padding, column).min(last)).unwrap_or(0),
        };
        let columns = start..start + t;
        self.padding
            .iter()
            .flat_map(|padding| columns.clone().map(move |column| at(column, padding)))
            .collect()
    }

    /// `[r, 1, t, n]`: 0 where a query sees a key, minus infinity where it does not.
    fn mask(&self, start: usize, t: usize) -> Vec<f32> {
        let n = start + t;
        let mut mask = Vec::with_capacity(self.padding.len() * t * n);
        for padding in &self.padding {
            for query in start..n {
                mask.extend(
                    (0..n).map(|key| if sees(padding, query, key) { 0.0 } else { f32::NEG_INFINITY }),
                );
            }
        }
        mask
    }
}

/// Whether, in a row with this padding, column `query` may look at column `key`: at itself, and at every real token that
/// does not come after it.
pub fn sees(padding: &Range<usize>, query: usize, key: usize) -> bool {
    key == query || (key <= query && !padding.contains(&key))
}

/// The position of a real column, which is also how many real columns stand before it.
fn position(padding: &Range<usize>, column: usize) -> usize {
    if column >= padding.end { column - padding.len() } else { column.min(padding.start) }
}

fn batch_error(subject: &'static str, expected: String, found: usize) -> EngineError {
    EngineError::Context { subject, expected, found: found.to_string() }
}
