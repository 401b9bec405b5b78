//! The KV cache of the fused kernel: pages of 64 positions, shared by reference and copied when one owner writes.
//!
//! So a fork costs nothing until it goes its own way, and then the one page in which it does. A page holds all layers:
//! a layer's keys, transposed within groups of 32 positions, and its values, row by row, as
//! [`crate::model::kernels::attention`] reads them. An F16 cache holds the same in half the bytes, and widens a head's
//! part of a page when it is read.

use std::sync::Arc;

use crate::config::ModelConfig;
use crate::model::forward::KvBytes;
use crate::model::kernels::attention::{GROUP_POSITIONS, KeyGroup, PAGE_POSITIONS, ValueVector};
use crate::model::kernels::half;
use crate::model::kernels::lanes::LANES;
use crate::precision::CachePrecision;

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
    /// Groups of keys of one head.
    fn keys(self) -> usize {
        GROUPS * self.head_size
    }

    /// Vectors of values of one head.
    fn values(self) -> usize {
        PAGE_POSITIONS * self.vectors
    }
}

/// [`KeyGroup`] in any number.
type Group<T> = [[T; LANES]; GROUP_POSITIONS / LANES];

/// One head's part of a page: keys `[2, d]` groups of 32 positions and values `[64, d / 4]` vectors.
type HeadPart<'a, T> = (&'a [Group<T>], &'a [[T; LANES]]);

/// Keys and values of 64 positions in every layer.
#[derive(Debug, Clone)]
struct Page<T> {
    /// `[layers, a, 2, d]` groups of 32 positions.
    keys: Vec<Group<T>>,
    /// `[layers, a, 64, d / 4]` vectors.
    values: Vec<[T; LANES]>,
}

impl<T: Copy + Default> Page<T> {
    fn empty(shape: Shape) -> Arc<Self> {
        let (slots, zero) = (shape.layers * shape.heads, T::default());
        Arc::new(Self {
            keys: vec![[[zero; LANES]; GROUP_POSITIONS / LANES]; slots * shape.keys()],
            values: vec![[zero; LANES]; slots * shape.values()],
        })
    }

    fn bytes(shape: Shape) -> usize {
        let head = shape.keys() * size_of::<Group<T>>() + shape.values() * size_of::<[T; LANES]>();
        shape.layers * shape.heads * head
    }

    /// Writes key and value `[d]` of one head of one layer at a position of the page.
    fn write(
        &mut self,
        shape: Shape,
        slot: usize,
        position: usize,
        (key, value): (&[f32], &[f32]),
        convert: impl Fn(f32) -> T,
    ) {
        let (group, lane) = (position / GROUP_POSITIONS, position % GROUP_POSITIONS);
        let keys = self.keys.iter_mut().skip((slot * GROUPS + group) * shape.head_size);
        for (to, from) in keys.zip(key) {
            to.as_flattened_mut()[lane] = convert(*from);
        }
        let values = self.values.iter_mut().skip((slot * PAGE_POSITIONS + position) * shape.vectors);
        for (to, from) in values.zip(value.chunks(LANES)) {
            for (to, from) in to.iter_mut().zip(from) {
                *to = convert(*from);
            }
        }
    }

    /// One head of one layer.
    fn of_head(&self, shape: Shape, slot: usize) -> Option<HeadPart<'_, T>> {
        let (keys, values) = (shape.keys(), shape.values());
        Some((
            self.keys.get(slot * keys..(slot + 1) * keys)?,
            self.values.get(slot * values..(slot + 1) * values)?,
        ))
    }
}

/// One head's part of a page of an F16 cache, widened: keys `[2, d]` groups, values `[64, d / 4]` vectors.
#[derive(Debug, Default)]
pub(super) struct Widened {
    keys: Vec<KeyGroup>,
    values: Vec<ValueVector>,
}

