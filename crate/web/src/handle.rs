//! What JavaScript sees: [`EngineHandle`], [`Sha256`] and the summary of a panic.

use std::sync::{Mutex, Once};

use serde::Serialize;
use sha2::Digest;
use wasm_bindgen::prelude::*;

use crate::protocol::{ErrorCode, ErrorDetails, Event, WireError};
use crate::shell::{LoadOptions, Shell, hexadecimal};

/// One worker's engine. Commands are queued; [`EngineHandle::slice`] does the work and returns events.
#[wasm_bindgen]
pub struct EngineHandle {
    shell: Shell,
}

#[wasm_bindgen]
impl EngineHandle {
    /// An engine without a model: it answers only what needs none.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        remember_panics();
        Self { shell: Shell::new(now_ms, wasm_bytes) }
    }

    /// Begins to load a model; a load that was going on is dropped. `index` is `model.safetensors.index.json` where
    /// there are shards. Every step of a load may throw a `WireError`; a model loaded before stays.
    #[wasm_bindgen(js_name = beginLoad)]
    pub fn begin_load(
        &mut self,
        config: Vec<u8>,
        tokenizer: Option<Vec<u8>>,
        index: Option<Vec<u8>>,
        options: JsValue,
    ) -> Result<(), JsValue> {
        let options: LoadOptions =
            serde_wasm_bindgen::from_value(options).map_err(|error| not_a_command(&error))?;
        self.shell
            .begin_load(&config, tokenizer.as_deref(), index.as_deref(), &options)
            .map_err(|error| to_js(&error))
    }

    /// Begins a weight file, of this length where it is known.
    #[wasm_bindgen(js_name = beginFile)]
    pub fn begin_file(&mut self, name: &str, bytes: Option<f64>) -> Result<bool, JsValue> {
        // A length beyond what memory can hold becomes the largest there is, and is refused by what it is compared with.
        self.shell.begin_file(name, bytes.map(|bytes| bytes as usize)).map_err(|error| to_js(&error))
    }

    /// Adds bytes to the file and to its digest; the copy in this memory is freed on return. `false` once the files are
    /// known to be unsound, which `finishLoad` puts into words.
    pub fn push(&mut self, bytes: &[u8]) -> Result<bool, JsValue> {
        self.shell.push_weights(bytes).map_err(|error| to_js(&error))
    }

    /// Ends the file and returns its SHA-256 in hexadecimal.
    #[wasm_bindgen(js_name = finishFile)]
    pub fn finish_file(&mut self) -> Result<String, JsValue> {
        self.shell.finish_file().map_err(|error| to_js(&error))
    }

    /// Builds the model and returns its `ModelCard`.
    #[wasm_bindgen(js_name = finishLoad)]
    pub fn finish_load(&mut self) -> Result<JsValue, JsValue> {
        self.shell.finish_load().map(|card| to_js(&card)).map_err(|error| to_js(&error))
    }

    /// Runs a `SelfTestReference` on the loaded model and returns a `SelfTestOutcome`.
    #[wasm_bindgen(js_name = selfTest)]
    pub fn self_test(&mut self, reference: JsValue) -> Result<JsValue, JsValue> {
        let reference = serde_wasm_bindgen::from_value(reference).map_err(|error| not_a_command(&error))?;
        self.shell.self_test(&reference).map(|outcome| to_js(&outcome)).map_err(|error| to_js(&error))
    }

    /// Drops a load that is going on.
    #[wasm_bindgen(js_name = abandonLoad)]
    pub fn abandon_load(&mut self) {
        self.shell.abandon_load();
    }

    /// Queues a command.
    pub fn command(&mut self, command: JsValue) {
        match serde_wasm_bindgen::from_value(command) {
            Ok(command) => self.shell.command(command),
            Err(error) => self.shell.reject(command_error(&error)),
        }
    }

    /// Works for about `budget_ms` and returns the events of that time, an array.
    pub fn slice(&mut self, budget_ms: f64) -> JsValue {
        to_js::<Vec<Event>>(&self.shell.slice(budget_ms))
    }

    /// Whether there is work that needs no further command.
    pub fn busy(&self) -> bool {
        self.shell.busy()
    }
}

impl Default for EngineHandle {
    fn default() -> Self {
        Self::new()
    }
}

/// SHA-256 of bytes that arrive in pieces. In the worker, because a page on plain http has no `crypto.subtle`.
#[wasm_bindgen]
#[derive(Default)]
pub struct Sha256 {
    state: sha2::Sha256,
}

#[wasm_bindgen]
impl Sha256 {
    /// The digest of nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.state.update(bytes);
    }

    /// The digest of everything added, in lower-case hexadecimal; the state starts anew.
    pub fn finish(&mut self) -> String {
        hexadecimal(&self.state.finalize_reset())
    }
}

/// Where and why the engine panicked, or an empty string. After a panic no other function may be called.
#[wasm_bindgen]
pub fn panic_summary() -> String {
    PANIC.lock().map(|summary| summary.clone()).unwrap_or_default()
}

static PANIC: Mutex<String> = Mutex::new(String::new());

fn remember_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            if let Ok(mut summary) = PANIC.lock() {
                *summary = info.to_string();
            }
        }));
    });
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

fn now_ms() -> f64 {
    performance_now()
}

fn wasm_bytes() -> usize {
    #[cfg(target_arch = "wasm32")]
    {
        core::arch::wasm32::memory_size::<0>() * 65_536
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        0
    }
}

fn command_error(error: &serde_wasm_bindgen::Error) -> WireError {
    WireError {
        code: ErrorCode::Command,
        message: format!("the message is not a command: {error}"),
        details: ErrorDetails::default(),
    }
}

fn not_a_command(error: &serde_wasm_bindgen::Error) -> JsValue {
    to_js(&command_error(error))
}

/// Wire types always serialize; were one not to, JavaScript would see `undefined` in place of an event and say so.
fn to_js<T: Serialize>(value: &T) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true);
    value.serialize(&serializer).unwrap_or(JsValue::UNDEFINED)
}
