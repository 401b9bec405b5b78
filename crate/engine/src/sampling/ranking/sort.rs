//! Sorting keys that were collected in order of token id.

/// Below this many keys the comparing sort of the standard library is faster.
const FEW: usize = 768;
/// Bits of a key that one pass sorts by.
const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;
/// Where the digits of the upper half begin: 11, 11 and 10 bits.
const SHIFTS: [u32; 3] = [32, 32 + DIGIT_BITS, 32 + 2 * DIGIT_BITS];

/// Sorts keys, ids ascending, by their upper half. Ties stay in the order of their ids, so that this is the order of the
/// whole keys. `scratch` is room to work in.
///
/// Many keys are sorted digit by digit, the lowest first (D. E. Knuth, "Sorting and Searching", 5.2.5): three passes,
/// however long the list.
pub(super) fn sort_by_logit(keys: &mut [u64], scratch: &mut Vec<u64>) {
    if keys.len() < FEW {
        keys.sort_unstable();
        return;
    }
    let digit = |key: u64, shift: u32| (key >> shift) as usize & (DIGITS - 1);
    let mut places = [[0u32; DIGITS]; 3];
    for key in keys.iter() {
        for (places, shift) in places.iter_mut().zip(SHIFTS) {
            places[digit(*key, shift)] += 1;
        }
    }
    scratch.clear();
    scratch.resize(keys.len(), 0);
    let mut is_in_scratch = false;
    for (places, shift) in places.iter_mut().zip(SHIFTS) {
        // From how many keys have a digit to where the first of them goes.
        let mut place = 0;
        for count in places.iter_mut() {
            place += std::mem::replace(count, place);
        }
        let (from, to) = if is_in_scratch { (&scratch[..], &mut *keys) } else { (&*keys, &mut scratch[..]) };
        for key in from {
            let place = &mut places[digit(*key, shift)];
            if let Some(slot) = to.get_mut(*place as usize) {
                *slot = *key;
            }
            *place += 1;
        }
        is_in_scratch = !is_in_scratch;
    }
    if is_in_scratch {
        keys.copy_from_slice(scratch);
    }
}
