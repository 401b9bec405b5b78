//! The generation loop, natively. The same checks run in Chromium: tests/wasm.
#![allow(missing_docs)]

logit_lab_tests::session_checks!(test);
logit_lab_tests::branch_checks!(test);
logit_lab_tests::runs_checks!(test);
logit_lab_tests::replay_checks!(test);
