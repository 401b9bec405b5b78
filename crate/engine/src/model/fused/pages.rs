//! The KV cache of the fused kernel: pages of 64 positions, shared by reference and copied when one owner writes.
//!
//! So a fork costs nothing until it goes its own way, and then the one page in which it does. A page holds all layers:
//! a layer's keys, transposed within groups of 32 positions, and its values, row by row, as
//! [`crate::model::kernels::attention`] reads them.

use std::sync::Arc;

use crate::config::ModelConfig;
use crate::model::forward::KvBytes;
use crate::model::kernels::attention::{GROUP_POSITIONS, KeyGroup, PAGE_POSITIONS, ValueVector};
use crate::model::kernels::lanes::LANES;

const GROUPS: usize = PAGE_POSITIONS / GROUP_POSITIONS;

#[derive(Debug, Clone, Copy)]
struct Shape {
    layers: usize,
    /// a
    heads: usize,
    /// d
    head_size: usize,
    /// Vectors of one value: d / 4, rounded up.
    vectors: usize,
}

impl Shape {
    fn keys(self) -> usize {
        self.heads * GROUPS * self.head_size
    }

    fn values(self) -> usize {
        self.heads * PAGE_POSITIONS * self.vectors
    }
}

/// Keys and values of 64 positions in every layer.
#[derive(Debug, Clone)]
struct Page {
    /// `[layers, a, 2, d]` groups of 32 positions.
    keys: Vec<KeyGroup>,
    /// `[layers, a, 64, d / 4]` vectors.
    values: Vec<ValueVector>,
}

/// Keys and values of a sequence, addressed by absolute position.
#[derive(Debug, Clone)]
pub(super) struct Pages {
    shape: Shape,
    pages: Vec<Arc<Page>>,
    positions: usize,
}

impl Pages {
    pub(super) fn new(config: &ModelConfig) -> Self {
        let shape = Shape {
            layers: config.num_hidden_layers,
            heads: config.num_attention_heads,
            head_size: config.head_size(),
            vectors: config.head_size().div_ceil(LANES),
        };
        Self { shape, pages: Vec::new(), positions: 0 }
    }

    /// Positions that are complete in every layer.
    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// Makes room for `positions` more.
    pub(super) fn reserve(&mut self, positions: usize) {
        let shape = self.shape;
        let pages = (self.positions + positions).div_ceil(PAGE_POSITIONS);
        while self.pages.len() < pages {
            self.pages.push(Arc::new(Page {
                keys: vec![[[0.0; LANES]; GROUP_POSITIONS / LANES]; shape.layers * shape.keys()],
                values: vec![[0.0; LANES]; shape.layers * shape.values()],
            }));
        }
    }

    /// Counts `positions` more as complete, after every layer has written them.
    pub(super) fn commit(&mut self, positions: usize) {
        self.positions += positions;
    }

    /// Forgets every position from `positions` on. What is forgotten is overwritten later and never read.
    pub(super) fn truncate(&mut self, positions: usize) {
        self.positions = self.positions.min(positions);
    }

    /// Writes key and value `[d]` of one head at a position that [`Pages::reserve`] made room for.
    pub(super) fn write(&mut self, layer: usize, head: usize, position: usize, key: &[f32], value: &[f32]) {
        let shape = self.shape;
        let Some(page) = self.pages.get_mut(position / PAGE_POSITIONS) else { return };
        let page = Arc::make_mut(page);
        let position = position % PAGE_POSITIONS;
        let slot = layer * shape.heads + head;
        let (group, lane) = (position / GROUP_POSITIONS, position % GROUP_POSITIONS);
        let keys = page.keys.iter_mut().skip((slot * GROUPS + group) * shape.head_size);
        for (to, from) in keys.zip(key) {
            to.as_flattened_mut()[lane] = *from;
        }
        let values = page.values.iter_mut().skip((slot * PAGE_POSITIONS + position) * shape.vectors);
        for (to, from) in values.zip(value.chunks(LANES)) {
            for (to, from) in to.iter_mut().zip(from) {
                *to = *from;
            }
        }
    }

    /// Of one head, page by page in the order of positions: keys `[2, d]` groups and values `[64, d / 4]` vectors.
    pub(super) fn of_head(
        &self,
        layer: usize,
        head: usize,
    ) -> impl Iterator<Item = (&[KeyGroup], &[ValueVector])> {
        let (keys, values) = (GROUPS * self.shape.head_size, PAGE_POSITIONS * self.shape.vectors);
        let slot = layer * self.shape.heads + head;
        self.pages.iter().filter_map(move |page| {
            let keys = page.keys.get(slot * keys..(slot + 1) * keys)?;
            Some((keys, page.values.get(slot * values..(slot + 1) * values)?))
        })
    }

    /// Bytes of the complete positions, and bytes allocated. A page that is shared counts for each that shares it.
    pub(super) fn bytes(&self) -> KvBytes {
        let shape = self.shape;
        let a_position = shape.layers * 2 * shape.heads * shape.head_size * size_of::<f32>();
        let a_page =
            shape.layers * (shape.keys() * size_of::<KeyGroup>() + shape.values() * size_of::<ValueVector>());
        KvBytes { used: self.positions * a_position, reserved: self.pages.len() * a_page }
    }
}
