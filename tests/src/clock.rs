//! Clocks that move when they are looked at, so that times in tests are exact.

use std::cell::Cell;

thread_local! {
    static NOW_MS: Cell<f64> = const { Cell::new(0.0) };
}

/// Lets that much time pass; returns the moment after it.
pub fn pass_ms(ms: f64) -> f64 {
    NOW_MS.with(|now| {
        now.set(now.get() + ms);
        now.get()
    })
}

/// Each look takes a millisecond, so that a unit that is timed takes one.
pub fn millisecond_clock() -> f64 {
    pass_ms(1.0)
}

/// A quarter of a millisecond a look.
pub fn quarter_clock() -> f64 {
    pass_ms(0.25)
}

/// Moves once in eight looks, by a millisecond: a coarse clock.
pub fn coarse_clock() -> f64 {
    pass_ms(0.125).floor()
}
