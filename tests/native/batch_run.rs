//! Padded batches, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::batch_checks!(test);
