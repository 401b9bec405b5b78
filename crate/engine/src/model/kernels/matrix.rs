//! A weight matrix in the numbers that it is stored in, and its product with one or several inputs.
//!
//! Products are exact in the sense that every kernel computes what f32 weights of the same values would give, bit by
//! bit: see `products` for the order of each sum.

use std::sync::Arc;

use super::int8::{self, Int8Rows};
use super::integer_inputs;
use super::lanes::{LANES, Lanes};
use super::products::{
    BLOCK, Bf16, F16, F32, InputTile, LiftedF16, Stored, TILE_INPUTS, TILE_ROWS, WeightTile, four_rows,
    four_rows_by_two, widen,
};
use super::q4::{self, Q4Rows};
use crate::checkpoint::{NumberFormat, TensorData};
use crate::precision::Precision;

/// Inputs from here on could overflow when the scale of lifted f16 is folded into them: 2^26 * 2^102 is infinite.
const MOST_SCALED_INPUT: f32 = 67_108_864.0;

/// `[rows, columns]`, rows = output features, columns = input features.
#[derive(Debug, Clone)]
pub struct WeightMatrix {
    rows: usize,
    columns: usize,
    storage: Storage,
}

#[derive(Debug, Clone)]
enum Storage {
    /// Numbers as a file stores them, shared with the checkpoint.
    Numbers(Arc<TensorData>),
    /// Codes and a scale for each row.
    Int8(Int8Rows),
    /// Codes and a scale for each group of a row.
    Q4(Q4Rows),
}

/// Buffers of a product, kept between products.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// One input, `[blocks of columns]`.
    input: Vec<[f32; BLOCK]>,
    /// Inputs that are computed together side by side, `[n / 2, blocks of columns]`.
    inputs: Vec<InputTile>,
    /// Four widened rows of weights, `[blocks of columns]`.
    tiles: Vec<WeightTile>,
    /// Inputs as whole numbers, for quantised weights.
    integers: integer_inputs::Scratch,
}

impl Scratch {
    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        self.input.capacity() * size_of::<[f32; BLOCK]>()
            + self.inputs.capacity() * size_of::<InputTile>()
            + self.tiles.capacity() * size_of::<WeightTile>()
            + self.integers.bytes()
    }
}

impl WeightMatrix {
    /// `numbers` holds `rows * columns` numbers, row-major.
    pub fn new(rows: usize, columns: usize, numbers: Arc<TensorData>) -> Self {
        Self { rows, columns, storage: Storage::Numbers(numbers) }
    }

    /// `weights` `[rows, columns]` in INT8 or Q4; in any other precision as they are.
    pub fn quantised(rows: usize, columns: usize, weights: Vec<f32>, precision: Precision) -> Self {
        let storage = match precision {
            Precision::Int8 => Storage::Int8(int8::quantise(&weights, columns)),
            Precision::Q4 => Storage::Q4(q4::quantise(&weights, columns)),
            _ => Storage::Numbers(Arc::new(TensorData::F32(weights))),
        };
        Self { rows, columns, storage }
    }

    /// Output features.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Input features.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Lends the stored numbers, or the codes and then the scales.
    pub fn with_bytes(&self, see: &mut dyn FnMut(&[u8])) {
        match &self.storage {
            Storage::Numbers(numbers) => see(numbers.as_bytes()),
            Storage::Int8(rows) => {
                see(bytemuck::cast_slice(&rows.codes));
                see(bytemuck::cast_slice(&rows.scales));
            }
            Storage::Q4(rows) => {
                see(&rows.codes);
                see(bytemuck::cast_slice(&rows.scales));
            }
        }
    }

    /// Bytes of the stored numbers, scales included.
    pub fn bytes(&self) -> usize {
        match &self.storage {
            Storage::Numbers(numbers) => numbers.bytes(),
            Storage::Int8(rows) => rows.stored_bytes(),
            Storage::Q4(rows) => rows.stored_bytes(),
        }
    }

    /// One row, widened exactly, to `out [columns]`. Leaves `out` as it is when there is no such row.
    pub fn row(&self, index: usize, out: &mut [f32]) {
        match &self.storage {
            Storage::Numbers(numbers) => {
                let format = numbers.format();
                let row_bytes = (self.columns * format.size()).max(1);
                if let Some(row) = numbers.as_bytes().chunks_exact(row_bytes).nth(index) {
                    format.widen(row, out);
                }
            }
            Storage::Int8(rows) => int8::dequantise_row(rows, self.columns, index, out),
            Storage::Q4(rows) => q4::dequantise_row(rows, self.columns, index, out),
        }
    }

    /// `inputs [n, columns]` to `outputs [n, rows]`.
    pub fn multiply(&self, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
        #[cfg(not(all(feature = "relaxed-simd", target_arch = "wasm32")))]
        self.multiply_on::<super::lanes::Fastest>(inputs, outputs, scratch);
        #[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
        self.multiply_relaxed(inputs, outputs, scratch);
    }

    /// [`WeightMatrix::multiply`] with relaxed multiply-add.
    #[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
    #[target_feature(enable = "relaxed-simd")]
    fn multiply_relaxed(&self, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
        self.multiply_on::<super::lanes::Relaxed>(inputs, outputs, scratch);
    }

    /// [`WeightMatrix::multiply`] on a given kind of lanes.
    #[inline(always)]
    pub fn multiply_on<L: Lanes>(&self, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
        match &self.storage {
            Storage::Numbers(numbers) => {
                Numbers { rows: self.rows, columns: self.columns, numbers }
                    .multiply::<L>(inputs, outputs, scratch);
            }
            Storage::Int8(rows) => int8::multiply(rows, self.columns, inputs, outputs, &mut scratch.integers),
            Storage::Q4(rows) => q4::multiply(rows, self.columns, inputs, outputs, &mut scratch.integers),
        }
    }
}

