//! A cache put together from rows of others: how a padded batch takes in a new sequence and lets a finished one go.

use std::ops::Range;

use candle_core::{DType, Device, Result, Tensor};

use super::{FIRST_POSITIONS, KvCache, LayerCache, POSITION_AXIS};

/// One row of a cache, without the columns that hold nothing of its sequence.
pub struct CacheRow<'a> {
    /// Where it stands.
    pub cache: &'a KvCache,
    /// Which row of it.
    pub row: usize,
    /// The columns to take: those before its padding and those behind it.
    pub columns: [Range<usize>; 2],
}

impl CacheRow<'_> {
    /// Columns that are taken.
    pub fn positions(&self) -> usize {
        self.columns.iter().map(ExactSizeIterator::len).sum()
    }
}

impl KvCache {
    /// A cache of these rows, in this order, each ending in the last column; in front of shorter ones stand zeros. It
    /// shares nothing with the caches that it was made from. Beside it: bytes of keys and values that were copied.
    ///
    /// Errors: a layer that was never written, caches of other heads or sizes, memory that lacks.
    pub fn aligned(rows: &[CacheRow<'_>], most_positions: usize) -> Result<(Self, usize)> {
        let width = rows.iter().map(CacheRow::positions).max().unwrap_or(0);
        let layers = rows.first().map_or(0, |row| row.cache.layers.len());
        let mut capacity = FIRST_POSITIONS;
        while capacity < width {
            capacity = capacity.saturating_mul(2);
        }
        let capacity = capacity.min(most_positions).max(width);
        let mut copied = 0;
        let mut joined = Vec::with_capacity(layers);
        for layer in 0..layers {
            let mut join =
                |part: fn(&LayerCache) -> &Tensor| join(rows, layer, part, (width, capacity), &mut copied);
            joined.push(Some(LayerCache {
                keys: join(|cache| &cache.keys)?,
                values: join(|cache| &cache.values)?,
            }));
        }
        Ok((Self { layers: joined, positions: width, most_positions }, copied))
    }
}

/// Keys or values of one layer, `[rows, heads, capacity, head_size]`.
fn join(
    rows: &[CacheRow<'_>],
    layer: usize,
    part: fn(&LayerCache) -> &Tensor,
    (width, capacity): (usize, usize),
    copied: &mut usize,
) -> Result<Tensor> {
    let mut joined = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(cache) = row.cache.layers.get(layer).and_then(Option::as_ref) else {
            candle_core::bail!("layer {layer} of a cache without it")
        };
        let from = part(cache).narrow(0, row.row, 1)?;
        let (_, heads, _, head_size) = from.dims4()?;
        let to = Tensor::zeros((1, heads, capacity, head_size), DType::F32, &Device::Cpu)?;
        let mut column = width - row.positions();
        for columns in row.columns.iter().filter(|columns| !columns.is_empty()) {
            let taken = from.narrow(POSITION_AXIS, columns.start, columns.len())?.contiguous()?;
            to.slice_set(&taken, POSITION_AXIS, column)?;
            column += columns.len();
            *copied += taken.elem_count() * taken.dtype().size_in_bytes();
        }
        joined.push(to);
    }
    // Of one row there is no copy: cat gives the tensor itself, which nothing else holds.
    Tensor::cat(&joined, 0)
}
