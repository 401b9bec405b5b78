//! The sampler's kernels, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::sampler_kernel_checks!(test);
