//! Number formats and the table of precisions, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::number_formats_checks!(test);
logit_lab_tests::precision_table_checks!(test);
