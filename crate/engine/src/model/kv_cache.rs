//! The KV cache of the candle kernel: keys and values of every position that has been computed.
//!
//! Axes: `rows` of a batch (1 for a single sequence), `heads`, `positions`, `head_size`.

mod rows;

use candle_core::{DType, Device, Result, Tensor};

use super::forward::KvBytes;
pub use rows::CacheRow;

/// Positions of the first allocation. Each further one doubles, so that a long text copies the cache few times.
const FIRST_POSITIONS: usize = 64;
const POSITION_AXIS: usize = 2;

/// Keys and values of one layer, `[rows, heads, capacity, head_size]` each.
#[derive(Debug)]
struct LayerCache {
    keys: Tensor,
    values: Tensor,
}

/// Keys and values of all layers, addressed by absolute position.
///
/// Not `Clone`: a clone of a tensor shares its storage, and this cache writes in place. See [`KvCache::fork`].
#[derive(Debug)]
pub struct KvCache {
    layers: Vec<Option<LayerCache>>,
    positions: usize,
    most_positions: usize,
}

impl KvCache {
    /// An empty cache of that many layers, which will never hold more than `most_positions`.
    pub fn new(layers: usize, most_positions: usize) -> Self {
        Self { layers: (0..layers).map(|_| None).collect(), positions: 0, most_positions }
    }

    /// Positions that are complete in every layer.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Writes keys and values `[rows, heads, t, head_size]` of the t positions after the complete ones, and returns
    /// those of all positions up to them, `[rows, heads, positions + t, head_size]`.
    ///
    /// The new positions do not count until [`KvCache::commit`], so a step that fails half-way leaves no trace.
    ///
    /// Errors: no such layer, tensors of another shape, memory that lacks.
    pub fn write(&mut self, layer: usize, keys: &Tensor, values: &Tensor) -> Result<(Tensor, Tensor)> {
        let end = self.positions + keys.dim(POSITION_AXIS)?;
        let (positions, most) = (self.positions, self.most_positions);
        let Some(slot) = self.layers.get_mut(layer) else {
            candle_core::bail!("layer {layer} of a cache without it")
        };
        let grown = match slot.take() {
            Some(cache) if cache.keys.dim(POSITION_AXIS)? >= end => cache,
            old => LayerCache {
                keys: grown(old.as_ref().map(|old| &old.keys), keys, positions, end, most)?,
                values: grown(old.as_ref().map(|old| &old.values), values, positions, end, most)?,
            },
        };
        let cache = slot.insert(grown);
        cache.keys.slice_set(&keys.contiguous()?, POSITION_AXIS, positions)?;
        cache.values.slice_set(&values.contiguous()?, POSITION_AXIS, positions)?;
        Ok((cache.keys.narrow(POSITION_AXIS, 0, end)?, cache.values.narrow(POSITION_AXIS, 0, end)?))
    }

    /// Counts `positions` more as complete, after every layer has written them.
    pub fn commit(&mut self, positions: usize) {
        self.positions += positions;
    }

    /// Forgets every position from `positions` on. What is forgotten is overwritten later and never read.
    pub fn truncate(&mut self, positions: usize) {
        self.positions = self.positions.min(positions);
    }

    /// A copy that shares nothing with this cache.
    ///
    /// Errors: the tensor library cannot copy, for want of memory.
    pub fn fork(&self) -> Result<Self> {
        let copy = |layer: &Option<LayerCache>| match layer {
            None => Ok(None),
            Some(cache) => Ok(Some(LayerCache { keys: cache.keys.copy()?, values: cache.values.copy()? })),
        };
        Ok(Self { layers: self.layers.iter().map(copy).collect::<Result<_>>()?, ..*self })
    }

    /// Bytes of the complete positions, and bytes allocated.
    pub fn bytes(&self) -> KvBytes {
        let mut bytes = KvBytes::default();
        for tensor in self.layers.iter().flatten().flat_map(|layer| [&layer.keys, &layer.values]) {
            let reserved = tensor.elem_count() * tensor.dtype().size_in_bytes();
            bytes.reserved += reserved;
            let capacity = tensor.dim(POSITION_AXIS).unwrap_or(0).max(1);
            bytes.used += reserved / capacity * self.positions;
        }
        bytes
    }
}

/// Zeros for at least `end` positions, with the complete positions of `old` in front.
fn grown(old: Option<&Tensor>, like: &Tensor, positions: usize, end: usize, most: usize) -> Result<Tensor> {
    let (rows, heads, _, head_size) = like.dims4()?;
    let mut capacity = match old {
        Some(old) => old.dim(POSITION_AXIS)?.max(FIRST_POSITIONS),
        None => FIRST_POSITIONS,
    };
    while capacity < end {
        capacity = capacity.saturating_mul(2);
    }
    let capacity = capacity.min(most).max(end);
    let tensor = Tensor::zeros((rows, heads, capacity, head_size), DType::F32, &Device::Cpu)?;
    if let Some(old) = old.filter(|_| positions > 0) {
        tensor.slice_set(&old.narrow(POSITION_AXIS, 0, positions)?.contiguous()?, POSITION_AXIS, 0)?;
    }
    Ok(tensor)
}
