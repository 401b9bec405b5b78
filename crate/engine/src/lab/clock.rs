//! How finely a clock tells time: what limits every timing. Browsers make theirs coarse on purpose.

use super::Clock;

const ENOUGH_STEPS: usize = 50;

/// Also a clock that moves once a millisecond has shown some steps by then.
const LIMIT_MS: f64 = 12.0;

/// A clock that stands still must not hold anybody up.
const MOST_LOOKS: usize = 1_000_000;

/// The smallest step that the clock was seen to make, in milliseconds; 0 if it never moved.
pub fn clock_step_ms(clock: Clock) -> f64 {
    let start = clock();
    let (mut last, mut smallest, mut steps) = (start, f64::INFINITY, 0);
    for _ in 0..MOST_LOOKS {
        let now = clock();
        if now > last {
            smallest = smallest.min(now - last);
            last = now;
            steps += 1;
        }
        if steps == ENOUGH_STEPS || last - start >= LIMIT_MS {
            break;
        }
    }
    if smallest.is_finite() { smallest } else { 0.0 }
}
