//! What stood in which row and column of a padded batch, from the moment it was put together.

use std::ops::Range;

use super::BatchText;
use crate::model::batch::{PaddedBatch, sees};

/// What a place of a batch holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Nothing of the request.
    Padding,
    /// A token of the prompt.
    Prompt,
    /// A token that was made, read to make the next.
    New,
    /// Computed although the request was finished.
    Finished,
}

/// One row of a [`Layout`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutRow {
    /// Whose it is, by the request's place among those given.
    pub request: usize,
    /// Padding columns.
    pub padding: Range<usize>,
    /// New tokens among the columns that the batch began with.
    pub known: usize,
    /// Columns after those in which the request was still running.
    pub ran: usize,
}

/// A batch from its beginning, or from the last time it was put together anew, to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Columns that it began with.
    pub start_columns: usize,
    /// Whether those were computed before and copied, and not run as one prompt.
    pub carried: bool,
    /// The rows from the top.
    pub rows: Vec<LayoutRow>,
    /// Columns that came after, one a step.
    pub steps: usize,
}

impl Layout {
    pub(super) fn new(
        batch: &PaddedBatch,
        start_columns: usize,
        rows: &[usize],
        texts: &[BatchText],
        carried: bool,
    ) -> Self {
        // The newest token of a request is picked but not run yet.
        let known =
            |request: usize| texts.get(request).map_or(0, |text| text.new_ids.len().saturating_sub(1));
        let rows = rows
            .iter()
            .zip(batch.padding())
            .map(|(&request, padding)| LayoutRow {
                request,
                padding: padding.clone(),
                known: known(request),
                ran: 0,
            })
            .collect();
        Self { start_columns, carried, rows, steps: 0 }
    }

    /// One more column, in which the rows with an id were running.
    pub(super) fn step(&mut self, ids: &[Option<u32>]) {
        self.steps += 1;
        for (row, id) in self.rows.iter_mut().zip(ids) {
            row.ran += usize::from(id.is_some());
        }
    }

    /// A row's cells, one for each column.
    pub fn cells(&self, row: &LayoutRow) -> Vec<Cell> {
        let real = self.start_columns - row.padding.len().min(self.start_columns);
        let mut seen = 0;
        let start = (0..self.start_columns).map(|column| {
            if row.padding.contains(&column) {
                return Cell::Padding;
            }
            seen += 1;
            if seen > real.saturating_sub(row.known) { Cell::New } else { Cell::Prompt }
        });
        let mut cells: Vec<Cell> = start.collect();
        cells.extend((0..self.steps).map(|step| if step < row.ran { Cell::New } else { Cell::Finished }));
        cells
    }

    /// The attention mask of a row over its first columns, `[n, n]` with n at most `most`, row-major: whether the query of
    /// that column sees the key of that one.
    pub fn mask(&self, row: &LayoutRow, most: usize) -> Vec<bool> {
        let n = self.start_columns.min(most);
        (0..n)
            .flat_map(|query| (0..n).map(move |key| (query, key)))
            .map(|(q, k)| sees(&row.padding, q, k))
            .collect()
    }
}
