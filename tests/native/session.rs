//! The generation loop, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

use logit_lab_tests::session as checks;

macro_rules! run {
    ($($name:ident),* $(,)?) => { $(#[test] fn $name() { checks::$name(); })* };
}

logit_lab_tests::session_checks!(run);
