//! Quantised products, narrow storage and what they do to a model, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::half_precision_checks!(test);
logit_lab_tests::quantised_checks!(test);
logit_lab_tests::precision_report_checks!(test);
logit_lab_tests::storage_checks!(test);
