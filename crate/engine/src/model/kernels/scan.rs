//! Passes over all logits that find the few that matter: is every one finite, which is the largest, which lie in a band.
//!
//! The passes share one summary, the lane maxima: the logits are read in groups of [`GROUP`], four lanes side by side,
//! and of each lane of each group the largest value is kept. Most groups hold nothing that a later pass wants, and the
//! summary says so. It is also a sure bound: at least k logits are no less than the k-th largest of the maxima, since
//! each maximum is another logit.

/// Logits of a group: four lanes of eight.
pub const GROUP: usize = 32;

/// Whether no value is infinite or NaN.
pub fn all_finite(values: &[f32]) -> bool {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::all_finite(values);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable::all_finite(values)
}

/// Whether both have the same bits; soon answered where they differ early.
pub fn same_bits(one: &[f32], other: &[f32]) -> bool {
    // Groups without an exit inside are compared with SIMD by the compiler.
    let same =
        |a: &[f32], b: &[f32]| a.iter().zip(b).fold(0, |d, (a, b)| d | (a.to_bits() ^ b.to_bits())) == 0;
    one.len() == other.len() && one.chunks(GROUP).zip(other.chunks(GROUP)).all(|(a, b)| same(a, b))
}

/// Writes the largest value of each lane of each group, shape `[groups, 4]`: value `i` is in group `i / 32` and lane
/// `i % 4`. A lane without a value has negative infinity. No value may be NaN.
pub fn lane_maxima(values: &[f32], maxima: &mut Vec<[f32; 4]>) {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::lane_maxima(values, maxima);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable::lane_maxima(values, maxima)
}

/// The largest value; none where there are no values. No value may be NaN.
pub fn largest(values: &[f32]) -> Option<f32> {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    let lanes = wasm::largest_of_lanes(values);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    let lanes = portable::largest_of_lanes(values);
    (!values.is_empty()).then(|| largest_of(&lanes))
}

fn largest_of(values: &[f32]) -> f32 {
    values.iter().fold(f32::NEG_INFINITY, |found, value| if found < *value { *value } else { found })
}

/// Index of the first of the largest values; none where there are no values. `maxima` are theirs.
pub fn first_largest(values: &[f32], maxima: &[[f32; 4]]) -> Option<usize> {
    let top = largest(maxima.as_flattened())?;
    let group = maxima.iter().position(|lanes| lanes.contains(&top))?;
    let first = group * GROUP;
    let offset = values.get(first..)?.iter().position(|value| *value == top)?;
    Some(first + offset)
}

/// Calls `keep` with index and value of each value from `least` to below `end`, in order of index. `maxima` are those of
/// the values; nothing of a group whose maxima are all below `least` is looked at.
pub fn for_each_in_band(
    values: &[f32],
    maxima: &[[f32; 4]],
    least: f32,
    end: f32,
    keep: impl FnMut(u32, f32),
) {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::for_each_in_band(values, maxima, least, end, keep);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    portable::for_each_in_band(values, maxima, least, end, keep)
}

/// How many values stand before value `index` in descending order, ties by index; none where there is no such value.
pub fn rank_of(values: &[f32], index: usize) -> Option<usize> {
    let value = *values.get(index)?;
    let (before, after) = values.split_at(index);
    // Two loops without a branch inside, which the compiler turns into SIMD: ties count before the index only.
    let ties_and_larger: u32 = before.iter().map(|other| u32::from(*other >= value)).sum();
    let larger: u32 = after.iter().map(|other| u32::from(*other > value)).sum();
    Some(ties_and_larger as usize + larger as usize)
}

/// The kernels in portable code, which fixes what they return.
pub mod portable {
    use super::GROUP;

    /// See [`super::all_finite`].
    pub fn all_finite(values: &[f32]) -> bool {
        // Without an early exit, so that the compiler can use SIMD.
        values.iter().fold(true, |all, value| all & value.is_finite())
    }

    /// See [`super::lane_maxima`].
    pub fn lane_maxima(values: &[f32], maxima: &mut Vec<[f32; 4]>) {
        maxima.clear();
        maxima.extend(values.chunks(GROUP).map(largest_of_lanes));
    }

    /// The largest value of each lane: value `i` is in lane `i % 4`. A lane without a value has negative infinity.
    pub fn largest_of_lanes(values: &[f32]) -> [f32; 4] {
        let mut largest = [f32::NEG_INFINITY; 4];
        for row in values.chunks(4) {
            for (largest, value) in largest.iter_mut().zip(row) {
                if *largest < *value {
                    *largest = *value;
                }
            }
        }
        largest
    }

    /// See [`super::for_each_in_band`].
    pub fn for_each_in_band(
        values: &[f32],
        maxima: &[[f32; 4]],
        least: f32,
        end: f32,
        mut keep: impl FnMut(u32, f32),
    ) {
        for (first, (group, lanes)) in (0u32..).step_by(GROUP).zip(values.chunks(GROUP).zip(maxima)) {
            if lanes.iter().any(|largest| *largest >= least) {
                keep_band_of_group(first, group, least, end, &mut keep);
            }
        }
    }

    pub(super) fn keep_band_of_group(
        first: u32,
        group: &[f32],
        least: f32,
        end: f32,
        keep: &mut impl FnMut(u32, f32),
    ) {
        for (index, value) in (first..).zip(group) {
            if *value >= least && *value < end {
                keep(index, *value);
            }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
