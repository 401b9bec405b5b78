//! The KV cache and memory in figures, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::cache_check_checks!(test);