/// A matrix of numbers as a file stores them.
struct Numbers<'a> {
    rows: usize,
    columns: usize,
    numbers: &'a TensorData,
}

impl Numbers<'_> {
    #[inline(always)]
    fn multiply<L: Lanes>(&self, inputs: &[f32], outputs: &mut [f32], scratch: &mut Scratch) {
        let one = inputs.len() == self.columns;
        match self.numbers.format() {
            NumberFormat::F32 if one => self.multiply_one::<L, F32>(inputs, outputs, scratch),
            NumberFormat::Bf16 if one => self.multiply_one::<L, Bf16>(inputs, outputs, scratch),
            NumberFormat::LiftedF16 if one && can_be_scaled(inputs) => {
                self.multiply_one::<L, LiftedF16>(inputs, outputs, scratch);
            }
            NumberFormat::F32 => self.multiply_several::<L, F32>(inputs, outputs, scratch),
            NumberFormat::Bf16 => self.multiply_several::<L, Bf16>(inputs, outputs, scratch),
            NumberFormat::LiftedF16 => self.multiply_several::<L, LiftedF16>(inputs, outputs, scratch),
            NumberFormat::F16 => self.multiply_several::<L, F16>(inputs, outputs, scratch),
        }
    }

    fn row_bytes(&self) -> usize {
        (self.columns * self.numbers.format().size()).max(1)
    }

    #[inline(always)]
    fn multiply_one<L: Lanes, S: Stored>(
        &self,
        input: &[f32],
        outputs: &mut [f32],
        Scratch { input: blocks, .. }: &mut Scratch,
    ) {
        blocks.clear();
        blocks.extend(steps_of(input).map(|[even, odd]| {
            let [[a, b, c, d], [e, f, g, h]] = [even, odd];
            [a, b, c, d, e, f, g, h].map(|x| x * S::SCALE)
        }));
        let row_bytes = self.row_bytes();
        let (fours, rest) = outputs.as_chunks_mut::<LANES>();
        let mut groups = self.numbers.as_bytes().chunks_exact(TILE_ROWS * row_bytes);
        for (rows, out) in groups.by_ref().zip(fours) {
            four_rows::<L, S>(four(rows, row_bytes), blocks).store(out);
        }
        four_rows::<L, S>(four(groups.remainder(), row_bytes), blocks).store_some(rest);
    }

    /// Weights are widened once, four rows at a time, and stay in the nearest cache while all inputs pass.
    #[inline(always)]
    fn multiply_several<L: Lanes, S: Stored>(
        &self,
        inputs: &[f32],
        outputs: &mut [f32],
        Scratch { inputs: input_tiles, tiles, .. }: &mut Scratch,
    ) {
        let blocks = self.columns.div_ceil(BLOCK);
        fill(input_tiles, inputs, self.columns);
        // Every block of every row is written below, the zeros behind its end included.
        tiles.resize(blocks, WeightTile::default());
        let row_bytes = self.row_bytes();
        for (group, rows) in self.numbers.as_bytes().chunks(TILE_ROWS * row_bytes).enumerate() {
            widen::<L, S>(four(rows, row_bytes), tiles);
            let first_row = group * TILE_ROWS;
            let mut outputs = outputs.chunks_exact_mut(self.rows.max(1));
            for pair in input_tiles.chunks_exact(blocks.max(1)) {
                for sums in four_rows_by_two::<L>(tiles, pair) {
                    // An odd number of inputs leaves the last pair half empty.
                    if let Some(out) = outputs.next().and_then(|row| row.get_mut(first_row..)) {
                        match out.first_chunk_mut() {
                            Some(out) => sums.store(out),
                            None => sums.store_some(out),
                        }
                    }
                }
            }
        }
    }
}

/// The rows of a group of at most four. Absent ones are filled with another, and their products are not wanted.
#[inline(always)]
fn four(rows: &[u8], row_bytes: usize) -> [&[u8]; TILE_ROWS] {
    let mut four = rows.chunks_exact(row_bytes);
    let first = four.next().unwrap_or_default();
    let mut next = || four.next().unwrap_or(first);
    [first, next(), next(), next()]
}

fn can_be_scaled(inputs: &[f32]) -> bool {
    // Not `all`: without an early end the comparisons are made four at a time.
    inputs.iter().fold(true, |all, x| all & (x.abs() < MOST_SCALED_INPUT))
}

/// `inputs [n, columns]` to tiles of two inputs, filled up with zeros.
fn fill(tiles: &mut Vec<InputTile>, inputs: &[f32], columns: usize) {
    let (blocks, columns) = (columns.div_ceil(BLOCK).max(1), columns.max(1));
    tiles.resize((inputs.len() / columns).div_ceil(TILE_INPUTS) * blocks, InputTile::default());
    for (tiles, rows) in tiles.chunks_exact_mut(blocks).zip(inputs.chunks(TILE_INPUTS * columns)) {
        for (index, row) in rows.chunks_exact(columns).enumerate() {
            for (tile, steps) in tiles.iter_mut().zip(steps_of(row)) {
                for (to, step) in tile.iter_mut().zip(steps) {
                    to[index] = step;
                }
            }
        }
    }
}

/// An input `[columns]` block by block: its even columns and its odd ones, with zeros behind the last.
fn steps_of(input: &[f32]) -> impl Iterator<Item = [[f32; LANES]; BLOCK / LANES]> {
    let (whole, rest) = input.as_chunks::<BLOCK>();
    let last = (!rest.is_empty()).then(|| {
        let mut block = [0.0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        block
    });
    whole.iter().copied().chain(last).map(|[a, b, c, d, e, f, g, h]| [[a, c, e, g], [b, d, f, h]])
}
