//! Many draws from one distribution, and how far they are from it.

use super::rng::uniform;
use super::step::SamplingStep;

/// Counts of draws beside what was to be expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// How many draws were made.
    pub draws: usize,
    /// Tokens that were drawn at least once, and how often, in the order of the ranking.
    pub counts: Vec<(u32, usize)>,
    /// Largest difference between a token's share of the draws and its chance, over all tokens.
    pub largest_deviation: f64,
    /// Pearson's chi-square statistic. Tokens expected fewer than five times are one bin together, or belong to the last
    /// other bin where even together they are fewer.
    pub chi_square: f64,
    /// Bins less one.
    pub degrees_of_freedom: usize,
}

impl Tally {
    /// What the statistic exceeds in 5 of 100 honest runs: the 95th percentile of the chi-square distribution, by the
    /// approximation of E. B. Wilson and M. M. Hilferty (1931); 0 without a degree of freedom.
    pub fn chi_square_95(&self) -> f64 {
        if self.degrees_of_freedom == 0 {
            return 0.0;
        }
        let degrees = self.degrees_of_freedom as f64;
        let variance = 2.0 / (9.0 * degrees);
        let root = 1.0 - variance + 1.644_853_626_951_472_7 * variance.sqrt();
        degrees * root * root * root
    }
}

/// The least that a bin of the chi-square statistic is expected to hold (W. G. Cochran, 1954).
const LEAST_EXPECTED: f64 = 5.0;

impl SamplingStep<'_> {
    /// Draws from this step's distribution with the uniform numbers 0 to `draws` of `seed`. Greedy decoding picks its
    /// token every time.
    pub fn tally(&mut self, seed: u32, draws: usize) -> Tally {
        let rows = self.rows(0, self.kept());
        let stages = self.stages(&rows);
        // In ascending order the numbers fall on the strip from left to right: one walk finds all.
        let mut uniforms: Vec<f64> = (0..draws).map(|index| uniform(seed, index as u64)).collect();
        uniforms.sort_unstable_by(f64::total_cmp);
        let mut left = uniforms.as_slice();
        let counts: Vec<usize> = stages
            .iter()
            .map(|stage| {
                let (fallen, rest) = left.split_at(left.partition_point(|uniform| *uniform < stage.high));
                left = rest;
                fallen.len()
            })
            .collect();

        let total = draws as f64;
        let (mut bins, mut rare, mut largest_deviation) = (Vec::new(), (0.0, 0.0), 0.0f64);
        for (row, count) in rows.iter().zip(&counts) {
            let (expected, count) = (row.probability * total, *count as f64);
            largest_deviation = largest_deviation.max((count - expected).abs() / total.max(1.0));
            if expected >= LEAST_EXPECTED {
                bins.push((expected, count));
            } else {
                rare = (rare.0 + expected, rare.1 + count);
            }
        }
        match bins.last_mut() {
            Some(last) if rare.0 < LEAST_EXPECTED => *last = (last.0 + rare.0, last.1 + rare.1),
            _ => bins.push(rare),
        }
        let chi_square = bins.iter().filter(|(expected, _)| *expected > 0.0);
        let chi_square =
            chi_square.map(|(expected, count)| (count - expected) * (count - expected) / expected).sum();
        Tally {
            draws,
            counts: rows.iter().map(|row| row.id).zip(counts).filter(|(_, count)| *count > 0).collect(),
            largest_deviation,
            chi_square,
            degrees_of_freedom: bins.len().saturating_sub(1),
        }
    }
}