impl Widened {
    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<KeyGroup>() + self.values.capacity() * size_of::<ValueVector>()
    }

    /// The first `count` positions; keys by whole groups. What lies behind is whatever was there before.
    fn fill(&mut self, shape: Shape, (keys, values): HeadPart<'_, u16>, count: usize) -> HeadPart<'_, f32> {
        self.keys.resize(keys.len(), KeyGroup::default());
        self.values.resize(values.len(), ValueVector::default());
        let groups = count.div_ceil(GROUP_POSITIONS) * shape.head_size;
        let keys = keys.get(..groups).unwrap_or(keys).as_flattened().as_flattened();
        let values = values.get(..count * shape.vectors).unwrap_or(values).as_flattened();
        half::widen(keys, self.keys.as_flattened_mut().as_flattened_mut());
        half::widen(values, self.values.as_flattened_mut());
        (&self.keys, &self.values)
    }
}

#[derive(Debug, Clone)]
enum Stored {
    F32(Vec<Arc<Page<f32>>>),
    F16(Vec<Arc<Page<u16>>>),
}

/// Keys and values of a sequence, addressed by absolute position.
#[derive(Debug, Clone)]
pub(super) struct Pages {
    shape: Shape,
    stored: Stored,
    positions: usize,
}

impl Pages {
    pub(super) fn new(config: &ModelConfig, precision: CachePrecision) -> Self {
        let shape = Shape {
            layers: config.num_hidden_layers,
            heads: config.num_attention_heads,
            head_size: config.head_size(),
            vectors: config.head_size().div_ceil(LANES),
        };
        let stored = match precision {
            CachePrecision::F32 => Stored::F32(Vec::new()),
            CachePrecision::F16 => Stored::F16(Vec::new()),
        };
        Self { shape, stored, positions: 0 }
    }

    /// How keys and values are kept.
    pub(super) fn precision(&self) -> CachePrecision {
        match self.stored {
            Stored::F32(_) => CachePrecision::F32,
            Stored::F16(_) => CachePrecision::F16,
        }
    }

    /// Positions that are complete in every layer.
    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// Makes room for `positions` more.
    pub(super) fn reserve(&mut self, positions: usize) {
        let shape = self.shape;
        let wanted = (self.positions + positions).div_ceil(PAGE_POSITIONS);
        // Pages that a cut left over stay, and are used again.
        match &mut self.stored {
            Stored::F32(pages) => pages.resize_with(wanted.max(pages.len()), || Page::empty(shape)),
            Stored::F16(pages) => pages.resize_with(wanted.max(pages.len()), || Page::empty(shape)),
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
        let (shape, slot) = (self.shape, layer * self.shape.heads + head);
        let (page, position) = (position / PAGE_POSITIONS, position % PAGE_POSITIONS);
        match &mut self.stored {
            Stored::F32(pages) => {
                let Some(page) = pages.get_mut(page) else { return };
                Arc::make_mut(page).write(shape, slot, position, (key, value), |number| number);
            }
            Stored::F16(pages) => {
                let Some(page) = pages.get_mut(page) else { return };
                Arc::make_mut(page).write(shape, slot, position, (key, value), half::to_f16);
            }
        }
    }

    /// One head's part of one page, of which the first `count` positions are wanted. An F16 cache widens these into
    /// `widened`.
    pub(super) fn of_head<'a>(
        &'a self,
        layer: usize,
        head: usize,
        page: usize,
        count: usize,
        widened: &'a mut Widened,
    ) -> Option<HeadPart<'a, f32>> {
        let slot = layer * self.shape.heads + head;
        match &self.stored {
            Stored::F32(pages) => pages.get(page)?.of_head(self.shape, slot),
            Stored::F16(pages) => {
                let narrow = pages.get(page)?.of_head(self.shape, slot)?;
                Some(widened.fill(self.shape, narrow, count))
            }
        }
    }

    /// Bytes of the complete positions, and bytes allocated. A page that is shared counts for each that shares it.
    pub(super) fn bytes(&self) -> KvBytes {
        let shape = self.shape;
        let numbers = self.positions * shape.layers * 2 * shape.heads * shape.head_size;
        match &self.stored {
            Stored::F32(pages) => KvBytes {
                used: numbers * size_of::<f32>(),
                reserved: pages.len() * Page::<f32>::bytes(shape),
            },
            Stored::F16(pages) => KvBytes {
                used: numbers * size_of::<u16>(),
                reserved: pages.len() * Page::<u16>::bytes(shape),
            },
        }
    }
}
