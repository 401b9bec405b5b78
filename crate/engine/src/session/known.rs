//! What is kept of each position that has been computed, so that its prediction can be looked at later.

use crate::error::Result;
use crate::model::Forward;

/// A row of `hidden_size` numbers for each position: its final hidden state, or what [`Forward::finish`] makes that of.
///
/// A prefill leaves most rows open, because few are ever looked at; one that is looked at stays finished.
#[derive(Debug)]
pub(super) struct Known {
    hidden_size: usize,
    /// `[positions, hidden_size]`
    rows: Vec<f32>,
    /// Which positions are open.
    open: Vec<bool>,
}

impl Known {
    pub(super) fn new(hidden_size: usize) -> Self {
        Self { hidden_size, rows: Vec::new(), open: Vec::new() }
    }

    pub(super) fn positions(&self) -> usize {
        self.open.len()
    }

    /// Forgets every position from `positions` on.
    pub(super) fn truncate(&mut self, positions: usize) {
        self.open.truncate(positions);
        self.rows.truncate(self.open.len() * self.hidden_size);
    }

    /// Takes what [`Forward::prefill`] returned for the positions from `first` on. Those that are known stay as they are.
    pub(super) fn append_prefilled(&mut self, first: usize, rows: &[f32]) {
        self.append(first, rows, true);
    }

    /// Takes what [`Forward::extend`] returned for the positions from `first` on. Those that are known stay as they are.
    pub(super) fn append_final(&mut self, first: usize, rows: &[f32]) {
        self.append(first, rows, false);
    }

    fn append(&mut self, first: usize, rows: &[f32], open: bool) {
        let new = rows.chunks_exact(self.hidden_size).skip(self.positions() - first);
        let newest = new.len().saturating_sub(1);
        for (index, row) in new.enumerate() {
            self.rows.extend_from_slice(row);
            // The last row of a prefill is final.
            self.open.push(open && index < newest);
        }
    }

    /// The final hidden states of the positions, which `model` has in its cache where they are open; `None` where one is not
    /// known.
    ///
    /// Errors as [`Forward::finish`].
    pub(super) fn hidden(
        &mut self,
        model: &mut dyn Forward,
        positions: std::ops::Range<usize>,
    ) -> Result<Option<&[f32]>> {
        let h = self.hidden_size;
        let Some(open) = self.open.get_mut(positions.clone()) else { return Ok(None) };
        let mut first = positions.start;
        for run in open.chunk_by_mut(|a, b| a == b) {
            let end = first + run.len();
            if run.first() == Some(&true) {
                model.finish(first, self.rows.get_mut(first * h..end * h).unwrap_or_default())?;
                run.fill(false);
            }
            first = end;
        }
        Ok(self.rows.get(positions.start * h..positions.end * h))
    }

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<f32>() + self.open.capacity()
    }
}
