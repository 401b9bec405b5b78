//! The kernels natively: portable lanes against plain arithmetic.
#![allow(missing_docs)]

logit_lab_tests::kernel_checks!(test);
