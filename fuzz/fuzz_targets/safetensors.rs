//! See `tests/src/hostile.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| logit_lab_tests::hostile::safetensors(data));
