//! Checks shared by the native run and the run in Chromium: functions that panic where the engine is wrong. They take
//! their data from memory, so that the same code runs where there are no files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

pub mod batch_run;
pub mod branches;
pub mod cache_check;
pub mod clock;
pub mod digests;
pub mod fixtures;
pub mod forward;
pub mod half_precision;
pub mod hostile;
pub mod kernels;
pub mod number_formats;
pub mod precision_report;
pub mod precision_table;
pub mod quantised;
#[cfg(all(feature = "relaxed-simd", target_arch = "wasm32"))]
pub mod relaxed;
pub mod replay;
pub mod runs;
pub mod sampler_kernels;
pub mod sampling;
pub mod search;
pub mod session;
pub mod stages;
pub mod stand_in;
pub mod storage;
pub mod text_scores;
pub mod timing;
pub mod tokenizer;

/// Makes a test of each named check of a module, with the attribute of the run: `test`, or `wasm_bindgen_test`.
#[macro_export]
macro_rules! checks {
    ($test:meta, $module:ident: $($name:ident),* $(,)?) => {
        $(
            #[$test]
            fn $name() {
                $crate::$module::$name();
            }
        )*
    };
}
