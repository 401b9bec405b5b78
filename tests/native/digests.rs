//! The fused kernel's bits, natively: the same digests as in a browser.
#![allow(missing_docs)]

logit_lab_tests::digest_checks!(test);
