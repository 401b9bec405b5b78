//! How many bytes and scales a row of Q4 has; what they mean stands in [`crate::model::kernels::q4`].

/// Weights that share a scale.
pub const GROUP: usize = 64;

/// Groups, and so scales, of a row.
pub const fn groups(columns: usize) -> usize {
    columns.div_ceil(GROUP)
}

/// Bytes of a row's codes.
pub const fn row_bytes(columns: usize) -> usize {
    columns / GROUP * (GROUP / 2) + (columns % GROUP).div_ceil(2)
}
