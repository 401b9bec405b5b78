//! A handful of measured values in short: their median and how far they spread.

/// Median, quartiles and ends of some values, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// How many values.
    pub count: usize,
    /// The smallest value.
    pub smallest: f64,
    /// A quarter of the values is below: [`quantile`] of 0.25.
    pub lower_quartile: f64,
    /// The middle value; of an even number the mean of the two in the middle.
    pub median: f64,
    /// A quarter of the values is above: [`quantile`] of 0.75.
    pub upper_quartile: f64,
    /// [`quantile`] of 0.95.
    pub p95: f64,
    /// The largest value.
    pub largest: f64,
}

impl Spread {
    /// Of values in any order; `None` of none, or where one is not a number.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        if sorted.iter().any(|value| value.is_nan()) {
            return None;
        }
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Self {
            count: sorted.len(),
            smallest: *sorted.first()?,
            lower_quartile: quantile(&sorted, 0.25)?,
            median: quantile(&sorted, 0.5)?,
            upper_quartile: quantile(&sorted, 0.75)?,
            p95: quantile(&sorted, 0.95)?,
            largest: *sorted.last()?,
        })
    }

    /// Whether this value lies among the others: from the smallest to the largest, ends included.
    pub fn covers(&self, value: f64) -> bool {
        (self.smallest..=self.largest).contains(&value)
    }
}

/// The value below which the share `q` (0 to 1) of `sorted` (ascending) lies. Between two values it is interpolated
/// linearly: place `q * (n - 1)` of the list, counted from 0. This is definition 7 of Hyndman and Fan (1996), "Sample
/// Quantiles in Statistical Packages", and what NumPy does unless told otherwise. `None` of an empty list.
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let place = q.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let below = place.floor();
    let low = *sorted.get(below as usize)?;
    let high = sorted.get(below as usize + 1).copied().unwrap_or(low);
    Some(low + (high - low) * (place - below))
}
