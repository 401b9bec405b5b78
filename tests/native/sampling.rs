//! The sampler against its references, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::sampling_checks!(test);
logit_lab_tests::stages_checks!(test);
