//! The uniform random number of a token: a pure function of the run's seed and the token's index.
//!
//! There is no generator state to carry along: a fork or a replay of a run needs the seed and the position, nothing
//! else. The stream is ChaCha with eight rounds, whose output words are fixed by its definition (D. J. Bernstein,
//! "ChaCha, a variant of Salsa20"), so the numbers do not change with a library version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The uniform number in [0, 1) for new token `token_index` (counted from 0) of a run with this seed.
///
/// The key is the seed as four little-endian bytes followed by 28 zero bytes; it is written out here because a
/// library's own way of spreading a small seed over the key may change. Token n uses output words 2n and 2n + 1, low
/// word first, as a 64-bit number whose upper 53 bits are the binary fraction: `u = (x >> 11) * 2^-53`.
pub fn uniform(seed: u32, token_index: u64) -> f64 {
    let mut key = [0u8; 32];
    key[..4].copy_from_slice(&seed.to_le_bytes());
    let mut words = ChaCha8Rng::from_seed(key);
    words.set_word_pos(2 * u128::from(token_index));
    // 53 bits fit a f64 exactly, and so does the product with a power of two.
    (words.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::uniform;

    #[test]
    fn numbers_are_pinned() {
        // Cross-checked with an independent implementation: ChaCha written from its definition in Python, itself
        // checked against the published first word of ChaCha20 under the zero key. The third column is u * 2^53.
        let pinned: [(u32, u64, u64); 11] = [
            (0, 0, 7_538_303_010_471_392),
            (0, 1, 5_687_366_232_381_195),
            (42, 0, 3_136_797_389_566_453),
            (42, 1, 2_573_343_958_160_318),
            (42, 7, 2_400_606_489_596_347),
            (42, 8, 4_203_756_084_755_732),
            (42, 31, 1_459_392_061_771_478),
            (42, 32, 482_870_323_476_224),
            (42, 1000, 8_172_254_980_477_699),
            (u32::MAX, 0, 5_041_912_528_876),
            (1, (1 << 33) + 5, 4_041_054_998_349_641),
        ];
        for (seed, index, scaled) in pinned {
            assert_eq!(
                uniform(seed, index) * 9_007_199_254_740_992.0,
                scaled as f64,
                "seed {seed}, token {index}"
            );
        }
    }

    #[test]
    fn numbers_lie_in_the_half_open_unit_interval_and_average_a_half() {
        let numbers: Vec<f64> = (0..4000).map(|index| uniform(7, index)).collect();
        assert!(numbers.iter().all(|u| (0.0..1.0).contains(u)));
        let mean = numbers.iter().sum::<f64>() / 4000.0;
        // The standard error is 0.29 / sqrt(4000) = 0.0046.
        assert!((mean - 0.5).abs() < 0.02, "mean {mean}");
    }
}
