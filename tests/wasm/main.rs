//! The engine's checks in Chromium: the same functions that the native run calls, compiled as the page's engine is.
#![cfg(target_arch = "wasm32")]
#![allow(missing_docs)]

// Brings the features that let the engine's dependencies find the browser's random source.
use logit_lab_web as _;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);
