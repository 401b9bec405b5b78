//! Scores of a text and digests of the weights, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::text_scores_checks!(test);
