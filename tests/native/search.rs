//! Beam search, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::search_checks!(test);
